//! Several instances of the service on one database.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::json;

use crate::balancer::Balancer;
use crate::load::{self, Got, Load, Target};
use crate::oracle::Oracle;
use crate::running::Running;
use crate::table::Figures;
use crate::{Context, cases, rows};

cases![
    instances_share_a_database on Sqlite Postgres Mysql {
        fault: "two and four instances store in one database at once",
        promise: "every id once; whatever one has acknowledged is read at once through every other, by id and in the list",
        how: "each client creates through one instance and looks it up through the next",
    },
    instances_are_restarted_one_after_the_other on Sqlite Postgres Mysql {
        fault: "each of two instances is stopped with SIGTERM and replaced, under load",
        promise: "no request fails",
        how: "a balancer in the test asks `/health/ready` every 50 ms and carries connections; clients create and read through it",
    },
];

const CLIENTS: usize = 16;

/// A loaded machine is slow; that is no fault here.
const PATIENT: &str = "--database-timeout-seconds=25";

/// Creates of each client.
const TURNS: usize = 12;

async fn instances_share_a_database(context: Context) -> Figures {
    let mut figures = Figures::default();
    for count in [2, 4] {
        let database = context.database();
        let starting = (0..count).map(|_| Running::start(database.url(), &[PATIENT]));
        let instances = join_all(starting).await;
        let oracle = Oracle::default();
        let clients = (0..CLIENTS).map(|number| client(number, &instances, &oracle));
        join_all(clients).await;
        let table = rows::all(database.url()).await;
        oracle.compare(&table, &mut figures).assert_sound();
        assert_eq!(oracle.acknowledgements(), CLIENTS * TURNS);
        for instance in &instances {
            assert_eq!(instance.models().await.len(), table.len());
        }
        figures.clients = CLIENTS;
        figures.reads += CLIENTS * TURNS * 2;
    }
    figures
}

/// Stores through one instance, and reads through the next.
async fn client(number: usize, instances: &[Running], oracle: &Oracle) {
    for turn in 0..TURNS {
        let storing = &instances[(number + turn) % instances.len()];
        let reading = &instances[(number + turn + 1) % instances.len()];
        let url = |instance: &Running| format!("http://{}/graphql", instance.addr);
        let stored = load::store(&storing.client, &url(storing), oracle).await;
        let (id, content) = stored.unwrap_or_else(|got| panic!("{got:?}\n{}", storing.log()));
        let query = "query ($id: ID) { vehicle(id: $id) { id type modelCode brandName launchDate } \
             vehicles { id } }";
        let body = json!({ "query": query, "variables": { "id": id } });
        let answer = load::ask(&reading.client, &url(reading), &body)
            .await
            .unwrap();
        assert_eq!(
            content.id_in(&answer["data"]["vehicle"]),
            Some(id),
            "{answer}"
        );
        let listed = answer["data"]["vehicles"].as_array();
        let listed = listed.unwrap_or_else(|| panic!("{answer}\n{}", reading.log()));
        let id = id.to_string();
        assert!(
            listed.iter().any(|vehicle| vehicle["id"] == *id),
            "{id}: {answer}"
        );
    }
}

async fn instances_are_restarted_one_after_the_other(context: Context) -> Figures {
    let database = context.database();
    let flags = ["--drain-pause-seconds=1", PATIENT];
    let balancer = Balancer::new().await;
    let mut instances = Vec::new();
    for _ in 0..2 {
        let instance = Running::start(database.url(), &flags).await;
        balancer.add(instance.addr).await;
        instances.push(instance);
    }
    let (oracle, target) = (Arc::new(Oracle::default()), Target::new(balancer.addr));
    let load = Load::start(&oracle, &target, CLIENTS, CLIENTS);
    for instance in &mut instances {
        load.acknowledges(100).await;
        instance.signal("TERM");
        assert_eq!(instance.ended().await.code(), Some(0), "{}", instance.log());
        balancer.remove(instance.addr);
        *instance = Running::start(database.url(), &flags).await;
        balancer.add(instance.addr).await;
    }
    load.acknowledges(100).await;
    let exchanges = load.stop().await;

    let mut figures = Figures {
        faults: instances.len(),
        ..Figures::default()
    };
    exchanges.note(&mut figures);
    let failed = exchanges.all.iter().filter(|one| one.got != Got::Answer);
    let failed: Vec<_> = failed.collect();
    assert!(
        failed.is_empty(),
        "{} of {}: {:#?}",
        failed.len(),
        exchanges.all.len(),
        &failed[..failed.len().min(3)]
    );
    oracle
        .compare(&rows::all(database.url()).await, &mut figures)
        .assert_sound();
    figures
}
