//! What is measured in which order, and which CSV file it goes to.

use std::{
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use crate::{
    Outcome,
    home::{DatabaseKind, Home},
    machine,
    measure::{Drive, measure, precise, rounded},
    process,
    results::{self, Measured, Memory, Start},
    server::{Kind, Server},
    workload::Workload,
    wrk,
};

/// Connections of what is not about their number.
const CONNECTIONS: u32 = 32;

/// What all runs have in common.
pub(crate) struct Measuring<'a> {
    pub(crate) binary: PathBuf,
    pub(crate) results: &'a Path,
    pub(crate) rounds: u32,
    pub(crate) seconds: u32,
}

/// The workloads and their connections.
pub(crate) fn plan(only: &[Workload], connections: &[u32]) -> Vec<(Workload, u32)> {
    let wanted = |workload: &Workload| only.is_empty() || only.contains(workload);
    let mut plan = Vec::new();
    for workload in Workload::ALL.into_iter().filter(wanted) {
        let usual: &[u32] = match workload {
            Workload::W1 => &[1, CONNECTIONS, 256],
            _ => &[CONNECTIONS],
        };
        let connections = if connections.is_empty() {
            usual
        } else {
            connections
        };
        plan.extend(
            connections
                .iter()
                .map(|&connections| (workload, connections)),
        );
    }
    plan
}

impl Measuring<'_> {
    fn fill(&self, database: DatabaseKind, rows: u64) -> Outcome<Home> {
        println!("{}: {rows} vehicles are stored", database.name());
        let home = Home::with(&self.binary, database, rows)?;
        machine::describe(self.results, database)?;
        Ok(home)
    }

    fn start(&self, kind: Kind, home: &Home, plan: &[(Workload, u32)]) -> Outcome<Server> {
        let server = Server::start(kind, &self.binary, &home.url)?;
        let mut workloads: Vec<_> = plan.iter().map(|(workload, _)| *workload).collect();
        workloads.dedup();
        server.check(&workloads, home.rows)?;
        for workload in workloads {
            wrk::drive(&server, workload, home.rows, CONNECTIONS, 1)?;
        }
        Ok(server)
    }

    fn drive(&self, (workload, connections): (Workload, u32), round: u32) -> Drive {
        Drive {
            workload,
            connections,
            seconds: self.seconds,
            round,
        }
    }

    fn all(
        &self,
        server: &Server,
        home: &Home,
        plan: &[(Workload, u32)],
        round: u32,
    ) -> Outcome<Vec<Measured>> {
        plan.iter()
            .map(|&each| measure(server, home, self.drive(each, round)))
            .collect()
    }
}

/// `workloads-DATABASE.csv` and `start-DATABASE.csv`.
pub(crate) fn workloads(
    measuring: &Measuring<'_>,
    database: DatabaseKind,
    rows: u64,
    plan: &[(Workload, u32)],
) -> Outcome<()> {
    allow_connections(plan.iter().map(|(_, connections)| *connections))?;
    let home = measuring.fill(database, rows)?;
    let (mut measured, mut starts) = (Vec::new(), Vec::new());
    for round in 1..=measuring.rounds {
        for kind in [Kind::Service, Kind::Yardstick] {
            starts.push(start(measuring, kind, &home, round)?);
            let server = measuring.start(kind, &home, plan)?;
            measured.extend(measuring.all(&server, &home, plan, round)?);
            server.stop()?;
        }
    }
    results::write(
        measuring.results,
        &format!("start-{}", database.file_name()),
        &starts,
    )?;
    results::write(
        measuring.results,
        &format!("workloads-{}", database.file_name()),
        &measured,
    )
}

/// Starts a server only to see how long that takes, and how much memory it has when it idles.
fn start(measuring: &Measuring<'_>, kind: Kind, home: &Home, round: u32) -> Outcome<Start> {
    let server = Server::start(kind, &measuring.binary, &home.url)?;
    sleep(Duration::from_secs(1));
    let start = Start {
        database: home.kind,
        server: kind,
        round,
        first_answer_ms: rounded(server.first_answer.as_secs_f64() * 1000.0),
        idle_mib: rounded(server.memory_mib("VmRSS")?),
    };
    server.stop()?;
    println!(
        "{:<10} {kind:?}: first answer after {} ms, idle memory {} MiB",
        home.kind.name(),
        start.first_answer_ms,
        start.idle_mib
    );
    Ok(start)
}

/// `growth.csv`.
pub(crate) fn growth(
    measuring: &Measuring<'_>,
    databases: &[DatabaseKind],
    rows: &[u64],
) -> Outcome<()> {
    let plan = plan(&[Workload::W1, Workload::W2, Workload::W4], &[CONNECTIONS]);
    let mut measured = Vec::new();
    for &database in databases {
        for &rows in rows {
            let home = measuring.fill(database, rows)?;
            let server = measuring.start(Kind::Service, &home, &plan)?;
            for round in 1..=measuring.rounds {
                measured.extend(measuring.all(&server, &home, &plan, round)?);
            }
            server.stop()?;
        }
    }
    results::write(measuring.results, "growth", &measured)
}

/// `connections.csv`.
pub(crate) fn connections(
    measuring: &Measuring<'_>,
    databases: &[DatabaseKind],
    rows: u64,
    connections: &[u32],
) -> Outcome<()> {
    allow_connections(connections.iter().copied())?;
    let plan = plan(&[Workload::W1], connections);
    let mut measured = Vec::new();
    for &database in databases {
        let home = measuring.fill(database, rows)?;
        for round in 1..=measuring.rounds {
            let server = measuring.start(Kind::Service, &home, &plan)?;
            measured.extend(measuring.all(&server, &home, &plan, round)?);
            server.stop()?;
        }
    }
    results::write(measuring.results, "connections", &measured)
}

/// `memory.csv`: after each turn of all workloads but the long list, whose answers take long to send.
pub(crate) fn memory(
    measuring: &Measuring<'_>,
    database: DatabaseKind,
    requests: u64,
) -> Outcome<()> {
    let plan = plan(
        &[
            Workload::W1,
            Workload::W2,
            Workload::W4,
            Workload::W5,
            Workload::W6,
        ],
        &[CONNECTIONS],
    );
    let home = measuring.fill(database, 100_000)?;
    let server = measuring.start(Kind::Service, &home, &plan)?;
    let mut answered = 0;
    let mut rows = Vec::new();
    loop {
        let row = Memory {
            database,
            requests: answered,
            resident_mib: rounded(server.memory_mib("VmRSS")?),
            peak_mib: rounded(server.memory_mib("VmHWM")?),
        };
        println!(
            "{answered} requests: {} MiB, at most {} MiB",
            row.resident_mib, row.peak_mib
        );
        rows.push(row);
        if answered >= requests {
            break;
        }
        for &(workload, connections) in &plan {
            let seen = wrk::drive(&server, workload, home.rows, connections, measuring.seconds)?;
            answered += seen.requests;
        }
    }
    server.stop()?;
    let kib = (rows[rows.len() - 1].resident_mib - rows[0].resident_mib) * 1024.0;
    println!("{:.1} bytes a request", kib * 1024.0 / precise(answered));
    results::write(measuring.results, "memory", &rows)
}

/// Servers and wrk need a file a connection, and some more.
fn allow_connections(wanted: impl Iterator<Item = u32>) -> Outcome<()> {
    let needed = u64::from(wanted.max().unwrap_or_default()) + 200;
    let allowed = process::most_open_files()?;
    if allowed < needed {
        return Err(
            format!("only {allowed} files may be open; run `ulimit -n {needed}` before").into(),
        );
    }
    Ok(())
}
