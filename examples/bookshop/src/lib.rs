//! A bookshop: a second service on the crates, which shows what a service has to bring.

mod events;
mod failure;
mod isbn;
mod log;
mod resolvers;
mod store;
mod web_socket;

use std::{error::Error, sync::Arc, time::Duration};

use async_graphql::{Executor, Schema};
use async_graphql_strict::{CostModel, Settings, SkipValidation, Strict};
use poem::{Endpoint, EndpointExt, Request, Route, get};
use poem_graphql::{
    AllowedHosts, Check, ConnectionLimits, GraphQL, GraphQLSettings, LimitedAcceptor, Observe, Origins, ResponseBodies,
    catch_panics, check_head, check_origin, fallback, graphiql, redirect_browsers, server,
};
use tokio::net::TcpListener;

use crate::{
    contract::{CONTRACT, Mutation, Query, Subscription, support::ResponseBytes},
    log::Log,
    store::{LIST_LIMIT, Store},
    web_socket::Subscriptions,
};

// The module `contract`, which `build.rs` generates.
include!(concat!(env!("OUT_DIR"), "/contract.rs"));

const URL_LIMIT_BYTES: usize = 8192;
const COMPRESSED_ABOVE_BYTES: u64 = 1024;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
const UNKNOWN: &str = "Not found. GraphQL is served at /graphql, subscriptions at /subscriptions.\n";

/// Books in memory behind the contract and its limits.
pub async fn strict() -> Result<Strict<impl Executor>, Box<dyn Error>> {
    strict_of(Arc::new(Store::in_memory().await?))
}

fn strict_of(store: Arc<Store>) -> Result<Strict<impl Executor>, Box<dyn Error>> {
    let (query, mutation) = (Query(Arc::clone(&store)), Mutation(Arc::clone(&store)));
    let schema = Schema::build(query, mutation, Subscription(store)).limit_recursive_depth(usize::MAX);
    let settings = Settings {
        cost_model: CostModel { list_limit: LIST_LIMIT, ..CostModel::default() },
        response_budget: Some(ResponseBytes::insert),
        ..Settings::default()
    };
    let contract = graphql_sdl::Schema::parse("schema.graphql", CONTRACT)?;
    Ok(Strict::new(schema.extension(SkipValidation).finish(), &contract, settings))
}

/// The routes. A request passes the middleware from the last to the first.
fn routes(strict: Strict<impl Executor>) -> impl Endpoint + 'static {
    let pages = Check(|request: &mut Request| check_origin(request, &Origins::None));
    let subscriptions = get(Subscriptions(strict.clone())).with(pages);
    let endpoint = GraphQL::new(strict, GraphQLSettings::default());
    let endpoint = endpoint.with(Check(|request: &mut Request| redirect_browsers(request)));
    let route = Route::new().at("/graphql", endpoint).at("/subscriptions", subscriptions);
    graphiql(route, "bookshop", "Bookshop", &[])
        .catch_all_error(fallback(UNKNOWN))
        .with(catch_panics())
        .with(Check(|request: &mut Request| {
            AllowedHosts::Only(Vec::new()).check(request)?;
            check_head(request, URL_LIMIT_BYTES)
        }))
        .with(ResponseBodies::compressed_above(COMPRESSED_ABOVE_BYTES))
        .with(Observe(Log))
}

/// Serves books in memory until `stop` resolves, and then completes the requests in flight.
pub async fn serve(listener: TcpListener, stop: impl Future<Output = ()>) -> Result<(), Box<dyn Error>> {
    let acceptor = LimitedAcceptor::new(listener, ConnectionLimits::default())?;
    let served = server(acceptor).run_with_graceful_shutdown(routes(strict().await?), stop, Some(DRAIN_TIMEOUT));
    Ok(served.await?)
}
