//! Load on the started program, beside a yardstick, and what it costs: `cargo bench --bench load`.
//! See `benches/README.md`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line"
)]

#[allow(dead_code, reason = "made for tests, which need more of it")]
#[path = "../../tests/it/support/databases/mod.rs"]
mod databases;
mod home;
mod machine;
mod measure;
mod plot;
mod process;
mod report;
mod results;
mod runs;
mod server;
mod vehicles;
mod workload;
mod wrk;
mod yardstick;

use std::{error::Error, net::SocketAddr, path::PathBuf, process::ExitCode};

use clap::{Args, CommandFactory, Parser, Subcommand};

use home::DatabaseKind;
use workload::Workload;

/// What was done, or why it could not be.
type Outcome<T> = Result<T, Box<dyn Error>>;

/// Measures the started program and writes CSV files
#[derive(Parser)]
#[command(name = "cargo bench --bench load --")]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// What Cargo says to every benchmark
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Command {
    /// The six workloads, of the service and of the yardstick in turn; start-up and idle memory
    Workloads {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        size: Size<3, 4>,
        /// The database
        #[arg(long, value_enum, default_value = "sqlite")]
        database: DatabaseKind,
        /// Vehicles in the database
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1000..=100_000_000))]
        rows: u64,
        /// Workloads, instead of all
        #[arg(long, value_enum, value_delimiter = ',')]
        only: Vec<Workload>,
        /// Connections of every workload, instead of 1, 32 and 256 for W1 and 32 for the others
        #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=4000))]
        connections: Vec<u32>,
    },
    /// One by id, list of 20 and create in databases that grow
    Growth {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        size: Size<2, 3>,
        /// The databases
        #[arg(
            long,
            value_enum,
            value_delimiter = ',',
            default_value = "sqlite,postgres"
        )]
        database: Vec<DatabaseKind>,
        /// Vehicles in them
        #[arg(long, value_delimiter = ',', default_value = "1000,100000,10000000")]
        #[arg(value_parser = clap::value_parser!(u64).range(1000..=100_000_000))]
        rows: Vec<u64>,
    },
    /// One by id, on more and more connections
    Connections {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        size: Size<2, 3>,
        /// The databases
        #[arg(
            long,
            value_enum,
            value_delimiter = ',',
            default_value = "sqlite,postgres"
        )]
        database: Vec<DatabaseKind>,
        /// Vehicles in them
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1000..=100_000_000))]
        rows: u64,
        /// How many connections
        #[arg(long, value_delimiter = ',', default_value = "1,32,256,2000")]
        #[arg(value_parser = clap::value_parser!(u32).range(1..=4000))]
        connections: Vec<u32>,
    },
    /// Memory while a million requests of all kinds are answered
    Memory {
        #[command(flatten)]
        place: Place,
        /// The database
        #[arg(long, value_enum, default_value = "sqlite")]
        database: DatabaseKind,
        /// How many requests
        #[arg(long, default_value_t = 1_000_000)]
        requests: u64,
        /// How long each workload is driven until it is the next one's turn
        #[arg(long, default_value_t = 2)]
        seconds: u32,
    },
    /// Makes the tables and the plot of `benches/README.md` out of the CSV files
    Report {
        /// Where the CSV files are
        #[arg(long, default_value = RESULTS)]
        results: PathBuf,
        /// The file with the markers
        #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/README.md"))]
        readme: PathBuf,
    },
    /// Serves as the yardstick
    #[command(hide = true)]
    Yardstick {
        #[arg(long)]
        listen: SocketAddr,
        #[arg(long, env = "DATABASE_URL")]
        database_url: String,
    },
}

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results");

#[derive(Args)]
struct Place {
    /// The program
    #[arg(long, default_value = env!("CARGO_BIN_EXE_vehicle-catalogue"))]
    binary: PathBuf,
    /// Where the CSV files are written
    #[arg(long, default_value = RESULTS)]
    results: PathBuf,
}

#[derive(Args)]
struct Size<const ROUNDS: u32, const SECONDS: u32> {
    /// How often everything is measured; tables have medians
    #[arg(long, default_value_t = ROUNDS, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// How long each measurement takes
    #[arg(long, default_value_t = SECONDS, value_parser = clap::value_parser!(u32).range(1..=600))]
    seconds: u32,
}

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let Some(command) = command_line.command else {
        // A plain `cargo bench` comes here, too: load is only made when it is asked for.
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
    match command {
        Command::Workloads {
            place,
            size,
            database,
            rows,
            only,
            connections,
        } => {
            let plan = runs::plan(&only, &connections);
            let measuring = measuring(&place, size.rounds, size.seconds)?;
            runs::workloads(&measuring, database, rows, &plan)
        }
        Command::Growth {
            place,
            size,
            database,
            rows,
        } => runs::growth(
            &measuring(&place, size.rounds, size.seconds)?,
            &database,
            &rows,
        ),
        Command::Connections {
            place,
            size,
            database,
            rows,
            connections,
        } => {
            let measuring = measuring(&place, size.rounds, size.seconds)?;
            runs::connections(&measuring, &database, rows, &connections)
        }
        Command::Memory {
            place,
            database,
            requests,
            seconds,
        } => runs::memory(&measuring(&place, 1, seconds)?, database, requests),
        Command::Report { results, readme } => report::write(&results, &readme),
        Command::Yardstick {
            listen,
            database_url,
        } => yardstick::serve(listen, &database_url),
    }
}

fn measuring(place: &Place, rounds: u32, seconds: u32) -> Outcome<runs::Measuring<'_>> {
    let named = &place.binary;
    let cannot = |error| format!("--binary {}: {error}", named.display());
    Ok(runs::Measuring {
        // Servers have working directories of their own.
        binary: named.canonicalize().map_err(cannot)?,
        results: &place.results,
        rounds,
        seconds,
    })
}
