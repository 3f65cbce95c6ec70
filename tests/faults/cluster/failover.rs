//! Failover of a PostgreSQL database behind one address, which leads to the server that accepts writes.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use testkit::{Running, until};

use super::{
    address::Address,
    postgres::{Pair, connect, promote, value, wait_until_caught_up},
};
use crate::support::{Vehicles as _, serve};

testkit::tests![
    serves_from_the_promoted_standby_without_a_restart,
    leaves_a_server_that_refuses_a_write,
];

/// The maximum time from the redirection of the address until a request is served: 1 s for the ping of an idle connection,
/// 0.1 s between two attempts to connect, 0.2 s backoff of a statement.
const RECONNECTION: Duration = Duration::from_millis(1300);

/// Whether a vehicle can be stored.
async fn stores(service: &Running, model: &str) -> bool {
    let response = service.create(model).await.unwrap();
    response["data"]["createVehicle"]["id"].is_string()
}

async fn serves_from_the_promoted_standby_without_a_restart() {
    let mut pair = Pair::start();
    let primary = connect(&pair.url()).await;
    let standby = connect(&pair.standby_url()).await;
    let address = Address::of(pair.primary.address()).await;
    let flags = ["--database-timeout-seconds=20"];
    let service = serve(&pair.url_at(&address.name()), &flags).await;
    let mut acknowledged = BTreeSet::new();
    for number in 0..20 {
        let model = format!("before-{number}");
        assert!(stores(&service, &model).await);
        acknowledged.insert(model);
    }
    // Vehicles that the standby has not received are lost with the primary.
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.stop();
    promote(&standby).await;
    address.redirect(pair.standby.address());
    let redirected = Instant::now();
    for number in 0..20 {
        let model = format!("after-{number}");
        if stores(&service, &model).await {
            acknowledged.insert(model);
        }
        if number == 0 {
            let elapsed = redirected.elapsed();
            assert!(elapsed < RECONNECTION, "{elapsed:?}");
        }
    }
    assert!(
        acknowledged.len() >= 39,
        "{acknowledged:?}\n{}",
        service.log()
    );
    let stored: BTreeSet<_> = service.models().await.into_iter().collect();
    assert!(
        stored.is_superset(&acknowledged),
        "an acknowledged vehicle is lost"
    );
    assert_eq!(service.readiness().await, 200);
}

async fn leaves_a_server_that_refuses_a_write() {
    let pair = Pair::start();
    let address = Address::of(pair.primary.address()).await;
    let service = serve(&pair.url_at(&address.name()), &[]).await;
    // Several connections are idle.
    let creates = (0..32).map(|number| {
        let service = &service;
        async move { stores(service, &format!("before-{number}")).await }
    });
    join_all(creates).await;
    let primary = connect(&pair.url()).await;
    let standby = connect(&pair.standby_url()).await;
    wait_until_caught_up(&primary, &standby).await;
    promote(&standby).await;
    for statement in [
        "ALTER SYSTEM SET default_transaction_read_only = on",
        "SELECT pg_reload_conf()",
    ] {
        primary.execute_unprepared(statement).await.unwrap();
    }
    until("the old one is read-only", async || {
        value(&primary, "SHOW default_transaction_read_only").await == "on"
    })
    .await;
    address.redirect_new_connections(pair.standby.address());
    let change = r#"mutation { updateVehicle(id: 1, changes: { type: "Car" }) { id } }"#;
    let refused = service.query(change).await.unwrap();
    let code = &refused["errors"][0]["extensions"]["code"];
    assert_eq!(code, "SERVICE_UNAVAILABLE", "{refused}");
    for number in 0..20 {
        let model = format!("after-{number}");
        assert!(stores(&service, &model).await, "{}", service.log());
    }
    let after = "SELECT count(*)::text FROM vehicle WHERE model_code LIKE 'after-%'";
    assert_eq!(value(&standby, after).await, "20");
}
