//! Instructions of an operation of the engine, counted by callgrind and compared with those of
//! `benches/instructions.csv`: times are noisy, instructions hardly.
//!
//! `cargo bench --bench instructions` fails where an operation takes more than it may;
//! `cargo bench --bench instructions -- --save` writes the file anew.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line"
)]

mod asked;

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs,
    hint::black_box,
    path::PathBuf,
    process::{Command, ExitCode},
};

use clap::{CommandFactory, Parser};
use serde::{Deserialize, Serialize};

use asked::{Asked, KEPT_BYTES, LIST, LOOKUP_OF_NOBODY};

/// Counts instructions and compares them with those that were saved
#[derive(Parser)]
#[command(name = "cargo bench --bench instructions --")]
struct CommandLine {
    /// Save what is counted instead
    #[arg(long)]
    save: bool,
    /// How much more an operation may take than was saved, in percent
    #[arg(long, default_value_t = 3.0, value_name = "PERCENT")]
    tolerance: f64,
    /// An operation, instead of all
    #[arg(long, value_name = "OPERATION", conflicts_with = "save")]
    only: Option<String>,
    /// The file with what was saved
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.csv"))]
    baseline: PathBuf,
    /// Do an operation so many times, which is what is counted
    #[arg(long, hide = true, num_args = 2, value_names = ["OPERATION", "TIMES"])]
    run: Vec<String>,
    /// What Cargo says to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// The operations, and how many of each are counted.
const OPERATIONS: [(&str, u32); 5] = [
    ("cold document", 100),
    ("cached document", 500),
    ("list of 1", 200),
    ("list of 20", 100),
    ("list of 1000", 20),
];

/// A row of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Counted {
    operation: String,
    instructions: u64,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let done = match command_line.run.as_slice() {
        [operation, times] => run(operation, times),
        // `cargo test --benches` builds benchmarks, and starts them without this word.
        _ if !command_line.bench => {
            println!("{}", CommandLine::command().render_help());
            Ok(())
        }
        _ => compare(&command_line),
    };
    if let Err(error) = done {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run(operation: &str, times: &str) -> Outcome<()> {
    let asked = match operation.strip_prefix("list of ") {
        Some(count) => Asked::new(count.parse()?, KEPT_BYTES),
        None if operation == "cold document" => Asked::new(0, 0),
        None => Asked::new(0, KEPT_BYTES),
    };
    let query = match operation.strip_prefix("list of ") {
        Some(count) => LIST.replace("COUNT", count),
        None => LOOKUP_OF_NOBODY.to_owned(),
    };
    for _ in 0..times.parse()? {
        black_box(asked.ask(black_box(&query)));
    }
    Ok(())
}

fn compare(command_line: &CommandLine) -> Outcome<()> {
    let path = &command_line.baseline;
    let mut before = BTreeMap::new();
    if !command_line.save {
        let saved = csv::Reader::from_path(path);
        let mut saved =
            saved.map_err(|error| format!("{}: {error}; write it with --save", path.display()))?;
        for row in saved.deserialize() {
            let Counted {
                operation,
                instructions,
            } = row?;
            before.insert(operation, instructions);
        }
    }
    let (mut counted, mut worse) = (Vec::new(), Vec::new());
    let only = command_line.only.as_deref();
    let wanted = |operation: &str| only.is_none_or(|only| only == operation);
    let names = OPERATIONS.map(|(operation, _)| operation);
    if !names.into_iter().any(wanted) {
        return Err(format!("there are the operations {}", names.join(", ")).into());
    }
    for (operation, times) in OPERATIONS.into_iter().filter(|(name, _)| wanted(name)) {
        let instructions = instructions(operation, times)?;
        let change = match before.get(operation) {
            Some(&before) => Some((ratio(instructions, before) - 1.0) * 100.0),
            None if command_line.save => None,
            None => {
                return Err(format!(
                    "{} lacks {operation:?}; write it with --save",
                    path.display()
                )
                .into());
            }
        };
        let change_told = change
            .map(|change| format!("{change:+.1} %"))
            .unwrap_or_default();
        println!("{operation:<16} {instructions:>12} instructions  {change_told}");
        if change.is_some_and(|change| change > command_line.tolerance) {
            worse.push(operation);
        }
        counted.push(Counted {
            operation: operation.to_owned(),
            instructions,
        });
    }
    if command_line.save {
        let mut file = csv::Writer::from_path(path)?;
        counted.iter().try_for_each(|row| file.serialize(row))?;
        file.flush()?;
        println!("{} is written", path.display());
    }
    if worse.is_empty() {
        return Ok(());
    }
    let (tolerance, worse) = (command_line.tolerance, worse.join(", "));
    Err(format!("more than {tolerance} % above what was saved: {worse}").into())
}

/// Instructions of one operation: what so many more of them take, so that start and end count for nothing.
fn instructions(operation: &str, times: u32) -> Outcome<u64> {
    let few = collected(operation, times / 10)?;
    let many = collected(operation, times / 10 + times)?;
    Ok(many.saturating_sub(few) / u64::from(times))
}

/// Instructions of a process that does an operation so many times.
fn collected(operation: &str, times: u32) -> Outcome<u64> {
    let output = tempfile::NamedTempFile::new()?;
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", output.path().display()))
        .arg(env::current_exe()?)
        .args(["--run", operation, &times.to_string()])
        .output();
    let ended = valgrind.map_err(|error| {
        format!("valgrind: {error}; install it (Debian: apt-get install valgrind)")
    })?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("valgrind has ended with {}: {said}", ended.status).into());
    }
    let profile = fs::read_to_string(output.path())?;
    let totals = profile
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("totals: "));
    Ok(totals
        .ok_or("callgrind has told no totals")?
        .trim()
        .parse()?)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "nothing takes 2^52 instructions"
)]
fn ratio(now: u64, before: u64) -> f64 {
    now as f64 / before as f64
}
