//! A replica that is read from: everybody sees what was acknowledged, whatever happens to it.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::ConnectionTrait;
use serde_json::Value;

use crate::{
    cases,
    postgres::{Pair, caught_up, promote, stranger, value},
    running::{Running, until},
};

cases![
    found_vehicles_and_lists_are_read_from_the_replica,
    a_paused_replica_hides_nothing_that_was_acknowledged,
    everybody_reads_their_own_writes_while_the_replica_is_frozen_killed_and_restarted,
    a_promoted_replica_is_read_from_no_more,
    the_service_starts_without_its_replica,
];

/// A service on the pair, whose lists wait so long for the replica.
async fn service(pair: &Pair, lag_limit_ms: u32) -> Running {
    let replica = format!("--read-database-url={}", pair.standby_url());
    let lag_limit = format!("--replica-lag-limit-ms={lag_limit_ms}");
    Running::start(&pair.url(), &[&replica, &lag_limit]).await
}

/// Has a vehicle stored, and answers its id.
async fn created(service: &Running, model: &str) -> String {
    let answer = service.create(model).await.unwrap();
    let id = answer["data"]["createVehicle"]["id"].as_str();
    id.unwrap_or_else(|| panic!("{answer}\n{}", service.log()))
        .to_owned()
}

/// The model of a vehicle.
async fn model(service: &Running, id: &str) -> Option<String> {
    let query = format!(r#"{{ vehicle(id: "{id}") {{ modelCode }} }}"#);
    let answer = service.ask(&query).await.unwrap();
    assert!(
        answer.get("errors").is_none(),
        "{answer}\n{}",
        service.log()
    );
    let model = answer["data"]["vehicle"]["modelCode"].as_str();
    model.map(str::to_owned)
}

/// What the metrics say of this.
async fn metric(service: &Running, name: &str) -> f64 {
    let url = format!("http://{}/metrics", service.addr);
    let text = service.client.get(url).send().await.unwrap();
    let text = text.text().await.unwrap();
    let told = text.lines().find_map(|line| line.strip_prefix(name));
    let told = told.unwrap_or_else(|| panic!("no {name} in\n{text}"));
    told.trim().parse().unwrap()
}

async fn reads(service: &Running, kind: &str, result: &str) -> f64 {
    let labels = format!(r#"{{kind="{kind}",result="{result}"}}"#);
    metric(service, &format!("catalogue_replica_reads_total{labels}")).await
}

async fn standing(service: &Running, name: &str) {
    let labels = format!(r#"{{standing="{name}"}}"#);
    let wanted = format!("catalogue_replica_standing{labels}");
    until(name, async || metric(service, &wanted).await > 0.5).await;
}

async fn readiness(service: &Running) -> (u16, String) {
    let url = format!("http://{}/health/ready", service.addr);
    let answer = service.client.get(url).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn found_vehicles_and_lists_are_read_from_the_replica() {
    let pair = Pair::start();
    let service = service(&pair, 30_000).await;
    standing(&service, "keeps_up").await;
    let id = created(&service, "XC60").await;
    assert_eq!(service.models().await, ["XC60"]);
    assert_eq!(model(&service, &id).await.as_deref(), Some("XC60"));
    assert_eq!(model(&service, "4711").await, None);
    // The list has waited for the replica: from then on it has the vehicle.
    assert!(reads(&service, "lookup", "answered").await >= 1.0);
    assert!(reads(&service, "lookup", "not_found").await >= 1.0);
    assert!(reads(&service, "list", "answered").await >= 1.0);
    // It is the replica that answers, not the primary: only there a session has just listed.
    assert_eq!(service.models().await, ["XC60"]);
    let replica = stranger(&pair.standby_url()).await;
    let listed = "SELECT count(*)::text FROM pg_stat_activity \
        WHERE application_name = 'vehicle-catalogue' AND query LIKE '%LIMIT%'";
    assert_ne!(value(&replica, listed).await, "0");
    let primary = stranger(&pair.url()).await;
    assert_eq!(value(&primary, listed).await, "0");
    let (status, parts) = readiness(&service).await;
    assert_eq!(status, 200);
    assert!(parts.contains("it keeps up"), "{parts}");
}

async fn a_paused_replica_hides_nothing_that_was_acknowledged() {
    let pair = Pair::start();
    // Two instances: what one has stored, the other must see.
    let (service, other) = (service(&pair, 1000).await, service(&pair, 1000).await);
    created(&service, "old").await;
    let (primary, replica) = (
        stranger(&pair.url()).await,
        stranger(&pair.standby_url()).await,
    );
    caught_up(&primary, &replica).await;
    replica
        .execute_unprepared("SELECT pg_wal_replay_pause()")
        .await
        .unwrap();
    let paused =
        async || value(&replica, "SELECT pg_get_wal_replay_pause_state()").await == "paused";
    until("it pauses", paused).await;

    for number in 0..5 {
        let new = format!("new-{number}");
        let id = created(&service, &new).await;
        for reader in [&service, &other] {
            assert_eq!(model(reader, &id).await.as_deref(), Some(new.as_str()));
            assert!(reader.models().await.contains(&new));
        }
    }
    let stale = value(&replica, "SELECT count(*)::text FROM vehicle").await;
    assert_eq!(stale, "1", "the replica was behind all the time");
    standing(&service, "lags").await;
    assert!(metric(&service, "catalogue_replica_lag_seconds").await > 1.0);
    assert!(reads(&service, "list", "left_to_primary").await >= 5.0);
    // What it has is right, however far it is behind.
    let answered = reads(&service, "lookup", "answered").await;
    assert_eq!(model(&service, "1").await.as_deref(), Some("old"));
    assert!(reads(&service, "lookup", "answered").await > answered);
    let (status, parts) = readiness(&service).await;
    assert_eq!(status, 200, "the primary does the work");
    assert!(parts.contains("too far behind"), "{parts}");
    // A list does not wait for a replica that is known to be behind.
    let started = Instant::now();
    assert_eq!(service.models().await.len(), 6);
    assert!(started.elapsed() < Duration::from_millis(900));

    replica
        .execute_unprepared("SELECT pg_wal_replay_resume()")
        .await
        .unwrap();
    standing(&service, "keeps_up").await;
    let answered = reads(&service, "list", "answered").await;
    assert_eq!(service.models().await.len(), 6);
    assert!(reads(&service, "list", "answered").await > answered);
}

/// Creates vehicles, and reads each at once, by id and in the list, through another instance.
async fn load(
    writer: &Running,
    reader: &Running,
    name: &str,
    leave: &AtomicBool,
    done: &Mutex<u32>,
) {
    for turn in 0.. {
        if leave.load(Ordering::Relaxed) {
            return;
        }
        let new = format!("{name}-{turn}");
        let id = created(writer, &new).await;
        assert_eq!(model(reader, &id).await.as_deref(), Some(new.as_str()));
        let list = reader
            .ask("{ vehicles(count: 100000) { id } }")
            .await
            .unwrap();
        let vehicles = list["data"]["vehicles"].as_array();
        let vehicles = vehicles.unwrap_or_else(|| panic!("{list}\n{}", reader.log()));
        let same = |vehicle: &Value| vehicle["id"] == id.as_str();
        assert!(vehicles.iter().any(same), "{new} is not in the list");
        *done.lock().unwrap() += 1;
    }
}

async fn everybody_reads_their_own_writes_while_the_replica_is_frozen_killed_and_restarted() {
    let mut pair = Pair::start();
    let replica = format!("--read-database-url={}", pair.standby_url());
    let flags = [
        &*replica,
        "--list-limit=100000",
        "--database-timeout-seconds=30",
    ];
    let url = pair.url();
    let (one, other) = (
        Running::start(&url, &flags).await,
        Running::start(&url, &flags).await,
    );
    let (leave, done) = (AtomicBool::new(false), Mutex::new(0));
    let some_more = async || {
        let before = *done.lock().unwrap();
        until("load", async || *done.lock().unwrap() >= before + 10).await;
    };
    let conductor = async {
        some_more().await;
        pair.standby.freeze();
        standing(&one, "away").await;
        some_more().await;
        pair.standby.thaw();
        standing(&one, "keeps_up").await;
        some_more().await;
        pair.standby.stop();
        standing(&one, "away").await;
        some_more().await;
        pair.standby.start_again();
        standing(&one, "keeps_up").await;
        some_more().await;
        leave.store(true, Ordering::Relaxed);
    };
    tokio::join!(
        conductor,
        load(&one, &other, "a", &leave, &done),
        load(&other, &one, "b", &leave, &done),
        load(&one, &one, "c", &leave, &done),
        load(&other, &other, "d", &leave, &done),
    );
    assert!(reads(&one, "list", "answered").await > 0.0);
    assert!(reads(&one, "list", "left_to_primary").await > 0.0);
}

async fn a_promoted_replica_is_read_from_no_more() {
    let pair = Pair::start();
    let service = service(&pair, 1000).await;
    let id = created(&service, "right").await;
    assert_eq!(service.models().await, ["right"]);
    let replica = stranger(&pair.standby_url()).await;
    promote(&replica).await;
    standing(&service, "astray").await;
    let astray = "UPDATE vehicle SET model_code = 'wrong'";
    replica.execute_unprepared(astray).await.unwrap();
    assert_eq!(model(&service, &id).await.as_deref(), Some("right"));
    assert_eq!(service.models().await, ["right"]);
    assert_eq!(readiness(&service).await.0, 200);
}

async fn the_service_starts_without_its_replica() {
    let mut pair = Pair::start();
    pair.standby.stop();
    let service = service(&pair, 30_000).await;
    let id = created(&service, "XC60").await;
    assert_eq!(model(&service, &id).await.as_deref(), Some("XC60"));
    assert_eq!(service.models().await, ["XC60"]);
    let (status, parts) = readiness(&service).await;
    assert_eq!(status, 200);
    assert!(parts.contains("it does not answer"), "{parts}");
    pair.standby.start_again();
    standing(&service, "keeps_up").await;
    assert_eq!(service.models().await, ["XC60"]);
    assert!(reads(&service, "list", "answered").await >= 1.0);
}
