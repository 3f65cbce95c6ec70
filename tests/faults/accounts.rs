//! Servers that do not let the service in, or let it do too little.

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::databases::{Backend, Extras, OwnServer};
use crate::running::{Running, Started};
use crate::table::Figures;
use crate::{Context, cases, rows};

cases![
    a_server_that_refuses_says_what_to_do on Postgres Mysql {
        fault: "wrong password, unknown user, unknown database, an account without rights on the database",
        promise: "one sentence at once that names what to do, without the password, exit code 1, nothing written; works as soon as the account is right",
        how: "a server with passwords; started with each wrong account and then with the right one",
    },
];

/// PostgreSQL asks everybody but its administrator for a password.
const ADMISSIONS: &str =
    "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

async fn a_server_that_refuses_says_what_to_do(context: Context) -> Figures {
    let server = server(context.backend);
    let (administrator, from) = match context.backend {
        Backend::Mysql => (
            "root@",
            "CREATE USER careful@'%' IDENTIFIED BY 'secret'; CREATE USER reader@'%' IDENTIFIED BY 'secret'",
        ),
        _ => (
            "postgres@",
            "CREATE ROLE careful LOGIN PASSWORD 'secret'; CREATE ROLE reader LOGIN PASSWORD 'secret'; \
             REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        ),
    };
    let url = server.database();
    let stranger = rows::stranger(&url).await;
    for statement in from.split("; ") {
        stranger.execute_unprepared(statement).await.unwrap();
    }
    let name = url.rsplit('/').next().unwrap().to_owned();
    if context.backend == Backend::Mysql {
        let grant = format!("GRANT SELECT ON {name}.* TO reader@'%'");
        stranger.execute_unprepared(&grant).await.unwrap();
    }
    let of = |account: &str| url.replacen(administrator, account, 1);
    let wrong = [
        (
            of("careful:wrongsecret@"),
            "correct the user and the password",
        ),
        (of("nobody:secret@"), "correct the user and the password"),
        (url.replace(&name, "not_there"), "make it (CREATE DATABASE)"),
        (of("reader:secret@"), "needs the rights to"),
    ];
    for (url, expected) in &wrong {
        let mut started = Started::new(url, &["--database-connect-timeout-seconds=3600"]);
        assert_eq!(
            started.ended().await.code(),
            Some(1),
            "{url}: {}",
            started.log()
        );
        let log = started.log();
        let last = log.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("error: cannot ") && last.contains(expected),
            "{url}: {log}"
        );
        assert!(!log.contains("secret"), "{url}: {log}");
    }
    assert_eq!(
        tables(context.backend, &stranger).await,
        0,
        "nothing was written"
    );
    let grant = match context.backend {
        Backend::Mysql => format!("GRANT ALL ON {name}.* TO careful@'%'"),
        _ => "GRANT CREATE ON SCHEMA public TO careful".to_owned(),
    };
    stranger.execute_unprepared(&grant).await.unwrap();
    let running = Running::start(&of("careful:secret@"), &[]).await;
    assert!(running.create("XC60").await.unwrap()["errors"].is_null());
    assert!(!running.log().contains("secret"), "{}", running.log());
    Figures {
        faults: wrong.len(),
        ..Figures::default()
    }
}

fn server(backend: Backend) -> OwnServer {
    let extras = match backend {
        Backend::Mysql => Extras::default(),
        _ => Extras {
            files: vec![("admissions", ADMISSIONS.to_owned())],
            arguments: vec!["--hba_file={folder}/admissions".to_owned()],
        },
    };
    OwnServer::start(backend, &extras)
}

async fn tables(backend: Backend, stranger: &DatabaseConnection) -> usize {
    let list = match backend {
        Backend::Mysql => "SHOW TABLES",
        _ => "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    };
    let list = Statement::from_string(stranger.get_database_backend(), list);
    stranger.query_all_raw(list).await.unwrap().len()
}
