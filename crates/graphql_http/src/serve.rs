//! Serves the listeners of a service.

use std::{io, time::Duration};

use futures_util::future::BoxFuture;

use super::{
    server::{self, Listener},
    settings::HttpSettings,
    stopping::Stopping,
    tls::Tls,
};

/// Connection limit of the separate listener: more than monitoring needs, and half of the files that
/// `connection_limit` reserves.
const ADMIN_CONNECTION_LIMIT: usize = 32;

/// Health and metrics responses take less time than this.
const ADMIN_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves requests of clients, and those of operators at a separate listener if there is one, until `shutdown` resolves;
/// then accepts no more connections and finishes the requests in flight within the drain timeout. Meanwhile the service
/// reports that it is not ready. The listener for operators is closed last.
///
/// `stopping` has the stage of the listener for clients. The value of `opened` is dropped when its connection of a client is
/// closed.
pub fn serve<Open: Unpin + Send + 'static>(
    clients: Listener,
    operators: Option<Listener>,
    settings: HttpSettings,
    tls: Option<Tls>,
    stopping: Stopping,
    opened: impl Fn() -> Open + Send + 'static,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    // Boxed, so that the server is compiled in this crate and not in each one that awaits it.
    Box::pin(async move {
        let clients = server::run(clients, &settings, tls, &stopping, opened, shutdown);
        let Some(operators) = operators else {
            return clients.await;
        };
        let mut served = Ok(());
        let clients = async { served = clients.await };
        let settings = admin_settings(&settings);
        let stopping = Stopping::default();
        // Shuts down when the listener for clients has.
        let operators = server::run(operators, &settings, None, &stopping, || (), clients);
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
