//! The bookshop on another host: its schema behind the same limits, served by axum.

use std::error::Error;

use async_graphql_axum::{GraphQL, GraphQLSubscription};
use axum::{
    Router,
    routing::{get_service, post_service},
};

/// The routes, for books in memory.
pub async fn app() -> Result<Router, Box<dyn Error>> {
    let strict = bookshop::strict().await?;
    let subscriptions = GraphQLSubscription::new(strict.clone());
    Ok(Router::new()
        .route("/graphql", post_service(GraphQL::new(strict)))
        .route("/subscriptions", get_service(subscriptions)))
}
