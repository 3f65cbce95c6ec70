//! The composition root: the only module that knows every other one.

mod figures;
mod files;

use std::{future::Future, io, net::SocketAddr, sync::Arc};

use tokio::{net::TcpListener, time::timeout};

use crate::{
    access::{Access, KeysError, RateLimiter, Tokens},
    config::{MigrateWhen, Settings},
    graphql::{Engine, contract_hash},
    http::{self, Lifecycle, Limit, Listeners, Operations, Protection, Tls, TlsError, Watch},
    readiness::Readiness,
    store::{DatabaseSettings, Store, StoreError},
    trace::{Exporter, Traces},
    trusted,
};

/// The service, listening and with its database ready, but not answering yet.
pub struct App {
    listeners: Listeners,
    addr: SocketAddr,
    admin_addr: Option<SocketAddr>,
    lifecycle: Lifecycle,
    engine: Engine,
    store: Store,
    settings: Settings,
    protection: Protection,
    traces: Option<(Arc<Traces>, Exporter)>,
}

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Somebody else has the address.
    #[error("another process already listens on {0}; stop it, or choose another address with {1}")]
    AddressInUse(SocketAddr, &'static str),
    /// The address cannot be had.
    #[error("cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The certificate cannot be used.
    #[error("cannot use TLS")]
    Tls(#[source] TlsError),
    /// The keys of tokens cannot be used.
    #[error("cannot use the keys of tokens")]
    Keys(#[source] KeysError),
    /// The collector of traces cannot be reached in any case.
    #[error("cannot send traces")]
    Traces(#[source] reqwest::Error),
    /// The database cannot be had.
    #[error("cannot use the database")]
    Database(#[source] StoreError),
    /// The trusted documents can't be read.
    #[error("cannot use the trusted documents")]
    TrustedDocuments(#[source] trusted::Unreadable),
    /// Trusted documents do not fit the contract.
    #[error("these trusted documents are not valid: {}", .0.join(" | "))]
    WrongTrustedDocuments(Vec<String>),
    /// The tables are not as this version needs them.
    #[error("cannot migrate the database")]
    Migration(#[source] StoreError),
}

impl App {
    /// Takes the address, connects to the database and applies its migrations.
    pub async fn start(settings: Settings) -> Result<Self, StartError> {
        let tls = settings.http.tls_files().map(Tls::load).transpose();
        let tls = tls.map_err(StartError::Tls)?;
        let access = Arc::new(access(&settings).map_err(StartError::Keys)?);
        let traces = settings.telemetry.traces().as_ref().map(Traces::new);
        let traces = traces.transpose().map_err(StartError::Traces)?;
        // Before the database, so that a service started twice by mistake changes nothing there.
        let (main, addr) = listen(settings.http.listen, "--listen").await?;
        let admin = match settings.http.admin_listen() {
            Some(address) => Some(listen(address, "--admin-listen").await?),
            None => None,
        };
        let (admin, admin_addr) = admin.unzip();
        let store = connect(&settings).await.map_err(StartError::Database)?;
        let writable = store.refuse_read_only().await;
        writable.map_err(StartError::Database)?;
        bring_up_to_date(&store, settings.migrate)
            .await
            .map_err(StartError::Migration)?;
        let store = match settings.replica() {
            Some(replica) => store.with_replica(&replica).await,
            None => Ok(store),
        };
        let store = store.map_err(StartError::Database)?;
        let engine = engine(store.clone(), &settings)?;
        Ok(Self {
            listeners: Listeners { main, admin },
            addr,
            admin_addr,
            lifecycle: Lifecycle::default(),
            engine,
            store,
            settings,
            protection: Protection { tls, access },
            traces,
        })
    }

    /// Where the service listens: the actual port, also when any was asked for.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where operators ask, if not where clients do.
    pub fn admin_addr(&self) -> Option<SocketAddr> {
        self.admin_addr
    }

    /// Answers requests until `shutdown` resolves; then accepts no more, finishes those in flight
    /// within the drain time-out and closes the database.
    pub async fn run_until(self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        let engine = Arc::new(self.engine);
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            schema_hash = %contract_hash(),
            database = %self.settings.database_url,
            "serving"
        );
        let production = self.settings.production;
        let schema_document = self.settings.documents.schema_document(production);
        let mut http = self.settings.http.settings(production, schema_document);
        http.connection_limit = files::connections(http.connection_limit, self.settings.pool_size);
        let mut limits = http.limits();
        let list_limit = self.settings.list_limit.get();
        let of_engine = [("list-limit", list_limit, "vehicles")].into_iter();
        let of_engine = of_engine.chain(engine.document_limits().list());
        limits.extend(of_engine.map(|(name, value, unit)| Limit {
            name,
            value: value.into(),
            unit,
        }));
        let access = Arc::clone(&self.protection.access);
        limits.extend(
            access
                .rate
                .iter()
                .map(|rate| Limit::rate(rate.rate().per_second)),
        );
        let patience = self.settings.readiness_timeout();
        let telemetry = &self.settings.telemetry;
        let mut metrics =
            figures::metrics(telemetry, &limits, &engine, &self.store, &self.lifecycle);
        figures::access(&mut metrics, &access);
        let (traces, exporter) = self.traces.unzip();
        let exporter = exporter.map(|exporter| tokio::spawn(exporter.run()));
        figures::traces(&mut metrics, traces.clone());
        let operations = Operations {
            lifecycle: self.lifecycle.clone(),
            probe: Arc::new(Readiness::new(self.store.clone(), patience)),
            watch: Watch {
                metrics: Arc::new(metrics),
                slow: telemetry.slow_operation_threshold(),
                traces: traces.clone(),
            },
        };
        let shutdown = async {
            shutdown.await;
            self.lifecycle.start_draining();
        };
        let (listeners, protection) = (self.listeners, self.protection);
        let renewal = tokio::spawn(async move { access.keep_up_to_date().await });
        let served = http::serve(
            listeners, engine, operations, http, &limits, protection, shutdown,
        )
        .await;
        renewal.abort();
        if let (Some(traces), Some(exporter)) = (traces, exporter) {
            traces.close();
            Exporter::run_out(exporter).await;
        }
        served?;
        if timeout(self.settings.database_timeout(), self.store.close())
            .await
            .is_err()
        {
            tracing::warn!("the connections to the database did not close in time");
        }
        Ok(())
    }
}

/// Connects to the database of the settings.
pub async fn connect(settings: &Settings) -> Result<Store, StoreError> {
    Store::connect(&DatabaseSettings {
        url: settings.database_url.clone(),
        pool_size: settings.pool_size,
        statements: settings.statements,
        queue_limit: settings.queue_limit,
        connect_timeout: settings.database_connect_timeout(),
        timeout: settings.database_timeout(),
        migration_lock_timeout: settings.migration_lock_timeout(),
    })
    .await
}

/// What is wrong with the files that the settings name. Neither a port nor a database is needed.
pub async fn unusable_files(settings: &Settings) -> Vec<StartError> {
    let tls = settings.http.tls_files().map(Tls::load).transpose();
    // Whether the trusted documents fit the contract is known without the vehicles.
    let engine = engine(Store::in_memory().await, settings);
    let keys = access(settings).err().map(StartError::Keys);
    let problems = [tls.err().map(StartError::Tls), keys, engine.err()];
    problems.into_iter().flatten().collect()
}

fn access(settings: &Settings) -> Result<Access, KeysError> {
    Ok(Access {
        tokens: settings.access.tokens().map(Tokens::load).transpose()?,
        rate: settings.access.rate().map(RateLimiter::new),
        proxies: settings.access.trusted_proxies.clone(),
    })
}

async fn bring_up_to_date(store: &Store, when: MigrateWhen) -> Result<(), StoreError> {
    if when == MigrateWhen::AtStart {
        return store.migrate_up().await.map(drop);
    }
    let pending = store.pending_migrations().await?;
    if !pending.is_empty() {
        let names = pending.join(", ");
        tracing::warn!(
            "migrations are not applied: {names}; not ready until vehicle-catalogue migrate up has run"
        );
    }
    Ok(())
}

fn engine(store: Store, settings: &Settings) -> Result<Engine, StartError> {
    let trusted = match settings.documents.trusted_documents() {
        Some(path) => trusted::read(path).map_err(StartError::TrustedDocuments)?,
        None => Vec::new(),
    };
    let engine = Engine::new(
        store,
        settings
            .documents
            .engine(settings.production, settings.list_limit, trusted),
    );
    let wrong = engine.wrong_trusted_documents();
    if wrong.is_empty() {
        Ok(engine)
    } else {
        Err(StartError::WrongTrustedDocuments(wrong))
    }
}

async fn listen(
    address: SocketAddr,
    flag: &'static str,
) -> Result<(TcpListener, SocketAddr), StartError> {
    let cannot = |error| StartError::Listen(address, error);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => StartError::AddressInUse(address, flag),
            _ => cannot(error),
        })?;
    let addr = listener.local_addr().map_err(cannot)?;
    Ok((listener, addr))
}
