//! What the service is made of, by its settings, and why it does not start.

use std::{
    fs, io,
    net::SocketAddr,
    num::NonZeroU32,
    path::Path,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use async_graphql_strict::{Limits, Strict, TrustedDocuments, TrustedMode};
use graphql_sdl::{Problems, read_manifest};
use poem::{Response, endpoint::BoxEndpoint};
use poem_graphql::{ConnectionLimits, GraphQLSettings, LimitedAcceptor, Tls, TlsError, TlsFiles, server};
use prometheus_client::metrics::{
    MetricType::{Counter, Gauge},
    info::Info,
};
use tokio::{net::TcpSocket, sync::oneshot};

use crate::{
    auth::{KeysError, Tokens},
    authorization::{Authorization, REALM},
    graphql::{self, CONTRACT, HASH, Resolvers, VehicleSchema},
    health::Readiness,
    rate_limit::RateLimiter,
    settings::{MigrateWhen, Settings},
    store::{self, Database, DatabaseUrl, Store},
    telemetry::{Metrics, Sample, Scraped, Tracer, dropped_lines},
};

/// How often the files of the certificate are read.
const TLS_RELOAD_INTERVAL: Duration = Duration::from_secs(10);
/// How long a request may take to arrive, in addition to the time of its execution.
const RECEIVED_WITHIN: Duration = Duration::from_secs(45);
/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;
/// Open files that are no connections: listeners, the log, and files that are read now and then.
const OTHER_FILES: usize = 64;
/// The minimum number of client connections, however low the limit of open files is.
const MIN_CONNECTIONS: usize = 8;

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("another process already listens on {0}; stop it, or choose another address with {1}")]
    AddressInUse(SocketAddr, &'static str),
    #[error(
        "{0} has a port below 1024, which needs a privilege: choose another port with {1}, and let a reverse proxy or the \
         image forward the public one; or grant CAP_NET_BIND_SERVICE"
    )]
    PrivilegedPort(SocketAddr, &'static str),
    #[error("cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    #[error("cannot use TLS")]
    Tls(#[source] TlsError),
    #[error("cannot load the token verification keys")]
    Keys(#[source] KeysError),
    #[error("cannot use the database")]
    Database(#[source] store::StartError),
    #[error("cannot migrate the database")]
    Migration(#[source] store::StartError),
    #[error("cannot use the trusted documents")]
    TrustedDocuments(#[source] Problems),
    #[error("invalid trusted documents: {}", .0.join(" | "))]
    InvalidTrustedDocuments(Vec<String>),
}

/// An address that no other process can listen on; connections are refused until it is served.
pub(crate) struct Bound {
    socket: TcpSocket,
    pub address: SocketAddr,
}

impl Bound {
    /// `flag` is the setting of the address.
    pub(crate) fn new(address: SocketAddr, flag: &'static str) -> Result<Self, StartError> {
        let bind = || {
            let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            let address = socket.local_addr()?;
            Ok(Self { socket, address })
        };
        bind().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => StartError::AddressInUse(address, flag),
            io::ErrorKind::PermissionDenied if address.port() < 1024 => StartError::PrivilegedPort(address, flag),
            _ => StartError::Listen(address, error),
        })
    }

    /// Listens; serving is what accepts.
    pub(crate) fn listen(self, limits: ConnectionLimits) -> Result<LimitedAcceptor, StartError> {
        let listener = self.socket.listen(BACKLOG);
        listener
            .and_then(|listener| LimitedAcceptor::new(listener, limits))
            .map_err(|error| StartError::Listen(self.address, error))
    }
}

/// Serves until `stopping` is used or dropped; then finishes the requests in flight within the drain timeout.
pub(crate) async fn serve(
    acceptor: LimitedAcceptor,
    application: BoxEndpoint<'static, Response>,
    tls: Option<Tls>,
    drain: Duration,
    stopping: oneshot::Receiver<()>,
) -> io::Result<()> {
    let stop = async { drop(stopping.await) };
    match tls {
        None => server(acceptor).run_with_graceful_shutdown(application, stop, Some(drain)).await,
        Some(tls) => server(acceptor.with_tls(tls)).run_with_graceful_shutdown(application, stop, Some(drain)).await,
    }
}

/// The maximum number of client connections: fewer than the setting if the limit of open files is too low. Without this
/// bound idle clients could use up every file, and the database could not reconnect.
fn max_connections(settings: &Settings) -> usize {
    let requested = settings.http.connection_limit as usize;
    let permitted = match rlimit::increase_nofile_limit(rlimit::INFINITY) {
        Ok(permitted) => usize::try_from(permitted).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!(%error, "cannot read the limit of open files");
            return requested;
        }
    };
    // A connection to SQLite opens the file, its log and its index, and its folder for a moment.
    let database = 4 * (settings.database.pool_size as usize + 2);
    let available = permitted.saturating_sub(database + OTHER_FILES);
    let limit = requested.min(available.max(MIN_CONNECTIONS));
    if limit < requested {
        tracing::warn!(
            permitted,
            connection_limit = limit,
            "the limit of open files is too low for --connection-limit: raise it (LimitNOFILE= in systemd, ulimit -n)"
        );
    }
    limit
}

pub(crate) fn connection_limits(settings: &Settings) -> ConnectionLimits {
    ConnectionLimits {
        connections: max_connections(settings),
        response: settings.graphql.execution_timeout_seconds + RECEIVED_WITHIN,
        ..ConnectionLimits::default()
    }
}

pub(crate) async fn tls(settings: &Settings) -> Result<Option<Tls>, StartError> {
    let Some((certificate, key)) = settings.tls_files() else {
        return Ok(None);
    };
    let files = TlsFiles { certificate, key, reload_interval: TLS_RELOAD_INTERVAL };
    Tls::load(files).await.map(Some).map_err(StartError::Tls)
}

pub(crate) fn authorization(settings: &Settings) -> Result<Authorization, StartError> {
    let auth = &settings.auth;
    let tokens = match (auth.auth_keys_file.clone(), &auth.auth_issuer, &auth.auth_audience) {
        (Some(file), Some(issuer), Some(audience)) => Some(Tokens::load(file, issuer, audience)),
        _ => None,
    };
    let tokens = tokens.transpose().map_err(StartError::Keys)?.map(Arc::new);
    let rate = NonZeroU32::new(auth.rate_limit).zip(NonZeroU32::new(auth.rate_limit_burst));
    let rate = rate.map(|(rate, burst)| Arc::new(RateLimiter::new(rate, burst)));
    Ok(Authorization { tokens, rate, proxies: auth.trusted_proxies.clone() })
}

/// Connects to the database, and applies its migrations if that is set.
pub(crate) async fn database(settings: &Settings) -> Result<Database, StartError> {
    let database = Database::connect(settings.database.store()).await.map_err(StartError::Database)?;
    database.ensure_writable().await.map_err(StartError::Database)?;
    if settings.database.migrate == MigrateWhen::AtStart {
        database.migrate_up().await.map_err(StartError::Migration)?;
    } else if database.has_pending_migrations().await.map_err(StartError::Migration)? {
        tracing::warn!("migrations are pending: not ready until vehicle-catalogue migrate up has run");
    }
    Ok(database)
}

/// The documents of a manifest with their identifiers.
fn trusted_documents(path: &Path) -> Result<Vec<(String, String)>, Problems> {
    let file: Arc<str> = path.to_string_lossy().into();
    let mut problems = Problems::new(file.clone());
    let entries = match fs::read_to_string(path) {
        Ok(json) => read_manifest(&file, &json, &mut problems),
        Err(error) => {
            problems.add(None, format!("cannot be read ({error})"));
            Vec::new()
        }
    };
    let documents = entries.into_iter().map(|entry| (entry.id.to_string(), entry.document));
    problems.into_result(documents.collect())
}

/// The schema of this store, behind the limits of the settings.
pub(crate) fn strict(settings: &Settings, store: Store) -> Result<Strict<VehicleSchema>, StartError> {
    let documents = match &settings.graphql.trusted_documents {
        Some(path) => trusted_documents(path).map_err(StartError::TrustedDocuments)?,
        None => Vec::new(),
    };
    let mode = settings.graphql.trusted_documents_mode;
    if mode == TrustedMode::Enforce && documents.is_empty() {
        tracing::warn!("--trusted-documents has no documents: every operation is refused");
    }
    let defaults = async_graphql_strict::Settings::default();
    let (list_limit, bulk_limit) = (settings.graphql.list_limit, settings.graphql.bulk_limit);
    let resolvers = Resolvers { store, list_limit, bulk_limit };
    let strict = graphql::strict(
        resolvers,
        async_graphql_strict::Settings {
            limits: Limits {
                cost: settings.cost_limit(),
                response_bytes: settings.graphql.response_limit_bytes,
                ..defaults.limits
            },
            introspection: settings.has_introspection(),
            trusted_documents: TrustedDocuments::new(mode, documents),
            ..defaults
        },
    );
    match strict.invalid_trusted_documents() {
        invalid if invalid.is_empty() => Ok(strict),
        invalid => Err(StartError::InvalidTrustedDocuments(invalid)),
    }
}

pub(crate) fn endpoint_settings(settings: &Settings) -> GraphQLSettings {
    GraphQLSettings {
        body_limit_bytes: settings.http.body_limit_bytes as usize,
        concurrency_limit: settings.http.concurrency_limit as usize,
        execution_timeout: settings.graphql.execution_timeout_seconds,
        realm: REALM,
        ..GraphQLSettings::default()
    }
}

/// The errors in the files that the settings name. Uses neither a port nor a database.
pub(crate) async fn file_errors(settings: &Settings) -> Vec<StartError> {
    let tls = tls(settings).await.err();
    let keys = authorization(settings).err();
    // Trusted documents are validated against the contract, so an empty database is enough.
    let memory = store::Settings { url: DatabaseUrl::memory(), ..settings.database.store() };
    let documents = match Database::connect(memory).await {
        Ok(database) => strict(settings, Store::new(database)).err(),
        Err(error) => Some(StartError::Database(error)),
    };
    [tls, keys, documents].into_iter().flatten().collect()
}

/// Logs what is served, which addresses are open to whom, and a warning if everybody can change the data.
pub(crate) fn log_access(settings: &Settings, database: &Database, address: SocketAddr, admin: Option<SocketAddr>) {
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        schema_hash = HASH,
        database = %database.settings().url,
        "serving"
    );
    let switch = |is_on| if is_on { "on" } else { "off" };
    let has_keys = settings.auth.auth_keys_file.is_some();
    tracing::info!(
        clients = %address,
        operators = admin.map(tracing::field::display),
        tls = switch(settings.tls_files().is_some()),
        authentication = switch(has_keys),
        production = switch(settings.production),
        graphiql = switch(settings.has_graphiql()),
        introspection = switch(settings.has_introspection()),
        "open to clients and operators"
    );
    if !has_keys && !address.ip().is_loopback() {
        tracing::warn!(
            "everybody who reaches {address} can read and change the data: set --auth-keys-file, or authenticate in a \
             proxy and let only that reach the address"
        );
    }
}

/// The metrics, of which some are read from these parts at each scrape.
pub(crate) fn metrics(
    strict: &Strict<VehicleSchema>,
    store: &Store,
    authorization: &Arc<Authorization>,
    tls: Option<&Tls>,
    tracer: Option<&Tracer>,
    readiness: &Arc<Readiness>,
    acceptor: &LimitedAcceptor,
) -> Metrics {
    let mut metrics = Metrics::new(CONTRACT.coordinates());
    let registry = &mut metrics.registry;

    let help = "The version of the service and the hash of its contract";
    let labels = [("version", env!("CARGO_PKG_VERSION")), ("schema_hash", HASH)];
    registry.register("build", help, Info::new(labels));
    if let Some(tracer) = tracer {
        registry.register("trace_spans", "Trace spans by result", tracer.spans.clone());
    }
    let (strict, store, open) = (strict.clone(), store.clone(), acceptor.open());
    let (authorization, readiness) = (Arc::clone(authorization), Arc::clone(readiness));
    let certificate = tls.map(|tls| (tls.failed_reloads(), tls.not_after_seconds()));
    registry.register_collector(Box::new(Scraped(move || {
        let dropped = dropped_lines();
        let documents = strict.document_stats();
        let (hits, misses) = (documents.hits, documents.misses);
        let registered = strict.registered_documents() as u64;
        let (connections, idle) = store.database().connections();
        let (tokens, rate) = (authorization.tokens.as_ref(), authorization.rate.as_ref());
        // Zeros where authentication or the rate limit is off.
        let keys = tokens.map_or(0, |tokens| tokens.key_count() as u64);
        let failed = tokens.map_or(0, |tokens| tokens.failed_reloads.get());
        let failed_help = "Failed reloads of the key file; the previous keys stay in use";
        let callers = rate.map_or(0, |rate| rate.callers() as u64);
        let mut samples: Vec<Sample<u64>> = vec![
            (Gauge, "ready", "1 if the last readiness check succeeded, else 0", readiness.was_ready().into()),
            (Gauge, "draining", "1 while the service drains, else 0", readiness.is_draining().into()),
            (Gauge, "connections_open", "Open HTTP connections", open.load(Relaxed).into()),
            (Counter, "log_lines_dropped", "Log lines dropped because stderr was not read fast enough", dropped),
            (Counter, "document_cache_hits", "Requests whose document was in the document cache", hits),
            (Counter, "document_cache_misses", "Requests whose document had to be parsed and validated", misses),
            (Gauge, "document_cache_documents", "Documents in the document cache", documents.documents as u64),
            (Gauge, "persisted_queries_registered", "Persisted queries registered by clients", registered),
            (Gauge, "pool_connections", "Connections to the database", connections.into()),
            (Gauge, "pool_connections_idle", "Idle connections to the database", idle as u64),
            (Gauge, "pool_waiting", "Requests queued for a statement", store.waiting() as u64),
            (Gauge, "auth_keys", "Token verification keys", keys),
            (Counter, "auth_key_reload_failures", failed_help, failed),
            (Gauge, "rate_limit_callers", "Callers tracked by the rate limit", callers),
        ];
        if let Some((failed, not_after)) = &certificate {
            let help = "Failed reloads of the certificate; the previous one stays in use";
            samples.push((Counter, "certificate_reload_failures", help, failed.load(Relaxed)));
            let help = "When the certificate ceases to be valid, in seconds since the Unix epoch";
            samples.push((Gauge, "certificate_not_after_seconds", help, not_after.load(Relaxed)));
        }
        samples
    })));
    metrics
}
