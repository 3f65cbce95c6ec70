//! Clients that retry creates with an idempotency key, while connections are cut before, during and after commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use testkit::Context;
use tokio::time::sleep;
use vehicle_catalogue_client::{CatalogueClient, NewVehicle, RetryPolicy};

use crate::balancer::Balancer;
use crate::oracle::{Content, Oracle};
use crate::proxy::{NetworkCondition, Proxy};
use crate::support::serve;
use crate::table::Stats;
use crate::{cases, rounds, rows};

cases![
    clients_retry_creates_whose_responses_are_lost on Sqlite Postgres {
        fault: "connections between clients and two instances are reset, or closed in the middle of a response, under load",
        promise: "every create is acknowledged and stored exactly once, with the acknowledged id",
        how: "a proxy between the clients and a load balancer; the Rust client retries each create with its idempotency key, often through the other instance",
    },
    creates_with_a_key_survive_a_cut_database_connection on Postgres Mariadb {
        fault: "connections between two instances and their database are reset, or closed in the middle of a response, under load",
        promise: "the same",
        how: "a proxy between the instances and the database",
    },
];

const CLIENTS: usize = 12;

/// The shortest responses of a database and of HTTP are longer.
const TRUNCATED_BYTES: usize = 7;

async fn clients_retry_creates_whose_responses_are_lost(context: Context) -> Stats {
    run(context, Side::Clients).await
}

async fn creates_with_a_key_survive_a_cut_database_connection(context: Context) -> Stats {
    run(context, Side::Database).await
}

/// The side of the service on which connections are cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Clients,
    Database,
}

async fn run(context: Context, side: Side) -> Stats {
    let database = context.database();
    let balancer = Balancer::new().await;
    let clients_url = format!("http://{}/graphql", balancer.addr);
    let proxy = match side {
        Side::Clients => Proxy::new(&clients_url).await,
        Side::Database => Proxy::new(database.url()).await,
    };
    let (service_url, clients_url) = match side {
        Side::Clients => (database.url().to_owned(), proxy.url(&clients_url)),
        Side::Database => (proxy.url(database.url()), clients_url),
    };
    let mut instances = Vec::new();
    for _ in 0..2 {
        let instance = serve(&service_url, &[]).await;
        balancer.add(instance.addr).await;
        instances.push(instance);
    }
    let oracle = Arc::new(Oracle::default());
    let stop = AtomicBool::new(false);
    let clients = (0..CLIENTS).map(|_| create_until(&stop, &clients_url, &oracle));
    let mut stats = Stats { clients: CLIENTS, ..Stats::default() };
    let faults = async {
        for round in 0..rounds(30) {
            let acknowledged = oracle.acknowledgements();
            while oracle.acknowledgements() < acknowledged + CLIENTS {
                sleep(Duration::from_millis(2)).await;
            }
            proxy.set(match round % 2 {
                0 => NetworkCondition::Truncating(TRUNCATED_BYTES),
                _ => NetworkCondition::Reset,
            });
            sleep(Duration::from_millis(30)).await;
            proxy.set(NetworkCondition::Normal);
            stats.faults += 1;
        }
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(faults, join_all(clients));
    let table = rows::all(database.url()).await;
    oracle.compare(&table, &mut stats).assert_sound();
    assert_eq!(stats.acknowledged, stats.sent, "{stats:?}");
    stats
}

async fn create_until(stop: &AtomicBool, url: &str, oracle: &Oracle) {
    let http_client = testkit::http::client().build().expect("a client needs nothing");
    let retries = RetryPolicy {
        max_retries: 100,
        initial_backoff: Duration::from_millis(10),
        max_backoff: Duration::from_millis(200),
    };
    let client = CatalogueClient::builder(url).http_client(http_client).retry_policy(retries);
    let client = client.build().expect("the address is one");
    while !stop.load(Ordering::Relaxed) {
        let (number, content) = oracle.next_create();
        let Content { r#type, model_code, brand_name, launch_date } = content;
        let new_vehicle = NewVehicle { brand_name, launch_date, ..NewVehicle::new(r#type, model_code) };
        let created = client.create_vehicle(new_vehicle).await;
        let created = created.unwrap_or_else(|error| panic!("{error:?}"));
        oracle.acknowledged(number, created.id.inner().parse().expect("an id is a number"));
    }
}
