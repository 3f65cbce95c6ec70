//! Reads from a replica show every acknowledged write, whatever fails.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::Value;
use testkit::{Running, until};

use super::{
    address::Address,
    postgres::{Pair, connect, promote, value, wait_until_caught_up},
};
use crate::support::{Vehicles as _, serve};

testkit::tests![
    reads_vehicles_and_lists_from_the_replica,
    a_paused_replica_hides_no_acknowledged_write,
    a_paused_replica_hides_no_update_and_no_deletion,
    updates_and_deletions_before_a_failover_are_seen_after_it,
    clients_read_their_own_writes_while_the_replica_is_frozen_killed_and_restarted,
    a_promoted_replica_is_not_read,
    the_service_starts_without_its_replica,
];

/// Starts a service on the pair with this lag limit.
async fn service(pair: &Pair, lag_limit_ms: u32) -> Running {
    let replica = format!("--read-database-url={}", pair.standby_url());
    let lag_limit = format!("--replica-lag-limit-ms={lag_limit_ms}");
    serve(&pair.url(), &[&replica, &lag_limit]).await
}

/// Creates a vehicle and returns its id.
pub(crate) async fn create_vehicle(service: &Running, model: &str) -> String {
    let response = service.create(model).await.unwrap();
    let id = response["data"]["createVehicle"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{response}\n{}", service.log()))
        .to_owned()
}

/// Creates a vehicle after the primary has ended. An idle connection to it can break when it is used, after which the
/// outcome is unknown.
pub(crate) async fn create_after_failover(service: &Running, model: &str) -> String {
    for _ in 0..5 {
        let response = service.create(model).await.unwrap();
        if let Some(id) = response["data"]["createVehicle"]["id"].as_str() {
            return id.to_owned();
        }
        let message = response["errors"][0]["message"]
            .as_str()
            .unwrap_or_default();
        let is_unknown = message.starts_with("the outcome is unknown");
        assert!(is_unknown, "{response}\n{}", service.log());
    }
    panic!("no create was acknowledged\n{}", service.log());
}

/// The model of a vehicle.
pub(crate) async fn model(service: &Running, id: &str) -> Option<String> {
    let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
    let response = service.query(&query).await.unwrap();
    assert!(
        response.get("errors").is_none(),
        "{response}\n{}",
        service.log()
    );
    let model = response["data"]["vehicle"]["modelCode"].as_str();
    model.map(str::to_owned)
}

pub(crate) async fn reads(service: &Running, server: &str) -> f64 {
    let labels = format!(r#"{{server="{server}"}}"#);
    service.metric(&format!("catalogue_replica_reads_total{labels}"))
}

pub(crate) async fn wait_for_state(service: &Running, name: &str) {
    let labels = format!(r#"{{state="{name}"}}"#);
    let wanted = format!("catalogue_replica_state{labels}");
    until(name, async || service.metric(&wanted) > 0.5).await;
}

pub(crate) async fn readiness(service: &Running) -> (u16, String) {
    let url = format!("http://{}/health/ready", service.addr);
    let response = service.client.get(url).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn reads_vehicles_and_lists_from_the_replica() {
    let pair = Pair::start();
    let service = service(&pair, 30_000).await;
    wait_for_state(&service, "in_sync").await;
    let id = create_vehicle(&service, "XC60").await;
    assert_eq!(service.models().await, ["XC60"]);
    assert_eq!(model(&service, &id).await.as_deref(), Some("XC60"));
    assert_eq!(model(&service, "4711").await, None);
    // Each read has waited until the replica had the vehicle.
    assert!(reads(&service, "replica").await >= 3.0);
    // Only on the replica a session has run a list query last.
    assert_eq!(service.models().await, ["XC60"]);
    let replica = connect(&pair.standby_url()).await;
    let listed = "SELECT count(*)::text FROM pg_stat_activity \
        WHERE application_name = 'vehicle-catalogue' AND query LIKE '%LIMIT%'";
    assert_ne!(value(&replica, listed).await, "0");
    let primary = connect(&pair.url()).await;
    assert_eq!(value(&primary, listed).await, "0");
    // The readiness is cached for a second, and the first one may precede the replay of the migrations.
    until("the readiness reports the replica", async || {
        let (status, parts) = readiness(&service).await;
        assert_eq!(status, 200);
        parts.contains("is in sync")
    })
    .await;
}

async fn a_paused_replica_hides_no_acknowledged_write() {
    let pair = Pair::start();
    // Two instances: each must see the writes of the other.
    let (service, other) = (service(&pair, 1000).await, service(&pair, 1000).await);
    create_vehicle(&service, "old").await;
    let (primary, replica) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &replica).await;
    pause(&replica).await;

    for number in 0..5 {
        let new = format!("new-{number}");
        let id = create_vehicle(&service, &new).await;
        for reader in [&service, &other] {
            assert_eq!(model(reader, &id).await.as_deref(), Some(new.as_str()));
            assert!(reader.models().await.contains(&new));
        }
    }
    let stale = value(&replica, "SELECT count(*)::text FROM vehicle").await;
    assert_eq!(stale, "1", "the replica was behind all the time");
    wait_for_state(&service, "lagging").await;
    assert!(service.metric("catalogue_replica_lag_seconds") > 1.0);
    assert!(reads(&service, "primary").await >= 5.0);
    let served = reads(&service, "replica").await;
    assert_eq!(model(&service, "1").await.as_deref(), Some("old"));
    let increase = reads(&service, "replica").await - served;
    assert!(increase < 0.5, "the primary serves it");
    let (status, parts) = readiness(&service).await;
    assert_eq!(status, 200, "the primary does the work");
    assert!(parts.contains("lags"), "{parts}");
    // No read waits for a lagging replica.
    let started = Instant::now();
    assert_eq!(service.models().await.len(), 6);
    assert!(started.elapsed() < Duration::from_millis(900));

    resume(&replica).await;
    wait_for_state(&service, "in_sync").await;
    let served = reads(&service, "replica").await;
    assert_eq!(service.models().await.len(), 6);
    assert!(reads(&service, "replica").await > served);
}

async fn a_paused_replica_hides_no_update_and_no_deletion() {
    let pair = Pair::start();
    let (service, other) = (service(&pair, 1000).await, service(&pair, 1000).await);
    let (changed, deleted) = (
        create_vehicle(&service, "old").await,
        create_vehicle(&service, "gone").await,
    );
    let (primary, replica) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &replica).await;
    wait_for_state(&service, "in_sync").await;
    wait_for_state(&other, "in_sync").await;
    pause(&replica).await;

    // The replica has both vehicles, and each read compares the positions.
    service.delete(&deleted).await;
    for number in 0..5 {
        let new = format!("new-{number}");
        assert_eq!(service.update(&changed, &new).await, number + 2);
        for reader in [&other, &service] {
            assert_eq!(model(reader, &changed).await.as_deref(), Some(&*new));
            assert_eq!(model(reader, &deleted).await, None);
            assert_eq!(reader.models().await, [&*new]);
        }
    }
    let stale = "SELECT string_agg(model_code, ' ' ORDER BY id) FROM vehicle";
    assert_eq!(value(&replica, stale).await, "old gone");
    resume(&replica).await;
    wait_for_state(&other, "in_sync").await;
    let served = reads(&other, "replica").await;
    assert_eq!(model(&other, &changed).await.as_deref(), Some("new-4"));
    assert_eq!(model(&other, &deleted).await, None);
    assert!(reads(&other, "replica").await >= served + 2.0);
}

async fn updates_and_deletions_before_a_failover_are_seen_after_it() {
    let mut pair = Pair::start();
    let address = Address::of(pair.primary.address()).await;
    let replica = format!("--read-database-url={}", pair.standby_url());
    let flags = [&*replica, "--database-timeout-seconds=20"];
    let service = serve(&pair.url_at(&address.name()), &flags).await;
    let (changed, deleted) = (
        create_vehicle(&service, "old").await,
        create_vehicle(&service, "gone").await,
    );
    assert_eq!(service.update(&changed, "new").await, 2);
    service.delete(&deleted).await;
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    pair.primary.stop();
    promote(&standby).await;
    address.redirect(pair.standby.address());
    assert_eq!(model(&service, &changed).await.as_deref(), Some("new"));
    assert_eq!(model(&service, &deleted).await, None);
    assert_eq!(service.models().await, ["new"]);
    // Also a transaction begins on the promoted server.
    assert_eq!(service.update(&changed, "newer").await, 3);
    assert_eq!(model(&service, &changed).await.as_deref(), Some("newer"));
}

async fn pause(replica: &DatabaseConnection) {
    let pause = "SELECT pg_wal_replay_pause()";
    replica.execute_unprepared(pause).await.unwrap();
    let paused =
        async || value(replica, "SELECT pg_get_wal_replay_pause_state()").await == "paused";
    until("it pauses", paused).await;
}

async fn resume(replica: &DatabaseConnection) {
    let resume = "SELECT pg_wal_replay_resume()";
    replica.execute_unprepared(resume).await.unwrap();
}

/// Creates, changes and deletes vehicles and reads each of them immediately through another instance, by id
/// and in the list.
async fn load(
    writer: &Running,
    reader: &Running,
    name: &str,
    stop: &AtomicBool,
    done: &Mutex<u32>,
) {
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let new = format!("{name}-{number}");
        let id = create_vehicle(writer, &new).await;
        assert_eq!(model(reader, &id).await.as_deref(), Some(new.as_str()));
        let changed = format!("{new}-changed");
        assert_eq!(writer.update(&id, &changed).await, 2);
        assert_eq!(model(reader, &id).await.as_deref(), Some(&*changed));
        if number % 2 == 0 {
            writer.delete(&id).await;
            assert_eq!(model(reader, &id).await, None);
            *done.lock().unwrap() += 1;
            continue;
        }
        let list = reader
            .query("{ vehicles(count: 100000) { id } }")
            .await
            .unwrap();
        let vehicles = list["data"]["vehicles"].as_array();
        let vehicles = vehicles.unwrap_or_else(|| panic!("{list}\n{}", reader.log()));
        let same = |vehicle: &Value| vehicle["id"] == id.as_str();
        assert!(vehicles.iter().any(same), "{new} is not in the list");
        *done.lock().unwrap() += 1;
    }
}

async fn clients_read_their_own_writes_while_the_replica_is_frozen_killed_and_restarted() {
    let mut pair = Pair::start();
    let replica = format!("--read-database-url={}", pair.standby_url());
    let flags = [
        &*replica,
        "--list-limit=100000",
        "--database-timeout-seconds=30",
    ];
    let url = pair.url();
    let (one, other) = (serve(&url, &flags).await, serve(&url, &flags).await);
    let (stop, done) = (AtomicBool::new(false), Mutex::new(0));
    let wait_for_progress = async || {
        let before = *done.lock().unwrap();
        until("load", async || *done.lock().unwrap() >= before + 10).await;
    };
    let scenario = async {
        wait_for_progress().await;
        pair.standby.freeze();
        wait_for_state(&one, "unreachable").await;
        wait_for_progress().await;
        pair.standby.thaw();
        wait_for_state(&one, "in_sync").await;
        wait_for_progress().await;
        pair.standby.stop();
        wait_for_state(&one, "unreachable").await;
        wait_for_progress().await;
        pair.standby.start_again();
        wait_for_state(&one, "in_sync").await;
        wait_for_progress().await;
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(
        scenario,
        load(&one, &other, "a", &stop, &done),
        load(&other, &one, "b", &stop, &done),
        load(&one, &one, "c", &stop, &done),
        load(&other, &other, "d", &stop, &done),
    );
    assert!(reads(&one, "replica").await > 0.0);
    assert!(reads(&one, "primary").await > 0.0);
}

async fn a_promoted_replica_is_not_read() {
    let pair = Pair::start();
    let service = service(&pair, 1000).await;
    let id = create_vehicle(&service, "right").await;
    assert_eq!(service.models().await, ["right"]);
    let replica = connect(&pair.standby_url()).await;
    promote(&replica).await;
    wait_for_state(&service, "diverged").await;
    let update = "UPDATE vehicle SET model_code = 'wrong'";
    replica.execute_unprepared(update).await.unwrap();
    assert_eq!(model(&service, &id).await.as_deref(), Some("right"));
    assert_eq!(service.models().await, ["right"]);
    assert_eq!(readiness(&service).await.0, 200);
}

async fn the_service_starts_without_its_replica() {
    let mut pair = Pair::start();
    pair.standby.stop();
    let service = service(&pair, 30_000).await;
    let id = create_vehicle(&service, "XC60").await;
    assert_eq!(model(&service, &id).await.as_deref(), Some("XC60"));
    assert_eq!(service.models().await, ["XC60"]);
    let (status, parts) = readiness(&service).await;
    assert_eq!(status, 200);
    assert!(parts.contains("is unreachable"), "{parts}");
    pair.standby.start_again();
    wait_for_state(&service, "in_sync").await;
    assert_eq!(service.models().await, ["XC60"]);
    assert!(reads(&service, "replica").await >= 1.0);
}
