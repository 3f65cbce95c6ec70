//! The migrations of a release on a table with many rows, while an instance of the release before writes and reads.
//!
//! `cargo bench --bench migrations -- --rows 1000000 [--database postgres,mariadb]`

#![allow(clippy::print_stdout, reason = "this is a command line")]

mod durable;

use std::{
    error::Error,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use clap::{Parser, value_parser};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::{Backend, connect};
use tokio::time::sleep;
use vehicle_catalogue::store::{self, Database, DatabaseUrl};

use durable::DurableDatabase;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The migrations of the first release.
const BEFORE: usize = 1;

/// Rows that are different; the others are copies.
const DIFFERENT_ROWS: u64 = 10_000;

/// The duration of the measurement before the migrations.
const BASELINE: Duration = Duration::from_secs(5);

const INSERT: &str = "INSERT INTO vehicle (type, model_code, brand_name, launch_date) \
     VALUES ('SUV', 'XC60', 'Volvo', '2017-03-07')";

const FIND: &str = "SELECT id, type, model_code, brand_name, launch_date FROM vehicle WHERE id = 7";

/// Measures the migrations on tables with many rows
#[derive(Parser)]
#[command(name = "cargo bench --bench migrations --")]
struct CommandLine {
    /// The number of rows; nothing is measured without it
    #[arg(long, value_parser = value_parser!(u64).range(DIFFERENT_ROWS..=100_000_000))]
    rows: Option<u64>,
    /// The databases, such as postgres,mariadb
    #[arg(long, value_delimiter = ',', default_value = "postgres,mariadb")]
    database: Vec<Backend>,
    /// Passed by Cargo to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let CommandLine { rows, database, .. } = CommandLine::parse();
    let Some(rows) = rows else {
        return Ok(());
    };
    println!("| database | rows | migrations | MiB before → after | longest insert, lookup before | during |");
    println!("|---|---:|---:|---:|---:|---:|");
    for backend in database {
        Box::pin(measure(backend, rows)).await?;
    }
    Ok(())
}

async fn measure(backend: Backend, rows: u64) -> Outcome<()> {
    let database = DurableDatabase::create(backend);
    let service = Database::connect(settings(&database.url)).await?;
    service.migrate_up().await?;
    let newer = u32::try_from(service.migration_status().await?.len() - BEFORE)?;
    service.migrate_down(newer).await?;
    let db = connect(&database.url).await;
    let rows = fill(&db, rows).await?;
    let size_before = mebibytes(&db, backend).await?;
    let older = [connect(&database.url).await, connect(&database.url).await];
    let (before, ()) = observe(&older, async {
        sleep(BASELINE).await;
        Ok(())
    })
    .await?;
    let (during, elapsed) = observe(&older, async {
        let started = Instant::now();
        Box::pin(service.migrate_up()).await?;
        Ok(started.elapsed())
    })
    .await?;
    let size_after = mebibytes(&db, backend).await?;
    let [before, during] = [before, during].map(|longest: [Duration; 2]| {
        let [insert, lookup] = longest.map(|duration| duration.as_millis());
        format!("{insert} ms, {lookup} ms")
    });
    println!(
        "| {} | {rows} | {:.1} s | {size_before} → {size_after} | {before} | {during} |",
        backend.name(),
        elapsed.as_secs_f64(),
    );
    Ok(())
}

/// Inserts and looks up one row after the other during an event.
async fn observe<T>(
    older: &[DatabaseConnection; 2],
    event: impl Future<Output = Outcome<T>>,
) -> Outcome<([Duration; 2], T)> {
    let is_done = AtomicBool::new(false);
    let longest = async |db: &DatabaseConnection, sql: &str| {
        let mut longest = Duration::ZERO;
        while !is_done.load(Ordering::Relaxed) {
            let started = Instant::now();
            db.execute_unprepared(sql).await?;
            longest = longest.max(started.elapsed());
            sleep(Duration::from_millis(1)).await;
        }
        Outcome::Ok(longest)
    };
    let event = async {
        let result = event.await;
        is_done.store(true, Ordering::Relaxed);
        result
    };
    let (inserts, lookups, result) = tokio::join!(longest(&older[0], INSERT), longest(&older[1], FIND), event);
    Ok(([inserts?, lookups?], result?))
}

/// Inserts rows, of which each third has no launch date, and returns their number.
async fn fill(db: &DatabaseConnection, rows: u64) -> Outcome<u64> {
    let insert = "INSERT INTO vehicle (type, model_code, brand_name, launch_date)";
    for start in (0..DIFFERENT_ROWS).step_by(1000) {
        let values = (start..start + 1000).map(|number| {
            let date = if number.is_multiple_of(3) {
                "NULL".to_owned()
            } else {
                let (year, month, day) = (1990 + number % 37, 1 + number % 12, 1 + number % 28);
                format!("'{year}-{month:02}-{day:02}'")
            };
            let (ty, model, brand) = (number % 20, number % 2000, number % 60);
            format!("('Type {ty}', 'Model {model}', 'Brand {brand}', {date})")
        });
        let values: Vec<_> = values.collect();
        let insert = format!("{insert} VALUES {}", values.join(", "));
        db.execute_unprepared(&insert).await?;
    }
    let mut filled = DIFFERENT_ROWS;
    while filled < rows {
        let count = filled.min(rows - filled).min(500_000);
        let copy = format!("{insert} SELECT type, model_code, brand_name, launch_date FROM vehicle LIMIT {count}");
        filled += db.execute_unprepared(&copy).await?.rows_affected();
    }
    Ok(filled)
}

/// The size of the table with its indexes.
async fn mebibytes(db: &DatabaseConnection, backend: Backend) -> Outcome<i64> {
    let (prepare, query) = match backend {
        Backend::Sqlite => (
            "PRAGMA wal_checkpoint(TRUNCATE)",
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        ),
        Backend::Postgres => ("VACUUM ANALYZE vehicle", "SELECT pg_total_relation_size('vehicle')"),
        Backend::Mariadb | Backend::Mysql => (
            "ANALYZE TABLE vehicle",
            "SELECT CAST(data_length + index_length AS SIGNED) FROM information_schema.tables \
             WHERE table_schema = DATABASE() AND table_name = 'vehicle'",
        ),
    };
    if backend == Backend::Mysql {
        let uncached = "SET SESSION information_schema_stats_expiry = 0";
        db.execute_unprepared(uncached).await?;
    }
    db.execute_unprepared(prepare).await?;
    let query = Statement::from_string(db.get_database_backend(), query);
    let row = db.query_one_raw(query).await?.ok_or("no row")?;
    let bytes: i64 = row.try_get_by_index(0)?;
    Ok(bytes / (1024 * 1024))
}

fn settings(url: &str) -> store::Settings {
    let timeout = Duration::from_secs(30);
    store::Settings {
        url: DatabaseUrl::parse(url).expect("the URL is valid"),
        pool_size: 2,
        timeout,
        connect_timeout: timeout,
        migration_lock_timeout: timeout,
    }
}
