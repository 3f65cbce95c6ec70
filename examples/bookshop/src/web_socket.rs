//! Subscriptions over WebSocket, by the protocols that async-graphql knows: `graphql-transport-ws` and its predecessor.

use std::{future::ready, io, time::Duration};

use async_graphql::{Executor, http::ALL_WEBSOCKET_PROTOCOLS};
use async_graphql_poem::{GraphQLProtocol, GraphQLWebSocket};
use async_graphql_strict::{AllowedOperations, Strict};
use futures_util::{SinkExt as _, StreamExt as _};
use poem::{
    Endpoint, FromRequest, IntoResponse, Request, Response,
    web::websocket::{CloseCode, Message, WebSocket, WebSocketConfig},
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
        let config =
            WebSocketConfig::default().max_message_size(Some(MESSAGE_BYTES)).max_frame_size(Some(MESSAGE_BYTES));
        let socket = socket.config(config).protocols(ALL_WEBSOCKET_PROTOCOLS);
        let upgraded = socket.on_upgrade(move |socket| {
            let (sink, stream) = socket.split();
            let sink = sink.with(|message| ready(Ok::<_, io::Error>(by_protocol(message))));
            GraphQLWebSocket::new_with_pair(sink, stream, executor, protocol)
                .keepalive_timeout(KEEPALIVE_TIMEOUT)
                .serve()
        });
        Ok(upgraded.into_response())
    }
}

/// Closes with the codes of the protocol. The library has others, and its reason quotes what the client has sent, which can be
/// longer than the 123 bytes of a close frame.
fn by_protocol(message: Message) -> Message {
    match message {
        Message::Close(Some((CloseCode::Protocol, _))) => Message::close_with(4400, "Invalid message"),
        Message::Close(Some((CloseCode::Error, _))) => Message::close_with(4401, "Unauthorized"),
        message => message,
    }
}
