//! The service is killed during concurrent changes and deletions.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::Value;
use testkit::{Context, Running, until};

use crate::support::{Vehicles as _, serve};
use crate::table::Stats;
use crate::{cases, rounds};

cases![
    the_service_is_killed_during_changes on Sqlite Postgres Mariadb Mysql {
        fault: "`kill -9` of the service during concurrent changes and deletions",
        promise: "every acknowledged change and deletion is stored; a change without a response is stored completely or not at all",
        how: "each client changes a vehicle of its own with the version that it knows, deletes it after six changes, and creates the next one",
    },
];

const CLIENTS: usize = 32;

const KILLS: usize = 3;

/// The number of acknowledged changes and deletions before each kill.
const ACKNOWLEDGED: usize = 200;

/// A vehicle as its client knows it.
#[derive(Clone, Debug, PartialEq)]
struct Vehicle {
    id: String,
    model: String,
    version: u64,
}

/// What a client knows when the service is killed.
struct Known {
    /// The vehicle after the last acknowledged change.
    acknowledged: Vehicle,
    /// The vehicle after the change without a response; `None` after a deletion.
    attempted: Option<Vehicle>,
    deleted: Vec<String>,
}

async fn the_service_is_killed_during_changes(context: Context) -> Stats {
    let database = context.database();
    let (mut changes, mut unknown_stored) = (0, 0);
    for kill in 0..rounds(KILLS) {
        let mut running = serve(database.url(), &[]).await;
        let acknowledged = AtomicUsize::new(0);
        let clients = (0..CLIENTS).map(|number| {
            let name = format!("{kill}-{number}");
            client(&running, name, &acknowledged)
        });
        let killer = async {
            let enough = async || acknowledged.load(Ordering::Relaxed) >= ACKNOWLEDGED;
            until("changes are acknowledged", enough).await;
            running.signal("KILL");
        };
        let (known, ()) = tokio::join!(join_all(clients), killer);
        running.ended().await;
        changes += acknowledged.into_inner();

        let stored = stored(database.url()).await;
        for known in known.into_iter().flatten() {
            let row = stored.get(&known.acknowledged.id);
            let is_attempted = row == known.attempted.as_ref();
            assert!(
                is_attempted || row == Some(&known.acknowledged),
                "{row:?} is stored, not {:?} or {:?}",
                known.acknowledged,
                known.attempted
            );
            unknown_stored += usize::from(is_attempted);
            let reappeared = known.deleted.iter().find(|id| stored.contains_key(*id));
            assert_eq!(reappeared, None, "its deletion was acknowledged");
        }
    }
    let mut stats = Stats { clients: CLIENTS, faults: rounds(KILLS), ..Stats::default() };
    let measured = [("acknowledged changes and deletions", changes), ("stored without a response", unknown_stored)];
    let measured = measured.map(|(name, count)| (name.to_owned(), count.to_string()));
    stats.further.extend(measured);
    stats
}

/// Changes vehicles until there is no response. `None` if that was the response to a create.
async fn client(running: &Running, name: String, acknowledged: &AtomicUsize) -> Option<Known> {
    let mut deleted = Vec::new();
    for vehicle in 0.. {
        let model = format!("{name}-{vehicle}");
        let created = running.create(&model).await.ok()?;
        let id = created["data"]["createVehicle"]["id"].as_str()?.to_owned();
        let mut current = Vehicle { id, model, version: 1 };
        for change in 0..=6 {
            let changed = Vehicle {
                model: format!("{name}-{vehicle}-{change}"),
                version: current.version + 1,
                ..current.clone()
            };
            let attempted = (change < 6).then_some(changed);
            if !make(running, &current, attempted.as_ref()).await {
                return Some(Known { acknowledged: current, attempted, deleted });
            }
            acknowledged.fetch_add(1, Ordering::Relaxed);
            match attempted {
                Some(changed) => current = changed,
                None => deleted.push(current.id.clone()),
            }
        }
    }
    None
}

/// Changes or deletes a vehicle, and returns whether that was acknowledged.
async fn make(running: &Running, current: &Vehicle, wanted: Option<&Vehicle>) -> bool {
    let Vehicle { id, version, .. } = current;
    let field = match wanted {
        Some(wanted) => {
            let changes = format!(r#"{{ modelCode: "{}" }}"#, wanted.model);
            format!("updateVehicle(id: {id}, changes: {changes}, expectedVersion: {version})")
        }
        None => format!("deleteVehicle(id: {id}, expectedVersion: {version})"),
    };
    let document = format!("mutation {{ done: {field} {{ version }} }}");
    let Ok(response) = running.query(&document).await else {
        return false;
    };
    let expected = wanted.map_or(*version, |wanted| wanted.version);
    let done: &Value = &response["data"]["done"];
    assert_eq!(done["version"], expected, "{field}: {response}");
    true
}

/// Every stored vehicle by its id.
async fn stored(url: &str) -> HashMap<String, Vehicle> {
    let connection = testkit::connect(url).await;
    let backend = connection.get_database_backend();
    let query = Statement::from_string(backend, "SELECT id, model_code, version FROM vehicle");
    let rows = connection.query_all_raw(query).await.unwrap();
    connection.close().await.unwrap();
    let vehicles = rows.iter().map(|row| Vehicle {
        id: row.try_get_by_index::<i64>(0).unwrap().to_string(),
        model: row.try_get_by_index(1).unwrap(),
        version: row.try_get_by_index::<i32>(2).unwrap().try_into().unwrap(),
    });
    vehicles.map(|vehicle| (vehicle.id.clone(), vehicle)).collect()
}
