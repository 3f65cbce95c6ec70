//! The listeners of the server.

use tokio::net::TcpListener;

/// The listeners of the server.
pub struct Listeners {
    /// The listener for clients.
    pub main: TcpListener,
    /// A separate listener for health and metrics. Without it they are served to clients.
    pub admin: Option<TcpListener>,
}
