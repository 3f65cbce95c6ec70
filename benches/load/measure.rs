//! Runs the measurements and writes their CSV files.

use std::{
    collections::HashMap,
    env, fs,
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    thread::{available_parallelism, sleep},
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::Value;
use testkit::{Backend, Program, Started, TIMEOUT, free_port, http};

use crate::{
    CommandLine,
    durable::DurableDatabase,
    results::{Row, write},
    setup::{loaded, machine},
    workload::{CURSORS, Kind, Workload},
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/load/load.lua");

const OK: &str = "HTTP/1.1 200 ";

/// The interval of requests to a starting server. Each takes CPU time from the start: with 0.2 ms, the first response of
/// the service is 2 ms later.
const START_POLL: Duration = Duration::from_millis(1);

/// The number of starts of each server, of which the tables show the median.
const STARTS: u32 = 11;

/// The unit of CPU times in /proc, in seconds.
const TICK: f64 = 0.01;

const DATABASE_SERVERS: [&str; 3] = ["postgres", "mariadbd", "mysqld"];

/// What a command measures: the product of its databases, row counts, servers and cases.
pub(crate) struct Plan {
    pub(crate) file: &'static str,
    pub(crate) backends: Vec<Backend>,
    pub(crate) rows: Vec<u64>,
    pub(crate) servers: &'static [Kind],
    /// Workloads with their numbers of connections.
    pub(crate) cases: Vec<(Workload, u32)>,
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

/// A running server on a database with vehicles in rows 1 to `rows`.
struct Server {
    kind: Kind,
    backend: Backend,
    rows: u64,
    addr: SocketAddr,
    process: Started,
    first_response: Duration,
    /// Separated by spaces; none on the reference server.
    cursors: String,
}

pub(crate) fn run(options: &CommandLine, plan: &Plan) {
    // Each connection needs a file descriptor in the server and in wrk, which inherit the limit.
    rlimit::increase_nofile_limit(u64::MAX).expect("the hard limit is permitted");
    write(&options.results, "machine", &machine());
    for &backend in &plan.backends {
        let (mut starts, mut measurements) = (Vec::new(), Vec::new());
        for &rows in &plan.rows {
            let database = loaded(&options.binary, backend, rows);
            // Before any load, after which the database still writes.
            if plan.servers.len() > 1 {
                for round in 1..=STARTS {
                    for &kind in plan.servers {
                        let server = Server::start(kind, options, backend, rows, &database);
                        starts.push(server.idle(round));
                        server.stop();
                    }
                }
            }
            let mut responses = HashMap::new();
            for round in 1..=options.rounds {
                for &kind in plan.servers {
                    let mut server = Server::start(kind, options, backend, rows, &database);
                    server.read_cursors();
                    for &(workload, _) in &plan.cases {
                        let response = server.respond(workload);
                        let first = responses.entry(workload).or_insert_with(|| response.clone());
                        assert_eq!(response, *first, "the servers respond differently");
                        server.load(workload, 32, 1);
                    }
                    for &(workload, connections) in &plan.cases {
                        let seconds = options.seconds;
                        measurements.push(server.measure(round, workload, connections, seconds));
                    }
                    server.stop();
                }
            }
        }
        let file = |name: &str| format!("{name}-{}", backend.name());
        if plan.servers.len() > 1 {
            write(&options.results, &file("starts"), &starts);
        }
        write(&options.results, &file(plan.file), &measurements);
    }
}

/// Measures the memory during `--requests` requests.
pub(crate) fn run_memory(options: &CommandLine, plan: &Plan) {
    let (backend, rows) = (plan.backends[0], plan.rows[0]);
    let database = loaded(&options.binary, backend, rows);
    let mut server = Server::start(Kind::Service, options, backend, rows, &database);
    server.read_cursors();
    let (mut samples, mut requests) = (Vec::new(), 0);
    while samples.is_empty() || requests < options.requests {
        for &(workload, connections) in &plan.cases {
            requests += server.load(workload, connections, options.seconds).requests;
        }
        samples.push(vec![
            ("database", backend.name().to_owned()),
            ("requests", requests.to_string()),
            ("resident_mib", server.memory_mib("VmRSS")),
            ("peak_mib", server.memory_mib("VmHWM")),
        ]);
        println!("{:?}", samples.last());
    }
    server.stop();
    write(&options.results, plan.file, &samples);
}

impl Server {
    /// Starts a server on a free port and waits for the response to the first request.
    fn start(kind: Kind, options: &CommandLine, backend: Backend, rows: u64, database: &DurableDatabase) -> Self {
        let (binary, arguments): (_, &[&str]) = match kind {
            // `connections` exceeds the default limit.
            Kind::Service => (options.binary.clone(), &["--concurrency-limit", "4096"]),
            Kind::Reference => (env::current_exe().expect("this process has a file"), &["reference"]),
        };
        let program = Program::new(binary).with_arguments(arguments);
        let program = program.with_variable("DATABASE_URL", &database.url);
        let addr = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let started = Instant::now();
        let mut server = Self {
            kind,
            backend,
            rows,
            addr,
            process: program.start(&["--listen", &addr.to_string()]),
            first_response: Duration::ZERO,
            cursors: String::new(),
        };
        while TcpStream::connect(addr).is_err() {
            assert!(server.process.status().is_none(), "the server has exited");
            sleep(START_POLL);
        }
        // Until its database is ready, the service refuses requests.
        while !server.send(Workload::W1).starts_with(OK) {
            assert!(started.elapsed() < TIMEOUT, "the server does not respond");
            sleep(START_POLL);
        }
        server.first_response = started.elapsed();
        server
    }

    /// Reads the cursors of W8.
    fn read_cursors(&mut self) {
        if let Kind::Reference = self.kind {
            return;
        }
        let body = parse_body(&self.post(&Workload::W8.path(self.kind), CURSORS));
        let edges = body["data"]["vehiclesConnection"]["edges"].as_array();
        let cursors = edges.expect("it has a page").iter();
        let cursors: Vec<_> = cursors.filter_map(|edge| edge["cursor"].as_str()).collect();
        self.cursors = cursors.join(" ");
    }

    /// The response to one request.
    fn send(&self, workload: Workload) -> String {
        let cursor = self.cursors.split(' ').next().unwrap_or_default();
        let body = workload.body(self.kind);
        let body = body.replace("@ID@", "130").replace("@N@", "7");
        let body = body.replace("@BRAND@", "001").replace("@CURSOR@", cursor);
        self.post(&workload.path(self.kind), &body)
    }

    fn post(&self, path: &str, body: &str) -> String {
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {length}\r\n\r\n{body}",
            self.addr
        );
        http::exchange(self.addr, request.as_bytes())
    }

    /// The data of the response to one request, without the id of a created vehicle.
    fn respond(&self, workload: Workload) -> Value {
        let response = self.send(workload);
        assert!(response.starts_with(OK), "{workload:?}: {response}");
        let mut body = parse_body(&response);
        assert!(body.get("errors").is_none(), "{workload:?}: {body}");
        if let Some(created) = body["data"].get_mut("createVehicle") {
            created["id"].take();
        }
        body["data"].take()
    }

    fn idle(&self, round: u32) -> Row {
        sleep(Duration::from_secs(1));
        let first_response_ms = self.first_response.as_secs_f64() * 1000.0;
        let start = vec![
            ("database", self.backend.name().to_owned()),
            ("server", format!("{:?}", self.kind).to_lowercase()),
            ("round", round.to_string()),
            ("first_response_ms", format!("{first_response_ms:.1}")),
            ("idle_mib", self.memory_mib("VmRSS")),
        ];
        println!("{start:?}");
        start
    }

    fn measure(&self, round: u32, workload: Workload, connections: u32, seconds: u32) -> Row {
        let (before, started) = (cpu_seconds(self.process.id()), Instant::now());
        let result = self.load(workload, connections, seconds);
        let (after, elapsed) = (cpu_seconds(self.process.id()), started.elapsed());
        let [server, database, generator, machine] = [0, 1, 2, 3].map(|index| after[index] - before[index]);
        let processors = available_parallelism().map_or(1, usize::from);
        let available = elapsed.as_secs_f64() * float(processors as u64);
        let other = (machine - server - database - generator).max(0.0) / available;
        let requests = float(result.requests);
        let per_request_us = |seconds: f64| format!("{:.1}", seconds * 1e6 / requests);
        let measurement = vec![
            ("database", self.backend.name().to_owned()),
            ("rows", self.rows.to_string()),
            ("server", format!("{:?}", self.kind).to_lowercase()),
            ("workload", format!("{workload:?}")),
            ("connections", connections.to_string()),
            ("round", round.to_string()),
            ("requests", result.requests.to_string()),
            ("lost", result.lost.to_string()),
            ("requests_per_second", format!("{:.1}", requests * 1e6 / result.duration_us)),
            ("p50_ms", (result.p50_us / 1000.0).to_string()),
            ("p99_ms", (result.p99_us / 1000.0).to_string()),
            ("server_us", per_request_us(server)),
            ("database_us", per_request_us(database)),
            ("generator_us", per_request_us(generator)),
            ("other_cpu", format!("{other:.3}")),
            ("peak_mib", self.memory_mib("VmHWM")),
        ];
        println!("{measurement:?}");
        measurement
    }

    /// Repeats a request with wrk.
    fn load(&self, workload: Workload, connections: u32, seconds: u32) -> WrkResult {
        let path = workload.path(self.kind);
        let output = Command::new("wrk")
            .args(["--threads=1", "--timeout=10s", "--script", SCRIPT])
            .arg(format!("--connections={connections}"))
            .arg(format!("--duration={seconds}s"))
            .arg(format!("http://{}{path}", self.addr))
            .env("LOAD_BODY", workload.body(self.kind))
            .env("LOAD_IDS", self.rows.to_string())
            .env("LOAD_CURSORS", &self.cursors)
            .env("LOAD_EXPECT", workload.title_and_expected().1)
            .output()
            .expect("wrk is installed (Debian: apt-get install wrk)");
        let text = String::from_utf8_lossy(&output.stdout);
        let result = text.lines().find_map(|line| line.strip_prefix("RESULT "));
        let result: Option<WrkResult> = result.and_then(|json| serde_json::from_str(json).ok());
        result.filter(|result| result.requests > 0).unwrap_or_else(|| panic!("{workload:?}: {output:?}"))
    }

    /// `VmHWM` (peak) or `VmRSS` (current) in MiB.
    fn memory_mib(&self, field: &str) -> String {
        let mib = float(self.process.memory(field)) / float(1 << 20);
        format!("{mib:.1}")
    }

    fn stop(mut self) {
        self.process.signal("TERM");
        assert!(self.process.wait().success(), "{}", self.process.log());
    }
}

fn parse_body(response: &str) -> Value {
    let (_, body) = response.split_once("\r\n\r\n").expect("it has a body");
    serde_json::from_str(body).expect("it is JSON")
}

/// The CPU seconds of a process, of the database servers that descend from this process, of the exited children of
/// this process, and of the machine.
fn cpu_seconds(server: u32) -> [f64; 4] {
    /// The fields of `/proc/ID/stat` from the state on, after the name, which is in parentheses.
    fn stat(path: &Path) -> Option<(u32, String, Vec<u64>)> {
        let text = fs::read_to_string(path.join("stat")).ok()?;
        let (id, rest) = text.split_once(" (")?;
        let (name, fields) = rest.rsplit_once(") ")?;
        let fields = fields.split(' ').map(|field| field.parse().unwrap_or(0));
        Some((id.parse().ok()?, name.to_owned(), fields.collect()))
    }
    let entries = fs::read_dir("/proc").expect("this is Linux").flatten();
    let processes = entries.filter_map(|entry| stat(&entry.path()));
    let processes: HashMap<_, _> = processes.map(|(id, name, stat)| (id, (name, stat))).collect();
    let parent = |id: &u32| processes.get(id).map(|(_, stat)| u32::try_from(stat[1]).unwrap_or(0));
    let of_children = |stat: &[u64]| float(stat[13] + stat[14]) * TICK;
    let total = |stat: &[u64]| float(stat[11] + stat[12]) * TICK + of_children(stat);
    let this = std::process::id();
    let databases = processes.iter().filter(|(id, (name, _))| {
        DATABASE_SERVERS.contains(&name.as_str()) && std::iter::successors(Some(**id), parent).any(|id| id == this)
    });
    let machine = fs::read_to_string("/proc/stat").expect("this is Linux");
    let machine = machine.lines().flat_map(str::split_whitespace).skip(1);
    let machine: Vec<u64> = machine.map_while(|ticks| ticks.parse().ok()).collect();
    // user, nice, system, irq, softirq
    let machine: u64 = [0, 1, 2, 5, 6].map(|index| machine[index]).iter().sum();
    [
        total(&processes[&server].1),
        databases.map(|(_, (_, stat))| total(stat)).sum(),
        of_children(&processes[&this].1),
        float(machine) * TICK,
    ]
}

#[expect(clippy::cast_precision_loss, reason = "no count reaches 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
