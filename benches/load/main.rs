//! Load on the started program, compared with a reference server: `cargo bench --bench load`.
//! See `benches/README.md`.

#![allow(clippy::print_stdout, reason = "this is a command line")]

#[path = "../durable/mod.rs"]
mod durable;
mod measure;
mod reference;
mod report;
mod results;
mod setup;
mod workload;

use std::{net::SocketAddr, path::PathBuf};

use clap::{CommandFactory, Parser, ValueEnum, value_parser};
use testkit::Backend;

use measure::Plan;
use workload::{
    Kind,
    Workload::{self, W1, W2, W3, W4, W5, W6, W7, W8},
};

/// Measures the started program and writes CSV files
#[derive(Parser)]
#[command(name = "cargo bench --bench load --")]
struct CommandLine {
    #[arg(value_enum)]
    command: Option<Command>,
    /// The databases, such as sqlite,postgres
    #[arg(long, value_delimiter = ',')]
    database: Vec<Backend>,
    /// The workloads
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Workload>,
    /// Numbers of connections of each workload
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(u32).range(1..=4000))]
    connections: Vec<u32>,
    /// Numbers of vehicles
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(u64).range(1000..=100_000_000))]
    rows: Vec<u64>,
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
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results"))]
    results: PathBuf,
    /// Where the reference server listens
    #[arg(long, hide = true, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The database of the reference server
    #[arg(long, env, hide = true, hide_env_values = true, default_value = "")]
    database_url: String,
    /// Passed by Cargo to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Command {
    /// The workloads on the service and on the reference server; start-up and idle memory
    Workloads,
    /// W1, W2, W4, W7 and W8 with 100,000 and 10,000,000 vehicles
    Growth,
    /// W1 on 1, 32, 256 and 2,000 connections
    Connections,
    /// Memory during a million requests of all workloads but W3, whose responses are large
    Memory,
    /// Writes the tables of `benches/README.md` from the CSV files
    Report,
    /// Runs the reference server
    #[value(hide = true)]
    Reference,
}

fn main() {
    const SQLITE: &[Backend] = &[Backend::Sqlite];
    const BOTH: &[Backend] = &[Backend::Sqlite, Backend::Postgres];
    const ALL: &[Workload] = &[W1, W2, W3, W4, W5, W6, W7];
    let options = CommandLine::parse();
    let w1 = &[1, 32, 256, 2000];
    let plan = |file, backends, rows, workloads, w1| options.plan(file, backends, rows, workloads, w1);
    match options.command {
        // A plain `cargo bench` must not generate load.
        None => println!("{}", CommandLine::command().render_help()),
        Some(Command::Workloads) => {
            let mut plan = plan("workloads", SQLITE, &[100_000], ALL, &w1[..3]);
            plan.servers = &[Kind::Service, Kind::Reference];
            measure::run(&options, &plan);
        }
        Some(Command::Growth) => {
            let rows = &[100_000, 10_000_000];
            let workloads = &[W1, W2, W4, W7, W8];
            measure::run(&options, &plan("growth", BOTH, rows, workloads, &[32]));
        }
        Some(Command::Connections) => {
            measure::run(&options, &plan("connections", BOTH, &[100_000], &[W1], w1));
        }
        Some(Command::Memory) => {
            let workloads = &[W1, W2, W4, W5, W6, W7, W8];
            measure::run_memory(&options, &plan("memory", SQLITE, &[100_000], workloads, &[32]));
        }
        Some(Command::Report) => report::write(&options.results),
        Some(Command::Reference) => reference::serve(options.listen, &options.database_url),
    }
}

impl CommandLine {
    /// What a command measures by default, unless options say otherwise; `w1` are the numbers of connections of W1.
    fn plan(&self, file: &'static str, backends: &[Backend], rows: &[u64], workloads: &[Workload], w1: &[u32]) -> Plan {
        let mut cases = Vec::new();
        for workload in or_default(&self.only, workloads) {
            let default = if workload == W1 { w1 } else { &[32] };
            let connections = or_default(&self.connections, default).into_iter();
            cases.extend(connections.map(|count| (workload, count)));
        }
        Plan {
            file,
            backends: or_default(&self.database, backends),
            rows: or_default(&self.rows, rows),
            servers: &[Kind::Service],
            cases,
        }
    }
}

fn or_default<T: Copy>(given: &[T], default: &[T]) -> Vec<T> {
    if given.is_empty() { default } else { given }.to_vec()
}
