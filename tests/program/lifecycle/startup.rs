//! The start while the database is not available.

use sea_orm::ConnectionTrait;
use testkit::{Context, connect, free_port};
use tokio::net::TcpStream;

use crate::support::start;

testkit::tests![
    connections_are_refused_until_the_database_is_available on Sqlite,
    startup_waits_for_a_locked_file on Sqlite,
];

async fn connections_are_refused_until_the_database_is_available(_: Context) {
    let (port, admin_port) = (free_port(), free_port());
    let listen = format!("--listen=127.0.0.1:{port}");
    let admin_listen = format!("--admin-listen=127.0.0.1:{admin_port}");
    let unreachable = format!("postgres://user:secret@127.0.0.1:{}/vehicles", free_port());
    let flags = [&listen, &admin_listen, "--database-connect-timeout-seconds=2"];
    let mut started = start(&unreachable, &flags);
    started.logged("waiting for the ").await;
    for port in [port, admin_port] {
        let error = TcpStream::connect(("127.0.0.1", port)).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    }
    assert_eq!(started.ended().await.code(), Some(1));
    let log = started.log();
    assert!(log.contains("error: cannot use the database: "), "{log}");
    assert_eq!(started.printed(), "");
}

async fn startup_waits_for_a_locked_file(context: Context) {
    let database = context.database();
    let other = connect(&format!("{}?mode=rwc", database.url())).await;
    other.execute_unprepared("BEGIN EXCLUSIVE").await.unwrap();
    let started = start(database.url(), &["--database-timeout-seconds=1"]);
    started.logged("waiting for the ").await;
    other.close().await.unwrap();
    assert_eq!(started.listening().await.readiness().await, 200);
}
