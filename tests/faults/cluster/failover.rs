//! Failover between several hosts in the URL of a PostgreSQL database.

use std::{
    collections::BTreeSet,
    fs,
    time::{Duration, Instant},
};

use sea_orm::{ConnectionTrait, TransactionTrait};
use tempfile::TempDir;
use testkit::{Running, until};
use tokio::time::sleep;

use super::postgres::{Pair, connect, promote, value, wait_until_caught_up};
use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    finds_the_primary_in_any_order_of_hosts,
    fails_over_from_a_killed_primary_to_the_promoted_standby,
    does_not_return_to_a_frozen_primary_that_resumes,
    does_not_acknowledge_a_write_on_the_old_primary_after_the_promotion,
    does_not_report_an_import_on_the_old_primary_as_stored_after_the_promotion,
    does_not_write_to_the_old_primary_while_the_promoted_server_is_unreachable,
    uses_the_promoted_server_and_not_the_old_primary_at_startup,
];

/// The maximum time from the promotion of a server until it serves a request: 0.5 s between two probes
/// of the server in use, 1 s probe timeout, 1 s to probe the other servers, 0.1 s between two rounds of
/// probes and 0.2 s backoff of a statement.
const FAILOVER: Duration = Duration::from_millis(2800);

/// Whether a vehicle can be stored.
async fn stores(service: &Running, model: &str) -> bool {
    let response = service.create(model).await.unwrap();
    response["data"]["createVehicle"]["id"].is_string()
}

async fn finds_the_primary_in_any_order_of_hosts() {
    let pair = Pair::start();
    for url in [pair.url_of_both(), pair.url_of_both_reversed()] {
        let service = serve(&url, &[]).await;
        assert!(stores(&service, "XC60").await, "{url}\n{}", service.log());
    }
    let primary = connect(&pair.url()).await;
    assert_eq!(
        value(&primary, "SELECT count(*)::text FROM vehicle").await,
        "2"
    );
}

async fn fails_over_from_a_killed_primary_to_the_promoted_standby() {
    let mut pair = Pair::start();
    let primary = connect(&pair.url()).await;
    let standby = connect(&pair.standby_url()).await;
    let replica = format!(
        "--read-database-url={}?target_session_attrs=standby",
        pair.url_of_both()
    );
    let flags = [&*replica, "--database-timeout-seconds=20"];
    let service = serve(&pair.url_of_both(), &flags).await;
    let mut acknowledged = BTreeSet::new();
    for number in 0..20 {
        let model = format!("before-{number}");
        assert!(stores(&service, &model).await);
        acknowledged.insert(model);
    }
    // Vehicles that the standby has not received are lost with the primary.
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.stop();
    service.logged("no server accepts writes").await;
    promote(&standby).await;
    let promoted = Instant::now();
    for number in 0..20 {
        let model = format!("after-{number}");
        if stores(&service, &model).await {
            acknowledged.insert(model);
        }
        if number == 0 {
            let elapsed = promoted.elapsed();
            println!("{elapsed:?} until a request was answered after the promotion");
            assert!(elapsed < FAILOVER, "{elapsed:?}");
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
            .contains("failover: another server accepts writes")
    );
    assert_eq!(service.readiness().await, 200);
}

async fn does_not_return_to_a_frozen_primary_that_resumes() {
    let mut pair = Pair::start();
    let service = serve(&pair.url_of_both(), &["--database-timeout-seconds=20"]).await;
    assert!(stores(&service, "before").await);
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.freeze();
    promote(&standby).await;
    let promoted = Instant::now();
    // A read that hangs on the frozen server is retried on the new one.
    assert_eq!(service.models().await, ["before"]);
    let elapsed = promoted.elapsed();
    println!("{elapsed:?} until a read was answered after the promotion");
    assert!(elapsed < FAILOVER, "{elapsed:?}");
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
    let count_query = "SELECT count(*)::text FROM vehicle WHERE model_code <> 'before'";
    assert_eq!(
        value(&primary, count_query).await,
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

async fn does_not_acknowledge_a_write_on_the_old_primary_after_the_promotion() {
    let mut pair = Pair::start();
    let service = serve(&pair.url_of_both(), &["--database-timeout-seconds=20"]).await;
    let standby = connect(&pair.standby_url()).await;
    let primary = connect(&pair.url()).await;
    wait_until_caught_up(&primary, &standby).await;
    // A connection that was just used is not pinged before its next use.
    assert!(stores(&service, "before").await);
    pair.primary.freeze();
    let failover = async {
        promote(&standby).await;
        service
            .logged("failover: another server accepts writes")
            .await;
        pair.primary.thaw();
    };
    let (response, ()) = tokio::join!(service.create("late"), failover);
    let response = response.unwrap();
    until("the old primary has stored it", async || {
        let late = "SELECT count(*)::text FROM vehicle WHERE model_code = 'late'";
        value(&primary, late).await == "1"
    })
    .await;
    assert!(!service.models().await.contains(&"late".to_owned()));
    let message = response["errors"][0]["message"].as_str();
    let message = message.unwrap_or_else(|| panic!("it is acknowledged: {response}"));
    assert!(message.contains("outcome is unknown"), "{response}");
}

async fn does_not_report_an_import_on_the_old_primary_as_stored_after_the_promotion() {
    let mut pair = Pair::start();
    let mut migrated = start(&pair.url(), &["migrate", "up"]);
    assert_eq!(migrated.ended().await.code(), Some(0), "{}", migrated.log());
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    // The import waits for this transaction.
    let other = primary.begin().await.unwrap();
    let insert = "INSERT INTO vehicle (id, type, model_code) VALUES (7, 'SUV', 'other')";
    other.execute_unprepared(insert).await.unwrap();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("vehicles.csv");
    let rows = (1..=10).map(|id| format!("{id},SUV,XC60\n"));
    let rows = rows.collect::<String>();
    fs::write(&file, format!("id,type,modelCode\n{rows}")).unwrap();
    let flags = ["--log-level=warn", "--database-timeout-seconds=20"];
    let import = ["import", file.to_str().unwrap()];
    let mut import = start(&pair.url_of_both(), &[&flags[..], &import].concat());
    let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    until("the import waits", async || {
        value(&primary, waiting).await == "1"
    })
    .await;
    pair.primary.freeze();
    promote(&standby).await;
    import
        .logged("failover: another server accepts writes")
        .await;
    pair.primary.thaw();
    other.rollback().await.unwrap();
    let code = import.ended().await.code();
    let count = "SELECT count(*)::text FROM vehicle";
    assert_eq!(value(&primary, count).await, "10", "the old primary has it");
    assert_eq!(value(&standby, count).await, "0");
    assert_eq!(code, Some(1), "{}", import.log());
}

/// Restarts the old primary, which accepts writes.
async fn restart_old_primary(pair: &mut Pair) {
    pair.primary.start_again();
    until("the old primary answers", async || {
        pair.primary.is_listening()
    })
    .await;
    let old = connect(&pair.url()).await;
    let is_standby = value(&old, "SELECT pg_is_in_recovery()::text").await;
    assert_eq!(is_standby, "false");
}

async fn does_not_write_to_the_old_primary_while_the_promoted_server_is_unreachable() {
    let mut pair = Pair::start();
    let flags = ["--database-timeout-seconds=2"];
    let service = serve(&pair.url_of_both(), &flags).await;
    assert!(stores(&service, "before").await);
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.stop();
    promote(&standby).await;
    until("it stores again", async || stores(&service, "after").await).await;
    pair.standby.stop();
    restart_old_primary(&mut pair).await;
    // The servers are probed at least once a second.
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(3) {
        assert!(!stores(&service, "diverged").await, "{}", service.log());
    }
    let refused = "it accepts writes on timeline 1, but another server was promoted to timeline 2";
    service.logged(refused).await;
    let query = "{ vehicles(count: 10) { modelCode } }";
    let response = service.query(query).await.unwrap();
    let code = &response["errors"][0]["extensions"]["code"];
    assert_eq!(code, "SERVICE_UNAVAILABLE", "{response}");
    pair.standby.start_again();
    until("it stores again", async || stores(&service, "again").await).await;
    assert_eq!(
        service.models().await.first().map(String::as_str),
        Some("before")
    );
    assert!(!service.models().await.contains(&"diverged".to_owned()));
    let count = "SELECT count(*)::text FROM vehicle";
    let old = connect(&pair.url()).await;
    assert_eq!(value(&old, count).await, "1", "nothing went to the old one");
}

async fn uses_the_promoted_server_and_not_the_old_primary_at_startup() {
    let mut pair = Pair::start();
    let service = serve(&pair.url(), &[]).await;
    assert!(stores(&service, "before").await);
    drop(service);
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.stop();
    promote(&standby).await;
    restart_old_primary(&mut pair).await;
    for url in [pair.url_of_both(), pair.url_of_both_reversed()] {
        let service = serve(&url, &[]).await;
        assert!(stores(&service, "after").await, "{}", service.log());
    }
    let count = "SELECT count(*)::text FROM vehicle";
    assert_eq!(value(&standby, count).await, "3");
    let old = connect(&pair.url()).await;
    assert_eq!(value(&old, count).await, "1", "nothing went to the old one");
}
