//! Writes the tables between the markers of `benches/README.md` from the CSV files.

use std::{collections::HashMap, fmt::Write, fs, path::Path};

use clap::ValueEnum;

use crate::workload::Workload;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/README.md");
const FIRST: &str = "<!-- tables: written by `cargo bench --bench load -- report` -->\n";
const LAST: &str = "<!-- end of the tables -->";

/// Names in the CSV files, and titles.
const DATABASES: [(&str, &str); 4] =
    [("sqlite", "SQLite"), ("postgres", "PostgreSQL"), ("mariadb", "MariaDB"), ("mysql", "MySQL")];

/// A row of a CSV file by its column names.
type Row = HashMap<String, String>;

/// A title, a column of the CSV file, and how a value is computed from the rows of one line and formatted.
type Column = (&'static str, &'static str, fn(&[Row], &str) -> f64, fn(f64) -> String);

const WORKLOAD: &[Column] = &[
    ("requests/s", "requests_per_second", service, grouped),
    ("reference", "requests_per_second", reference, grouped),
    ("ratio", "requests_per_second", ratio, hundredths),
    ("ratio by CPU", "rate_by_cpu", ratio, hundredths),
    ("p50 ms", "p50_ms", service, hundredths),
    ("reference", "p50_ms", reference, hundredths),
    ("p99 ms", "p99_ms", service, hundredths),
    ("reference", "p99_ms", reference, hundredths),
    ("CPU µs", "cpu_us", service, grouped),
    ("reference", "cpu_us", reference, grouped),
    ("peak MiB", "peak_mib", maximum_of_service, tenths),
    ("other CPU", "other_cpu", maximum, percent),
];

const SERIES: &[Column] = &[
    ("requests/s", "requests_per_second", median, grouped),
    ("CPU µs", "cpu_us", median, grouped),
    ("p99 ms", "p99_ms", median, hundredths),
    ("peak MiB", "peak_mib", median, tenths),
];

const START: &[Column] =
    &[("first response ms", "first_response_ms", median, tenths), ("idle memory MiB", "idle_mib", median, tenths)];

const MEMORY: &[Column] = &[("resident MiB", "resident_mib", median, tenths), ("peak MiB", "peak_mib", median, tenths)];

pub(crate) fn write(results: &Path) {
    let readme = fs::read_to_string(README).expect("the page is there");
    let (before, rest) = readme.split_once(FIRST).expect("it has the first marker");
    let (_, after) = rest.split_once(LAST).expect("it has the last marker");
    let read_all = |file: &str| {
        let files = DATABASES.map(|(name, _)| read(results, &format!("{file}-{name}")));
        files.concat()
    };
    let mut tables = "\n### Machine\n\n| name | value |\n|---|---:|\n".to_owned();
    for row in read(results, "machine") {
        let _ = writeln!(tables, "| {} | {} |", row["name"], row["value"]);
    }
    for (name, title) in DATABASES {
        let rows = read(results, &format!("workloads-{name}"));
        let keys = &["workload", "connections"];
        let vehicles = rows.first().map_or(0.0, |row| number(row, "rows"));
        let title = format!("{title}, {} vehicles", grouped(vehicles));
        tables += &table(&title, keys, WORKLOAD, &rows);
    }
    let keys = &["database", "server"];
    tables += &table("Start-up and idle memory", keys, START, &read_all("starts"));
    let keys = &["database", "workload", "rows"];
    tables += &table("Growth", keys, SERIES, &read_all("growth"));
    let keys = &["database", "workload", "connections"];
    tables += &table("Connections", keys, SERIES, &read_all("connections"));
    let memory = read(results, "memory");
    tables += &table("Memory", &["database", "requests"], MEMORY, &memory);
    let page = format!("{before}{FIRST}{tables}\n{LAST}{after}");
    fs::write(README, page).expect("the page can be written");
}

/// The rows of a CSV file; none if it does not exist.
fn read(results: &Path, name: &str) -> Vec<Row> {
    let path = results.join(name).with_extension("csv");
    if !path.exists() {
        return Vec::new();
    }
    let mut file = csv::Reader::from_path(&path).expect("the file can be read");
    let rows = file.deserialize().map(|row| row.expect("the row is valid"));
    rows.collect()
}

/// A Markdown table with a line for each combination of the keys, in their order in the rows.
fn table(title: &str, keys: &[&str], columns: &[Column], rows: &[Row]) -> String {
    let mut groups: Vec<(Vec<String>, Vec<Row>)> = Vec::new();
    for row in rows {
        let key: Vec<_> = keys.iter().map(|key| label(key, &row[*key])).collect();
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(row.clone()),
            None => groups.push((key, vec![row.clone()])),
        }
    }
    if groups.is_empty() {
        return String::new();
    }
    let titles = columns.iter().map(|(title, ..)| *title);
    let header: Vec<_> = keys.iter().copied().chain(titles).collect();
    let alignment = "---|".repeat(keys.len()) + &"---:|".repeat(columns.len());
    let mut table = format!("\n### {title}\n\n| {} |\n|{alignment}\n", header.join(" | "));
    for (mut cells, rows) in groups {
        let values = columns.iter();
        cells.extend(values.map(|(_, column, value, format)| format(value(&rows, column))));
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

/// The value of a key as it is displayed.
fn label(key: &str, value: &str) -> String {
    let title = DATABASES.into_iter().find(|(name, _)| *name == value);
    match (key, Workload::from_str(value, true)) {
        ("database", _) => title.map_or(value, |(_, title)| title).to_owned(),
        ("workload", Ok(workload)) => workload.title_and_expected().0.to_owned(),
        ("rows" | "requests" | "connections", _) => grouped(value.parse().unwrap_or(f64::NAN)),
        _ => value.to_owned(),
    }
}

/// The number in a column, or one that is computed from several columns.
fn number(row: &Row, column: &str) -> f64 {
    let number = |column: &str| -> f64 { row[column].parse().expect("the column has numbers") };
    let cpu_us = || number("server_us") + number("database_us");
    match column {
        "cpu_us" => cpu_us(),
        "rate_by_cpu" => 1.0 / (cpu_us() + number("generator_us")),
        column => number(column),
    }
}

fn of_server(rows: &[Row], server: &str) -> Vec<Row> {
    let rows = rows.iter().filter(|row| row["server"] == server);
    rows.cloned().collect()
}

fn service(rows: &[Row], column: &str) -> f64 {
    median(&of_server(rows, "service"), column)
}

fn reference(rows: &[Row], column: &str) -> f64 {
    median(&of_server(rows, "reference"), column)
}

fn ratio(rows: &[Row], column: &str) -> f64 {
    service(rows, column) / reference(rows, column)
}

fn maximum(rows: &[Row], column: &str) -> f64 {
    let values = rows.iter().map(|row| number(row, column));
    values.fold(0.0, f64::max)
}

fn maximum_of_service(rows: &[Row], column: &str) -> f64 {
    maximum(&of_server(rows, "service"), column)
}

/// The median, or NaN without values.
fn median(rows: &[Row], column: &str) -> f64 {
    let mut values: Vec<_> = rows.iter().map(|row| number(row, column)).collect();
    values.sort_by(f64::total_cmp);
    let value = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    f64::midpoint(value(values.len().saturating_sub(1) / 2), value(values.len() / 2))
}

fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

fn hundredths(number: f64) -> String {
    format!("{number:.2}")
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A rounded number with thousands separators.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.into_iter().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
