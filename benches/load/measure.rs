//! Runs the measurements and writes their CSV files.

use std::{
    env, fs,
    path::Path,
    process::Command,
    thread::{available_parallelism, sleep},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use testkit::Backend;

use crate::{
    Options, Outcome, process,
    server::{Kind, Server},
    vehicles::LoadedDatabase,
    workload::Workload,
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/load/load.lua");

/// Connections of the workloads that do not vary them.
pub(crate) const CONNECTIONS: u32 = 32;

/// What a command measures: the product of its databases, row counts, servers and cases.
pub(crate) struct Plan {
    pub(crate) file: &'static str,
    pub(crate) backends: Vec<Backend>,
    pub(crate) rows: Vec<u64>,
    pub(crate) servers: &'static [Kind],
    /// Workloads with their numbers of connections.
    pub(crate) cases: Vec<(Workload, u32)>,
}

/// One measurement of a workload.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Measurement {
    pub(crate) database: String,
    pub(crate) rows: u64,
    pub(crate) server: Kind,
    pub(crate) workload: String,
    pub(crate) connections: u32,
    pub(crate) round: u32,
    pub(crate) requests: u64,
    /// Requests without a response.
    pub(crate) lost: u64,
    pub(crate) requests_per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// CPU time per request.
    pub(crate) server_us: f64,
    pub(crate) database_us: f64,
    pub(crate) generator_us: f64,
    /// Share of the CPU time of the machine that other processes used.
    pub(crate) other_cpu: f64,
    /// Peak memory since the start of the server.
    pub(crate) peak_mib: f64,
}

/// One start of a server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) database: String,
    pub(crate) server: Kind,
    pub(crate) round: u32,
    pub(crate) first_response_ms: f64,
    /// One second after the first response.
    pub(crate) idle_mib: f64,
}

/// The memory of the service after a number of requests.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) database: String,
    pub(crate) requests: u64,
    pub(crate) resident_mib: f64,
    pub(crate) peak_mib: f64,
}

/// The output of wrk with `load.lua`.
#[derive(Deserialize)]
struct WrkResult {
    requests: u64,
    lost: u64,
    duration_us: f64,
    p50_us: f64,
    p99_us: f64,
}

pub(crate) fn run(options: &Options, plan: &Plan) -> Outcome<()> {
    // Each connection needs a file descriptor in the server and in wrk, which inherit the limit.
    rlimit::increase_nofile_limit(u64::MAX)?;
    write_machine(&options.results)?;
    for &backend in &plan.backends {
        let (mut starts, mut measurements) = (Vec::new(), Vec::new());
        for &rows in &plan.rows {
            let database = LoadedDatabase::create(&options.binary, backend, rows)?;
            for round in 1..=options.rounds {
                for &kind in plan.servers {
                    let server = Server::start(kind, &options.binary, &database)?;
                    starts.push(idle(&server, round)?);
                    check_and_warm_up(&server, plan)?;
                    for &case in &plan.cases {
                        measurements.push(measure(&server, round, case, options.seconds)?);
                    }
                    server.stop()?;
                }
            }
        }
        let file = |name: &str| format!("{name}-{}", backend.name());
        if plan.servers.len() > 1 {
            write(&options.results, &file("starts"), &starts)?;
        }
        write(&options.results, &file(plan.file), &measurements)?;
    }
    Ok(())
}

fn idle(server: &Server, round: u32) -> Outcome<Start> {
    sleep(Duration::from_secs(1));
    let start = Start {
        database: server.backend.name().to_owned(),
        server: server.kind,
        round,
        first_response_ms: rounded(server.first_response.as_secs_f64() * 1000.0),
        idle_mib: rounded(server.memory_mib("VmRSS")?),
    };
    println!("{start:?}");
    Ok(start)
}

/// Measures the memory during `--requests` requests of all workloads but W3, whose responses are large.
pub(crate) fn run_memory(options: &Options, plan: &Plan) -> Outcome<()> {
    let backend = plan.backends[0];
    let database = LoadedDatabase::create(&options.binary, backend, plan.rows[0])?;
    let server = Server::start(Kind::Service, &options.binary, &database)?;
    check_and_warm_up(&server, plan)?;
    let (mut samples, mut count) = (Vec::new(), 0);
    loop {
        let sample = Memory {
            database: backend.name().to_owned(),
            requests: count,
            resident_mib: rounded(server.memory_mib("VmRSS")?),
            peak_mib: rounded(server.memory_mib("VmHWM")?),
        };
        println!("{sample:?}");
        samples.push(sample);
        if count >= options.requests {
            break;
        }
        for &case in &plan.cases {
            count += wrk(&server, case, options.seconds)?.requests;
        }
    }
    server.stop()?;
    write(&options.results, plan.file, &samples)
}

fn check_and_warm_up(server: &Server, plan: &Plan) -> Outcome<()> {
    for &(workload, _) in &plan.cases {
        workload.check(server)?;
        wrk(server, (workload, CONNECTIONS), 1)?;
    }
    Ok(())
}

fn measure(
    server: &Server,
    round: u32,
    (workload, connections): (Workload, u32),
    seconds: u32,
) -> Outcome<Measurement> {
    let cpu = || -> Outcome<_> {
        let machine = process::cpu_of_machine()?;
        let databases = process::cpu_of_databases()?;
        Ok([
            server.cpu()?,
            databases,
            process::cpu_of_children(),
            machine,
        ])
    };
    let (before, started) = (cpu()?, Instant::now());
    let result = wrk(server, (workload, connections), seconds)?;
    let (after, elapsed) = (cpu()?, started.elapsed().as_secs_f64());
    let used = |index: usize| after[index].saturating_sub(before[index]).as_secs_f64();
    let [own, database, generator, machine] = [0, 1, 2, 3].map(used);
    let available = elapsed * float(available_parallelism()?.get() as u64);
    let other = (machine - own - database - generator).max(0.0) / available;
    let requests = float(result.requests);
    let per_request_us = |seconds: f64| rounded(seconds * 1e6 / requests);
    let measurement = Measurement {
        database: server.backend.name().to_owned(),
        rows: server.rows,
        server: server.kind,
        workload: format!("{workload:?}"),
        connections,
        round,
        requests: result.requests,
        lost: result.lost,
        requests_per_second: rounded(requests * 1e6 / result.duration_us),
        p50_ms: result.p50_us / 1000.0,
        p99_ms: result.p99_us / 1000.0,
        server_us: per_request_us(own),
        database_us: per_request_us(database),
        generator_us: per_request_us(generator),
        other_cpu: (other * 1000.0).round() / 1000.0,
        peak_mib: rounded(server.memory_mib("VmHWM")?),
    };
    println!("{measurement:?}");
    Ok(measurement)
}

fn wrk(
    server: &Server,
    (workload, connections): (Workload, u32),
    seconds: u32,
) -> Outcome<WrkResult> {
    let output = Command::new("wrk")
        .args(["--threads=1", "--timeout=10s", "--script", SCRIPT])
        .arg(format!("--connections={connections}"))
        .arg(format!("--duration={seconds}s"))
        .arg(format!(
            "http://{}{}",
            server.addr,
            workload.path(server.kind)
        ))
        .env("LOAD_BODY", workload.body(server.kind))
        .env("LOAD_IDS", server.rows.to_string())
        .env("LOAD_EXPECT", workload.expected())
        .output()
        .map_err(|error| format!("wrk: {error}; install it (Debian: apt-get install wrk)"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().find_map(|line| line.strip_prefix("RESULT "));
    match result.map(serde_json::from_str::<WrkResult>) {
        Some(Ok(result)) if result.requests > 0 => Ok(result),
        _ => Err(format!(
            "{workload:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into()),
    }
}

/// Describes the machine in `machine.csv`.
fn write_machine(results: &Path) -> Outcome<()> {
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.split_once(':'));
        value
            .map(|(_, value)| value.trim().to_owned())
            .unwrap_or_default()
    };
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        })
    };
    let processor = field("/proc/cpuinfo", "model name");
    let folder = env::temp_dir().display().to_string();
    let mut properties = vec![
        ("name", "value".to_owned()),
        (
            "processor",
            format!("{} × {processor}", available_parallelism()?),
        ),
        ("memory", field("/proc/meminfo", "MemTotal")),
        ("kernel", output("uname", &["-sr"])),
        (
            "file system of the databases",
            output("findmnt", &["-no", "FSTYPE", "-T", &folder]),
        ),
        ("compiler", output("rustc", &["--version"])),
        ("PostgreSQL", output("postgres", &["--version"])),
        ("MariaDB", output("mariadbd", &["--version"])),
    ];
    properties.retain(|(_, value)| !value.is_empty());
    write(results, "machine", &properties)
}

fn write<T: Serialize>(results: &Path, name: &str, rows: &[T]) -> Outcome<()> {
    fs::create_dir_all(results)?;
    let mut file = csv::Writer::from_path(results.join(name).with_extension("csv"))?;
    rows.iter().try_for_each(|row| file.serialize(row))?;
    Ok(file.flush()?)
}

/// The rows of a CSV file; none if it does not exist.
pub(crate) fn read<T: DeserializeOwned>(results: &Path, name: &str) -> Outcome<Vec<T>> {
    let path = results.join(name).with_extension("csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows: Result<_, _> = csv::Reader::from_path(&path)?.deserialize().collect();
    Ok(rows.map_err(|error| format!("{}: {error}", path.display()))?)
}

#[expect(clippy::cast_precision_loss, reason = "no count reaches 2^52")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// Rounds to one decimal.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
