//! Connections to a server that became read-only are removed from the pool.

use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use testkit::{Backend, Context, Extras, OwnServer};

use crate::support::{Vehicles as _, serve};

testkit::tests![a_read_only_connection_is_dropped_at_its_first_error on Postgres Mariadb Mysql];

/// The connections of the pool, and those of other tasks.
const CONNECTIONS: usize = 1 + 2;

/// Existing sessions are read-only, as after a demotion of the server; new ones are not.
async fn a_read_only_connection_is_dropped_at_its_first_error(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let url = server.database();
    let flags = ["--pool-size=1", "--database-timeout-seconds=5"];
    drop(serve(&url, &flags).await);
    let mut options = ConnectOptions::new(&url);
    // This session begins before new sessions are read-only.
    options
        .max_connections(1)
        .min_connections(1)
        .sqlx_logging(false);
    let admin = Database::connect(options).await.unwrap();
    let (_, name) = url.rsplit_once('/').unwrap();
    let [read_only, writable] = match context.backend {
        Backend::Postgres => ["on", "off"].map(|value| {
            format!("ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        }),
        _ => ["ONLY", "WRITE"].map(|value| format!("SET GLOBAL TRANSACTION READ {value}")),
    };
    admin.execute_unprepared(&read_only).await.unwrap();
    let running = serve(&url, &flags).await;
    assert_eq!(running.models().await, Vec::<String>::new());
    admin.execute_unprepared(&writable).await.unwrap();
    let mut refusals = 0;
    loop {
        let response = running.create("XC60").await.unwrap();
        if response["data"]["createVehicle"]["id"].is_string() {
            break;
        }
        let code = &response["errors"][0]["extensions"]["code"];
        assert_eq!(
            *code,
            "SERVICE_UNAVAILABLE",
            "{response}\n{}",
            running.log()
        );
        refusals += 1;
        assert!(
            refusals <= CONNECTIONS,
            "a read-only connection is reused\n{}",
            running.log()
        );
    }
    assert!(refusals > 0, "no connection was read-only");
    assert_eq!(running.models().await, ["XC60"]);
}
