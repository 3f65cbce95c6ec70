//! A database that is not available at the start, one that does not answer in time, and one at a limit of its own.

use std::time::Duration;

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use testkit::{Backend, Context, Extras, OwnServer};
use tokio::time::sleep;

use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    a_write_that_waits_for_a_lock_is_cancelled_in_the_database on Postgres Mariadb Mysql,
    startup_waits_for_the_database on Postgres,
    startup_waits_for_a_server_in_offline_mode on Mysql,
    requests_without_a_prepared_statement_are_refused_with_the_remedy on Mariadb Mysql,
];

async fn a_write_that_waits_for_a_lock_is_cancelled_in_the_database(context: Context) {
    let database = context.database();
    let running = serve(database.url(), &["--database-timeout-seconds=1"]).await;
    let admin = lock(context.backend, database.url()).await;
    let observer = testkit::connect(database.url()).await;
    let waits = async {
        while waiting_statements(context.backend, &observer).await == 0 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let (response, ()) = tokio::join!(running.create("XC60"), waits);
    let error = &response.unwrap()["errors"][0];
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("is temporarily unavailable"), "{error}");
    assert_eq!(waiting_statements(context.backend, &observer).await, 0);
    admin.close().await.unwrap();
    assert_eq!(running.models().await, [""; 0]);
}

async fn startup_waits_for_the_database(context: Context) {
    let mut server = OwnServer::durable(context.backend);
    let url = server.database();
    server.stop();
    let flags = ["--database-connect-timeout-seconds=60"];
    let started = start(&url, &flags);
    started.logged("waiting for the ").await;
    server.start_again();
    let running = started.listening().await;
    assert_eq!(running.readiness().await, 200);
    assert_eq!(running.models().await, [""; 0]);
    assert!(running.log().contains("\"connected to the "), "{}", running.log());
}

async fn startup_waits_for_a_server_in_offline_mode(context: Context) {
    let server = OwnServer::durable(context.backend);
    let url = server.database();
    let admin = Database::connect(&url).await.unwrap();
    for statement in ["CREATE USER usual@'%'", "GRANT ALL ON `testkit%`.* TO usual@'%'"] {
        admin.execute_unprepared(statement).await.unwrap();
    }
    let url = url.replacen("root@", "usual@", 1);
    let running = serve(&url, &["--database-timeout-seconds=1"]).await;
    let offline = async |mode| {
        let set = format!("SET GLOBAL offline_mode = {mode}");
        admin.execute_unprepared(&set).await.unwrap();
    };
    offline("ON").await;
    let read = running.query("{ vehicles { id } }").await.unwrap();
    let write = running.create("XC60").await.unwrap();
    for response in [read, write] {
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(code, "SERVICE_UNAVAILABLE", "{response}");
    }
    let another = start(&url, &[]);
    another.logged("waiting for the ").await;
    offline("OFF").await;
    assert_eq!(running.models().await, [""; 0]);
    another.listening().await;
}

async fn requests_without_a_prepared_statement_are_refused_with_the_remedy(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let url = server.database();
    let running = serve(&url, &["--migrate=at-start"]).await;
    let admin = testkit::connect(server.admin_url()).await;
    let limit = async |count: u32| {
        let limit = format!("SET GLOBAL max_prepared_stmt_count = {count}");
        admin.execute_unprepared(&limit).await.unwrap();
    };
    limit(0).await;
    let read = running.query("{ vehicle(id: 1) { id } }").await.unwrap();
    for response in [read, running.create("XC60").await.unwrap()] {
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(*code, "SERVICE_UNAVAILABLE", "{response}\n{}", running.log());
    }
    running.logged("MySQL or MariaDB error 1461 (SQLSTATE 42000): too many prepared statements").await;
    running.logged("max_prepared_stmt_count: raise it").await;
    limit(16382).await;
    let created = running.create("XC60").await.unwrap();
    assert!(created["errors"].is_null(), "{created}\n{}", running.log());
    assert_eq!(running.models().await, ["XC60"]);
}

/// Locks the vehicle table until the returned connection is closed.
async fn lock(backend: Backend, url: &str) -> DatabaseConnection {
    let admin = testkit::connect(url).await;
    let lock = match backend {
        Backend::Mariadb | Backend::Mysql => "LOCK TABLES vehicle WRITE",
        _ => "BEGIN; LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE",
    };
    admin.execute_unprepared(lock).await.unwrap();
    admin
}

/// The number of statements that wait for a lock. One that was cancelled stays active a little longer than its error takes
/// to arrive.
async fn waiting_statements(backend: Backend, observer: &DatabaseConnection) -> i64 {
    let count = match backend {
        // `processlist` of `information_schema` has the text of the statement, which MySQL cannot convert if it has a
        // creation key.
        Backend::Mysql => {
            "SELECT COUNT(*) FROM performance_schema.threads \
             WHERE processlist_db = DATABASE() AND processlist_state LIKE 'Waiting for table%'"
        }
        Backend::Mariadb => {
            "SELECT COUNT(*) FROM information_schema.processlist \
             WHERE db = DATABASE() AND state LIKE 'Waiting for table%'"
        }
        _ => {
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
             AND wait_event_type = 'Lock'"
        }
    };
    let count = Statement::from_string(observer.get_database_backend(), count);
    let row = observer.query_one_raw(count).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
