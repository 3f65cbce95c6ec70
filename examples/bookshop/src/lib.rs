//! A bookshop: a second service on the crates, which shows what a service has to bring.

#[allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    reason = "the code is generated for any crate"
)]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}
mod isbn;
mod resolvers;
mod store;

use std::{error::Error, pin::Pin, sync::Arc};

use contract::Query;
use engine::{Contract, CostModel, Engine, EngineSettings};
use graphql_http::{
    GraphqlService, HttpSettings, Lifecycle, Listeners, Part, Probe, Startup, serve as serve_http,
};
use tokio::net::TcpListener;

use crate::{resolvers::Shop, store::Store};

static CONTRACT: Contract = Contract::new("schema.graphql", include_str!("../schema.graphql"));

/// Opens the store and serves requests until `shutdown` resolves.
pub async fn serve(
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let store = Arc::new(Store::open().await?);
    let query = Query(Shop(Arc::clone(&store)));
    let cost_model = CostModel {
        list_limit: store::LIST_LIMIT,
        ..CostModel::default()
    };
    let engine = Engine::new(&CONTRACT, (query,), cost_model, EngineSettings::default());
    let listeners = Listeners {
        main: listener,
        admin: None,
    };
    let started = Part::ready("database");
    let settings = HttpSettings::default();
    let startup = Startup::new(settings, &listeners, Lifecycle::default(), started);
    let service = GraphqlService::new("bookshop", engine, &startup);
    startup.complete(service, store);
    Ok(serve_http(listeners, startup, None, shutdown).await?)
}

impl Probe for Store {
    fn parts(&self) -> Pin<Box<dyn Future<Output = Vec<Part>> + Send + '_>> {
        Box::pin(async {
            vec![match self.database.ping().await {
                Ok(()) => Part::ready("database"),
                Err(_) => Part::not_ready("database", "it does not respond"),
            }]
        })
    }
}
