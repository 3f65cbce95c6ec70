//! Saves the measurements of each case, and generates the table in README from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use testkit::Backend;

use testkit::variable;

use crate::{Case, MODULES};

const START_MARK: &str = "<!-- table: written by FAULTS_TABLE=write -->";
const END_MARK: &str = "<!-- end of the table -->";

/// The measurements of a case on a database.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Stats {
    /// Concurrent clients.
    pub(crate) clients: usize,
    /// Faults injected.
    pub(crate) faults: usize,
    /// Reads sent under load.
    pub(crate) reads: usize,
    /// Reads that failed with `SERVICE_UNAVAILABLE`.
    pub(crate) reads_refused: usize,
    /// Creates sent.
    pub(crate) sent: usize,
    /// Creates that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Creates that failed without being stored.
    pub(crate) refused: usize,
    /// Creates with an unknown outcome.
    pub(crate) unknown: usize,
    /// Creates with an unknown outcome that are stored.
    pub(crate) unknown_stored: usize,
    /// Creates that were acknowledged, but are not stored.
    pub(crate) lost: usize,
    /// Creates that are stored more than once.
    pub(crate) doubled: usize,
    /// Maximum time from the end of a fault to the next successful read, in milliseconds.
    pub(crate) recovery_ms: Option<u128>,
    /// The slowest response, in milliseconds.
    pub(crate) slowest_ms: Option<u128>,
    /// Further measurements by name.
    pub(crate) further: BTreeMap<String, String>,
}

/// Whether `FAULTS_TABLE=write` requests an update of the table.
pub(crate) fn should_update() -> bool {
    variable("FAULTS_TABLE").is_some_and(|value| value == "write")
}

/// Saves the measurements of a case in a JSON file for each case and database.
pub(crate) fn save(case: &Case, backend: Backend, stats: &Stats) {
    let json_path = json_path(case, backend);
    fs::create_dir_all(json_path.parent().expect("it is in a folder")).unwrap();
    fs::write(json_path, serde_json::to_string_pretty(stats).unwrap()).unwrap();
}

/// Writes the table from the measurements saved last.
pub(crate) fn update() {
    let text = fs::read_to_string(readme_path()).unwrap();
    let (before, after) = split_at_marks(&text);
    let cores = std::thread::available_parallelism().unwrap();
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    let mut table = format!(
        "The last figures: {cores} processors, {build} build, several cases at the same time.\n\n\
         | fault | promise | how it is tested | last figures |\n|---|---|---|---|\n"
    );
    for case in cases() {
        writeln!(table, "{}{} |", row(case), stats_by_backend(case)).unwrap();
    }
    fs::write(readme_path(), format!("{before}{START_MARK}\n{table}{END_MARK}{after}")).unwrap();
}

/// Checks that README has exactly one row for each case.
pub(crate) fn check_rows() -> Result<(), String> {
    let text = fs::read_to_string(readme_path()).unwrap();
    let (before, after) = split_at_marks(&text);
    let table = &text[before.len()..text.len() - after.len()];
    let rows = table.lines().filter(|line| line.starts_with("| ")).count() - 1;
    let missing = cases().filter(|case| !table.contains(&row(case)));
    let missing: Vec<_> = missing.map(|case| case.name).collect();
    if missing.is_empty() && rows == cases().count() {
        return Ok(());
    }
    Err(format!(
        "tests/faults/README.md has {rows} rows for {} cases, none or another for {missing:?}: \
         run with FAULTS_TABLE=write",
        cases().count()
    ))
}

fn cases() -> impl Iterator<Item = &'static Case> {
    MODULES.iter().flat_map(|(_, cases, _)| *cases)
}

/// A row without its measurements.
fn row(case: &Case) -> String {
    format!("| {} | {} | {} | ", case.fault, case.promise, case.how)
}

fn stats_by_backend(case: &Case) -> String {
    let by_backend = case.backends.iter().map(|&backend| {
        let saved = fs::read_to_string(json_path(case, backend));
        let stats =
            saved.map_or_else(|_| "not run".to_owned(), |text| serde_json::from_str::<Stats>(&text).unwrap().summary());
        format!("**{}**: {stats}", backend.name())
    });
    by_backend.collect::<Vec<_>>().join("<br>")
}

impl Stats {
    fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (count, what) in [(self.clients, "clients"), (self.faults, "faults")] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        if self.reads > 0 {
            parts.push(format!("{} reads, {} refused", self.reads, self.reads_refused));
        }
        if self.sent > 0 {
            let Self { sent, acknowledged, refused, unknown, unknown_stored, .. } = self;
            parts.push(format!(
                "{sent} creates: {acknowledged} acknowledged, {refused} refused, \
                 {unknown} unknown ({unknown_stored} of them stored), lost {}, doubled {}",
                self.lost, self.doubled
            ));
        }
        if let Some(recovery) = self.recovery_ms {
            parts.push(format!("reads back after {recovery} ms"));
        }
        if let Some(slowest) = self.slowest_ms {
            parts.push(format!("slowest answer {slowest} ms"));
        }
        let further = self.further.iter();
        parts.extend(further.map(|(name, value)| format!("{name} {value}")));
        parts.join("; ")
    }
}

fn split_at_marks(text: &str) -> (&str, &str) {
    let (before, after_start) = text.split_once(START_MARK).expect("README marks the table");
    let (_, after) = after_start.split_once(END_MARK).expect("README marks the table's end");
    (before, after)
}

fn readme_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/README.md")
}

fn json_path(case: &Case, backend: Backend) -> PathBuf {
    let name = format!("{}.{}.json", case.name, backend.name());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name)
}
