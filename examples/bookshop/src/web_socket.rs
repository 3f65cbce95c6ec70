//! Subscriptions over WebSocket, by the protocols that async-graphql knows: `graphql-transport-ws` and its predecessor.

use std::time::Duration;

use async_graphql::{Executor, http::ALL_WEBSOCKET_PROTOCOLS};
use async_graphql_poem::{GraphQLProtocol, GraphQLWebSocket};
use async_graphql_strict::{AllowedOperations, Strict};
use poem::{
    Endpoint, FromRequest, IntoResponse, Request, Response,
    web::websocket::{WebSocket, WebSocketConfig},
};

/// The time in which a client sends a message, of which the first is `connection_init`; otherwise its connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_mins(1);
const MESSAGE_BYTES: usize = 64 * 1024;

/// `async_graphql_poem::GraphQLSubscription` with bounds.
pub(crate) struct Subscriptions<E>(pub(crate) Strict<E>);

impl<E: Executor> Endpoint for Subscriptions<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        // Mutations require a request by POST, which is logged.
        let executor = self.0.clone().allowing(AllowedOperations::QUERIES);
        let (request, mut body) = request.split();
        let socket = WebSocket::from_request(&request, &mut body).await?;
        let protocol = GraphQLProtocol::from_request(&request, &mut body).await?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES))
            .max_frame_size(Some(MESSAGE_BYTES));
        let socket = socket.config(config).protocols(ALL_WEBSOCKET_PROTOCOLS);
        let upgraded = socket.on_upgrade(move |socket| {
            GraphQLWebSocket::new(socket, executor, protocol)
                .keepalive_timeout(KEEPALIVE_TIMEOUT)
                .serve()
        });
        Ok(upgraded.into_response())
    }
}
