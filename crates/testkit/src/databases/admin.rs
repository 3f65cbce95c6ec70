//! Creates and drops databases on a server.

use std::thread;

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbErr};

/// The URL of another database on the same server.
pub(super) fn with_database(url: &str, name: &str) -> String {
    let (address, parameters) = match url.split_once('?') {
        Some((address, parameters)) => (address, format!("?{parameters}")),
        None => (url, String::new()),
    };
    let authority = address.find("://").map_or(0, |index| index + 3);
    let end = address[authority..]
        .find('/')
        .map_or(address.len(), |index| authority + index);
    format!("{}/{name}{parameters}", &address[..end])
}

pub(super) fn create_database(admin_url: &str, name: &str) {
    let created = execute(admin_url, vec![format!("CREATE DATABASE {name}")]);
    created.unwrap_or_else(|error| panic!("cannot create a test database: {error}"));
}

/// Best effort: the server may be gone already.
pub(super) fn drop_database(admin_url: &str, name: &str) {
    let statements = if admin_url.starts_with("postgres") {
        vec![format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")]
    } else {
        // An open transaction of a test must not block the drop for long.
        vec![
            "SET SESSION lock_wait_timeout = 5".to_owned(),
            format!("DROP DATABASE IF EXISTS {name}"),
        ]
    };
    let _ = execute(admin_url, statements);
}

/// Whether the server accepts queries.
pub(super) fn is_ready(admin_url: &str) -> bool {
    execute(admin_url, vec!["SELECT 1".to_owned()]).is_ok()
}

/// Executes statements on a new connection. Uses a thread of its own, because callers may or may not be
/// inside a runtime, and `Drop` cannot await a future.
fn execute(admin_url: &str, statements: Vec<String>) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(admin_url);
    options.max_connections(1).sqlx_logging(false);
    options
        .acquire_timeout(std::time::Duration::from_secs(30))
        .connect_lazy(true);
    let run = async move {
        let db = Database::connect(options).await?;
        for statement in statements {
            db.execute_unprepared(&statement).await?;
        }
        db.close().await
    };
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.expect("a runtime can be made").block_on(run)
        });
        thread
            .join()
            .expect("the administrative thread does not panic")
    })
}
