//! The command line: each command is one function.

use std::{
    fs,
    io::{self, BufRead, IsTerminal, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use clap::{Parser, Subcommand};
use graphql_sdl::{Problems, Schema as Contract, counted, masked_url, printable};
use reqwest::{Client, StatusCode, Url, redirect::Policy};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
};

use crate::{
    app::App,
    graphql::{HASH, SDL},
    settings::{MigrateWhen, Settings},
    start::{StartError, file_errors},
    store::{self, Database, Store, schema_check},
    telemetry::{Tracer, error_chain, print_after_log},
    transfer::{self, ExportError, FileOrStdio, Format, ImportError, ImportOptions},
};

/// The maximum number of bytes that `health` reads.
const MAX_HEALTH_BYTES: usize = 64 * 1024;

const EXIT_CODES: &str = "Exit codes: 0 success; 1 failure, or differences; 2 a wrong command line or setting, or an \
    unreadable contract; 130 and 143 aborted by a second SIGINT or SIGTERM";

/// A schema-first GraphQL service for vehicles.
///
/// Without a command it serves. Every setting can be given as a flag or as a variable of the environment; the flag wins.
#[derive(Debug, Parser)]
#[command(name = "vehicle-catalogue", version, long_version = long_version(), max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// The settings, the same for every command.
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer GraphQL requests until SIGTERM or Ctrl-C (the default)
    Serve,
    /// Apply, revert or list the migrations of the database
    #[command(subcommand)]
    Migrate(Migrate),
    /// Print the contract or its hash, or check the tables; schema-review lints and compares contracts
    #[command(subcommand)]
    Schema(Schema),
    /// Check the health of a running service: exit code 0 if healthy, 1 if not
    Health {
        /// URL of the service or its admin listener; default: the local service of the settings, whose certificate is not
        /// verified
        #[arg(long, value_name = "URL", value_parser = url)]
        url: Option<Url>,
        /// Check liveness instead of readiness
        #[arg(long)]
        live: bool,
        /// Timeout of the response, from 1 to 60 seconds
        #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = clap::value_parser!(u64).range(1..=60))]
        timeout_seconds: u64,
    },
    /// Print the effective settings and where they come from, and check the files that they name
    Config,
    /// Import vehicles from a CSV or NDJSON file, validated as by createVehicle
    ///
    /// CSV columns and NDJSON keys are named as the fields of Vehicle in the contract; type and modelCode are required. In
    /// CSV an empty field is null, and "" is the empty string. Ids of the file are kept: an identical stored vehicle is
    /// unchanged, and a different one with the same id makes the row invalid. Invalid rows are listed on stderr with their
    /// lines.
    ///
    /// The exit code is 0 if every row is stored (with --dry-run: valid), 1 if not, and 2 for an invalid command line.
    Import(ImportOptions),
    /// Export all vehicles to a CSV or NDJSON file in ascending order of id
    ///
    /// The export is a consistent snapshot, and importing it restores identical vehicles. The file is created or replaced
    /// atomically when it is complete.
    Export {
        /// The file, or - for stdout
        #[arg(value_name = "FILE", default_value = "-", value_parser = FileOrStdio::parse)]
        file: FileOrStdio,
        /// csv or ndjson; required if the file name does not end in .csv, .ndjson or .jsonl. The default of stdout is csv
        #[arg(long, value_name = "FORMAT", value_enum)]
        format: Option<Format>,
    },
}

#[derive(Debug, PartialEq, Eq, Subcommand)]
enum Migrate {
    /// Apply all pending migrations
    Up,
    /// Revert the last applied migrations, including their data, after a question on a terminal
    Down {
        /// Number of migrations to revert, from 1 to 1000
        #[arg(long, value_name = "MIGRATIONS", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
        steps: u32,
        /// Delete the data of the migrations without a question
        #[arg(long)]
        yes: bool,
    },
    /// List the migrations and whether they have been applied
    Status,
}

#[derive(Debug, Subcommand)]
enum Schema {
    /// Print the contract that this program serves
    Print,
    /// Print the hash of the contract of this program, or of a file
    Hash {
        /// A file of SDL, or an introspection response (.json)
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Check that the tables of the database fit the contract; exit code 1 if they differ or the database is unreachable
    Check,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Failure {
    #[error(transparent)]
    Runtime(io::Error),
    #[error("cannot create the trace exporter")]
    Traces(#[source] opentelemetry_otlp::ExporterBuildError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("the service stopped")]
    Run(#[source] io::Error),
    #[error("aborted by a second signal, {}: requests in flight were cut off", .0.name)]
    StoppedAtOnce(StopSignal),
    #[error("{0} does not exist: check --database-url (serve and migrate up create the file)")]
    NoDatabase(String),
    #[error("nothing was reverted: migrate down would delete {0}; repeat it with --yes to delete that")]
    NotConfirmed(String),
    #[error("migrations are pending; run migrate up first")]
    TablesOutdated,
    #[error("nothing was reverted: --steps is {steps}, and {applied} migrations are applied")]
    TooManySteps { steps: u32, applied: usize },
    #[error("{0}")]
    FileFormat(String),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("{}", .0.join("\nerror: "))]
    InvalidFiles(Vec<String>),
    #[error("cannot read {}; name another file", .0.display())]
    Contract(PathBuf, #[source] io::Error),
    #[error("{0}")]
    InvalidContract(Problems),
    #[error("the tables do not fit the contract")]
    TablesDiffer,
    #[error("--listen has port 0, so the actual port is unknown; set --url")]
    UnknownPort,
    #[error("no response from {0}")]
    HealthRequest(String, #[source] reqwest::Error),
    #[error("{0} returned {1}")]
    Unhealthy(String, StatusCode),
    #[error("cannot write to stdout")]
    Print(#[source] io::Error),
}

impl Failure {
    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::InvalidFiles(_)
            | Self::UnknownPort
            | Self::Contract(..)
            | Self::InvalidContract(_)
            | Self::FileFormat(_) => 2,
            Self::StoppedAtOnce(signal) => 128 + signal.number,
            _ => 1,
        }
    }
}

/// Runs the command that was given.
pub async fn run(command_line: CommandLine, effective: String, tracer: Option<Arc<Tracer>>) -> Result<(), Failure> {
    let CommandLine { command, settings } = command_line;
    match command.unwrap_or(Command::Serve) {
        Command::Serve => serve(settings, tracer).await,
        Command::Migrate(command) => migrate(command, &settings).await,
        Command::Schema(command) => schema(command, &settings).await,
        Command::Health { url, live, timeout_seconds } => {
            health(url, live, Duration::from_secs(timeout_seconds), &settings).await
        }
        Command::Config => config(&effective, &settings).await,
        Command::Import(options) => Box::pin(import(options, &settings)).await,
        Command::Export { file, format } => export(&file, format, &settings).await,
    }
}

async fn import(options: ImportOptions, settings: &Settings) -> Result<(), Failure> {
    let format = options.file.format(options.format);
    let format = format.map_err(Failure::FileFormat)?;
    let store = if options.dry_run { None } else { Some(Store::new(open(settings, settings.database.migrate).await?)) };
    // Until here signals have their default action: opening a pipe or a database can block.
    let mut signals = StopSignals::listen()?;
    let stop = async {
        signals.next().await;
    };
    let imported = transfer::import(options, format, store.as_ref(), stop).await;
    if let Some(store) = &store {
        store.database().close().await;
    }
    Ok(imported?)
}

async fn export(file: &FileOrStdio, format: Option<Format>, settings: &Settings) -> Result<(), Failure> {
    let stdout = (*file == FileOrStdio::Stdio).then_some(Format::Csv);
    let format = file.format(format.or(stdout)).map_err(Failure::FileFormat)?;
    // An export is read-only, so it applies no migrations.
    let store = Store::new(open(settings, MigrateWhen::Never).await?);
    // A blocked write to a pipe cannot be cancelled, so signals keep their default action.
    let mut signals = (!file.is_written_in_place()).then(StopSignals::listen).transpose()?;
    let stop = async {
        match &mut signals {
            Some(signals) => {
                signals.next().await;
            }
            None => std::future::pending().await,
        }
    };
    let exported = transfer::export(file, format, &store, stop).await;
    store.database().close().await;
    Ok(exported?)
}

/// Serves until SIGTERM or SIGINT. SIGHUP, which a terminal sends when it is closed, never ends it.
async fn serve(settings: Settings, tracer: Option<Arc<Tracer>>) -> Result<(), Failure> {
    // Signals are recorded from here on, so none is lost while starting.
    let mut signals = StopSignals::listen()?;
    let scheme = if settings.tls_files().is_some() { "https" } else { "http" };
    let has_graphiql = settings.has_graphiql();
    let app = tokio::select! {
        app = App::start(settings, tracer) => app?,
        signal = signals.next() => {
            tracing::info!("{}: stopped while starting", signal.name);
            return Ok(());
        }
    };
    let address = app.address;
    let mut addresses = format!("GraphQL  {scheme}://{address}/graphql\n");
    if has_graphiql {
        addresses = format!("{addresses}GraphiQL {scheme}://{address}/graphiql\n");
    }
    if let Some(address) = app.admin_address {
        addresses = format!("{addresses}Health   http://{address}/health/ready\n");
    }
    // On a terminal they follow the lines of the log that are still queued.
    if !(io::stdout().is_terminal() && print_after_log(&addresses)) {
        print(&addresses)?;
    }
    let (stop, stopping) = oneshot::channel::<()>();
    let mut served = Box::pin(app.run_until(async { drop(stopping.await) }));
    tokio::select! {
        result = &mut served => return result.map_err(Failure::Run),
        signal = signals.next() => {
            tracing::info!("{}: draining; a second signal aborts the requests in flight", signal.name);
            drop(stop);
        }
    }
    tokio::select! {
        result = served => result.map_err(Failure::Run),
        signal = signals.next() => Err(Failure::StoppedAtOnce(signal)),
    }
}

/// The signals that stop a command, recorded from the start on.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

/// A signal that stops a command.
#[derive(Clone, Copy, Debug)]
pub struct StopSignal {
    name: &'static str,
    number: u8,
}

const TERMINATE: StopSignal = StopSignal { name: "SIGTERM", number: 15 };
const INTERRUPT: StopSignal = StopSignal { name: "SIGINT", number: 2 };

impl StopSignals {
    fn listen() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(Failure::Runtime);
        // From here on SIGHUP has no effect: the handler replaces the default action, and stays without this stream.
        drop(listen(SignalKind::hangup())?);
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.terminate.recv() => TERMINATE,
            _ = self.interrupt.recv() => INTERRUPT,
        }
    }
}

async fn migrate(command: Migrate, settings: &Settings) -> Result<(), Failure> {
    if command != Migrate::Up {
        must_exist(settings)?;
    }
    let database = connect(settings).await?;
    let lines = match command {
        Migrate::Up => changed("applied", "every migration is applied already", database.migrate_up().await),
        Migrate::Down { steps, yes } => {
            let migrations = database.migration_status().await.map_err(StartError::Migration)?;
            let applied = migrations.iter().filter(|one| one.state == store::State::Applied).count();
            if steps as usize > applied.max(1) {
                return Err(Failure::TooManySteps { steps, applied });
            }
            if !yes && applied > 0 {
                confirm(steps)?;
            }
            changed("reverted", "no migration is applied", database.migrate_down(steps).await)
        }
        Migrate::Status => database.migration_status().await.map(|migrations| {
            let lines = migrations.iter().map(|one| format!("{} {}\n", one.state.as_str(), one.name));
            lines.collect()
        }),
    };
    let lines = lines.map_err(StartError::Migration)?;
    database.close().await;
    print(&lines)
}

/// What a command did: a line for each migration.
fn changed(
    verb: &str,
    nothing: &str,
    names: Result<Vec<String>, store::StartError>,
) -> Result<String, store::StartError> {
    let mut lines: Vec<_> = names?.iter().map(|name| format!("{verb} {name}\n")).collect();
    if lines.is_empty() {
        lines.push(format!("{nothing}\n"));
    }
    Ok(lines.concat())
}

/// Asks on a terminal whether to delete data; fails if there is none, or if the answer is not yes.
fn confirm(steps: u32) -> Result<(), Failure> {
    let lost = match steps {
        1 => "the data of the last migration".to_owned(),
        steps => format!("the data of the last {steps} migrations"),
    };
    let (stdin, mut stderr) = (io::stdin(), io::stderr());
    if stdin.is_terminal() && stderr.is_terminal() {
        let mut answer = String::new();
        let asked = write!(stderr, "This deletes {lost}. Enter yes to delete that: ")
            .and_then(|()| stderr.flush())
            .and_then(|()| stdin.lock().read_line(&mut answer));
        if asked.is_ok() && answer.trim() == "yes" {
            return Ok(());
        }
    }
    Err(Failure::NotConfirmed(lost))
}

async fn connect(settings: &Settings) -> Result<Database, StartError> {
    Database::connect(settings.database.store()).await.map_err(StartError::Database)
}

/// Fails if the database file does not exist, for commands that must not create it.
fn must_exist(settings: &Settings) -> Result<(), Failure> {
    match settings.database.database_url.missing_file() {
        Some(_) => Err(Failure::NoDatabase(settings.database.database_url.to_string())),
        None => Ok(()),
    }
}

/// A database with all tables, for a command that does not serve.
async fn open(settings: &Settings, migrate: MigrateWhen) -> Result<Database, Failure> {
    if migrate == MigrateWhen::Never {
        must_exist(settings)?;
    }
    let database = connect(settings).await?;
    if migrate == MigrateWhen::AtStart {
        database.migrate_up().await.map_err(StartError::Migration)?;
    } else if database.has_pending_migrations().await.map_err(StartError::Database)? {
        return Err(Failure::TablesOutdated);
    }
    Ok(database)
}

async fn schema(command: Schema, settings: &Settings) -> Result<(), Failure> {
    let read = |file: &Path| {
        let text = fs::read_to_string(file).map_err(|error| Failure::Contract(file.to_owned(), error))?;
        Contract::read(&file.to_string_lossy(), &text).map_err(Failure::InvalidContract)
    };
    match command {
        Schema::Print => print(SDL),
        Schema::Hash { file } => {
            let hash = file
                .map_or_else(|| Ok(HASH.to_owned()), |file| read(&file).map(|contract| contract.hash().to_string()));
            print(&format!("{}\n", hash?))
        }
        Schema::Check => check_tables(settings).await,
    }
}

/// Compares the tables with what the service needs, and prints the differences.
async fn check_tables(settings: &Settings) -> Result<(), Failure> {
    must_exist(settings)?;
    let database = connect(settings).await?;
    let checked = schema_check::check(&database).await;
    database.close().await;
    let (migrations, differences) = checked.map_err(StartError::Database)?;
    let mut lines: Vec<_> = differences.iter().map(|one| printable(&one.to_string()).into_owned()).collect();
    lines.push(format!("checked: the tables of the {}", settings.database.database_url));
    for migration in migrations.iter().filter(|one| one.state == store::State::Unknown) {
        lines.push(format!("not checked: the migration {} of a newer version", migration.name));
    }
    lines.push(match differences.len() as u64 {
        0 => "no difference found\n".to_owned(),
        count => counted(count, "difference") + "\n",
    });
    print(&lines.join("\n"))?;
    if differences.is_empty() { Ok(()) } else { Err(Failure::TablesDiffer) }
}

/// Prints the effective settings, and reads the files that they name.
async fn config(effective: &str, settings: &Settings) -> Result<(), Failure> {
    print(effective)?;
    match file_errors(settings).await {
        errors if errors.is_empty() => Ok(()),
        errors => Err(Failure::InvalidFiles(errors.iter().map(|error| error_chain(error)).collect())),
    }
}

/// Requests the health of a running service, for container checks.
async fn health(url: Option<Url>, live: bool, timeout: Duration, settings: &Settings) -> Result<(), Failure> {
    let is_local = url.is_none();
    let mut target = url.map_or_else(|| local_url(settings), Ok)?;
    let path = format!("{}/health/{}", target.path().trim_end_matches('/'), if live { "live" } else { "ready" });
    target.set_path(&path);
    let name = masked_url(target.as_str());
    let failed = |error: reqwest::Error| Failure::HealthRequest(name.clone(), error.without_url());
    let client = Client::builder()
        .timeout(timeout)
        // The certificate of the local service does not contain its address.
        .tls_danger_accept_invalid_certs(is_local)
        .redirect(Policy::none())
        // The response of a proxy is not that of the service.
        .no_proxy()
        .build();
    let request = client.map_err(failed)?.get(target).send();
    let mut response = request.await.map_err(failed)?;
    let (status, mut body) = (response.status(), Vec::new());
    while body.len() < MAX_HEALTH_BYTES
        && let Some(chunk) = response.chunk().await.map_err(failed)?
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(MAX_HEALTH_BYTES);
    print(&format!("{}\n", String::from_utf8_lossy(&body).trim_end()))?;
    match status {
        StatusCode::OK => Ok(()),
        status => Err(Failure::Unhealthy(name, status)),
    }
}

/// The URL of the service that the settings describe, from the same machine.
fn local_url(settings: &Settings) -> Result<Url, Failure> {
    let (scheme, mut address) = match (settings.http.admin_listen, settings.tls_files()) {
        (Some(admin), _) => ("http", admin),
        (None, Some(_)) => ("https", settings.http.listen),
        (None, None) => ("http", settings.http.listen),
    };
    if address.port() == 0 {
        return Err(Failure::UnknownPort);
    }
    // A listener on the unspecified address also accepts connections to the loopback address.
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    Ok(Url::parse(&format!("{scheme}://{address}")).expect("an address and a port make a URL"))
}

fn url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let must_be = "must be a URL such as http://127.0.0.1:8000 or https://service.example";
    url.ok_or_else(|| must_be.to_owned())
}

/// The output of `--version` after the name of the program.
fn long_version() -> String {
    let (version, contract) = (env!("CARGO_PKG_VERSION"), env!("CONTRACT_HASH"));
    // Empty in an image that is built without the argument `COMMIT`.
    let commit = option_env!("BUILD_COMMIT").filter(|commit| !commit.is_empty());
    format!("{version}\ncommit {}\ncontract {contract}", commit.unwrap_or("unknown"))
}

/// Writes the output of a command. A reader that has read enough, such as `head`, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(Failure::Print),
    }
}
