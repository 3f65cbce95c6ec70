//! Others who want the same rows at the same moment.

use std::{
    process::Child,
    time::{Duration, Instant},
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use tokio::{runtime::Builder, sync::Mutex, time::sleep};

use crate::{
    cases,
    databases::Backend,
    fixture::{Ended, Fixture, HEADER, ended, rows},
};

cases![
    a_batch_that_a_deadlock_has_undone_is_stored_again on Postgres Mysql,
    a_deadlock_ends_an_import_that_is_one_transaction on Postgres Mysql,
];

/// More than one statement stores, so that a batch holds rows while it waits for another.
const ROWS: u64 = 1000;

/// A row of the batch's first statement, and one of its second.
const EARLY: u64 = 5;
const LATE: u64 = 700;

fn a_batch_that_a_deadlock_has_undone_is_stored_again(fixture: &Fixture) {
    let ended = import_into_a_deadlock(fixture, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let said = format!("{ROWS} stored, 0 were there already");
    assert!(ended.stderr.contains(&said), "{}", ended.stderr);
    let all = format!("{HEADER}{}{}", rows(1..=ROWS), rows(100_000..=100_000));
    assert_eq!(fixture.exported(), all);
}

fn a_deadlock_ends_an_import_that_is_one_transaction(fixture: &Fixture) {
    // The last batch is undone, and on MariaDB with it those before.
    let flags = ["--all-or-nothing"];
    let ended = import_into_a_deadlock(fixture, &flags);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let said = "nothing is stored";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert_eq!(fixture.count(), 1);
}

/// The import of a file whose rows another transaction stores in the opposite order, and takes back.
fn import_into_a_deadlock(fixture: &Fixture, flags: &[&str]) -> Ended {
    // The ids that the database makes are beyond those of the file: nobody has to lock the table.
    fixture.write("high.csv", format!("{HEADER}{}", rows(100_000..=100_000)));
    fixture.succeed(&["import", "high.csv"]);
    fixture.write("vehicles.csv", format!("{HEADER}{}", rows(1..=ROWS)));
    let arguments = [&["import", "vehicles.csv"], flags].concat();
    let import = || fixture.command(&arguments).spawn().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build();
    let process = runtime.unwrap().block_on(deadlock(fixture, import));
    ended(process.wait_with_output().unwrap())
}

async fn deadlock(fixture: &Fixture, import: impl Fn() -> Child) -> Child {
    let (stranger, observer) = (stranger(fixture).await, stranger(fixture).await);
    if fixture.backend == Backend::Postgres {
        // Whose patience ends first is undone: that is the import, but not before this is ready.
        let (_, name) = fixture.database_url().rsplit_once('/').unwrap();
        let patience = format!("ALTER DATABASE {name} SET deadlock_timeout = '3s'");
        observer.execute_unprepared(&patience).await.unwrap();
        let longer = "SET deadlock_timeout = '1min'";
        stranger.execute_unprepared(longer).await.unwrap();
    }
    stranger.execute_unprepared("BEGIN").await.unwrap();
    // MariaDB undoes whoever has written less.
    store(&stranger, 200_000..202_000).await;
    store(&stranger, LATE..LATE + 1).await;
    let process = import();
    let started = Instant::now();
    while !somebody_waits(fixture.backend, &observer).await {
        assert!(started.elapsed() < Duration::from_secs(15), "nobody waits");
    }
    store(&stranger, EARLY..EARLY + 1).await;
    stranger.execute_unprepared("ROLLBACK").await.unwrap();
    process
}

async fn stranger(fixture: &Fixture) -> DatabaseConnection {
    let mut options = ConnectOptions::new(fixture.database_url());
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

async fn store(stranger: &DatabaseConnection, ids: std::ops::Range<u64>) {
    let rows = ids.map(|id| format!("({id}, 'SUV', 'other')"));
    let rows = rows.collect::<Vec<_>>().join(", ");
    let insert = format!("INSERT INTO vehicle (id, type, model_code) VALUES {rows}");
    stranger.execute_unprepared(&insert).await.unwrap();
}

/// MariaDB renews what it tells about transactions only when nobody has asked for a tenth of a second:
/// those who ask at the same time would see the same for ever.
static ASKING: Mutex<()> = Mutex::const_new(());

async fn somebody_waits(backend: Backend, observer: &DatabaseConnection) -> bool {
    let waiting = match backend {
        Backend::Mysql => {
            "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist \
             ON id = trx_mysql_thread_id WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'"
        }
        _ => {
            "SELECT 1 FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'"
        }
    };
    let waiting = Statement::from_string(observer.get_database_backend(), waiting);
    let _alone = ASKING.lock().await;
    sleep(Duration::from_millis(150)).await;
    observer.query_one_raw(waiting).await.unwrap().is_some()
}
