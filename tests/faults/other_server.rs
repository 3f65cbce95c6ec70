//! Creates with an idempotency key that are repeated on another database server, after the first one was killed.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use testkit::{Backend, Context, Running, connect, until};
use tokio::time::sleep;

use crate::cluster::nodes::Nodes;
use crate::cluster::postgres::{Pair, promote, value};
use crate::oracle::{Content, Oracle};
use crate::proxy::Proxy;
use crate::support::serve;
use crate::table::Stats;
use crate::{cases, rows};

cases![
    creates_are_repeated_on_another_server on Postgres Mariadb {
        fault: "the primary of a PostgreSQL pair with synchronous replication, or a node of a Galera cluster, is killed under load",
        promise: "a create that is repeated with its idempotency key through an instance on another server is stored exactly once; the id is that of the first response, if there was one",
        how: "clients create through an instance that knows only the killed server; afterwards all creates are repeated through an instance on the promoted standby or on another node",
    },
];

const CLIENTS: usize = 16;

/// The creates that are acknowledged before the server is killed.
const ACKNOWLEDGED: usize = 10 * CLIENTS;

/// Short, because the instance without a server answers nothing until then.
const SHORT_TIMEOUT: &str = "--database-timeout-seconds=2";

const CREATE: &str = "mutation ($type: String!, $modelCode: String!, $brandName: String, $launchDate: String) {
    createVehicle(type: $type, modelCode: $modelCode, brandName: $brandName, launchDate: $launchDate) { id } }";

/// A create and its key.
struct Create {
    number: usize,
    content: Content,
}

/// What a client received.
struct Response {
    id: i64,
    is_replay: bool,
}

async fn creates_are_repeated_on_another_server(context: Context) -> Stats {
    match context.backend {
        Backend::Postgres => on_postgres().await,
        _ => on_galera().await,
    }
}

async fn on_postgres() -> Stats {
    let mut pair = Pair::start();
    let primary = connect(&pair.url()).await;
    for setting in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"] {
        primary.execute_unprepared(setting).await.unwrap();
    }
    let synchronous = "SELECT count(*)::text FROM pg_stat_replication WHERE sync_state = 'sync'";
    until("the replication is synchronous", async || value(&primary, synchronous).await == "1").await;
    let first = serve(&pair.url(), &[SHORT_TIMEOUT]).await;
    let proxy = Proxy::new(&pair.url()).await;
    let second = serve(&proxy.url(&pair.url()), &[]).await;
    let standby = connect(&pair.standby_url()).await;
    let url = pair.standby_url();
    let kill = async || {
        pair.primary.stop();
        promote(&standby).await;
        proxy.redirect(&url);
    };
    run(&first, &second, kill, &url).await
}

async fn on_galera() -> Stats {
    let mut nodes = Nodes::acquire();
    let first = serve(&nodes.url(1), &[SHORT_TIMEOUT]).await;
    let second = serve(&nodes.url(2), &[]).await;
    let url = nodes.url(2);
    run(&first, &second, async || nodes.nodes[1].stop(), &url).await
}

/// Creates through the first instance until the server is killed, and repeats all creates through the second one.
async fn run(first: &Running, second: &Running, kill: impl AsyncFnOnce(), url: &str) -> Stats {
    let oracle = Oracle::default();
    let clients = (0..CLIENTS).map(|_| create_until_failure(first, &oracle));
    let faults = async {
        while oracle.acknowledgements() < ACKNOWLEDGED {
            sleep(Duration::from_millis(2)).await;
        }
        kill().await;
    };
    let (created, ()) = tokio::join!(join_all(clients), faults);
    let repeated = created.into_iter().flatten();
    let repeated = repeated.map(|(create, before)| {
        let oracle = &oracle;
        async move {
            let response = repeat(second, &create).await;
            match before {
                Some(id) => assert!(response.is_replay && response.id == id, "{id}"),
                None => oracle.acknowledged(create.number, response.id),
            }
            (before.is_none(), response.is_replay)
        }
    });
    let repeated = join_all(repeated).await;
    let count = |expected: (bool, bool)| {
        let matching = repeated.iter().filter(|outcome| **outcome == expected);
        matching.count().to_string()
    };
    let mut stats = Stats {
        clients: CLIENTS,
        faults: 1,
        further: BTreeMap::from([
            ("without a response, stored before".to_owned(), count((true, true))),
            ("without a response, not stored before".to_owned(), count((true, false))),
        ]),
        ..Stats::default()
    };
    oracle.compare(&rows::all(url).await, &mut stats).assert_sound();
    assert_eq!(stats.acknowledged, stats.sent, "{stats:?}");
    stats
}

/// Creates until a create fails. Returns the creates with the ids in their responses, the failed one without.
async fn create_until_failure(running: &Running, oracle: &Oracle) -> Vec<(Create, Option<i64>)> {
    let mut all = Vec::new();
    loop {
        let (number, content) = oracle.next_create();
        let create = Create { number, content };
        let response = send(running, &create).await;
        let id = response.ok().map(|response| response.id);
        all.push((create, id));
        match id {
            Some(id) => oracle.acknowledged(number, id),
            None => return all,
        }
    }
}

/// Repeats a create until it is acknowledged.
async fn repeat(running: &Running, create: &Create) -> Response {
    let mut last = Value::Null;
    for _ in 0..100 {
        match send(running, create).await {
            Ok(response) => return response,
            Err(refusal) => last = refusal,
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{last}\n{}", running.log());
}

/// Sends a create; the error is a response with errors.
async fn send(running: &Running, create: &Create) -> Result<Response, Value> {
    let body = json!({ "query": CREATE, "variables": create.content.arguments() });
    let request = running.client.post(running.url("/graphql")).json(&body);
    let request = request.header("Idempotency-Key", format!("create-{}", create.number));
    let response = request.send().await.unwrap();
    let is_replay = response.headers().contains_key("idempotent-replayed");
    let response: Value = response.json().await.unwrap();
    match response["data"]["createVehicle"]["id"].as_str() {
        Some(id) => Ok(Response { id: id.parse().unwrap(), is_replay }),
        None => Err(response),
    }
}
