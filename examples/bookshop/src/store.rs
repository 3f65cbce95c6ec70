//! Authors and books in SQLite. One statement loads the rows for all objects of a list.

mod insert;

use std::{collections::HashMap, hash::Hash, time::Duration};

use async_graphql::{
    InputType, Pos,
    dataloader::{DataLoader, Loader},
};
use database::{Application, Database, Error, Inserter, Migration, Reader, Step};
use sea_orm::{DbBackend, DbErr, FromQueryResult, QueryResult, Statement, Value};
use tokio::sync::broadcast;

use crate::{contract::Genre, isbn::Isbn};

/// The tables of the bookshop.
pub const APPLICATION: Application = Application {
    name: "bookshop",
    table: "book",
    migrations: &[Migration {
        name: "create_tables",
        steps: |_| {
            vec![Step::Sql {
                up: include_str!("tables.sql"),
                down: "DROP TABLE book; DROP TABLE author",
            }]
        },
    }],
    columns: Vec::new,
};

#[derive(Clone, FromQueryResult)]
pub(crate) struct AuthorRow {
    pub(crate) id: i64,
    pub(crate) name: String,
}

#[derive(Clone)]
pub(crate) struct BookRow {
    pub(crate) id: i64,
    pub(crate) isbn: Isbn,
    pub(crate) title: String,
    pub(crate) genre: Genre,
    pub(crate) publisher: String,
    pub(crate) author_id: i64,
}

impl FromQueryResult for BookRow {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.try_get(prefix, "id")?,
            isbn: parse(row, "isbn")?,
            title: row.try_get(prefix, "title")?,
            genre: parse(row, "genre")?,
            publisher: row.try_get(prefix, "publisher")?,
            author_id: row.try_get(prefix, "author_id")?,
        })
    }
}

/// Parses a value that is stored in the form of the contract.
fn parse<T: InputType>(row: &QueryResult, column: &str) -> Result<T, DbErr> {
    let text: String = row.try_get("", column)?;
    T::parse(Some(text.into())).map_err(|error| {
        let error = error.into_server_error(Pos::default());
        DbErr::Type(error.message)
    })
}

/// Loads the rows of a table by the values of a column, at most `limit` for each value, in the order of their ids.
pub(crate) struct RowsBy<K, R> {
    reader: Reader,
    limit: u32,
    table: &'static str,
    column: &'static str,
    key: fn(&R) -> K,
}

impl<K, R> Loader<K> for RowsBy<K, R>
where
    K: Clone + Eq + Hash + Into<Value> + Send + Sync + 'static,
    R: FromQueryResult + Clone + Send + Sync + 'static,
{
    type Value = Vec<R>;
    type Error = Error;

    async fn load(&self, keys: &[K]) -> Result<HashMap<K, Vec<R>>, Error> {
        let (table, column, limit) = (self.table, self.column, self.limit);
        let placeholders = vec!["?"; keys.len()].join(", ");
        let sql = format!(
            "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {column} ORDER BY id) AS number
             FROM {table} WHERE {column} IN ({placeholders})) WHERE number <= {limit} ORDER BY id"
        );
        let values = keys.iter().cloned().map(Into::into);
        let select = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
        tracing::debug!(table, column, keys = keys.len(), "executing a statement");
        let mut found: HashMap<K, Vec<R>> = HashMap::new();
        for row in R::find_by_statement(select).all(&self.reader).await? {
            found.entry((self.key)(&row)).or_default().push(row);
        }
        Ok(found)
    }
}

/// How many of the last added books are kept for slow subscribers.
pub(crate) const KEPT_BOOKS: usize = 64;

/// A loader for each way to find rows, and the books that this process adds.
pub(crate) struct Store {
    inserter: Inserter<insert::Entity>,
    pub(crate) added: broadcast::Sender<BookRow>,
    pub(crate) author_by_id: DataLoader<RowsBy<i64, AuthorRow>>,
    pub(crate) author_by_name: DataLoader<RowsBy<String, AuthorRow>>,
    pub(crate) book_by_id: DataLoader<RowsBy<i64, BookRow>>,
    pub(crate) book_by_isbn: DataLoader<RowsBy<Isbn, BookRow>>,
    pub(crate) books_by_title: DataLoader<RowsBy<String, BookRow>>,
    pub(crate) books_by_author: DataLoader<RowsBy<i64, BookRow>>,
    pub(crate) books_by_genre: DataLoader<RowsBy<String, BookRow>>,
}

impl Store {
    /// The rows in this database, of which a list has at most `limit`.
    pub(crate) fn new(db: &Database, limit: u32) -> Self {
        Self {
            inserter: db.inserter(),
            added: broadcast::Sender::new(KEPT_BOOKS),
            author_by_id: rows_by(db, limit, "author", "id", |row| row.id),
            author_by_name: rows_by(db, limit, "author", "name", |row| row.name.clone()),
            book_by_id: rows_by(db, limit, "book", "id", |row| row.id),
            book_by_isbn: rows_by(db, limit, "book", "isbn", |row| row.isbn.clone()),
            books_by_title: rows_by(db, limit, "book", "title", |row| row.title.clone()),
            books_by_author: rows_by(db, limit, "book", "author_id", |row| row.author_id),
            books_by_genre: rows_by(db, limit, "book", "genre", |row| {
                row.genre.as_str().to_owned()
            }),
        }
    }
}

fn rows_by<K, R>(
    db: &Database,
    limit: u32,
    table: &'static str,
    column: &'static str,
    key: fn(&R) -> K,
) -> DataLoader<RowsBy<K, R>> {
    let reader = db.reader();
    let rows = RowsBy {
        reader,
        limit,
        table,
        column,
        key,
    };
    // The objects of a list queue their keys at once, so a delay would only add to the time of each level.
    DataLoader::new(rows, tokio::spawn).delay(Duration::ZERO)
}
