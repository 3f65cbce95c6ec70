//! The load generator: wrk with `load.lua`.

use std::{io::ErrorKind, process::Command};

use serde::Deserialize;

use crate::{Outcome, server::Server, workload::Workload};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/load/load.lua");

/// What wrk has seen.
#[derive(Debug, Deserialize)]
pub(crate) struct Seen {
    pub(crate) requests: u64,
    /// Answers that were not as they have to be.
    pub(crate) wrong: u64,
    /// Requests that were not answered.
    pub(crate) lost: u64,
    pub(crate) duration_us: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
}

/// Asks as fast as it is answered on so many connections, for so many seconds.
pub(crate) fn drive(
    server: &Server,
    workload: Workload,
    rows: u64,
    connections: u32,
    seconds: u32,
) -> Outcome<Seen> {
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads=1", "--timeout=10s", "--script", SCRIPT]);
    wrk.arg(format!("--connections={connections}"));
    wrk.arg(format!("--duration={seconds}s"));
    wrk.arg(format!(
        "http://{}{}",
        server.addr,
        workload.path(server.kind)
    ));
    wrk.env("LOAD_BODY", workload.body(server.kind));
    wrk.env("LOAD_IDS", rows.to_string());
    wrk.env("LOAD_EXPECT", workload.expected());
    let output = wrk.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            "wrk was not found; install it (Debian: apt-get install wrk)".to_owned()
        }
        _ => format!("{wrk:?}: {error}"),
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |name| text.lines().find_map(|line| line.strip_prefix(name));
    let Some(result) = line("RESULT ") else {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("wrk has no result:\n{text}{complaint}").into());
    };
    let seen: Seen = serde_json::from_str(result)?;
    if let Some(example) = line("WRONG ") {
        return Err(format!(
            "{workload:?}: {} wrong answers, such as {example}",
            seen.wrong
        )
        .into());
    }
    Ok(seen)
}
