//! Statements that several requests share, counted by their spans.

use futures_util::future::join_all;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend, Statement, TransactionTrait};
use testkit::{Context, until};

use super::collector::Collector;
use super::execute;
use crate::support::serve;

testkit::tests![
    // The other databases have no view of the statements that wait for a lock, or no such lock.
    equal_pages_that_wait_at_the_same_moment_share_a_statement on Postgres,
];

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
        let waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'vehicle'::regclass";
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
    let statements = || {
        let spans = collector.spans().into_iter();
        let statements = spans.filter(|span| span.name() == "SELECT page of vehicle");
        statements.collect::<Vec<_>>()
    };
    until("the spans are exported", async || statements().len() == 26).await;
    let statements = statements();
    let sizes = statements
        .iter()
        .map(|span| span.attribute("db.operation.batch.size").unwrap());
    let mut sizes: Vec<usize> = sizes.map(|size| size.parse().unwrap()).collect();
    sizes.sort_unstable();
    let expected = [&[1][..], &[5; 5], &[20; 20]].concat();
    assert_eq!(sizes, expected, "three statements serve all");
}
