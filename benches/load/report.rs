//! The tables and the plot between the markers of `benches/README.md`.

mod lines;

use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

use clap::ValueEnum;

use crate::{
    Outcome,
    home::DatabaseKind,
    measure::precise,
    plot::{self, grouped},
    results::{self, Measured, Memory, Property, Start},
    server::Kind,
    workload::Workload,
};

const FIRST: &str = "<!-- figures: made by `cargo bench --bench load -- report` -->\n";
const LAST: &str = "<!-- end of figures -->";

/// Puts what the CSV files say between the markers, and draws `load.svg` beside them.
pub(crate) fn write(results: &Path, readme: &Path) -> Outcome<()> {
    let text = fs::read_to_string(readme)?;
    let marked = text
        .split_once(FIRST)
        .and_then(|(before, rest)| Some((before, rest.split_once(LAST)?.1)));
    let (before, after) =
        marked.ok_or_else(|| format!("{} lacks the markers {FIRST}{LAST}", readme.display()))?;
    let mut figures = String::new();
    machine(&mut figures, &results::read(results, "machine")?)?;
    for database in DatabaseKind::ALL {
        let name = database.file_name();
        let measured: Vec<Measured> = results::read(results, &format!("workloads-{name}"))?;
        workloads(&mut figures, database, &measured)?;
    }
    let mut starts: Vec<Start> = Vec::new();
    for database in DatabaseKind::ALL {
        starts.extend(results::read(
            results,
            &format!("start-{}", database.file_name()),
        )?);
    }
    start(&mut figures, &starts)?;
    let (growth, connections) = (
        results::read(results, "growth")?,
        results::read(results, "connections")?,
    );
    lines::table(&mut figures, "Growth", "vehicles", &growth, |row| row.rows)?;
    lines::table(
        &mut figures,
        "Connections",
        "connections",
        &connections,
        |row| row.connections.into(),
    )?;
    let panels = [
        lines::panel("Growth", "vehicles in the database", &growth, |row| {
            row.rows
        }),
        lines::panel("Connections", "connections", &connections, |row| {
            row.connections.into()
        }),
    ];
    if panels.iter().any(|panel| !panel.series.is_empty()) {
        fs::write(results.join("load.svg"), plot::svg(&panels))?;
        figures.push_str("\n![Growth and connections](results/load.svg)\n");
    }
    memory(&mut figures, &results::read(results, "memory")?)?;
    fs::write(readme, format!("{before}{FIRST}{figures}\n{LAST}{after}"))?;
    println!("{} is up to date", readme.display());
    Ok(())
}

fn machine(to: &mut String, properties: &[Property]) -> Outcome<()> {
    writeln!(to, "\n| measured on | |\n|---|---|")?;
    for Property { name, value } in properties {
        writeln!(to, "| {name} | {value} |")?;
    }
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 0 {
        f64::midpoint(values[middle - 1], upper)
    } else {
        upper
    })
}

/// The median of a figure over the rounds.
fn figure(rows: &[&Measured], kind: Kind, of: impl Fn(&Measured) -> f64) -> Option<f64> {
    median(
        rows.iter()
            .filter(|row| row.server == kind)
            .map(|row| of(row)),
    )
}

fn shown(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or_else(
        || "–".to_owned(),
        |figure| {
            if decimals == 0 {
                grouped(figure)
            } else {
                format!("{figure:.decimals$}")
            }
        },
    )
}

fn cost(row: &Measured) -> f64 {
    row.server_us + row.database_us
}

fn workloads(to: &mut String, database: DatabaseKind, measured: &[Measured]) -> Outcome<()> {
    let Some(first) = measured.first() else {
        return Ok(());
    };
    writeln!(
        to,
        "\n### {}, {} vehicles\n",
        database.name(),
        grouped(precise(first.rows))
    )?;
    writeln!(
        to,
        "| workload | connections | requests/s | yardstick | ratio | ratio by CPU | p50 ms | yardstick | p99 ms | \
         yardstick | CPU µs | yardstick | peak MiB | disturbed |"
    )?;
    writeln!(to, "|---|{}", "---:|".repeat(13))?;
    let plan: BTreeSet<_> = measured
        .iter()
        .map(|row| (row.workload.as_str(), row.connections))
        .collect();
    for (workload, connections) in plan {
        let rows = measured.iter();
        let rows: Vec<_> = rows
            .filter(|row| row.workload == workload && row.connections == connections)
            .collect();
        let both = |of: fn(&Measured) -> f64| {
            [Kind::Service, Kind::Yardstick].map(|kind| figure(&rows, kind, of))
        };
        let ratio = |[own, other]: [Option<f64>; 2]| own.zip(other).map(|(own, other)| own / other);
        let speed = both(|row| row.requests_per_second);
        let allowed = both(|row| 1.0 / (cost(row) + row.generator_us));
        let [p50, p99, cpu] = [both(|row| row.p50_ms), both(|row| row.p99_ms), both(cost)];
        let peak = rows
            .iter()
            .filter(|row| row.server == Kind::Service)
            .map(|row| row.peak_mib);
        let disturbance = rows.iter().map(|row| row.disturbance).fold(0.0, f64::max);
        writeln!(
            to,
            "| {} | {connections} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0} % |",
            name(workload),
            shown(speed[0], 0),
            shown(speed[1], 0),
            shown(ratio(speed), 2),
            shown(ratio(allowed), 2),
            shown(p50[0], 2),
            shown(p50[1], 2),
            shown(p99[0], 2),
            shown(p99[1], 2),
            shown(cpu[0], 0),
            shown(cpu[1], 0),
            shown(peak.reduce(f64::max), 1),
            disturbance * 100.0
        )?;
    }
    Ok(())
}

fn name(workload: &str) -> &str {
    Workload::from_str(workload, true).map_or(workload, |known| known.name())
}

fn start(to: &mut String, starts: &[Start]) -> Outcome<()> {
    if starts.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n### Start-up and idle memory\n")?;
    writeln!(
        to,
        "| database | server | first answer after ms | idle memory MiB |\n|---|---|---:|---:|"
    )?;
    for database in DatabaseKind::ALL {
        for kind in [Kind::Service, Kind::Yardstick] {
            let of = |of: fn(&Start) -> f64| {
                let rows = starts.iter();
                median(
                    rows.filter(|row| row.database == database && row.server == kind)
                        .map(of),
                )
            };
            let (answer, idle) = (of(|row| row.first_answer_ms), of(|row| row.idle_mib));
            if let Some(answer) = answer {
                let (database, kind) = (database.name(), format!("{kind:?}").to_lowercase());
                writeln!(
                    to,
                    "| {database} | {kind} | {answer:.1} | {} |",
                    shown(idle, 1)
                )?;
            }
        }
    }
    Ok(())
}

fn memory(to: &mut String, rows: &[Memory]) -> Outcome<()> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    writeln!(to, "\n### Memory\n")?;
    writeln!(
        to,
        "| {} | resident MiB | peak MiB |\n|---|---:|---:|",
        first.database.name()
    )?;
    let mut shown = vec![0, rows.len() / 2, rows.len() - 1];
    shown.dedup();
    for row in shown.into_iter().map(|at| &rows[at]) {
        let Memory {
            requests,
            resident_mib,
            peak_mib,
            ..
        } = row;
        let requests = grouped(precise(*requests));
        writeln!(
            to,
            "| after {requests} requests | {resident_mib:.1} | {peak_mib:.1} |"
        )?;
    }
    Ok(())
}
