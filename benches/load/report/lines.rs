//! What depends on a number: a table with a column for each, and lines of a plot.

use std::{collections::BTreeSet, fmt::Write};

use super::{cost, figure, name, shown};
use crate::{
    Outcome,
    measure::precise,
    plot::{Panel, Series, grouped},
    results::Measured,
    server::Kind,
};

/// The rows of a database and a workload, and where they are along the x axis.
fn lines(measured: &[Measured]) -> BTreeSet<(&'static str, &str)> {
    measured
        .iter()
        .map(|row| (row.database.name(), row.workload.as_str()))
        .collect()
}

fn at<'a>(
    measured: &'a [Measured],
    line: (&str, &str),
    x: u64,
    of: fn(&Measured) -> u64,
) -> Vec<&'a Measured> {
    let rows = measured.iter();
    rows.filter(|row| (row.database.name(), row.workload.as_str()) == line && of(row) == x)
        .collect()
}

/// A table with a column for each place on the x axis.
pub(super) fn table(
    to: &mut String,
    title: &str,
    unit: &str,
    measured: &[Measured],
    x: fn(&Measured) -> u64,
) -> Outcome<()> {
    if measured.is_empty() {
        return Ok(());
    }
    let columns: BTreeSet<u64> = measured.iter().map(x).collect();
    writeln!(
        to,
        "\n### {title}\n\nRequests per second, CPU µs of a request, p99 ms, peak MiB.\n"
    )?;
    let heads = columns
        .iter()
        .map(|&column| format!(" {} {unit} |", grouped(precise(column))));
    writeln!(to, "| database | workload |{}", heads.collect::<String>())?;
    writeln!(to, "|---|---|{}", "---:|".repeat(columns.len()))?;
    for line in lines(measured) {
        write!(to, "| {} | {} |", line.0, name(line.1))?;
        for &column in &columns {
            let rows = at(measured, line, column, x);
            let of = |of: fn(&Measured) -> f64| figure(&rows, Kind::Service, of);
            let (speed, cost) = (
                shown(of(|row| row.requests_per_second), 0),
                shown(of(cost), 0),
            );
            let (p99, peak) = (
                shown(of(|row| row.p99_ms), 2),
                shown(of(|row| row.peak_mib), 1),
            );
            write!(to, " {speed}, {cost}, {p99}, {peak} |")?;
        }
        writeln!(to)?;
    }
    Ok(())
}

/// The same as lines of requests per second.
pub(super) fn panel(
    title: &'static str,
    unit: &'static str,
    measured: &[Measured],
    x: fn(&Measured) -> u64,
) -> Panel {
    let columns: BTreeSet<u64> = measured.iter().map(x).collect();
    let series = lines(measured).into_iter().map(|line| {
        let points = columns.iter().filter_map(|&column| {
            let rows = at(measured, line, column, x);
            let speed = figure(&rows, Kind::Service, |row| row.requests_per_second)?;
            Some((precise(column), speed))
        });
        Series {
            name: format!("{}, {}", line.0, name(line.1)),
            points: points.collect(),
        }
    });
    Panel {
        title,
        x: unit,
        series: series.collect(),
    }
}
