//! Instruction counts of operations without HTTP under callgrind, compared with the baseline in
//! `benches/instructions.csv`. Unlike times, instruction counts hardly vary between runs.
//!
//! `cargo bench --bench instructions` fails if an operation exceeds its baseline by more than the
//! tolerance; `cargo bench --bench instructions -- --save` writes a new baseline.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command line")]

mod operations_fixture;

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

use operations_fixture::{DOCUMENT_CACHE_BYTES, LIST, LOOKUP, Operations};

/// Counts instructions and compares them with the baseline
#[derive(Parser)]
#[command(name = "cargo bench --bench instructions --")]
struct CommandLine {
    /// Save the counts as the new baseline
    #[arg(long)]
    save: bool,
    /// Maximum increase over the baseline, in percent
    #[arg(long, default_value_t = 3.0, value_name = "PERCENT")]
    tolerance: f64,
    /// Count only this operation
    #[arg(long, value_name = "OPERATION", conflicts_with = "save")]
    only: Option<String>,
    /// The file of the baseline
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.csv"))]
    baseline: PathBuf,
    /// Execute an operation this number of times, under callgrind
    #[arg(long, hide = true, num_args = 2, value_names = ["OPERATION", "TIMES"])]
    run: Vec<String>,
    /// Passed by Cargo to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// The operations, and how often each is executed.
const OPERATIONS: [(&str, u32); 5] =
    [("cold document", 100), ("cached document", 5000), ("list of 1", 1000), ("list of 20", 400), ("list of 1000", 60)];

/// A row of the baseline.
#[derive(Debug, Serialize, Deserialize)]
struct Count {
    operation: String,
    instructions: u64,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let result = match command_line.run.as_slice() {
        [operation, times] => run(operation, times),
        // `cargo test --benches` runs benchmarks without `--bench`.
        _ if !command_line.bench => {
            println!("{}", CommandLine::command().render_help());
            Ok(())
        }
        _ => compare(&command_line),
    };
    if let Err(error) = result {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn run(operation: &str, times: &str) -> Result<()> {
    let operations = match operation.strip_prefix("list of ") {
        Some(count) => Operations::new(count.parse()?, DOCUMENT_CACHE_BYTES),
        None if operation == "cold document" => Operations::new(0, 0),
        None => Operations::new(0, DOCUMENT_CACHE_BYTES),
    };
    let query = match operation.strip_prefix("list of ") {
        Some(count) => LIST.replace("COUNT", count),
        None => LOOKUP.to_owned(),
    };
    for _ in 0..times.parse()? {
        black_box(operations.execute(black_box(&query)));
    }
    Ok(())
}

fn compare(command_line: &CommandLine) -> Result<()> {
    let path = &command_line.baseline;
    let mut baseline = BTreeMap::new();
    if !command_line.save {
        let saved = csv::Reader::from_path(path);
        let mut saved = saved.map_err(|error| format!("{}: {error}; run with --save", path.display()))?;
        for row in saved.deserialize() {
            let Count { operation, instructions } = row?;
            baseline.insert(operation, instructions);
        }
    }
    let (mut counts, mut worse) = (Vec::new(), Vec::new());
    let mut operations = OPERATIONS.to_vec();
    if let Some(only) = &command_line.only {
        operations.retain(|(operation, _)| operation == only);
    }
    if operations.is_empty() {
        let names = OPERATIONS.map(|(operation, _)| operation).join(", ");
        return Err(format!("unknown operation; use one of {names}").into());
    }
    for (operation, times) in operations {
        let instructions = instructions(operation, times)?;
        let change = match baseline.get(operation) {
            Some(&baseline) => Some((ratio(instructions, baseline) - 1.0) * 100.0),
            None if command_line.save => None,
            None => {
                return Err(format!("{} has no {operation:?}; run with --save", path.display()).into());
            }
        };
        let formatted_change = change.map(|change| format!("{change:+.1} %")).unwrap_or_default();
        println!("{operation:<16} {instructions:>12} instructions  {formatted_change}");
        if change.is_some_and(|change| change > command_line.tolerance) {
            worse.push(operation);
        }
        counts.push(Count { operation: operation.to_owned(), instructions });
    }
    if command_line.save {
        let mut file = csv::Writer::from_path(path)?;
        counts.iter().try_for_each(|row| file.serialize(row))?;
        file.flush()?;
        println!("saved {}", path.display());
    }
    if worse.is_empty() {
        return Ok(());
    }
    let (tolerance, worse) = (command_line.tolerance, worse.join(", "));
    Err(format!("more than {tolerance} % above the baseline: {worse}").into())
}

/// The instructions of one operation: the difference of two runs excludes process start and exit.
fn instructions(operation: &str, times: u32) -> Result<u64> {
    let few = run_callgrind(operation, times / 10)?;
    let many = run_callgrind(operation, times / 10 + times)?;
    Ok(many.saturating_sub(few) / u64::from(times))
}

/// The instructions of a process that executes an operation `times` times.
fn run_callgrind(operation: &str, times: u32) -> Result<u64> {
    let output = tempfile::NamedTempFile::new()?;
    let valgrind = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", output.path().display()))
        .arg(env::current_exe()?)
        .args(["--run", operation, &times.to_string()])
        .output();
    let process =
        valgrind.map_err(|error| format!("valgrind: {error}; install it (Debian: apt-get install valgrind)"))?;
    if !process.status.success() {
        let stderr = String::from_utf8_lossy(&process.stderr);
        return Err(format!("valgrind exited with {}: {stderr}", process.status).into());
    }
    let profile = fs::read_to_string(output.path())?;
    let totals = profile.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    Ok(totals.ok_or("the callgrind output has no totals")?.trim().parse()?)
}

#[expect(clippy::cast_precision_loss, reason = "no count reaches 2^52")]
fn ratio(count: u64, baseline: u64) -> f64 {
    count as f64 / baseline as f64
}
