//! The settings: flags, or variables of the environment. Nothing else of the program reads the environment.

use std::{
    env,
    error::Error as _,
    ffi::{OsStr, OsString},
    fmt::Write,
    net::{IpAddr, SocketAddr},
    ops::RangeInclusive,
    path::PathBuf,
    time::Duration,
};

use async_graphql_strict::TrustedMode;
use clap::{
    Arg, ArgMatches, Args, Command,
    builder::Resettable,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
    value_parser,
};
use graphql_sdl::{masked_url, suggestion};
use poem_graphql::{AllowedHosts, Origins};
use reqwest::Url;

use crate::{
    auth::TrustedProxies,
    store::{self, DatabaseUrl},
    telemetry::{Levels, parse_levels},
};

/// The beginning of the names of all variables but `DATABASE_URL`.
const PREFIX: &str = "CATALOGUE_";
const DATABASE_URL: &str = "sqlite:FILE, postgres://USER:PASSWORD@HOST:PORT/DATABASE, mysql://… or mariadb://…";
const ADDRESS: &str = "an IP address and a port, such as 127.0.0.1:8000 or [::1]:8000";
const ORIGINS: &str = "none, * for any origin without credentials, or origins such as https://a.example, in lower case and \
                       separated by commas";
const HOSTS: &str = "* for any host, or names without ports such as a.example or *.a.example, separated by commas \
                     (addresses are always allowed)";
const PROXIES: &str = "none, or IP addresses and networks such as 10.0.0.0/8, separated by commas";
const LEVELS: &str =
    "levels such as info or warn,sqlx=debug: off, error, warn, info, debug or trace, alone or for a target";
const ON_OFF: &[(&str, bool)] = &[("on", true), ("off", false)];
const TRUSTED_MODES: &[(&str, TrustedMode)] =
    &[("off", TrustedMode::Off), ("log", TrustedMode::Log), ("enforce", TrustedMode::Enforce)];
const MIGRATE: &[(&str, MigrateWhen)] = &[("at-start", MigrateWhen::AtStart), ("never", MigrateWhen::Never)];
const MIGRATION_LOCK_TIMEOUT: Duration = Duration::from_mins(1);

/// A value that can be `none` or `auto`. The alias keeps clap from making the flag itself optional.
pub type Optional<T> = Option<T>;

/// The settings of the service, by the heading under which `--help` lists them.
#[derive(Clone, Debug, Args)]
#[command(mut_args = complete)]
pub struct Settings {
    /// Disables GraphiQL and introspection unless their own settings enable them: --production, or on or off
    #[arg(long, value_name = "ON|OFF", num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "off", default_missing_value = "on", value_parser = choice(ON_OFF))]
    pub production: bool,

    /// Those of the listeners.
    #[command(flatten)]
    pub http: HttpSettings,
    /// Those of tokens and of the rate limit.
    #[command(flatten)]
    pub auth: AuthSettings,
    /// Those of operations.
    #[command(flatten)]
    pub graphql: GraphqlSettings,
    /// Those of the database.
    #[command(flatten)]
    pub database: DatabaseSettings,
    /// Those of the log and of traces.
    #[command(flatten)]
    pub telemetry: TelemetrySettings,
}

/// The settings of the listeners.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub struct HttpSettings {
    /// Address and port to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000", value_parser = parsed(address, ADDRESS))]
    pub listen: SocketAddr,

    /// Separate listener for health and metrics, which the main listener then does not serve: address and port, or none
    #[arg(long, value_name = "ADDRESS", default_value = "none", value_parser = or("none", parsed(address, ADDRESS)))]
    pub admin_listen: Optional<SocketAddr>,

    /// Maximum size of a request body in bytes, from 1024 (1 KiB) to 67108864 (64 MiB)
    #[arg(long, default_value = "1048576", value_parser = number(1024..=67_108_864))]
    pub body_limit_bytes: u32,

    /// Maximum number of concurrent GraphQL requests, from 1 to 100000; others get status 503
    #[arg(long, value_name = "REQUESTS", default_value = "1024", value_parser = number(1..=100_000))]
    pub concurrency_limit: u32,

    /// Maximum number of open connections, from 1 to 1000000; others wait
    #[arg(long, value_name = "CONNECTIONS", default_value = "2048", value_parser = number(1..=1_000_000))]
    pub connection_limit: u32,

    /// Origins allowed by CORS: none, *, or origins separated by commas
    #[arg(long, default_value = "none", value_parser = parsed(Origins::parse, ORIGINS))]
    pub cors_origins: Origins,

    /// Allowed hosts in requests besides localhost and addresses: auto (any; none if the listener has a loopback
    /// address), *, or names and patterns such as *.a.example, separated by commas; others get 421
    #[arg(long, default_value = "auto", value_parser = or("auto", parsed(AllowedHosts::parse, HOSTS)))]
    pub allowed_hosts: Optional<AllowedHosts>,

    /// GraphiQL at /graphiql: on, off, or auto (on without --production)
    #[arg(long, value_name = "ON|OFF|AUTO", default_value = "auto", value_parser = or("auto", choice(ON_OFF)))]
    pub graphiql: Optional<bool>,

    /// PEM file of the certificate chain, or none; enables TLS together with --tls-key-file
    #[arg(long, default_value = "none", value_parser = or("none", path))]
    pub tls_certificate_file: Optional<PathBuf>,

    /// PEM file of the private key, or none
    #[arg(long, default_value = "none", value_parser = or("none", path))]
    pub tls_key_file: Optional<PathBuf>,

    /// Time to continue serving after a stop signal while /health/ready returns 503, for load balancers to notice,
    /// from 0 to 3600 seconds
    #[arg(long, default_value = "0", value_parser = seconds(0..=3600))]
    pub drain_pause_seconds: Duration,

    /// Timeout of the requests in flight while draining, from 1 to 3600 seconds
    #[arg(long, default_value = "10", value_parser = seconds(1..=3600))]
    pub drain_timeout_seconds: Duration,
}

/// The settings of tokens and of the rate limit.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Auth")]
pub struct AuthSettings {
    /// File of the token verification keys, or none: a JSON Web Key Set, or PEM public keys; enables authentication:
    /// queries require the scope catalogue:read, mutations catalogue:write
    #[arg(long, default_value = "none", value_parser = or("none", path))]
    pub auth_keys_file: Optional<PathBuf>,

    /// Required issuer of tokens, the exact claim iss, or none
    #[arg(long, default_value = "none", value_parser = or("none", text))]
    pub auth_issuer: Optional<String>,

    /// Required audience of tokens, one of the values of the claim aud, or none
    #[arg(long, default_value = "none", value_parser = or("none", text))]
    pub auth_audience: Optional<String>,

    /// Maximum number of GraphQL requests per second and caller, from 0 (unlimited) to 1000000; others get status 429.
    /// A mutation counts once for each item
    #[arg(long, value_name = "REQUESTS", default_value = "0", value_parser = number(0..=1_000_000))]
    pub rate_limit: u32,

    /// Burst of GraphQL requests per caller above the rate, from 1 to 1000000
    #[arg(long, value_name = "REQUESTS", default_value = "100", value_parser = number(1..=1_000_000))]
    pub rate_limit_burst: u32,

    /// Proxies whose X-Forwarded-For and traceparent headers are trusted: none, or addresses and networks separated by
    /// commas
    #[arg(long, value_name = "ADDRESSES", default_value = "none", value_parser = parsed(TrustedProxies::parse, PROXIES))]
    pub trusted_proxies: TrustedProxies,
}

/// The settings of operations.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "GraphQL")]
pub struct GraphqlSettings {
    /// Maximum number of vehicles in a list and on a page, from 1 to 100000
    #[arg(long, value_name = "VEHICLES", default_value = "1000", value_parser = number(1..=100_000))]
    pub list_limit: u32,

    /// Maximum number of vehicles that createVehicles creates at once, from 1 to 1000
    #[arg(long, value_name = "VEHICLES", default_value = "100", value_parser = number(1..=1000))]
    pub bulk_limit: u32,

    /// Maximum cost of an operation, from 1 to 1000000000, or auto: 100 times the list limit, at least 10000. A field
    /// costs 1, below a list times its maximum length, a page at least its size
    #[arg(long, value_name = "FIELDS", default_value = "auto", value_parser = or("auto", number(1..=1_000_000_000)))]
    pub cost_limit: Optional<u32>,

    /// Maximum size of a response in bytes, estimated before a mutation is executed, from 65536 (64 KiB) to 1073741824
    /// (1 GiB)
    #[arg(long, default_value = "8388608", value_parser = number(65_536..=1_073_741_824))]
    pub response_limit_bytes: u32,

    /// Introspection, and the contract at /schema.graphql: on, off, or auto (on without --production)
    #[arg(long, value_name = "ON|OFF|AUTO", default_value = "auto", value_parser = or("auto", choice(ON_OFF)))]
    pub introspection: Optional<bool>,

    /// Trusted documents: a file with Apollo's persisted query manifest, or none
    #[arg(long, value_name = "PATH", default_value = "none", value_parser = or("none", path))]
    pub trusted_documents: Optional<PathBuf>,

    /// Effect on operations that are not trusted documents: off (executed), log (executed and logged) or enforce (refused)
    #[arg(long, value_name = "MODE", default_value = "off", value_parser = choice(TRUSTED_MODES))]
    pub trusted_documents_mode: TrustedMode,

    /// Timeout of an operation, from 1 to 3600 seconds
    #[arg(long, default_value = "30", value_parser = seconds(1..=3600))]
    pub execution_timeout_seconds: Duration,
}

/// The settings of the database.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseSettings {
    /// The database.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    #[arg(default_value = "sqlite:vehicle-catalogue.db", value_parser = database_url)]
    #[arg(help = format!("Database: {DATABASE_URL}; across networks with ?sslmode=verify-full or ?ssl-mode=verify_identity"))]
    pub database_url: DatabaseUrl,

    /// Size of the connection pool, from 2 to 1000; up to two more connections are used for import, export and migrations
    #[arg(long, value_name = "CONNECTIONS", default_value = "8", value_parser = number(2..=1000))]
    pub pool_size: u32,

    /// Timeout of connecting to the database at startup, including retries, from 1 to 3600 seconds
    #[arg(long, default_value = "30", value_parser = seconds(1..=3600))]
    pub database_connect_timeout_seconds: Duration,

    /// Timeout of acquiring a database connection, and of a statement, from 1 to 600 seconds
    #[arg(long, default_value = "5", value_parser = seconds(1..=600))]
    pub database_timeout_seconds: Duration,

    /// When serve applies pending migrations: at-start or never
    #[arg(long, value_name = "WHEN", default_value = "at-start", value_parser = choice(MIGRATE))]
    pub migrate: MigrateWhen,
}

/// The settings of the log and of traces.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Log, metrics and traces")]
pub struct TelemetrySettings {
    /// Log level: off, error, warn, info, debug or trace; TARGET=LEVEL for single targets, such as access=off for the
    /// access log; the rest is info unless a level is given
    #[arg(long, env = "CATALOGUE_LOG", default_value = "info", value_parser = parsed(parse_levels, LEVELS))]
    pub log_level: Levels,

    /// OTLP endpoint for traces (HTTP, protobuf): none, or the URL of the collector
    #[arg(long, value_name = "URL", hide_env_values = true, default_value = "none")]
    #[arg(value_parser = or("none", collector))]
    pub trace_endpoint: Optional<Url>,

    /// Requests sampled for traces out of 1000, from 0 to 1000, unless traceparent says not sampled, or a trusted proxy
    /// says sampled
    #[arg(long, value_name = "REQUESTS", default_value = "1000", value_parser = number(0..=1000))]
    pub trace_sample: u32,
}

/// When `serve` applies the migrations that have not been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrateWhen {
    /// Before it serves.
    AtStart,
    /// Never: `migrate up` does it.
    Never,
}

impl DatabaseSettings {
    /// How the store connects.
    pub fn store(&self) -> store::Settings {
        store::Settings {
            url: self.database_url.clone(),
            pool_size: self.pool_size,
            timeout: self.database_timeout_seconds,
            connect_timeout: self.database_connect_timeout_seconds,
            migration_lock_timeout: MIGRATION_LOCK_TIMEOUT,
        }
    }
}

impl Settings {
    /// Whether GraphiQL is served.
    pub fn has_graphiql(&self) -> bool {
        self.http.graphiql.unwrap_or(!self.production)
    }

    /// Whether introspection is answered, and the contract served.
    pub fn has_introspection(&self) -> bool {
        self.graphql.introspection.unwrap_or(!self.production)
    }

    /// The hosts that a listener at this address serves.
    pub fn allowed_hosts(&self, listen: IpAddr) -> AllowedHosts {
        match &self.http.allowed_hosts {
            Some(hosts) => hosts.clone(),
            None if listen.to_canonical().is_loopback() => AllowedHosts::Only(Vec::new()),
            None => AllowedHosts::Any,
        }
    }

    /// The minimum permits the queries of GraphiQL and code generators.
    pub fn cost_limit(&self) -> u32 {
        let default = self.graphql.list_limit.saturating_mul(100).max(10_000);
        self.graphql.cost_limit.unwrap_or(default)
    }

    /// The files of the certificate and its key, if TLS is enabled.
    pub fn tls_files(&self) -> Option<(PathBuf, PathBuf)> {
        self.http.tls_certificate_file.clone().zip(self.http.tls_key_file.clone())
    }

    /// The settings that contradict each other, a sentence for each.
    pub fn contradictions(&self) -> Vec<String> {
        let (http, auth) = (&self.http, &self.auth);
        let mut found = Vec::new();
        let mut require = |holds: bool, sentence: &str| {
            if !holds {
                found.push(sentence.to_owned());
            }
        };
        let tls = [&http.tls_certificate_file, &http.tls_key_file].map(Option::is_some);
        require(tls[0] == tls[1], "--tls-certificate-file and --tls-key-file enable TLS together: set both or none");
        let tokens = [auth.auth_keys_file.is_some(), auth.auth_issuer.is_some(), auth.auth_audience.is_some()];
        require(
            tokens == [tokens[0]; 3],
            "--auth-keys-file, --auth-issuer and --auth-audience enable authentication together: set all or none",
        );
        let is_shared = http.admin_listen.is_some_and(|admin| {
            let hosts = [admin.ip(), http.listen.ip()];
            let overlap = hosts[0] == hosts[1] || hosts.iter().any(IpAddr::is_unspecified);
            overlap && admin.port() == http.listen.port() && admin.port() != 0
        });
        require(!is_shared, "--admin-listen must differ from --listen");
        let documents = self.graphql.trusted_documents.is_some();
        require(
            documents || self.graphql.trusted_documents_mode == TrustedMode::Off,
            "--trusted-documents-mode needs --trusted-documents",
        );
        found
    }
}

/// The arguments of the program and the environment, or a sentence for each value that is no value of its setting. Other
/// errors of the command line, `--help` and `--version` end the program.
pub fn parse(mut command: Command, arguments: &[OsString]) -> Result<ArgMatches, Vec<String>> {
    let mut mistakes = Vec::new();
    // clap ends at the first wrong value, so each is noted and then accepted as text.
    let matches = loop {
        match command.clone().try_get_matches_from(arguments) {
            Ok(matches) => break matches,
            Err(error) if error.kind() == ErrorKind::ValueValidation => {
                let Some((id, mistake)) = mistake(&command, &error) else { exit(error) };
                mistakes.push(mistake);
                command = command.mut_arg(id, |argument| argument.value_parser(value_parser!(OsString)));
            }
            Err(error) => exit(error),
        }
    };
    if mistakes.is_empty() { Ok(matches) } else { Err(mistakes) }
}

/// Prints an error without the passwords that arguments contain, and ends the program.
fn exit(mut error: clap::Error) -> ! {
    let masked = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(masked_url(text)))),
        _ => None,
    });
    for (kind, value) in masked.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    error.exit()
}

/// The setting with a wrong value, and what is wrong.
fn mistake(command: &Command, error: &clap::Error) -> Option<(String, String)> {
    let ContextValue::String(named) = error.get(ContextKind::InvalidArg)? else {
        return None;
    };
    let flag = named.split([' ', '[']).next()?.trim_start_matches("--");
    let setting = settings(command).find(|argument| argument.get_long() == Some(flag))?;
    let must_be = error.source()?;
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) if !setting.is_hide_env_values_set() => {
            format!(", not {:?}", masked_url(value))
        }
        _ => String::new(),
    };
    let mistake = format!("--{flag} ({}) must be {must_be}{value}", variable(setting));
    Some((setting.get_id().to_string(), mistake))
}

/// Every setting with its value and where that comes from, as `config` prints them.
pub fn effective(command: &Command, matches: &ArgMatches) -> String {
    let (mut text, mut heading) = (String::new(), "");
    for setting in settings(command) {
        let flag = setting.get_long().unwrap_or_default();
        let id = setting.get_id().as_str();
        let value = matches.get_raw(id).and_then(|mut values| values.next());
        let value = value.and_then(OsStr::to_str).unwrap_or_default().trim();
        let (value, origin) = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => (shown(setting, value), format!("flag --{flag}")),
            Some(ValueSource::EnvVariable) => (shown(setting, value), format!("variable {}", variable(setting))),
            _ => (value.to_owned(), "default".to_owned()),
        };
        let of_setting = setting.get_help_heading().unwrap_or("General");
        if of_setting != heading {
            heading = of_setting;
            let _ = writeln!(text, "# {heading}");
        }
        let _ = writeln!(text, "{:<60} # {origin}", format!("{flag} = {value}"));
    }
    text
}

/// A given value without its password.
fn shown(setting: &Arg, value: &str) -> String {
    if setting.is_hide_env_values_set() && value != "none" { masked_url(value) } else { value.to_owned() }
}

/// A sentence for each variable of the environment that begins like a setting and is none.
#[expect(clippy::disallowed_methods, reason = "clap reads only variables that it knows")]
pub fn unknown_variables(command: &Command) -> Vec<String> {
    let known: Vec<_> = settings(command).map(variable).collect();
    let given = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = given.filter(|name| name.starts_with(PREFIX) && !known.contains(name));
    let unknown = unknown.filter(|name| !is_of_kubernetes(name));
    let sentence = |name: String| {
        let similar = suggestion(&name, known.iter().map(String::as_str));
        format!("unknown environment variable {name}{similar}")
    };
    let mut sentences: Vec<_> = unknown.map(sentence).collect();
    sentences.sort();
    sentences
}

/// Whether Kubernetes sets this variable for a service named `catalogue`.
fn is_of_kubernetes(name: &str) -> bool {
    name.contains("_SERVICE_") || name.starts_with("CATALOGUE_PORT")
}

/// Adds the variable of a setting, and permits it before and after a command.
fn complete(argument: Arg) -> Arg {
    let argument = argument.global(true).allow_negative_numbers(true);
    match argument.get_long() {
        Some(flag) if argument.get_env().is_none() => {
            let variable = PREFIX.to_owned() + &flag.replace('-', "_").to_ascii_uppercase();
            argument.env(Resettable::Value(variable.into()))
        }
        _ => argument,
    }
}

fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| argument.get_env().is_some())
}

fn variable(setting: &Arg) -> String {
    setting.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A value, or this word for none.
fn or<T: Clone + Send + Sync + 'static>(
    word: &'static str,
    parse: impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<Optional<T>, String> + Clone + Send + Sync + 'static {
    move |text| match text.trim() {
        text if text == word => Ok(None),
        text => parse(text).map(Some).map_err(|must_be| format!("{word}, or {must_be}")),
    }
}

fn number(bounds: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| format!("a whole number from {} to {}", bounds.start(), bounds.end()))
    }
}

fn seconds(bounds: RangeInclusive<u32>) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    let number = number(bounds);
    move |text| number(text).map(|seconds| Duration::from_secs(seconds.into()))
}

fn choice<T: Copy + Send + Sync + 'static>(
    values: &'static [(&'static str, T)],
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let chosen = values.iter().find(|(name, _)| *name == text.trim());
        let names = values.iter().map(|(name, _)| *name);
        chosen.map(|(_, value)| *value).ok_or_else(|| names.collect::<Vec<_>>().join(" or "))
    }
}

/// A value that is parsed without the white space around it.
fn parsed<T: 'static>(
    parse: fn(&str) -> Option<T>,
    must_be: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| parse(text.trim()).ok_or_else(|| must_be.to_owned())
}

fn address(text: &str) -> Option<SocketAddr> {
    text.parse().ok()
}

/// A URL is refused, since messages with the path would show its password.
fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() || text.contains("://") {
        return Err("a path".to_owned());
    }
    Ok(text.into())
}

fn text(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("a text".to_owned()) } else { Ok(text.to_owned()) }
}

fn database_url(text: &str) -> Result<DatabaseUrl, String> {
    DatabaseUrl::parse(text.trim()).map_err(|reason| format!("{DATABASE_URL}: {reason}"))
}

/// The URL to which spans are sent; that of the collector alone gets the path of OTLP.
fn collector(text: &str) -> Result<Url, String> {
    let must_be = || "the URL of a collector without password, such as http://127.0.0.1:4318".to_owned();
    let mut url = Url::parse(text).map_err(|_| must_be())?;
    if !matches!(url.scheme(), "http" | "https")
        || !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(must_be());
    }
    if !url.path().ends_with("/v1/traces") {
        let base = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{base}/v1/traces"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::{PREFIX, Settings};

    #[test]
    fn each_of_at_most_35_settings_has_a_flag_a_variable_a_default_and_a_help_text() {
        let command = Settings::augment_args(Command::new(""));
        let settings: Vec<_> = command.get_arguments().collect();
        assert!(settings.len() <= 35, "{}", settings.len());
        for setting in settings {
            let flag = setting.get_long().unwrap();
            let variable = setting.get_env().and_then(|name| name.to_str()).unwrap();
            let is_named = variable == "DATABASE_URL" || variable.starts_with(PREFIX);
            assert!(is_named, "{flag}: {variable}");
            assert_eq!(setting.get_default_values().len(), 1, "{flag}");
            assert!(setting.get_help().is_some(), "{flag}");
        }
    }
}
