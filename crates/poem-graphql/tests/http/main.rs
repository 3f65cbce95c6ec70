//! The endpoint, the middleware and the connections, in memory where HTTP itself does not matter, else through a socket.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod connections;
mod requests;
mod responses;
mod support;
mod tls;
