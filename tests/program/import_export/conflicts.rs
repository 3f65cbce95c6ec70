//! Imports that deadlock with a concurrent transaction.

use std::{
    process::Child,
    time::{Duration, Instant},
};

use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use testkit::{Backend, CommandOutput, connect};
use tokio::{runtime::Builder, sync::Mutex, time::sleep};

use super::fixture::{Fixture, rows, table};

testkit::tests![
    a_batch_that_a_deadlock_rolls_back_is_retried on Postgres Mariadb Mysql,
];

/// More rows than one statement inserts, so that a batch holds locks while it waits for another.
const ROWS: u64 = 1000;

/// A row of the batch's first statement, and one of its second.
const EARLY: u64 = 5;
const LATE: u64 = 700;

fn a_batch_that_a_deadlock_rolls_back_is_retried(fixture: &Fixture) {
    let output = import_into_a_deadlock(fixture);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let expected = format!("{ROWS} stored, 0 unchanged");
    assert!(output.stderr.contains(&expected), "{}", output.stderr);
    let all = table(&format!("{}{}", rows(1..=ROWS), rows(100_000..=100_000)));
    assert_eq!(fixture.exported(), all);
}

/// Imports a file whose rows another transaction inserts in the opposite order, and rolls back.
fn import_into_a_deadlock(fixture: &Fixture) -> CommandOutput {
    // The generated ids are above those of the file, so that the import does not lock the table.
    fixture.write("high.csv", table(&rows(100_000..=100_000)));
    fixture.succeed(&["import", "high.csv"]);
    fixture.write("vehicles.csv", table(&rows(1..=ROWS)));
    let import = || fixture.command(&["import", "vehicles.csv"]).spawn().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build();
    let process = runtime.unwrap().block_on(deadlock(fixture, import));
    CommandOutput::from(process.wait_with_output().unwrap())
}

async fn deadlock(fixture: &Fixture, import: impl Fn() -> Child) -> Child {
    let (competitor, observer) = (connect(fixture.database_url()).await, connect(fixture.database_url()).await);
    if fixture.backend == Backend::Postgres {
        // The transaction whose deadlock timeout expires first is aborted: the import.
        let (_, name) = fixture.database_url().rsplit_once('/').unwrap();
        let shorter = format!("ALTER DATABASE {name} SET deadlock_timeout = '3s'");
        observer.execute_unprepared(&shorter).await.unwrap();
        let longer = "SET deadlock_timeout = '1min'";
        competitor.execute_unprepared(longer).await.unwrap();
    }
    competitor.execute_unprepared("BEGIN").await.unwrap();
    // MariaDB aborts the transaction that has written fewer rows.
    store(&competitor, 200_000..202_000).await;
    store(&competitor, LATE..LATE + 1).await;
    let process = import();
    let started = Instant::now();
    while !lock_wait_exists(fixture.backend, &observer).await {
        assert!(started.elapsed() < Duration::from_secs(15), "nobody waits");
    }
    store(&competitor, EARLY..EARLY + 1).await;
    competitor.execute_unprepared("ROLLBACK").await.unwrap();
    process
}

async fn store(competitor: &DatabaseConnection, ids: std::ops::Range<u64>) {
    let rows = ids.map(|id| format!("({id}, 'SUV', 'other')"));
    let rows = rows.collect::<Vec<_>>().join(", ");
    let insert = format!("INSERT INTO vehicle (id, type, model_code) VALUES {rows}");
    competitor.execute_unprepared(&insert).await.unwrap();
}

/// MariaDB refreshes `innodb_trx` only after 0.1 seconds without a query, so that concurrent queries
/// would prevent it.
static OBSERVING: Mutex<()> = Mutex::const_new(());

async fn lock_wait_exists(backend: Backend, observer: &DatabaseConnection) -> bool {
    let waiting = match backend {
        // `innodb_trx` has the text of the statement, which MySQL cannot convert if it has a creation key.
        Backend::Mysql => {
            "SELECT 1 FROM performance_schema.data_locks \
             WHERE object_schema = DATABASE() AND lock_status = 'WAITING'"
        }
        Backend::Mariadb => {
            "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist \
             ON id = trx_mysql_thread_id WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'"
        }
        _ => {
            "SELECT 1 FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'"
        }
    };
    let waiting = Statement::from_string(observer.get_database_backend(), waiting);
    let _guard = OBSERVING.lock().await;
    sleep(Duration::from_millis(150)).await;
    observer.query_one_raw(waiting).await.unwrap().is_some()
}
