//! Creates and drops databases on a server.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::Url;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr};

/// Opens one connection to a database, outside of the program under test.
pub async fn connect(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let connection = Database::connect(options).await;
    connection.unwrap_or_else(|error| panic!("cannot connect to the database: {error}"))
}

/// Creates an empty database and returns its URL.
pub(super) fn create_database(admin_url: &str, name: &str) -> String {
    let created = execute(admin_url, &[&format!("CREATE DATABASE {name}")]);
    created.unwrap_or_else(|error| panic!("cannot create a test database: {error}"));
    let mut url = Url::parse(admin_url).expect("the database was created with it");
    url.set_path(&format!("/{name}"));
    url.into()
}

/// Best effort: the server may be gone already.
pub(super) fn drop_database(admin_url: &str, name: &str) {
    let drop = format!("DROP DATABASE IF EXISTS {name}");
    let _ = if admin_url.starts_with("postgres") {
        execute(admin_url, &[&format!("{drop} WITH (FORCE)")])
    } else {
        // An open transaction of a test must not block the drop for long.
        execute(admin_url, &["SET SESSION lock_wait_timeout = 5", &drop])
    };
}

/// Whether the database exists and its server accepts queries.
pub fn is_ready(url: &str) -> bool {
    execute(url, &["SELECT 1"]).is_ok()
}

/// Executes statements on a new connection. Uses a thread of its own, because callers may or may not be
/// inside a runtime, and `Drop` cannot await a future.
fn execute(admin_url: &str, statements: &[&str]) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(admin_url);
    options.max_connections(1).sqlx_logging(false);
    options.acquire_timeout(std::time::Duration::from_secs(30)).connect_lazy(true);
    let run = async move {
        let db = Database::connect(options).await?;
        for statement in statements {
            db.execute_unprepared(statement).await?;
        }
        db.close().await
    };
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime can be made").block_on(run)
        });
        thread.join().expect("the administrative thread does not panic")
    })
}

/// A name that differs between test runs, since a killed run leaves its databases on a given server.
pub(super) fn unique_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since_epoch| since_epoch.as_millis());
    format!("testkit_{now}_{}_{number}", std::process::id())
}
