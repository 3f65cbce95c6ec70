//! One measurement: wrk drives a server, and /proc tells what it costs.

use std::{
    thread::available_parallelism,
    time::{Duration, Instant},
};

use crate::{
    Outcome, home::Home, process, results::Measured, server::Server, workload::Workload, wrk,
};

/// What the processes have cost so far.
struct Spent {
    at: Instant,
    server: Duration,
    database: Duration,
    generator: Duration,
    machine: Duration,
}

impl Spent {
    fn now(server: &Server) -> Outcome<Self> {
        Ok(Self {
            server: server.cpu()?,
            database: process::cpu_of_databases()?,
            generator: process::cpu_of_ended_children(),
            machine: process::cpu_of_machine()?,
            at: Instant::now(),
        })
    }
}

/// How a workload is driven.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub(crate) workload: Workload,
    pub(crate) connections: u32,
    pub(crate) seconds: u32,
    pub(crate) round: u32,
}

/// Drives a server, prints a line, and answers what a CSV file keeps of it.
pub(crate) fn measure(server: &Server, home: &Home, drive: Drive) -> Outcome<Measured> {
    let Drive {
        workload,
        connections,
        seconds,
        round,
    } = drive;
    let before = Spent::now(server)?;
    let seen = wrk::drive(server, workload, home.rows, connections, seconds)?;
    let after = Spent::now(server)?;
    if seen.requests == 0 {
        return Err(format!("{workload:?}: no request was answered in {seconds} s").into());
    }
    let spent = |of: fn(&Spent) -> Duration| of(&after).saturating_sub(of(&before)).as_secs_f64();
    let (own, database) = (spent(|at| at.server), spent(|at| at.database));
    let (generator, machine) = (spent(|at| at.generator), spent(|at| at.machine));
    let wall = after.at.duration_since(before.at).as_secs_f64();
    let cores = precise(available_parallelism()?.get() as u64);
    let requests = precise(seen.requests);
    let us = |seconds: f64| rounded(seconds * 1e6 / requests);
    let measured = Measured {
        database: home.kind,
        rows: home.rows,
        server: server.kind,
        workload: format!("{workload:?}"),
        connections,
        round,
        requests: seen.requests,
        lost: seen.lost,
        requests_per_second: rounded(requests / (seen.duration_us / 1e6)),
        p50_ms: seen.p50_us / 1000.0,
        p99_ms: seen.p99_us / 1000.0,
        server_us: us(own),
        database_us: us(database),
        generator_us: us(generator),
        disturbance: rounded(
            (machine - own - database - generator).max(0.0) / (wall * cores) * 100.0,
        ) / 100.0,
        peak_mib: rounded(server.memory_mib("VmHWM")?),
    };
    let Measured {
        requests_per_second,
        p50_ms,
        p99_ms,
        server_us,
        database_us,
        disturbance,
        peak_mib,
        ..
    } = &measured;
    println!(
        "{:<10} {:>9} rows  {:<9}  {workload:?} c={connections:<5} {requests_per_second:>9.1}/s  \
         p50 {p50_ms:>8.3} ms  p99 {p99_ms:>8.3} ms  CPU {server_us:>7.1} µs, database {database_us:>7.1} µs  \
         peak {peak_mib:>5.1} MiB  lost {}  disturbance {:.0} %",
        home.kind.name(),
        home.rows,
        format!("{:?}", server.kind),
        seen.lost,
        disturbance * 100.0
    );
    Ok(measured)
}

/// A count as a number that can be divided.
#[expect(
    clippy::cast_precision_loss,
    reason = "nothing is counted up to 2^52 here"
)]
pub(crate) fn precise(count: u64) -> f64 {
    count as f64
}

/// With one decimal.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
