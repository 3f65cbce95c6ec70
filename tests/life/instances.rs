//! Several instances on one database, and instances whose version is not that of their database.

use futures_util::future::join_all;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};

use crate::{
    Context, cases,
    databases::Backend,
    running::{Running, Started, until},
};

cases![
    instances_that_start_at_once_migrate_once_and_serve on Sqlite Postgres Mysql,
    a_lock_that_another_instance_keeps_ends_the_start on Sqlite Postgres Mysql,
    an_instance_older_than_the_database_says_what_to_do on Sqlite Postgres Mysql,
    pending_migrations_that_are_never_applied_are_not_ready on Sqlite Postgres Mysql,
];

async fn instances_that_start_at_once_migrate_once_and_serve(context: Context) {
    for count in [2, 4] {
        let database = context.database();
        let starting = (0..count).map(|_| Running::start(database.url(), &[]));
        let instances = join_all(starting).await;
        let creations = instances.iter().enumerate();
        let creations = creations.map(|(number, instance)| async move {
            for turn in 0..5 {
                let answer = instance.create(&format!("{number}-{turn}")).await.unwrap();
                assert!(
                    answer.get("errors").is_none(),
                    "{answer}\n{}",
                    instance.log()
                );
            }
        });
        join_all(creations).await;
        for instance in &instances {
            assert_eq!(instance.models().await.len(), count * 5);
            assert_eq!(instance.readiness().await, 200);
        }
        let stranger = stranger(database.url()).await;
        let applied = "SELECT COUNT(*), COUNT(DISTINCT version) FROM seaql_migrations";
        let applied = Statement::from_string(stranger.get_database_backend(), applied);
        let row = stranger.query_one_raw(applied).await.unwrap().unwrap();
        let column = |index| row.try_get_by_index::<i64>(index).unwrap();
        let known = i64::try_from(migration::known().len()).unwrap();
        assert_eq!(
            (column(0), column(1)),
            (known, known),
            "each is applied once"
        );
    }
}

async fn a_lock_that_another_instance_keeps_ends_the_start(context: Context) {
    let database = context.database();
    for direction in ["up", "down"] {
        let mut first = Started::new(database.url(), &["migrate", direction]);
        assert_eq!(first.ended().await.code(), Some(0), "{}", first.log());
    }
    let stranger = stranger(database.url()).await;
    let lock = match context.backend {
        Backend::Sqlite => "BEGIN IMMEDIATE",
        Backend::Postgres => "SELECT pg_advisory_lock(x'76656869636c6531'::bigint)",
        Backend::Mysql => "DO GET_LOCK(CONCAT('vehicle-catalogue ', SHA1(DATABASE())), 0)",
    };
    stranger.execute_unprepared(lock).await.unwrap();
    let flags = [
        "--migration-lock-timeout-seconds=1",
        "--database-timeout-seconds=1",
    ];
    let mut started = Started::new(database.url(), &flags);
    assert_eq!(started.ended().await.code(), Some(1));
    let log = started.log();
    let sentence = "error: cannot migrate the database: another instance has been migrating the database for 1 seconds";
    assert!(log.starts_with(sentence), "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
}

async fn an_instance_older_than_the_database_says_what_to_do(context: Context) {
    let database = context.database();
    drop(Running::start(database.url(), &[]).await);
    let newer =
        "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99991231_000001_tyres', 0)";
    let stranger = stranger(database.url()).await;
    stranger.execute_unprepared(newer).await.unwrap();
    for flags in [&[][..], &["--migrate=never"]] {
        let mut started = Started::new(database.url(), flags);
        assert_eq!(started.ended().await.code(), Some(1));
        let log = started.log();
        for expected in [
            "a newer version of this program",
            "m99991231_000001_tyres",
            "start the newer version",
        ] {
            assert!(log.contains(expected), "{expected:?} is not in\n{log}");
        }
        assert_eq!(log.lines().count(), 1, "{log}");
    }
}

async fn pending_migrations_that_are_never_applied_are_not_ready(context: Context) {
    let database = context.database();
    let running = Running::start(database.url(), &["--migrate=never"]).await;
    assert_eq!(running.readiness().await, 503);
    let log = running.log();
    for expected in [
        "migrations are not applied",
        "vehicle-catalogue migrate up",
        &migration::known()[0],
    ] {
        assert!(log.contains(expected), "{expected:?} is not in\n{log}");
    }
    let mut up = Started::new(database.url(), &["migrate", "up"]);
    assert_eq!(up.ended().await.code(), Some(0), "{}", up.log());
    until("ready", async || running.readiness().await == 200).await;
    assert!(
        running
            .create("XC60")
            .await
            .unwrap()
            .get("errors")
            .is_none()
    );
}

async fn stranger(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}
