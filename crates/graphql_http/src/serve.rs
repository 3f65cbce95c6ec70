//! Serves the listeners of a service.

use std::{io, time::Duration};

use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

use super::{server, settings::HttpSettings, startup::Startup, stopping::Stopping, tls::Tls};

/// Connection limit of the separate listener: more than monitoring needs, and half of the files that
/// `connection_limit` reserves.
const ADMIN_CONNECTION_LIMIT: usize = 32;

/// Health and metrics responses take less time than this.
const ADMIN_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The listeners of a service.
pub struct Listeners {
    /// The listener for clients.
    pub main: TcpListener,
    /// A separate listener for health and metrics. Without it they are served to clients.
    pub admin: Option<TcpListener>,
}

/// Serves requests until `shutdown` resolves; then accepts no more connections and finishes the requests in flight within
/// the drain timeout. Meanwhile the service reports that it is not ready. The listener for operators is closed last.
///
/// The value of `opened` is dropped when its connection of a client is closed.
pub fn serve<Open: Unpin + Send + 'static>(
    listeners: Listeners,
    settings: HttpSettings,
    startup: Startup,
    tls: Option<Tls>,
    opened: impl Fn() -> Open + Send + 'static,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    // Boxed, so that the server is compiled in this crate and not in each one that awaits it.
    Box::pin(async move {
        let shutdown = async {
            shutdown.await;
            startup.drain();
        };
        let (hosts, origins) = (&settings.allowed_hosts, &settings.cors_origins);
        let endpoint = startup.clients(hosts, origins, listeners.admin.is_none());
        let stopping = startup.stopping();
        let main = listeners.main;
        let clients = server::run(main, endpoint, &settings, tls, &stopping, opened, shutdown);
        let Some(admin) = listeners.admin else {
            return clients.await;
        };
        let mut served = Ok(());
        let clients = async { served = clients.await };
        let endpoint = startup.operators(&settings.admin_allowed_hosts);
        let settings = admin_settings(&settings);
        let stopping = Stopping::new();
        // Shuts down when the listener for clients has.
        let operators = server::run(admin, endpoint, &settings, None, &stopping, || (), clients);
        let operators = operators.await;
        served.and(operators)
    })
}

fn admin_settings(settings: &HttpSettings) -> HttpSettings {
    HttpSettings {
        connection_limit: ADMIN_CONNECTION_LIMIT,
        drain_pause: Duration::ZERO,
        drain_timeout: ADMIN_DRAIN_TIMEOUT,
        ..settings.clone()
    }
}
