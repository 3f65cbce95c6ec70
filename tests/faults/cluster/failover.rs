//! Failover of a PostgreSQL database behind one address, which leads to the server that accepts writes.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use testkit::Running;

use super::{
    address::Address,
    postgres::{Pair, connect, promote, wait_until_caught_up},
};
use crate::support::{Vehicles as _, serve};

testkit::tests![serves_from_the_promoted_standby_without_a_restart,];

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
