//! Reads the table of vehicles directly, without the service.

use migration::State;
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use testkit::connect;

use crate::oracle::Content;

/// A stored vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) content: Content,
}

/// Every stored vehicle, in ascending order of id.
pub(crate) async fn all(url: &str) -> Vec<Row> {
    let statement = "SELECT id, type, model_code, brand_name, CAST(launch_date AS CHAR(10)) \
         FROM vehicle ORDER BY id";
    select(url, statement).await.iter().map(row).collect()
}

/// Asserts that exactly the migrations of the program are applied, each once.
pub(crate) async fn assert_migrated_once(url: &str) {
    let applied = select(url, "SELECT version FROM seaql_migrations ORDER BY version").await;
    let applied: Vec<String> = applied.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    let connection = connect(url).await;
    let known = migration::status(&connection).await.unwrap();
    connection.close().await.unwrap();
    assert!(known.iter().all(|one| one.state == State::Applied));
    let known: Vec<_> = known.into_iter().map(|one| one.name).collect();
    assert_eq!(applied, known);
}

async fn select(url: &str, statement: &str) -> Vec<QueryResult> {
    let connection = connect(url).await;
    let query = Statement::from_string(connection.get_database_backend(), statement);
    let rows = connection.query_all_raw(query).await.unwrap();
    connection.close().await.unwrap();
    rows
}

fn row(row: &QueryResult) -> Row {
    Row {
        id: row.try_get_by_index(0).unwrap(),
        content: Content {
            r#type: row.try_get_by_index(1).unwrap(),
            model_code: row.try_get_by_index(2).unwrap(),
            brand_name: row.try_get_by_index(3).unwrap(),
            launch_date: row.try_get_by_index(4).unwrap(),
        },
    }
}
