//! Load on the started program, compared with a reference server: `cargo bench --bench load`.
//! See `benches/README.md`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line"
)]

#[path = "../durable/mod.rs"]
mod durable;
mod measure;
mod process;
mod reference;
mod report;
mod server;
mod vehicles;
mod workload;

use std::{error::Error, net::SocketAddr, path::PathBuf, process::ExitCode};

use clap::{Args, CommandFactory, Parser, Subcommand, value_parser};

use measure::Plan;
use server::Kind;
use testkit::Backend;
use workload::Workload::{self, W1, W2, W4, W5, W6};

type Outcome<T> = Result<T, Box<dyn Error>>;

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results");
const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/README.md");

/// Measures the started program and writes CSV files
#[derive(Parser)]
#[command(name = "cargo bench --bench load --")]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// Passed by Cargo to every benchmark
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Command {
    /// The workloads on the service and on the reference server; start-up and idle memory
    Workloads(Options),
    /// W1, W2 and W4 with 1,000, 100,000 and 10,000,000 vehicles
    Growth(Options),
    /// W1 on 1, 32, 256 and 2,000 connections
    Connections(Options),
    /// Memory during a million requests
    Memory(Options),
    /// Writes the tables of `benches/README.md` from the CSV files
    Report(Options),
    /// Runs the reference server
    #[command(hide = true)]
    Reference {
        #[arg(long)]
        listen: SocketAddr,
        #[arg(long, env)]
        database_url: String,
    },
}

#[derive(Args)]
struct Options {
    /// The databases, such as sqlite,postgres
    #[arg(long, value_delimiter = ',', value_parser = parse_backend)]
    database: Vec<Backend>,
    /// Numbers of vehicles
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(u64).range(1000..=100_000_000))]
    rows: Vec<u64>,
    /// The workloads
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Workload>,
    /// Numbers of connections of each workload
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(u32).range(1..=4000))]
    connections: Vec<u32>,
    /// How often to measure; tables have medians
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Duration of each measurement
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=600))]
    seconds: u32,
    /// Requests of `memory`
    #[arg(long, default_value_t = 1_000_000)]
    requests: u64,
    /// The program to measure
    #[arg(long, default_value = env!("CARGO_BIN_EXE_vehicle-catalogue"))]
    binary: PathBuf,
    /// Folder of the CSV files
    #[arg(long, default_value = RESULTS)]
    results: PathBuf,
}

fn parse_backend(name: &str) -> Result<Backend, String> {
    let backend = Backend::ALL
        .into_iter()
        .find(|backend| backend.name() == name);
    backend.ok_or_else(|| format!("use one of {:?}", Backend::ALL.map(Backend::name)))
}

fn main() -> ExitCode {
    let Some(command) = CommandLine::parse().command else {
        // A plain `cargo bench` must not generate load.
        println!("{}", CommandLine::command().render_help());
        return ExitCode::SUCCESS;
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Outcome<()> {
    const SQLITE: &[Backend] = &[Backend::Sqlite];
    const BOTH: &[Backend] = &[Backend::Sqlite, Backend::Postgres];
    match command {
        Command::Workloads(options) => measure::run(
            &options,
            &Plan {
                servers: &[Kind::Service, Kind::Reference],
                ..options.plan("workloads", SQLITE, &Workload::ALL, &[1, 32, 256])
            },
        ),
        Command::Growth(options) => measure::run(
            &options,
            &Plan {
                rows: or_default(&options.rows, &[1000, 100_000, 10_000_000]),
                ..options.plan("growth", BOTH, &[W1, W2, W4], &[32])
            },
        ),
        Command::Connections(options) => {
            let plan = options.plan("connections", BOTH, &[W1], &[1, 32, 256, 2000]);
            measure::run(&options, &plan)
        }
        Command::Memory(options) => {
            let plan = options.plan("memory", SQLITE, &[W1, W2, W4, W5, W6], &[32]);
            measure::run_memory(&options, &plan)
        }
        Command::Report(options) => report::write(&options.results, README.as_ref()),
        Command::Reference {
            listen,
            database_url,
        } => reference::serve(listen, &database_url),
    }
}

impl Options {
    /// The plan of a command with its defaults; `w1` are the numbers of connections of W1.
    fn plan(
        &self,
        file: &'static str,
        backends: &[Backend],
        workloads: &[Workload],
        w1: &[u32],
    ) -> Plan {
        let mut cases = Vec::new();
        for &workload in workloads {
            if self.only.is_empty() || self.only.contains(&workload) {
                let default = if workload == W1 {
                    w1
                } else {
                    &[measure::CONNECTIONS]
                };
                let connections = or_default(&self.connections, default);
                cases.extend(connections.into_iter().map(|count| (workload, count)));
            }
        }
        Plan {
            file,
            backends: or_default(&self.database, backends),
            rows: or_default(&self.rows, &[100_000]),
            servers: &[Kind::Service],
            cases,
        }
    }
}

fn or_default<T: Copy>(given: &[T], default: &[T]) -> Vec<T> {
    if given.is_empty() { default } else { given }.to_vec()
}
