//! A replica that does not follow the primary is never read.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection};
use testkit::{Extras, OwnServer, Running, until};

use super::{
    address::Address,
    postgres::{Pair, connect, promote, value, wait_until_caught_up},
    replica::{create_after_failover, create_vehicle, model, readiness, reads, wait_for_state},
};
use crate::support::{Vehicles as _, serve, start};

testkit::tests![
    never_reads_a_standby_of_another_cluster,
    never_reads_another_cluster_at_the_address_of_the_replica,
    never_reads_a_standby_on_the_old_timeline,
    reads_a_standby_again_when_it_follows_the_promoted_server,
    reads_a_standby_only_in_the_database_of_the_primary,
];

/// Another cluster, with a database of the same name and 50 vehicles of the model `wrong`.
async fn other_cluster(pair: &Pair) -> Pair {
    let other = pair.another();
    let admin = connect(other.primary.admin_url()).await;
    let create = format!("CREATE DATABASE {}", other.database());
    admin.execute_unprepared(&create).await.unwrap();
    let mut migrated = start(&other.url(), &["migrate", "up"]);
    assert_eq!(migrated.ended().await.code(), Some(0), "{}", migrated.log());
    let primary = connect(&other.url()).await;
    store_wrong_vehicles(&primary).await;
    wait_until_caught_up(&primary, &connect(other.standby.admin_url()).await).await;
    other
}

async fn store_wrong_vehicles(db: &DatabaseConnection) {
    let insert =
        "INSERT INTO vehicle (type, model_code) SELECT 'SUV', 'wrong' FROM generate_series(1, 50)";
    db.execute_unprepared(insert).await.unwrap();
}

/// Writes WAL until the position exceeds that of another server, which then seems to lag.
async fn write_wal_beyond(primary: &DatabaseConnection, other: &DatabaseConnection) {
    let position = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() \
         ELSE pg_current_wal_flush_lsn() END::text";
    let position = value(other, position).await;
    let is_beyond = format!("SELECT (pg_current_wal_flush_lsn() > '{position}')::text");
    while value(primary, &is_beyond).await != "true" {
        let message = "SELECT pg_logical_emit_message(true, 'test', 'fill'), pg_switch_wal()";
        primary.execute_unprepared(message).await.unwrap();
    }
}

/// Starts the service with this replica.
async fn service(database_url: &str, replica: &str) -> Running {
    let replica = format!("--read-database-url={replica}");
    let flags = [&*replica, "--database-timeout-seconds=20"];
    serve(database_url, &flags).await
}

/// Asserts that lookups of vehicle 1 and lists are correct for 1.5 s: the replica is polled four times a
/// second.
async fn assert_correct_reads(service: &Running) {
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(1500) {
        assert_eq!(model(service, "1").await.as_deref(), Some("right"));
        assert_eq!(service.models().await, ["right"]);
    }
}

/// Asserts that readiness and the log report the state, the log once, and that the service is ready.
async fn assert_reported(service: &Running, message: &str) {
    // The result is cached for a second.
    until(message, async || {
        let (status, parts) = readiness(service).await;
        assert_eq!(status, 200, "the primary answers");
        parts.contains(message)
    })
    .await;
    let log = service.log();
    assert_eq!(log.matches(message).count(), 1, "{log}");
}

async fn never_reads_a_standby_of_another_cluster() {
    let pair = Pair::start();
    let other = other_cluster(&pair).await;
    let service = service(&pair.url(), &other.standby_url()).await;
    assert_eq!(create_vehicle(&service, "right").await, "1");
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&other.standby_url()).await,
    );
    write_wal_beyond(&primary, &standby).await;
    assert_correct_reads(&service).await;
    wait_for_state(&service, "other_cluster").await;
    assert_reported(&service, "belongs to another cluster").await;
    assert!(reads(&service, "replica").await < 1.0);
}

async fn never_reads_another_cluster_at_the_address_of_the_replica() {
    let pair = Pair::start();
    let other = other_cluster(&pair).await;
    let replica = Address::of(pair.standby.address()).await;
    let service = service(&pair.url(), &pair.url_at(&replica.name())).await;
    assert_eq!(create_vehicle(&service, "right").await, "1");
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&other.standby_url()).await,
    );
    write_wal_beyond(&primary, &standby).await;
    wait_for_state(&service, "in_sync").await;
    assert_eq!(service.models().await, ["right"]);
    assert!(reads(&service, "replica").await >= 1.0);

    replica.redirect(other.standby.address());
    assert_correct_reads(&service).await;
    wait_for_state(&service, "other_cluster").await;

    replica.redirect(pair.standby.address());
    wait_for_state(&service, "in_sync").await;
    let served = reads(&service, "replica").await;
    assert_eq!(model(&service, "1").await.as_deref(), Some("right"));
    assert!(reads(&service, "replica").await > served);
}

/// A failover that loses vehicles: a pair and a second standby, which has vehicles that the promoted
/// first standby did not receive.
struct LossyFailover {
    pair: Pair,
    stale_standby: OwnServer,
}

impl LossyFailover {
    fn start() -> Self {
        let pair = Pair::start();
        let stale_standby = pair.primary.standby(&Extras::default());
        Self {
            pair,
            stale_standby,
        }
    }

    fn stale_standby_url(&self) -> String {
        self.pair.url_at(self.stale_standby.address())
    }

    /// Stores 100 vehicles that only the second standby receives, then kills the primary.
    async fn lose_vehicles(&mut self, service: &Running) {
        assert_eq!(create_vehicle(service, "right").await, "1");
        let (primary, first, stale_standby) = (
            connect(&self.pair.url()).await,
            connect(&self.pair.standby_url()).await,
            connect(&self.stale_standby_url()).await,
        );
        wait_until_caught_up(&primary, &first).await;
        replicate_from(&first, "").await;
        until("the standby receives nothing", async || {
            let receivers = "SELECT count(*)::text FROM pg_stat_wal_receiver";
            value(&first, receivers).await == "0"
        })
        .await;
        for number in 0..100 {
            create_vehicle(service, &format!("lost-{number}")).await;
        }
        wait_until_caught_up(&primary, &stale_standby).await;
        self.pair.primary.stop();
    }

    /// Asserts that lookups return the vehicles of the promoted server, although the second standby has
    /// other vehicles with the same ids.
    async fn assert_reads_from_the_promoted_server(&self, service: &Running) {
        let (promoted, stale_standby) = (
            connect(&self.pair.standby_url()).await,
            connect(&self.stale_standby_url()).await,
        );
        let mut ids = BTreeSet::new();
        for number in 0..60 {
            let kept = format!("kept-{number}");
            let response = service.create(&kept).await.unwrap();
            let Some(id) = response["data"]["createVehicle"]["id"].as_str() else {
                continue;
            };
            assert_eq!(model(service, id).await.as_deref(), Some(&*kept));
            ids.insert(id.to_owned());
            if ids.len() == 1 {
                write_wal_beyond(&promoted, &stale_standby).await;
            }
        }
        wait_for_state(service, "other_timeline").await;
        for id in &ids {
            let found = model(service, id).await.unwrap();
            assert!(found.starts_with("kept-"), "{id} is {found}");
        }
        let lost = format!(
            "SELECT count(*)::text FROM vehicle WHERE model_code LIKE 'lost-%' AND id IN ({})",
            ids.into_iter().collect::<Vec<_>>().join(",")
        );
        let shared: u32 = value(&stale_standby, &lost).await.parse().unwrap();
        assert!(shared > 20, "{shared} ids stand for two vehicles");
    }
}

/// Makes a standby replicate from this server, or from none.
async fn replicate_from(standby: &DatabaseConnection, address: &str) {
    let server = match address.split_once(':') {
        Some((host, port)) => format!("host={host} port={port} user=postgres"),
        None => String::new(),
    };
    let set = format!("ALTER SYSTEM SET primary_conninfo = '{server}'");
    standby.execute_unprepared(&set).await.unwrap();
    let reload = "SELECT pg_reload_conf()::text";
    assert_eq!(value(standby, reload).await, "true");
}

async fn never_reads_a_standby_on_the_old_timeline() {
    let mut failover = LossyFailover::start();
    let primary = Address::of(failover.pair.primary.address()).await;
    let url = failover.pair.url_at(&primary.name());
    let service = service(&url, &failover.stale_standby_url()).await;
    failover.lose_vehicles(&service).await;
    let promoted = connect(&failover.pair.standby_url()).await;
    promote(&promoted).await;
    // By position alone the stale standby seems to lag.
    write_wal_beyond(&promoted, &connect(&failover.stale_standby_url()).await).await;
    primary.redirect(failover.pair.standby.address());
    failover
        .assert_reads_from_the_promoted_server(&service)
        .await;
    assert_reported(&service, "is on another timeline").await;
}

async fn reads_a_standby_again_when_it_follows_the_promoted_server() {
    let mut pair = Pair::start();
    let third = pair.primary.standby(&Extras::default());
    let privileged = pair.url_at(third.address());
    let ordinary = privileged.replacen("postgres@", "reader@", 1);
    let primary = connect(&pair.url()).await;
    let mut migrated = start(&pair.url(), &["migrate", "up"]);
    assert_eq!(migrated.ended().await.code(), Some(0), "{}", migrated.log());
    for statement in [
        "CREATE ROLE reader LOGIN",
        "GRANT SELECT ON vehicle TO reader",
    ] {
        primary.execute_unprepared(statement).await.unwrap();
    }
    let standby = connect(&privileged).await;
    wait_until_caught_up(&primary, &standby).await;
    let promoted = connect(&pair.standby_url()).await;
    wait_until_caught_up(&primary, &promoted).await;
    let address = Address::of(pair.primary.address()).await;
    let url = pair.url_at(&address.name());
    let service_of = async |replica| service(&url, replica).await;
    let (privileged, ordinary) = (service_of(&privileged).await, service_of(&ordinary).await);
    for service in [&privileged, &ordinary] {
        wait_for_state(service, "in_sync").await;
        create_vehicle(service, "before").await;
    }
    pair.primary.end();
    promote(&promoted).await;
    address.redirect(pair.standby.address());
    for service in [&privileged, &ordinary] {
        wait_for_state(service, "other_timeline").await;
    }

    replicate_from(&standby, pair.standby.address()).await;
    wait_for_state(&privileged, "in_sync").await;
    let id = create_after_failover(&privileged, "after").await;
    assert_eq!(privileged.models().await, ["before", "before", "after"]);
    assert_eq!(model(&privileged, &id).await.as_deref(), Some("after"));
    assert!(reads(&privileged, "replica").await >= 1.0);

    // An ordinary role reads the timeline only from the control file, which a restartpoint writes.
    assert_eq!(model(&ordinary, &id).await.as_deref(), Some("after"));
    wait_until_caught_up(&promoted, &standby).await;
    standby.execute_unprepared("CHECKPOINT").await.unwrap();
    wait_for_state(&ordinary, "in_sync").await;
    assert_eq!(model(&ordinary, &id).await.as_deref(), Some("after"));
    assert!(reads(&ordinary, "replica").await >= 1.0);
}

async fn reads_a_standby_only_in_the_database_of_the_primary() {
    let pair = Pair::start();
    let other = pair.primary.database();
    let mut migrated = start(&other, &["migrate", "up"]);
    assert_eq!(migrated.ended().await.code(), Some(0), "{}", migrated.log());
    store_wrong_vehicles(&connect(&other).await).await;
    let replica = other.replacen(pair.primary.address(), pair.standby.address(), 1);
    let service = service(&pair.url(), &replica).await;
    assert_eq!(create_vehicle(&service, "right").await, "1");
    let (primary, standby) = (
        connect(&pair.url()).await,
        connect(&pair.standby_url()).await,
    );
    wait_until_caught_up(&primary, &standby).await;
    assert_correct_reads(&service).await;
    wait_for_state(&service, "other_database").await;
    assert_reported(&service, "another database").await;
}
