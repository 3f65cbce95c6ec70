//! Writes the tables between the markers of `benches/README.md` from the CSV files.

use std::{collections::BTreeSet, fs, path::Path};

use clap::ValueEnum;
use serde::de::DeserializeOwned;

use crate::{
    Outcome,
    measure::{Measurement, Memory, Start, float, read},
    server::Kind,
    workload::Workload,
};

const FIRST: &str = "<!-- tables: written by `cargo bench --bench load -- report` -->\n";
const LAST: &str = "<!-- end of the tables -->";

/// Names in the CSV files, and titles.
const DATABASES: [(&str, &str); 4] = [
    ("sqlite", "SQLite"),
    ("postgres", "PostgreSQL"),
    ("mariadb", "MariaDB"),
    ("mysql", "MySQL"),
];

pub(crate) fn write(results: &Path, readme: &Path) -> Outcome<()> {
    let text = fs::read_to_string(readme)?;
    let split = text.split_once(FIRST).and_then(|(before, text)| {
        let (_, after) = text.split_once(LAST)?;
        Some((before, after))
    });
    let (before, after) =
        split.ok_or_else(|| format!("{} lacks the markers {FIRST}{LAST}", readme.display()))?;
    let mut tables = String::new();
    let machine: Vec<(String, String)> = read(results, "machine")?;
    let machine = machine
        .iter()
        .map(|(name, value)| format!("{name} | {value}"));
    table(&mut tables, "Machine", "property | value", 2, machine);
    for (name, _) in DATABASES {
        workloads(&mut tables, &read(results, &format!("workloads-{name}"))?);
    }
    starts(&mut tables, &read_all(results, "starts")?);
    let by_rows = |row: &Measurement| row.rows;
    series(
        &mut tables,
        "Growth",
        "vehicles",
        &read_all(results, "growth")?,
        by_rows,
    );
    let connections = read_all(results, "connections")?;
    let by_connections = |row: &Measurement| u64::from(row.connections);
    series(
        &mut tables,
        "Connections",
        "connections",
        &connections,
        by_connections,
    );
    memory(&mut tables, &read(results, "memory")?);
    Ok(fs::write(
        readme,
        format!("{before}{FIRST}{tables}\n{LAST}{after}"),
    )?)
}

/// The rows of all databases.
fn read_all<T: DeserializeOwned>(results: &Path, file: &str) -> Outcome<Vec<T>> {
    let mut rows = Vec::new();
    for (name, _) in DATABASES {
        rows.extend(read(results, &format!("{file}-{name}"))?);
    }
    Ok(rows)
}

/// A Markdown table whose first `left` columns are aligned to the left.
fn table(
    tables: &mut String,
    title: &str,
    header: &str,
    left: usize,
    rows: impl Iterator<Item = String>,
) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let right = header.split('|').count() - left;
    let alignment = "---|".repeat(left) + &"---:|".repeat(right);
    tables.extend([format!("\n### {title}\n\n| {header} |\n|{alignment}\n")]);
    tables.extend(rows.map(|row| format!("| {row} |\n")));
}

fn workloads(tables: &mut String, rows: &[Measurement]) {
    let Some(first) = rows.first() else { return };
    let vehicles = grouped(float(first.rows));
    let heading = format!("{}, {vehicles} vehicles", title(&first.database));
    let case = |row: &Measurement| (row.workload.clone(), row.connections);
    let cases: BTreeSet<_> = rows.iter().map(case).collect();
    let lines = cases.into_iter().map(|key| {
        let rows: Vec<_> = rows.iter().filter(|row| case(row) == key).collect();
        let of = |kind| rows.iter().filter(move |row| row.server == kind);
        let both = |value: fn(&Measurement) -> f64| {
            [Kind::Service, Kind::Reference].map(|kind| median(of(kind).map(|row| value(row))))
        };
        let pair = |[service, reference]: [f64; 2], decimals: usize| match decimals {
            0 => format!("{} | {}", grouped(service), grouped(reference)),
            _ => format!("{service:.decimals$} | {reference:.decimals$}"),
        };
        let ratio = |[service, reference]: [f64; 2]| service / reference;
        let peak = of(Kind::Service)
            .map(|row| row.peak_mib)
            .fold(0.0, f64::max);
        let other_cpu = rows.iter().map(|row| row.other_cpu).fold(0.0, f64::max);
        format!(
            "{} | {} | {} | {:.2} | {:.2} | {} | {} | {} | {peak:.1} | {:.0} %",
            workload_title(&key.0),
            key.1,
            pair(both(|row| row.requests_per_second), 0),
            ratio(both(|row| row.requests_per_second)),
            ratio(both(|row| 1.0 / (cpu_us(row) + row.generator_us))),
            pair(both(|row| row.p50_ms), 2),
            pair(both(|row| row.p99_ms), 2),
            pair(both(cpu_us), 0),
            other_cpu * 100.0
        )
    });
    let header = "workload | connections | requests/s | reference | ratio | ratio by CPU | p50 ms | \
                  reference | p99 ms | reference | CPU µs | reference | peak MiB | other CPU";
    table(tables, &heading, header, 1, lines);
}

fn starts(tables: &mut String, rows: &[Start]) {
    let case = |row: &Start| (row.database.clone(), format!("{:?}", row.server));
    let mut cases: Vec<_> = rows.iter().map(case).collect();
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert(case.clone()));
    let lines = cases.into_iter().map(|key| {
        let value = |value: fn(&Start) -> f64| {
            median(rows.iter().filter(|row| case(row) == key).map(value))
        };
        let [response, idle] = [
            value(|row| row.first_response_ms),
            value(|row| row.idle_mib),
        ];
        let server = key.1.to_lowercase();
        format!("{} | {server} | {response:.1} | {idle:.1}", title(&key.0))
    });
    let header = "database | server | first response ms | idle memory MiB";
    table(tables, "Start-up and idle memory", header, 2, lines);
}

/// A table with a column for each value of `x`.
fn series(
    tables: &mut String,
    heading: &str,
    unit: &str,
    rows: &[Measurement],
    x: fn(&Measurement) -> u64,
) {
    let case = |row: &Measurement| (row.database.clone(), row.workload.clone());
    let cases: BTreeSet<_> = rows.iter().map(case).collect();
    let columns: BTreeSet<u64> = rows.iter().map(x).collect();
    let lines = cases.into_iter().map(|key| {
        let cells = columns.iter().map(|&column| {
            let value = |value: fn(&Measurement) -> f64| {
                let rows = rows.iter();
                median(
                    rows.filter(|row| case(row) == key && x(row) == column)
                        .map(value),
                )
            };
            let rate = grouped(value(|row| row.requests_per_second));
            let cpu = grouped(value(cpu_us));
            let [p99, peak] = [value(|row| row.p99_ms), value(|row| row.peak_mib)];
            format!(" | {rate}, {cpu}, {p99:.2}, {peak:.1}")
        });
        let cells: String = cells.collect();
        format!("{} | {}{cells}", title(&key.0), workload_title(&key.1))
    });
    let columns = columns
        .iter()
        .map(|&column| format!(" | {} {unit}", grouped(float(column))));
    let header = format!("database | workload{}", columns.collect::<String>());
    let heading = format!("{heading}: requests per second, CPU µs per request, p99 ms, peak MiB");
    table(tables, &heading, &header, 2, lines);
}

fn memory(tables: &mut String, rows: &[Memory]) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return;
    };
    let lines = [first, &rows[rows.len() / 2], last].into_iter().map(|row| {
        let requests = grouped(float(row.requests));
        format!("{requests} | {:.1} | {:.1}", row.resident_mib, row.peak_mib)
    });
    let heading = format!("Memory, {}", title(&first.database));
    table(
        tables,
        &heading,
        "requests | resident MiB | peak MiB",
        0,
        lines,
    );
}

fn title(database: &str) -> &str {
    let known = DATABASES.into_iter().find(|(name, _)| *name == database);
    known.map_or(database, |(_, title)| title)
}

fn workload_title(name: &str) -> String {
    Workload::from_str(name, true).map_or(name.to_owned(), |workload| workload.title().to_owned())
}

fn cpu_us(row: &Measurement) -> f64 {
    row.server_us + row.database_us
}

/// The median, or NaN without values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
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
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
