//! Wrong credentials and missing rights on the database server.

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::{Backend, Context, Extras, OwnServer, until};

use crate::cases;
use crate::support::{Vehicles as _, program, serve, start};
use crate::table::Stats;

cases![
    a_refused_account_is_reported_with_a_fix on Postgres Mariadb Mysql {
        fault: "wrong password, unknown user, unknown database, an account without rights on the database",
        promise: "an immediate one-line error with the remedy and without the password, exit code 1, nothing written; works once the account is correct",
        how: "a server with passwords; the service is started with each wrong account, then with the correct one",
    },
];

/// Rules of `pg_hba.conf`: every user except the administrator needs a password.
const HBA_RULES: &str = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

async fn a_refused_account_is_reported_with_a_fix(context: Context) -> Stats {
    let server = start_server(context.backend);
    let (administrator, setup) = match context.backend {
        Backend::Mariadb | Backend::Mysql => {
            ("root@", "CREATE USER careful@'%' IDENTIFIED BY 'secret'; CREATE USER reader@'%' IDENTIFIED BY 'secret'")
        }
        _ => (
            "postgres@",
            "CREATE ROLE careful LOGIN PASSWORD 'secret'; CREATE ROLE reader LOGIN PASSWORD 'secret'; \
             REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        ),
    };
    let url = server.database();
    let connection = testkit::connect(&url).await;
    for statement in setup.split("; ") {
        connection.execute_unprepared(statement).await.unwrap();
    }
    let name = url.rsplit('/').next().unwrap().to_owned();
    if context.backend.is_mysql_family() {
        let grant = format!("GRANT SELECT ON {name}.* TO reader@'%'");
        connection.execute_unprepared(&grant).await.unwrap();
    }
    let with_account = |account: &str| url.replacen(administrator, account, 1);
    let wrong = [
        (with_account("careful:wrongsecret@"), "correct the user and the password"),
        (with_account("nobody:secret@"), "correct the user and the password"),
        (url.replace(&name, "not_there"), "make it (CREATE DATABASE)"),
        (with_account("reader:secret@"), "needs the rights to"),
    ];
    for (url, expected) in &wrong {
        let mut started = start(url, &["--database-connect-timeout-seconds=3600"]);
        assert_eq!(started.ended().await.code(), Some(1), "{url}: {}", started.log());
        let log = started.log();
        let last = log.lines().last().unwrap_or_default();
        assert!(last.starts_with("error: cannot ") && last.contains(expected), "{url}: {log}");
        assert!(!log.contains("secret"), "{url}: {log}");
    }
    assert_eq!(count_tables(context.backend, &connection).await, 0, "nothing was written");
    let grant = match context.backend {
        Backend::Mariadb | Backend::Mysql => format!("GRANT ALL ON {name}.* TO careful@'%'"),
        _ => "GRANT CREATE ON SCHEMA public TO careful".to_owned(),
    };
    connection.execute_unprepared(&grant).await.unwrap();
    let running = serve(&with_account("careful:secret@"), &[]).await;
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    assert!(!running.log().contains("secret"), "{}", running.log());

    let reader = with_account("reader:secret@");
    assert_documented_rights_are_enough(context.backend, &connection, &name, &reader).await;
    Stats { faults: wrong.len(), ..Stats::default() }
}

/// A user that can only read is not ready; the documented rights are enough.
async fn assert_documented_rights_are_enough(
    backend: Backend,
    connection: &DatabaseConnection,
    name: &str,
    reader: &str,
) {
    let page = include_str!("../../docs/databases.md");
    let (reads, writes): (&[&str], _) = match backend {
        Backend::Mariadb | Backend::Mysql => (
            &["GRANT SELECT ON vehicles.seaql_migrations TO service@'%'"],
            "GRANT SELECT, INSERT, UPDATE, DELETE ON vehicles.vehicle TO service@'%'",
        ),
        _ => (
            &[
                "GRANT SELECT ON seaql_migrations TO service",
                "GRANT SELECT ON SEQUENCE vehicle_id_seq TO service",
                "GRANT SELECT ON vehicle TO service",
            ],
            "GRANT SELECT, INSERT, UPDATE, DELETE ON vehicle TO service",
        ),
    };
    let grant = async |documented: &str| {
        let grant = documented.replace("service", "reader");
        let grant = grant.replace("vehicles.", &format!("{name}."));
        connection.execute_unprepared(&grant).await.unwrap();
    };
    for documented in reads {
        grant(documented).await;
    }
    let running = serve(reader, &["--migrate=never"]).await;
    assert_eq!(running.readiness().await, 503, "{}", running.log());
    running.logged("may not be written by the user of the database URL").await;
    assert!(page.contains(&format!("{writes};")) && page.contains(reads[0]));
    grant(writes).await;
    until("the service is ready", async || running.readiness().await == 200).await;
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    if backend == Backend::Postgres {
        let sequence = "GRANT UPDATE ON SEQUENCE vehicle_id_seq TO service";
        assert!(page.contains(&format!("{sequence};")));
        grant(sequence).await;
    }
    let program = program().with_variable("DATABASE_URL", reader);
    let program = program.with_file("vehicles.csv", "id,type,modelCode\n900,SUV,XC90\n");
    let imported = program.run(&["import", "vehicles.csv"]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
}

fn start_server(backend: Backend) -> OwnServer {
    let extras = match backend {
        Backend::Mariadb | Backend::Mysql => Extras::default(),
        _ => Extras {
            files: vec![("admissions", HBA_RULES.to_owned())],
            arguments: vec!["--hba_file={folder}/admissions".to_owned()],
        },
    };
    OwnServer::start(backend, &extras)
}

async fn count_tables(backend: Backend, connection: &DatabaseConnection) -> usize {
    let list = match backend {
        Backend::Mariadb | Backend::Mysql => "SHOW TABLES",
        _ => "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    };
    let list = Statement::from_string(connection.get_database_backend(), list);
    connection.query_all_raw(list).await.unwrap().len()
}
