//! The running service: its listeners, database, engine and background tasks.

mod access;
mod metrics;
mod readiness;
mod start_error;

use std::{future::Future, io, net::SocketAddr, sync::Arc, thread, time::Duration};

use auth::{Auth, KeysError, RateLimiter, Tokens};
use database::{Database, Error as DatabaseError};
use engine::{Engine, read_trusted_documents};
use graphql_http::{Listener, Ready, Stopping, Tls, connection_limit};
use telemetry::trace::Tracer;
use tokio::{net::TcpSocket, sync::oneshot, task::JoinSet};

use crate::{Applications, Definition, Http, HttpEndpoint, MigrateWhen, Settings, close_database};

use self::readiness::Readiness;
pub use self::start_error::StartError;

/// Maximum number of connections that wait to be accepted.
const ACCEPT_QUEUE: u32 = 1024;

/// The running service.
pub struct App {
    addr: SocketAddr,
    admin_addr: Option<SocketAddr>,
    database: Database,
    auth: Arc<Auth>,
    tracer: Option<Arc<Tracer>>,
    database_timeout: Duration,
    stop: oneshot::Sender<()>,
    /// The server task, in a set that aborts it when the app is dropped.
    serving: JoinSet<io::Result<()>>,
}

impl App {
    /// Binds the address, connects to the database and applies its migrations. Connections are refused until the service
    /// is ready.
    pub async fn start(service: Definition, settings: Settings) -> Result<Self, StartError> {
        // The contract is parsed while the database is connected; its first use waits for that.
        let contract = service.contract;
        drop(thread::spawn(|| contract.hash()));
        let tls = settings.http.tls_files().map(Tls::load).transpose();
        let tls = tls.map_err(StartError::Tls)?;
        let certificate_failures = tls.as_ref().map(Tls::failed_reloads);
        let auth = Arc::new(auth(&settings).map_err(StartError::Keys)?);
        let tracer = settings.telemetry.traces(&service, &settings.database);
        let tracer = tracer.map(Tracer::new);
        let tracer = tracer.transpose().map_err(StartError::Traces)?;
        let tracer = tracer.map(Arc::new);
        // Before the database, so that a service started twice by mistake changes nothing there.
        let main = Reserved::new(settings.http.listen, "--listen")?;
        let admin = settings.http.admin_listen;
        let admin = admin.map(|address| Reserved::new(address, "--admin-listen"));
        let admin = admin.transpose()?;
        let (addr, admin_addr) = (main.address, admin.as_ref().map(|admin| admin.address));
        let production = settings.production;
        let schema_document = settings.graphql.schema_document(production);
        let mut http = settings.http.settings(production, schema_document);
        http.connection_limit = connection_limit(http.connection_limit, database_files(&settings));
        let stopping = Stopping::default();
        let database = prepare(&service, &settings).await?;
        let engine = Arc::new(engine(&service, database.clone(), &settings)?);
        let telemetry = &settings.telemetry;
        access::log(&service, &settings, &database, (addr, admin_addr));
        let mut metrics = graphql_http::metrics(
            service.metrics_prefix,
            telemetry.metrics_operation_limit,
            &engine,
            &auth,
            tracer.clone(),
            stopping.clone(),
        );
        metrics::register(&mut metrics, &service, &database);
        metrics::register_certificate(&mut metrics, certificate_failures);
        let metrics = Arc::new(metrics);
        let service = Arc::new(service);
        let readiness_timeout = settings.database.readiness_timeout_seconds;
        let readiness = Readiness::new(Arc::clone(&service), database.clone(), readiness_timeout);
        let http_settings = http.clone();
        let http = Http {
            name: service.application.name,
            title: service.title,
            graphiql_tabs: service.graphiql_tabs,
            settings: http,
            engine,
            auth: Arc::clone(&auth),
            metrics: Arc::clone(&metrics),
            ready: Ready::new(Arc::new(readiness), stopping.clone()),
            has_admin: admin.is_some(),
            slow_threshold: telemetry.slow_operation_threshold_ms,
            tracer: tracer.clone(),
            request_id_attribute: service.request_id_attribute,
            stopping: stopping.clone(),
        };
        let Applications { clients, operators } = service.applications;
        let main = main.listener(clients(&http))?;
        let admin = admin.map(|admin| admin.listener(operators(&http)));
        let (stop, stopped) = oneshot::channel();
        let stopped = Box::pin(async { stopped.await.unwrap_or(()) });
        let opened = move || metrics.open_connection();
        let mut serving = JoinSet::new();
        serving.spawn(graphql_http::serve(
            main,
            admin.transpose()?,
            http_settings,
            tls,
            stopping,
            opened,
            stopped,
        ));
        Ok(Self {
            addr,
            admin_addr,
            database,
            auth,
            tracer,
            database_timeout: settings.database.database_timeout_seconds,
            stop,
            serving,
        })
    }

    /// The bound address; contains the actual port if the setting is port 0.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The bound address of the admin listener, if there is one.
    pub fn admin_addr(&self) -> Option<SocketAddr> {
        self.admin_addr
    }

    /// Serves requests until `shutdown` resolves. Then drains: accepts no more requests, finishes
    /// those in flight within the drain timeout, and closes the database.
    pub async fn run_until(self, shutdown: impl Future<Output = ()> + Send) -> io::Result<()> {
        let Self {
            auth,
            tracer,
            mut serving,
            ..
        } = self;
        let key_reload = tokio::spawn(async move { auth.reload_keys().await });
        let served = tokio::select! {
            served = serving.join_next() => served,
            () = shutdown => {
                // The receiver is gone if the server has ended already.
                let _ = self.stop.send(());
                serving.join_next().await
            }
        };
        key_reload.abort();
        if let Some(tracer) = tracer {
            tracer.shutdown().await;
        }
        served.map_or(Ok(()), |served| {
            served.unwrap_or_else(|error| Err(error.into()))
        })?;
        close_database(&self.database, self.database_timeout).await;
        Ok(())
    }
}

/// The open files of the database connections: an SQLite connection opens the file, its log and its index.
fn database_files(settings: &Settings) -> usize {
    let pool = usize::try_from(settings.database.pool_size).unwrap_or(usize::MAX);
    pool.saturating_add(2).saturating_mul(4)
}

/// Connects to the database and applies migrations.
async fn prepare(service: &Definition, settings: &Settings) -> Result<Database, StartError> {
    let database = Database::connect(service.application, &settings.database.settings()).await;
    let database = database.map_err(StartError::Database)?;
    let writable = database.ensure_writable().await;
    writable.map_err(StartError::Database)?;
    apply_migrations(service, &database, settings.database.migrate)
        .await
        .map_err(StartError::Migration)?;
    Ok(database)
}

/// The errors in the files that the settings name. Uses neither a port nor a database.
pub(crate) async fn validate_files(service: &Definition, settings: &Settings) -> Vec<StartError> {
    let tls = settings.http.tls_files().map(Tls::load).transpose();
    // Trusted documents are validated against the contract, so an empty database is enough.
    let database = Database::in_memory(service.application).await;
    let engine = engine(service, database, settings);
    let keys = auth(settings).err().map(StartError::Keys);
    let problems = [tls.err().map(StartError::Tls), keys, engine.err()];
    problems.into_iter().flatten().collect()
}

fn auth(settings: &Settings) -> Result<Auth, KeysError> {
    Ok(Auth {
        tokens: settings.auth.tokens().map(Tokens::load).transpose()?,
        rate: settings.auth.rate().map(RateLimiter::new),
        proxies: settings.auth.trusted_proxies.clone(),
    })
}

async fn apply_migrations(
    service: &Definition,
    database: &Database,
    when: MigrateWhen,
) -> Result<(), DatabaseError> {
    if when == MigrateWhen::AtStart {
        return database.migrate_up().await.map(drop);
    }
    let pending = database.pending_migrations().await?;
    if !pending.is_empty() {
        let (names, program) = (pending.join(", "), service.application.name);
        tracing::warn!("pending migrations: {names}; not ready until {program} migrate up has run");
    }
    Ok(())
}

fn engine(
    service: &Definition,
    database: Database,
    settings: &Settings,
) -> Result<Engine, StartError> {
    let trusted = match &settings.graphql.trusted_documents {
        Some(path) => read_trusted_documents(path).map_err(StartError::TrustedDocuments)?,
        None => Vec::new(),
    };
    if settings.graphql.enforces_trusted_documents() && trusted.is_empty() {
        tracing::warn!("--trusted-documents has no documents: every operation is refused");
    }
    let engine_settings = settings.graphql.engine(settings.production, trusted);
    let engine = (service.engine)(database, engine_settings);
    let invalid = engine.invalid_trusted_documents();
    if invalid.is_empty() {
        Ok(engine)
    } else {
        Err(StartError::InvalidTrustedDocuments(invalid))
    }
}

/// An address that is reserved for a listener. Connections to it are refused until it listens.
struct Reserved {
    socket: TcpSocket,
    address: SocketAddr,
    flag: &'static str,
}

impl Reserved {
    /// Reserves the address of a setting; port 0 is a free one.
    fn new(address: SocketAddr, flag: &'static str) -> Result<Self, StartError> {
        let bind = || {
            let socket = if address.is_ipv4() {
                TcpSocket::new_v4()?
            } else {
                TcpSocket::new_v6()?
            };
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            let address = socket.local_addr()?;
            Ok(Self {
                socket,
                address,
                flag,
            })
        };
        bind().map_err(|error| listen_error(address, flag, error))
    }

    fn listener(self, endpoint: HttpEndpoint) -> Result<Listener, StartError> {
        let Self {
            socket,
            address,
            flag,
        } = self;
        let socket = socket.listen(ACCEPT_QUEUE);
        let socket = socket.map_err(|error| listen_error(address, flag, error))?;
        Ok(Listener { socket, endpoint })
    }
}

fn listen_error(address: SocketAddr, flag: &'static str, error: io::Error) -> StartError {
    match error.kind() {
        io::ErrorKind::AddrInUse => StartError::AddressInUse(address, flag),
        io::ErrorKind::PermissionDenied if address.port() < 1024 => {
            StartError::PrivilegedPort(address, flag)
        }
        _ => StartError::Listen(address, error),
    }
}
