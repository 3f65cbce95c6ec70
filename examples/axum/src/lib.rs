//! The bookshop on another host: its schema and its engine, served by axum.

use async_graphql_axum::{GraphQL, GraphQLSubscription};
use axum::{
    Router,
    routing::{get_service, post_service},
};
use bookshop::APPLICATION;
use database::{Database, Error};
use engine::{CostModel, DocumentLimits, EngineExecutor, EngineSettings};

/// The maximum number of objects in a list.
const LIST_LIMIT: u32 = 20;

/// The routes, for books in memory.
pub async fn app() -> Result<Router, Error> {
    let database = Database::in_memory(APPLICATION).await;
    database.migrate_up().await?;
    let settings = EngineSettings {
        cost_model: CostModel {
            list_limit: LIST_LIMIT,
            ..CostModel::default()
        },
        documents: DocumentLimits {
            cost: 100_000,
            ..DocumentLimits::default()
        },
        ..EngineSettings::default()
    };
    let executor = EngineExecutor::new(bookshop::engine(&database, LIST_LIMIT, settings));
    let subscriptions = GraphQLSubscription::new(executor.clone());
    Ok(Router::new()
        .route("/graphql", post_service(GraphQL::new(executor)))
        .route("/subscriptions", get_service(subscriptions)))
}
