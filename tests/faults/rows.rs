//! The table of vehicles as somebody sees it who does not know the service.

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, QueryResult, Statement,
};

use crate::oracle::Content;

/// A stored vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) content: Content,
}

/// Every stored vehicle, in ascending order of id.
pub(crate) async fn all(url: &str) -> Vec<Row> {
    let query = "SELECT id, type, model_code, brand_name, CAST(launch_date AS CHAR(10)) \
         FROM vehicle ORDER BY id";
    ask(url, query).await.iter().map(row).collect()
}

/// Fails unless each migration that the program knows was applied once, and none that it does not know.
pub(crate) async fn assert_migrated_once(url: &str) {
    let applied = ask(url, "SELECT version FROM seaql_migrations ORDER BY version").await;
    let applied: Vec<String> = applied
        .iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect();
    assert_eq!(applied, migration::known());
}

/// A connection of its own.
pub(crate) async fn stranger(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

async fn ask(url: &str, query: &str) -> Vec<QueryResult> {
    let stranger = stranger(url).await;
    let query = Statement::from_string(stranger.get_database_backend(), query);
    let rows = stranger.query_all_raw(query).await.unwrap();
    stranger.close().await.unwrap();
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
