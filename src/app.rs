//! The service: settings → database → schema → routes → servers → stop.

use std::{future::Future, io, net::SocketAddr, sync::Arc};

use poem_graphql::ConnectionLimits;
use tokio::{sync::oneshot, task::JoinSet, time};

use crate::{
    health::Readiness,
    observe::Recorder,
    routes,
    settings::Settings,
    start::{self, Bound, StartError},
    store::{Database, Store},
    telemetry::Tracer,
};

/// The running service.
pub struct App {
    /// Of the listener for clients.
    pub address: SocketAddr,
    /// Of the listener for operators, if there is one.
    pub admin_address: Option<SocketAddr>,
    settings: Settings,
    database: Database,
    readiness: Arc<Readiness>,
    tracer: Option<Arc<Tracer>>,
    stop: oneshot::Sender<()>,
    /// Aborted when the app is dropped.
    servers: JoinSet<io::Result<()>>,
}

impl App {
    /// Connects to the database, applies its migrations, and serves.
    pub async fn start(settings: Settings, tracer: Option<Arc<Tracer>>) -> Result<Self, StartError> {
        // Before the database, so that a service started twice by mistake changes nothing there.
        let public = Bound::new(settings.http.listen, "--listen")?;
        let admin = settings.http.admin_listen.map(|address| Bound::new(address, "--admin-listen")).transpose()?;
        let (address, admin_address) = (public.address, admin.as_ref().map(|admin| admin.address));
        let tls = start::tls(&settings).await?;
        let authorization = Arc::new(start::authorization(&settings)?);
        let database = start::database(&settings).await?;
        let store = Store::new(database.clone());
        let strict = start::strict(&settings, store.clone())?;
        let readiness = Arc::new(Readiness::new(database.clone()));
        start::log_access(&settings, &database, address, admin_address);

        let acceptor = public.listen(start::connection_limits(&settings))?;
        if let Some(tokens) = authorization.tokens.clone() {
            tokio::spawn(tokens.reload());
        }
        let metrics =
            start::metrics(&strict, &store, &authorization, tls.as_ref(), tracer.as_deref(), &readiness, &acceptor);
        let recorder = Recorder {
            metrics: Arc::new(metrics),
            tracer: tracer.clone(),
            authorization,
            readiness: Arc::clone(&readiness),
        };
        let drain = settings.http.drain_timeout_seconds;
        let (stop, stopping) = oneshot::channel();
        let (stopped, admin_stopping) = oneshot::channel();
        let mut servers = JoinSet::new();
        let application = routes::public(&settings, &recorder, strict);
        let serving = start::serve(acceptor, application, tls, drain, stopping);
        servers.spawn(async move {
            let served = serving.await;
            // The listener for operators is closed last.
            drop::<oneshot::Sender<()>>(stopped);
            served
        });
        if let Some(admin) = admin {
            let application = routes::operators(&settings, &recorder, admin.address);
            let acceptor = admin.listen(ConnectionLimits::OPERATORS)?;
            servers.spawn(start::serve(acceptor, application, None, drain, admin_stopping));
        }
        Ok(Self { address, admin_address, settings, database, readiness, tracer, stop, servers })
    }

    /// Serves until `shutdown` resolves. Then drains: accepts no more requests, finishes those in flight within the drain
    /// timeout, and closes the database.
    pub async fn run_until(mut self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        tokio::select! {
            Some(ended) = self.servers.join_next() => return ended?,
            () = shutdown => {}
        }
        self.readiness.drain();
        time::sleep(self.settings.http.drain_pause_seconds).await;
        drop(self.stop);
        while let Some(ended) = self.servers.join_next().await {
            ended??;
        }
        if let Some(tracer) = self.tracer {
            tokio::task::spawn_blocking(move || tracer.shutdown()).await?;
        }
        let closed = time::timeout(self.settings.database.database_timeout_seconds, self.database.close());
        if closed.await.is_err() {
            tracing::warn!("the connections to the database did not close in time");
        }
        Ok(())
    }
}
