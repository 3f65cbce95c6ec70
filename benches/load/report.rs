//! Writes the tables between the markers of `benches/README.md` from the CSV files.

use std::{collections::HashMap, fmt::Write, fs, path::Path};

use clap::ValueEnum;

use crate::workload::Workload;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/README.md");
const FIRST: &str = "<!-- tables: written by `cargo bench --bench load -- report` -->\n";
const LAST: &str = "<!-- end of the tables -->";

/// Names in the CSV files, and titles.
const DATABASES: [(&str, &str); 4] = [
    ("sqlite", "SQLite"),
    ("postgres", "PostgreSQL"),
    ("mariadb", "MariaDB"),
    ("mysql", "MySQL"),
];

/// A row of a CSV file by its column names.
type Row = HashMap<String, String>;

/// The rows of one line of a table, and how its value is computed and formatted.
type Column = (&'static str, fn(&[Row]) -> String);

const WORKLOAD: &[Column] = &[
    ("requests/s", |rows| {
        grouped(of_server(rows, "service", rate))
    }),
    ("reference", |rows| {
        grouped(of_server(rows, "reference", rate))
    }),
    ("ratio", |rows| format!("{:.2}", ratio(rows, rate))),
    ("ratio by CPU", |rows| {
        format!(
            "{:.2}",
            ratio(rows, |row| 1.0 / (cpu(row) + number(row, "generator_us")))
        )
    }),
    ("p50 ms", |rows| {
        format!("{:.2}", of_server(rows, "service", p50))
    }),
    ("reference", |rows| {
        format!("{:.2}", of_server(rows, "reference", p50))
    }),
    ("p99 ms", |rows| {
        format!("{:.2}", of_server(rows, "service", p99))
    }),
    ("reference", |rows| {
        format!("{:.2}", of_server(rows, "reference", p99))
    }),
    ("CPU µs", |rows| grouped(of_server(rows, "service", cpu))),
    ("reference", |rows| {
        grouped(of_server(rows, "reference", cpu))
    }),
    ("peak MiB", |rows| {
        let service = rows.iter().filter(|row| row["server"] == "service");
        format!("{:.1}", service.map(peak).fold(0.0, f64::max))
    }),
    ("other CPU", |rows| {
        let other = rows.iter().map(|row| number(row, "other_cpu"));
        format!("{:.0} %", other.fold(0.0, f64::max) * 100.0)
    }),
];

const SERIES: &[Column] = &[
    ("requests/s", |rows| grouped(median(rows, rate))),
    ("CPU µs", |rows| grouped(median(rows, cpu))),
    ("p99 ms", |rows| format!("{:.2}", median(rows, p99))),
    ("peak MiB", |rows| format!("{:.1}", median(rows, peak))),
];

const START: &[Column] = &[
    ("first response ms", |rows| {
        format!(
            "{:.1}",
            median(rows, |row| number(row, "first_response_ms"))
        )
    }),
    ("idle memory MiB", |rows| {
        format!("{:.1}", median(rows, |row| number(row, "idle_mib")))
    }),
];

const MEMORY: &[Column] = &[
    ("resident MiB", |rows| {
        format!("{:.1}", median(rows, |row| number(row, "resident_mib")))
    }),
    ("peak MiB", |rows| format!("{:.1}", median(rows, peak))),
];

pub(crate) fn write(results: &Path) {
    let readme = fs::read_to_string(README).expect("the page is there");
    let (before, rest) = readme.split_once(FIRST).expect("it has the first marker");
    let (_, after) = rest.split_once(LAST).expect("it has the last marker");
    let read_all = |file: &str| {
        let files = DATABASES.map(|(name, _)| read(results, &format!("{file}-{name}")));
        files.concat()
    };
    let machine: &[Column] = &[("value", |rows| rows[0]["value"].clone())];
    let mut tables = table("Machine", &["name"], machine, &read(results, "machine"));
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
    let names = columns.iter().map(|(name, _)| *name);
    let header: Vec<_> = keys.iter().copied().chain(names).collect();
    let alignment = "---|".repeat(keys.len()) + &"---:|".repeat(columns.len());
    let mut table = format!(
        "\n### {title}\n\n| {} |\n|{alignment}\n",
        header.join(" | ")
    );
    for (mut cells, rows) in groups {
        cells.extend(columns.iter().map(|(_, value)| value(&rows)));
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

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().expect("the column has numbers")
}

fn rate(row: &Row) -> f64 {
    number(row, "requests_per_second")
}

fn p50(row: &Row) -> f64 {
    number(row, "p50_ms")
}

fn p99(row: &Row) -> f64 {
    number(row, "p99_ms")
}

fn peak(row: &Row) -> f64 {
    number(row, "peak_mib")
}

fn cpu(row: &Row) -> f64 {
    number(row, "server_us") + number(row, "database_us")
}

fn of_server(rows: &[Row], server: &str, value: fn(&Row) -> f64) -> f64 {
    let rows = rows.iter().filter(|row| row["server"] == server);
    median(&rows.cloned().collect::<Vec<_>>(), value)
}

fn ratio(rows: &[Row], value: fn(&Row) -> f64) -> f64 {
    of_server(rows, "service", value) / of_server(rows, "reference", value)
}

/// The median, or NaN without values.
fn median(rows: &[Row], value: fn(&Row) -> f64) -> f64 {
    let mut values: Vec<_> = rows.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    let value = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    f64::midpoint(
        value(values.len().saturating_sub(1) / 2),
        value(values.len() / 2),
    )
}

/// A rounded number with thousands separators.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.into_iter().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
