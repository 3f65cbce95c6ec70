//! Statements that several requests share, counted by their spans.

use futures_util::future::join_all;
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DbBackend, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};
use testkit::{Backend, Context, until};

use super::collector::{Collector, Span};
use super::execute;
use crate::support::serve;

testkit::tests![
    // The other databases have no view of the statements that wait for a lock, or no such lock.
    equal_pages_that_wait_at_the_same_moment_share_a_statement on Postgres,
    // Elsewhere all changes of a transaction would wait for a row that is locked.
    changes_that_wait_at_the_same_moment_share_a_transaction on Sqlite,
    a_statement_names_its_server on Postgres Mariadb,
];

/// The sizes of the batches of these statements, as soon as `count` requests have a span, in ascending order.
async fn batch_sizes(collector: &Collector, name: &str, count: usize) -> Vec<usize> {
    let sizes = || {
        let spans = collector.spans().into_iter();
        let statements = spans.filter(|span| span.name() == name);
        let size = |span: Span| span.attribute("db.operation.batch.size")?.parse().ok();
        let mut sizes: Vec<usize> = statements.map(|span| size(span).unwrap()).collect();
        sizes.sort_unstable();
        sizes
    };
    until("the spans are exported", async || sizes().len() == count).await;
    sizes()
}

async fn equal_pages_that_wait_at_the_same_moment_share_a_statement(context: Context) {
    let collector = Collector::start().await;
    let database = context.database();
    let service = serve(database.url(), &[&collector.flag(), "--statements=1"]).await;
    let mut options = ConnectOptions::new(database.url());
    options.max_connections(2).sqlx_logging(false);
    let db = Database::connect(options).await.unwrap();
    let lock = db.begin().await.unwrap();
    let exclusive = "LOCK TABLE vehicle IN ACCESS EXCLUSIVE MODE";
    lock.execute_unprepared(exclusive).await.unwrap();
    let page = async |first: usize| {
        let query = format!("{{ vehiclesConnection(first: {first}) {{ nodes {{ id }} }} }}");
        let response = execute(&service, &query, None).await;
        assert!(response.get("errors").is_none(), "{response}");
    };
    let equal = async {
        // Not the statement of the readiness check, which metrics run and which reads expressions of the table.
        let waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
             AND wait_event_type = 'Lock' AND query LIKE '%FROM \"vehicle\"%LIMIT%'";
        until("the first statement waits", async || {
            let waiting = Statement::from_string(DbBackend::Postgres, waiting);
            db.query_one_raw(waiting).await.unwrap().is_some()
        })
        .await;
        let pages = [[2; 20].as_slice(), &[3; 5]].concat();
        join_all(pages.into_iter().map(page)).await;
    };
    let unlock = async {
        until("the others wait", async || {
            service.count("catalogue_pool_waiting{pool=\"shared\"}") == 25
        })
        .await;
        lock.rollback().await.unwrap();
    };
    tokio::join!(page(1), equal, unlock);
    let sizes = batch_sizes(&collector, "SELECT page of vehicle", 26).await;
    let expected = [&[1][..], &[5; 5], &[20; 20]].concat();
    assert_eq!(sizes, expected, "three statements serve all");
}

async fn changes_that_wait_at_the_same_moment_share_a_transaction(context: Context) {
    const CHANGES: usize = 20;
    let collector = Collector::start().await;
    let database = context.database();
    let service = serve(database.url(), &[&collector.flag()]).await;
    for _ in 0..=CHANGES {
        let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
        execute(&service, create, None).await;
    }
    let other = Database::connect(database.url()).await.unwrap();
    let immediate = Some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions {
        sqlite_transaction_mode: immediate,
        ..TransactionOptions::default()
    };
    let lock = other.begin_with_options(options).await.unwrap();
    let change = async |id: usize| {
        let change = format!("id: {id}, changes: {{ type: \"Car\" }}");
        let query = format!("mutation {{ updateVehicle({change}) {{ version }} }}");
        let response = execute(&service, &query, None).await;
        assert_eq!(
            response["data"]["updateVehicle"]["version"], 2,
            "{response}"
        );
    };
    let others = async {
        until("the first change waits for the file", async || {
            service.count("catalogue_pool_connections_idle{pool=\"writer\"}") == 0
        })
        .await;
        join_all((2..=CHANGES + 1).map(change)).await;
    };
    let unlock = async {
        until("the others wait", async || {
            service.count("catalogue_pool_waiting{pool=\"writer\"}") == CHANGES
        })
        .await;
        lock.rollback().await.unwrap();
    };
    tokio::join!(change(1), others, unlock);
    let sizes = batch_sizes(&collector, "UPDATE vehicle", CHANGES + 1).await;
    let expected = [&[1][..], &[CHANGES; CHANGES]].concat();
    assert_eq!(sizes, expected, "two transactions execute all");
}

async fn a_statement_names_its_server(context: Context) {
    let collector = Collector::start().await;
    let database = context.database();
    let url = match context.backend {
        Backend::Postgres => database.url().to_owned(),
        _ => database.url().replacen("mysql:", "mariadb:", 1),
    };
    let service = serve(&url, &[&collector.flag()]).await;
    execute(&service, "{ vehicle(id: 1) { id } }", None).await;
    let name = "SELECT vehicle by id";
    let (_, namespace) = url.rsplit_once('/').unwrap();
    let system = match context.backend {
        Backend::Postgres => "postgresql",
        _ => "mariadb",
    };
    until("the trace is exported", async || {
        let spans = collector.spans();
        spans.iter().any(|span| span.name() == "POST /graphql")
    })
    .await;
    let spans = collector.spans();
    let statement = spans.iter().find(|span| span.name() == name).unwrap();
    for (key, value) in [
        ("db.system.name", system),
        ("db.namespace", namespace),
        ("db.query.summary", name),
        ("server.address", "127.0.0.1"),
    ] {
        assert_eq!(statement.attribute(key), Some(value), "{statement:?}");
    }
    let request = spans.iter().find(|span| span.name() == "POST /graphql");
    let request = request.unwrap();
    assert_eq!(request.attribute("url.scheme"), Some("http"));
    assert_eq!(request.attribute("url.path"), Some("/graphql"));
    let port = statement.attribute("server.port").unwrap();
    assert!(url.contains(&format!(":{port}/")), "{statement:?}");
}
