//! What is there before a measurement: the stored vehicles, and the machine.

use std::{
    io::{BufWriter, Write},
    path::Path,
    process::{Command, Stdio},
};

use chrono::{Days, NaiveDate};
use sea_orm::{ConnectionTrait, Database};
use testkit::{Backend, Program};

use crate::{durable::DurableDatabase, results::Row, workload::FREQUENT_BRAND};

/// The indexes of pages, which are created after the import: they would slow down that of many rows.
const PAGE_INDEXES: [&str; 4] = [
    "vehicle_launch_date",
    "vehicle_type_launch_date",
    "vehicle_model_code_launch_date",
    "vehicle_brand_name_launch_date",
];

/// A database whose vehicles are stored with the `import` command of the program.
pub(crate) fn loaded(binary: &Path, backend: Backend, rows: u64) -> DurableDatabase {
    let database = DurableDatabase::create(backend);
    let program = || {
        let program = Program::new(binary).with_variable("DATABASE_URL", &database.url);
        program.with_variable("CATALOGUE_DATABASE_TIMEOUT_SECONDS", "60")
    };
    let migrate = || {
        let output = program().command(&["migrate", "up"]).output();
        let output = output.expect("the program can be started");
        assert!(output.status.success(), "{output:?}");
    };
    migrate();
    let of_table = match backend {
        Backend::Mariadb | Backend::Mysql => " ON vehicle",
        Backend::Sqlite | Backend::Postgres => "",
    };
    let drops = PAGE_INDEXES.map(|index| format!("DROP INDEX {index}{of_table}"));
    execute(&database, drops);
    let import =
        program().command(&["import", "-", "--format", "csv", "--log-level", "warn"]).stdin(Stdio::piped()).spawn();
    let mut import = import.expect("the program can be started");
    let written = write_csv(import.stdin.take().expect("stdin is piped"), rows);
    let output = import.wait_with_output().expect("it ends");
    assert!(output.status.success() && written.is_ok(), "{output:?}");
    let record = "DELETE FROM seaql_migrations WHERE version LIKE '%create_indexes'";
    execute(&database, [record]);
    migrate();
    // The maintenance of many inserts must not run during the measurement.
    let statements: &[&str] = match backend {
        Backend::Sqlite => &["PRAGMA wal_checkpoint(TRUNCATE)"],
        Backend::Postgres => &["VACUUM ANALYZE vehicle", "CHECKPOINT"],
        Backend::Mariadb | Backend::Mysql => &["ANALYZE TABLE vehicle"],
    };
    execute(&database, statements);
    database
}

fn execute(database: &DurableDatabase, statements: impl IntoIterator<Item = impl AsRef<str>>) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime can be created");
    runtime.block_on(async {
        let db = Database::connect(&database.url).await.expect("it is reachable");
        for statement in statements {
            let done = db.execute_unprepared(statement.as_ref()).await;
            done.expect("the statement is valid");
        }
        db.close().await.expect("closing does not fail");
    });
}

/// Vehicles as a function of their row. A tenth has no brand, a tenth the same one, and a thirteenth has no
/// launch date.
fn write_csv(stdin: impl Write, rows: u64) -> std::io::Result<()> {
    let first = NaiveDate::from_ymd_opt(1985, 1, 1).expect("the date is valid");
    let mut file = BufWriter::new(stdin);
    writeln!(file, "id,type,modelCode,brandName,launchDate")?;
    for row in 1..=rows {
        let kind = ["CAR", "TRUCK", "BUS", "MOTORCYCLE"][usize::try_from(row % 4).unwrap_or(0)];
        // Knuth's multiplicative hash.
        let code = row.wrapping_mul(2_654_435_761) % (1 << 32);
        let brand = match (row % 10, row % 9) {
            (0, _) => None,
            (_, 0) => Some(FREQUENT_BRAND.to_owned()),
            _ => Some(format!("Brand {:03}", row % 400)),
        };
        let date = (!row.is_multiple_of(13)).then(|| first + Days::new(row * 7919 % 14_000));
        let [brand, date] = [brand, date.map(|date| date.to_string())].map(Option::unwrap_or_default);
        writeln!(file, "{row},{kind},MC-{code:08X},{brand},{date}")?;
    }
    file.flush()
}

/// Describes the machine.
pub(crate) fn machine() -> Vec<Row> {
    let processor = "sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1";
    let commands = [
        ("processor", &*format!("echo $(nproc) × $({processor})")),
        ("memory", "sed -n 's/^MemTotal: *//p' /proc/meminfo"),
        ("kernel", "uname -sr"),
        ("file system of the databases", "findmnt -no FSTYPE -T ${TMPDIR:-/tmp}"),
        ("compiler", "rustc --version"),
        ("PostgreSQL", "postgres --version"),
        ("MariaDB", "mariadbd --version"),
    ];
    let rows = commands.map(|(name, command)| {
        let output = Command::new("sh").args(["-c", command]).output();
        let stdout = output.map(|output| output.stdout).unwrap_or_default();
        let value = String::from_utf8_lossy(&stdout).trim().to_owned();
        vec![("name", name.to_owned()), ("value", value)]
    });
    let rows = rows.into_iter().filter(|row| !row[1].1.is_empty());
    rows.collect()
}
