//! Several instances of the service on one database.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::json;
use testkit::{Context, Running};

use crate::balancer::Balancer;
use crate::load::{self, Load, Outcome, Target};
use crate::oracle::Oracle;
use crate::support::{Vehicles as _, serve};
use crate::table::Stats;
use crate::{cases, rows};

cases![
    instances_share_a_database on Sqlite Postgres Mariadb Mysql {
        fault: "two and four instances start on an empty database at the same time, and write to it concurrently",
        promise: "each migration is applied once; unique ids; a vehicle acknowledged by one instance is immediately visible through all others, by id and in lists",
        how: "each client creates through one instance and looks it up through the next",
    },
    instances_are_replaced_one_by_one on Sqlite Postgres {
        fault: "each of two instances is stopped with SIGTERM and replaced, under load",
        promise: "no request fails",
        how: "a load balancer in the test polls `/health/ready` every 50 ms and forwards connections; clients create and read through it",
    },
];

const CLIENTS: usize = 16;

/// A long timeout, since slowness of a loaded machine is not the tested fault.
const LONG_TIMEOUT: &str = "--database-timeout-seconds=25";

const CREATES_PER_CLIENT: usize = 12;

async fn instances_share_a_database(context: Context) -> Stats {
    let mut stats = Stats::default();
    for count in [2, 4] {
        let database = context.database();
        let starting = (0..count).map(|_| serve(database.url(), &[LONG_TIMEOUT]));
        let instances = join_all(starting).await;
        let oracle = Oracle::default();
        let clients = (0..CLIENTS).map(|number| client(number, &instances, &oracle));
        join_all(clients).await;
        rows::assert_migrated_once(database.url()).await;
        let table = rows::all(database.url()).await;
        oracle.compare(&table, &mut stats).assert_sound();
        assert_eq!(oracle.acknowledgements(), CLIENTS * CREATES_PER_CLIENT);
        for instance in &instances {
            assert_eq!(instance.models().await.len(), table.len());
        }
        stats.clients = CLIENTS;
        stats.reads += CLIENTS * CREATES_PER_CLIENT * 2;
    }
    stats
}

/// Creates through one instance, and reads through the next.
async fn client(number: usize, instances: &[Running], oracle: &Oracle) {
    for turn in 0..CREATES_PER_CLIENT {
        let storing = &instances[(number + turn) % instances.len()];
        let reading = &instances[(number + turn + 1) % instances.len()];
        let url = |instance: &Running| format!("http://{}/graphql", instance.addr);
        let stored = load::store(&storing.client, &url(storing), oracle).await;
        let (id, content) = stored.unwrap_or_else(|outcome| panic!("{outcome:?}\n{}", storing.log()));
        let query = "query ($id: ID) { vehicle(id: $id) { id type modelCode brandName launchDate } \
             vehicles { id } }";
        let body = json!({ "query": query, "variables": { "id": id } });
        let response = load::query(&reading.client, &url(reading), &body).await.unwrap();
        assert_eq!(content.id_in(&response["data"]["vehicle"]), Some(id), "{response}");
        let listed = response["data"]["vehicles"].as_array();
        let listed = listed.unwrap_or_else(|| panic!("{response}\n{}", reading.log()));
        let id = id.to_string();
        assert!(listed.iter().any(|vehicle| vehicle["id"] == *id), "{id}: {response}");
    }
}

async fn instances_are_replaced_one_by_one(context: Context) -> Stats {
    let database = context.database();
    let flags = ["--drain-pause-seconds=1", LONG_TIMEOUT];
    let balancer = Balancer::new().await;
    let mut instances = Vec::new();
    for _ in 0..2 {
        let instance = serve(database.url(), &flags).await;
        balancer.add(instance.addr).await;
        instances.push(instance);
    }
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(balancer.addr));
    let load = Load::start(&oracle, &target, CLIENTS, CLIENTS);
    for instance in &mut instances {
        load.wait_for_acknowledged(100).await;
        instance.signal("TERM");
        assert_eq!(instance.ended().await.code(), Some(0), "{}", instance.log());
        balancer.remove(instance.addr);
        *instance = serve(database.url(), &flags).await;
        balancer.add(instance.addr).await;
    }
    load.wait_for_acknowledged(100).await;
    let exchanges = load.stop().await;

    let mut stats = Stats { faults: instances.len(), ..Stats::default() };
    exchanges.record(&mut stats);
    let failed = exchanges.all.iter().filter(|one| one.outcome != Outcome::Success);
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "{} of {}: {:#?}", failed.len(), exchanges.all.len(), &failed[..failed.len().min(3)]);
    oracle.compare(&rows::all(database.url()).await, &mut stats).assert_sound();
    stats
}
