//! Several hosts in the URL of a PostgreSQL database: the one that takes writes is found, and found
//! again when another one is promoted.

use std::{collections::BTreeSet, time::Duration};

use tokio::time::sleep;

use crate::{
    cases,
    postgres::{Pair, caught_up, promote, stranger, value},
    running::{Running, until},
};

cases![
    the_host_that_takes_writes_is_found_whatever_the_order,
    a_killed_primary_is_followed_to_the_promoted_one_without_a_restart,
    a_frozen_primary_that_comes_back_is_not_returned_to,
];

/// Whether a vehicle can be stored.
async fn stores(service: &Running, model: &str) -> bool {
    let answer = service.create(model).await.unwrap();
    answer["data"]["createVehicle"]["id"].is_string()
}

async fn the_host_that_takes_writes_is_found_whatever_the_order() {
    let pair = Pair::start();
    for url in [pair.url_of_both(), pair.url_of_both_reversed()] {
        let service = Running::start(&url, &[]).await;
        assert!(stores(&service, "XC60").await, "{url}\n{}", service.log());
    }
    let primary = stranger(&pair.url()).await;
    assert_eq!(
        value(&primary, "SELECT count(*)::text FROM vehicle").await,
        "2"
    );
}

async fn a_killed_primary_is_followed_to_the_promoted_one_without_a_restart() {
    let mut pair = Pair::start();
    let primary = stranger(&pair.url()).await;
    let standby = stranger(&pair.standby_url()).await;
    let replica = format!(
        "--read-database-url={}?target_session_attrs=standby",
        pair.url_of_both()
    );
    let flags = [&*replica, "--database-timeout-seconds=20"];
    let service = Running::start(&pair.url_of_both(), &flags).await;
    let mut acknowledged = BTreeSet::new();
    for number in 0..20 {
        let model = format!("before-{number}");
        assert!(stores(&service, &model).await);
        acknowledged.insert(model);
    }
    // What the standby does not have when the primary ends is lost in any case.
    caught_up(&primary, &standby).await;
    pair.primary.stop();
    service.logged("no server takes the writes now").await;
    promote(&standby).await;
    for number in 0..20 {
        let model = format!("after-{number}");
        if stores(&service, &model).await {
            acknowledged.insert(model);
        }
    }
    assert!(
        acknowledged.len() >= 30,
        "{acknowledged:?}\n{}",
        service.log()
    );
    let stored: BTreeSet<_> = service.models().await.into_iter().collect();
    assert!(
        stored.is_superset(&acknowledged),
        "an acknowledged vehicle is lost"
    );
    assert!(
        service
            .log()
            .contains("another server takes the writes now")
    );
    assert_eq!(service.readiness().await, 200);
}

async fn a_frozen_primary_that_comes_back_is_not_returned_to() {
    let mut pair = Pair::start();
    let service = Running::start(&pair.url_of_both(), &["--database-timeout-seconds=20"]).await;
    assert!(stores(&service, "before").await);
    let (primary, standby) = (
        stranger(&pair.url()).await,
        stranger(&pair.standby_url()).await,
    );
    caught_up(&primary, &standby).await;
    pair.primary.freeze();
    promote(&standby).await;
    // A read that the frozen server holds is repeated at the new one.
    assert_eq!(service.models().await, ["before"]);
    until("it stores again", async || stores(&service, "after").await).await;
    pair.primary.thaw();
    until("the old one is back", async || {
        value(&primary, "SELECT 'back'").await == "back"
    })
    .await;
    for _ in 0..20 {
        assert!(stores(&service, "later").await, "{}", service.log());
        sleep(Duration::from_millis(50)).await;
    }
    let there = "SELECT count(*)::text FROM vehicle WHERE model_code <> 'before'";
    assert_eq!(
        value(&primary, there).await,
        "0",
        "nothing went to the old one"
    );
    assert_eq!(
        value(
            &standby,
            "SELECT count(*)::text FROM vehicle WHERE model_code = 'later'"
        )
        .await,
        "20"
    );
}
