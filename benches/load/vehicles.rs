//! The stored vehicles: every value is a function of the row number, counted from 1.

use std::{
    error::Error,
    io::{BufWriter, Write},
    path::Path,
    process::{Command, Stdio},
};

use chrono::{Days, NaiveDate};
use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use serde_json::{Value, json};

use testkit::Backend;

use crate::{Outcome, durable::DurableDatabase};

const TYPES: [&str; 4] = ["CAR", "TRUCK", "BUS", "MOTORCYCLE"];

/// The vehicle of a row in GraphQL. A tenth has no brand, a thirteenth no launch date.
pub(crate) fn vehicle(row: u64) -> Value {
    let launch_date = || {
        let first = NaiveDate::from_ymd_opt(1985, 1, 1).expect("the date is valid");
        (first + Days::new(row * 7919 % 14_000)).to_string()
    };
    json!({
        "id": row.to_string(),
        "type": TYPES[usize::try_from(row % 4).expect("it is less than 4")],
        // Knuth's multiplicative hash.
        "modelCode": format!("MC-{:08X}", row.wrapping_mul(2_654_435_761) % (1 << 32)),
        "brandName": (!row.is_multiple_of(10)).then(|| format!("Brand {:03}", row % 400)),
        "launchDate": (!row.is_multiple_of(13)).then(launch_date),
    })
}

/// A database with vehicles in rows 1 to `rows`.
pub(crate) struct LoadedDatabase {
    pub(crate) backend: Backend,
    pub(crate) rows: u64,
    pub(crate) database: DurableDatabase,
}

impl LoadedDatabase {
    /// Creates a database and stores the vehicles with the `import` command of the program.
    pub(crate) fn create(binary: &Path, backend: Backend, rows: u64) -> Outcome<Self> {
        let database = DurableDatabase::create(backend);
        import(binary, &database.url, rows)?;
        run_maintenance(&database.url, backend)?;
        Ok(Self {
            backend,
            rows,
            database,
        })
    }
}

fn import(binary: &Path, url: &str, rows: u64) -> Outcome<()> {
    let mut import = Command::new(binary)
        .env_clear()
        .env("DATABASE_URL", url)
        .env("CATALOGUE_DATABASE_TIMEOUT_SECONDS", "60")
        .env("CATALOGUE_LOG", "warn")
        .args(["import", "-", "--format", "csv"])
        .stdin(Stdio::piped())
        .spawn()?;
    let written = write_csv(import.stdin.take().expect("stdin is piped"), rows);
    let status = import.wait()?;
    if !status.success() {
        return Err(format!("the import failed with {status}").into());
    }
    Ok(written?)
}

fn write_csv(stdin: impl Write, rows: u64) -> std::io::Result<()> {
    let mut file = BufWriter::new(stdin);
    let columns = ["id", "type", "modelCode", "brandName", "launchDate"];
    writeln!(file, "{}", columns.join(","))?;
    for row in 1..=rows {
        let vehicle = vehicle(row);
        let cells = columns.map(|column| vehicle[column].as_str().unwrap_or_default());
        writeln!(file, "{}", cells.join(","))?;
    }
    file.flush()
}

/// Runs the maintenance of many inserts now instead of during the measurement.
fn run_maintenance(url: &str, backend: Backend) -> Outcome<()> {
    let statements: &[&str] = if backend == Backend::Sqlite {
        &["PRAGMA wal_checkpoint(TRUNCATE)"]
    } else if backend == Backend::Postgres {
        &["VACUUM ANALYZE vehicle", "CHECKPOINT"]
    } else {
        &["ANALYZE TABLE vehicle"]
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).sqlx_logging(false);
        let db = Database::connect(options).await?;
        for statement in statements {
            db.execute_unprepared(statement).await?;
        }
        Ok::<_, Box<dyn Error>>(db.close().await?)
    })
}
