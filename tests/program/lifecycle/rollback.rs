//! A release on a database that a newer one has migrated, and reverted migrations.

use std::io::Write as _;
use std::process::{Command, Stdio};

use sea_orm::ConnectionTrait as _;
use testkit::{Context, Running, connect};

use crate::support::{Vehicles as _, migrations, program, serve, start};

testkit::tests![
    a_rolling_update_to_a_release_with_an_additive_migration_and_its_rollback_lose_no_vehicle on Sqlite Postgres Mariadb,
    reverting_migrations_needs_a_confirmation on Sqlite,
    on_a_terminal_reverting_migrations_asks on Sqlite,
    a_newer_migration_that_breaks_the_statements_of_this_release_is_refused_with_what_is_lost on Sqlite,
];

/// The migrations of a newer release, which adds columns that this one does not know.
pub(crate) async fn migrate_as_a_newer_release(url: &str, changes: &[&str]) {
    let admin = connect(url).await;
    let record = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99991231_000001_tyres', 0)";
    for statement in changes.iter().copied().chain([record]) {
        let done = admin.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// Creates, changes, reads and deletes a vehicle, and creates another one that stays.
async fn work(running: &Running, model: &str) {
    let created = running.create("passing").await.unwrap();
    let id = created["data"]["createVehicle"]["id"].as_str();
    let id = id.unwrap_or_else(|| panic!("{created}\n{}", running.log()));
    assert_eq!(running.update(id, "changed").await, 2);
    running.delete(id).await;
    let created = running.create(model).await.unwrap();
    assert!(created["errors"].is_null(), "{created}\n{}", running.log());
}

async fn a_rolling_update_to_a_release_with_an_additive_migration_and_its_rollback_lose_no_vehicle(context: Context) {
    let database = context.database();
    let url = database.url();
    let running = serve(url, &[]).await;
    work(&running, "before").await;
    let changes = [
        "ALTER TABLE vehicle ADD COLUMN tyres varchar(9)",
        "ALTER TABLE vehicle ADD COLUMN wheels int NOT NULL DEFAULT 4",
    ];
    migrate_as_a_newer_release(url, &changes).await;
    work(&running, "during").await;
    running.stop();
    for (flags, model) in [(&[][..], "back"), (&["--migrate=never"], "back without migrating")] {
        let running = serve(url, flags).await;
        assert_eq!(running.readiness().await, 200, "{}", running.log());
        work(&running, model).await;
        running.logged("migrations of a newer version: m99991231_000001_tyres").await;
        running.stop();
    }
    let check = program().run(&["--database-url", url, "schema", "check"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    let unchecked = "not checked: the migration m99991231_000001_tyres of a newer version";
    assert!(check.stdout.contains(unchecked), "{check:?}");
    let down = program().run(&["--database-url", url, "migrate", "down", "--yes"]);
    assert_eq!(down.code, Some(1), "{down:?}");
    assert!(down.stderr.contains("start the newer version"), "{down:?}");
    let models = serve(url, &[]).await.models().await;
    assert_eq!(models, ["before", "during", "back", "back without migrating"]);
}

async fn a_newer_migration_that_breaks_the_statements_of_this_release_is_refused_with_what_is_lost(context: Context) {
    let database = context.database();
    let url = database.url();
    drop(serve(url, &[]).await);
    let change = "ALTER TABLE vehicle DROP COLUMN version";
    migrate_as_a_newer_release(url, &[change]).await;
    for flags in [&[][..], &["--migrate=never"]] {
        let mut started = start(url, flags);
        assert_eq!(started.ended().await.code(), Some(1), "{}", started.log());
        let log = started.log();
        for expected in [
            "a newer version of this program",
            "m99991231_000001_tyres",
            "vehicle.version does not exist",
            "start the newer version, or revert its migrations with it (migrate down)",
            "which deletes the data that they added",
        ] {
            assert!(log.contains(expected), "{expected:?} is not in\n{log}");
        }
        assert_eq!(log.lines().count(), 1, "{log}");
    }
}

async fn reverting_migrations_needs_a_confirmation(context: Context) {
    let database = context.database();
    let url = database.url();
    let running = serve(url, &[]).await;
    for model in ["XC40", "XC60"] {
        running.create(model).await.unwrap();
    }
    running.stop();
    let steps = migrations().len().to_string();
    let down = |arguments: &[&str]| {
        let command = ["--database-url", url, "migrate", "down"];
        program().run(&[&command, arguments].concat())
    };
    let refused = down(&[]);
    let expected = "error: nothing was reverted: migrate down would delete the data of the last migration; repeat it \
                    with --yes to delete that\n";
    assert_eq!((refused.code, refused.stderr.as_str()), (Some(1), expected));
    let too_many = down(&["--steps=9", "--yes"]);
    let expected = format!("error: nothing was reverted: --steps is 9, and {steps} migrations are applied\n");
    assert_eq!((too_many.code, too_many.stderr), (Some(1), expected));
    // Each step is reverted and applied again: indexes, columns, the table.
    let reverted = down(&["--steps=3", "--yes"]);
    assert_eq!(reverted.code, Some(0), "{reverted:?}");
    assert_eq!(serve(url, &[]).await.models().await, ["XC40", "XC60"]);
    let reverted = down(&["--steps", &steps, "--yes"]);
    assert_eq!(reverted.code, Some(0), "{reverted:?}");
    assert_eq!(serve(url, &[]).await.models().await, [""; 0]);
}

async fn on_a_terminal_reverting_migrations_asks(context: Context) {
    let database = context.database();
    let url = database.url();
    let running = serve(url, &[]).await;
    running.create("XC60").await.unwrap();
    running.stop();
    for (answer, code, models) in [("no\n", 1, vec!["XC60"]), ("yes\n", 0, vec![])] {
        let program = env!("CARGO_BIN_EXE_vehicle-catalogue");
        let steps = migrations().len();
        let command = format!("{program} --database-url {url} migrate down --steps {steps}");
        // It gives the command a terminal.
        let mut script = Command::new("script")
            .args(["--quiet", "--return", "--command", &command, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = script.stdin.take().unwrap();
        stdin.write_all(answer.as_bytes()).unwrap();
        let output = script.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let question = format!("This deletes the data of the last {steps} migrations. Enter yes to delete that: ");
        assert!(text.contains(&question), "{text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert_eq!(serve(url, &[]).await.models().await, models);
    }
}
