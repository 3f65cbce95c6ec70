//! Servers whose limit of prepared statements is reached.

use sea_orm::ConnectionTrait as _;
use testkit::{Context, Extras, OwnServer, connect};

use crate::support::{Vehicles as _, serve};

testkit::tests![
    requests_without_a_prepared_statement_are_refused_with_the_remedy on Mariadb Mysql,
];

async fn requests_without_a_prepared_statement_are_refused_with_the_remedy(context: Context) {
    let server = OwnServer::start(context.backend, &Extras::default());
    let url = server.database();
    let running = serve(&url, &["--migrate=at-start"]).await;
    let admin = connect(server.admin_url()).await;
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
