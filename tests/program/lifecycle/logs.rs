//! Database messages that contain values of vehicles are not logged.

use sea_orm::{ConnectionTrait, Database};
use testkit::{Backend, Context};

use crate::support::{Vehicles as _, serve};

testkit::tests![no_database_message_is_logged on Sqlite Postgres Mariadb Mysql];

async fn no_database_message_is_logged(context: Context) {
    let database = context.database();
    // At level trace, h2 and hyper log the payload of frames.
    let flags = ["--log-level=trace,h2=off,hyper=off"];
    let running = serve(database.url(), &flags).await;
    let admin = Database::connect(database.url()).await.unwrap();
    let (refuse, code): (&[&str], _) = match context.backend {
        Backend::Sqlite => (
            &["CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
             BEGIN SELECT RAISE(ABORT, 'no ' || NEW.model_code); END"],
            "SQLite error 1811",
        ),
        Backend::Postgres => (
            &[
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \
                 RAISE WARNING ''beware of %'', NEW.model_code; \
                 RAISE EXCEPTION ''no %'', NEW.model_code; END'",
                "CREATE TRIGGER refuse BEFORE INSERT ON vehicle \
                 FOR EACH ROW EXECUTE FUNCTION refuse()",
            ],
            "PostgreSQL error P0001",
        ),
        Backend::Mariadb | Backend::Mysql => (
            &["CREATE TRIGGER refuse BEFORE INSERT ON vehicle FOR EACH ROW BEGIN \
                 DECLARE message text DEFAULT CONCAT('no ', NEW.model_code); \
                 SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = message; END"],
            "MySQL or MariaDB error 1644 (SQLSTATE 45000)",
        ),
    };
    for statement in refuse {
        admin.execute_unprepared(statement).await.unwrap();
    }
    let response = running.create("canary-51c8").await.unwrap();
    let code_in_response = &response["errors"][0]["extensions"]["code"];
    assert_eq!(*code_in_response, "INTERNAL_SERVER_ERROR", "{response}");
    running.logged("request failed").await;
    let log = running.log();
    assert!(log.contains(code), "{log}");
    assert!(!log.contains("canary-51c8"), "{log}");
}
