//! The figures of each case, kept as it ends, and the table that is made of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::databases::Backend;
use crate::{Case, MODULES, variable};

const BEGINNING: &str = "<!-- table: written by FAULTS_TABLE=write -->";
const END: &str = "<!-- end of the table -->";

/// What a case has seen on a database.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// Clients at a time.
    pub(crate) clients: usize,
    /// Faults injected.
    pub(crate) faults: usize,
    /// Reads sent under load.
    pub(crate) reads: usize,
    /// Those of them that were told to be tried again later.
    pub(crate) reads_refused: usize,
    /// Creates sent.
    pub(crate) sent: usize,
    /// Creates that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Creates that were told to be not stored.
    pub(crate) refused: usize,
    /// Creates of which nobody was told whether they are stored.
    pub(crate) unknown: usize,
    /// Those of them that are.
    pub(crate) unknown_stored: usize,
    /// Creates that were acknowledged and are not stored.
    pub(crate) lost: usize,
    /// Creates that are stored more than once.
    pub(crate) doubled: usize,
    /// From the end of the fault to the next answer, in milliseconds; the longest of all faults.
    pub(crate) recovery_ms: Option<u128>,
    /// The slowest answer, in milliseconds.
    pub(crate) slowest_ms: Option<u128>,
    /// What else there is to say, by its name.
    pub(crate) further: BTreeMap<String, String>,
}

/// Whether the table is to be renewed.
pub(crate) fn is_asked_for() -> bool {
    variable("FAULTS_TABLE").is_some_and(|value| value == "write")
}

/// Keeps the figures of a case: a file of JSON for each case and database.
pub(crate) fn keep(case: &Case, backend: Backend, figures: &Figures) {
    let file = file(case, backend);
    fs::create_dir_all(file.parent().expect("it is in a folder")).unwrap();
    fs::write(file, serde_json::to_string_pretty(figures).unwrap()).unwrap();
}

/// Writes the table of the figures that were kept last.
pub(crate) fn renew() {
    let text = fs::read_to_string(readme()).unwrap();
    let (before, after) = around(&text);
    let cores = std::thread::available_parallelism().unwrap();
    let build = if cfg!(debug_assertions) {
        "unoptimised"
    } else {
        "optimised"
    };
    let mut table = format!(
        "The last figures: {cores} processors, {build} build, each fault by itself.\n\n\
         | fault | promise | how it is tested | last figures |\n|---|---|---|---|\n"
    );
    for case in cases() {
        writeln!(table, "{}{} |", row(case), figures(case)).unwrap();
    }
    fs::write(
        readme(),
        format!("{before}{BEGINNING}\n{table}{END}{after}"),
    )
    .unwrap();
}

/// Whether README has a row for each case and no other, or what is wrong with it.
pub(crate) fn is_complete() -> Result<(), String> {
    let text = fs::read_to_string(readme()).unwrap();
    let (before, after) = around(&text);
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

/// A row, up to its figures.
fn row(case: &Case) -> String {
    format!("| {} | {} | {} | ", case.fault, case.promise, case.how)
}

fn figures(case: &Case) -> String {
    let all = case.only_on.iter().map(|&backend| {
        let kept = fs::read_to_string(file(case, backend));
        let figures = kept.map_or_else(
            |_| "not run".to_owned(),
            |text| serde_json::from_str::<Figures>(&text).unwrap().sentence(),
        );
        format!("**{}**: {figures}", backend.name())
    });
    all.collect::<Vec<_>>().join("<br>")
}

impl Figures {
    fn sentence(&self) -> String {
        let mut parts = Vec::new();
        for (count, what) in [(self.clients, "clients"), (self.faults, "faults")] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        if self.reads > 0 {
            parts.push(format!(
                "{} reads, {} refused",
                self.reads, self.reads_refused
            ));
        }
        if self.sent > 0 {
            let Self {
                sent,
                acknowledged,
                refused,
                unknown,
                unknown_stored,
                ..
            } = self;
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

fn around(text: &str) -> (&str, &str) {
    let (before, rest) = text.split_once(BEGINNING).expect("README marks the table");
    let (_, after) = rest.split_once(END).expect("README marks the table's end");
    (before, after)
}

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/README.md")
}

fn file(case: &Case, backend: Backend) -> PathBuf {
    let name = format!("{}.{}.json", case.name, backend.name());
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("faults")
        .join(name)
}
