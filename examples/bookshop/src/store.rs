//! Authors and books in SQLite. One statement loads the rows for all objects of a list.

use std::{collections::HashMap, hash::Hash, time::Duration};

use async_graphql::{
    InputType, Pos,
    dataloader::{DataLoader, Loader},
};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, FromQueryResult, QueryResult,
    SqlErr, Statement, Value,
};
use tokio::sync::broadcast;

use crate::{
    contract::{Genre, NewBook},
    isbn::Isbn,
};

/// The maximum number of objects in a list.
pub(crate) const LIST_LIMIT: u32 = 20;

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

/// Loads the rows of a table by the values of a column, at most [`LIST_LIMIT`] for each value, in the order of their ids.
pub(crate) struct RowsBy<K, R> {
    database: DatabaseConnection,
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
    type Error = DbErr;

    async fn load(&self, keys: &[K]) -> Result<HashMap<K, Vec<R>>, DbErr> {
        let (table, column) = (self.table, self.column);
        let placeholders = vec!["?"; keys.len()].join(", ");
        let sql = format!(
            "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {column} ORDER BY id) AS number
             FROM {table} WHERE {column} IN ({placeholders})) WHERE number <= {LIST_LIMIT} ORDER BY id"
        );
        let values = keys.iter().cloned().map(Into::into);
        let select = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
        tracing::debug!(table, column, keys = keys.len(), "executing a statement");
        let mut found: HashMap<K, Vec<R>> = HashMap::new();
        for row in R::find_by_statement(select).all(&self.database).await? {
            found.entry((self.key)(&row)).or_default().push(row);
        }
        Ok(found)
    }
}

/// How many of the last added books are kept for slow subscribers.
pub(crate) const KEPT_BOOKS: usize = 64;

/// A loader for each way to find rows, and the books that this process adds.
pub(crate) struct Store {
    database: DatabaseConnection,
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
    /// The tables, in memory.
    pub(crate) async fn in_memory() -> Result<Self, DbErr> {
        let mut options = ConnectOptions::new("sqlite::memory:");
        // The database is dropped with its connection.
        options.max_connections(1).idle_timeout(None).max_lifetime(None);
        let db = Database::connect(options).await?;
        db.execute_unprepared(include_str!("tables.sql")).await?;
        Ok(Self {
            added: broadcast::Sender::new(KEPT_BOOKS),
            author_by_id: rows_by(&db, "author", "id", |row| row.id),
            author_by_name: rows_by(&db, "author", "name", |row| row.name.clone()),
            book_by_id: rows_by(&db, "book", "id", |row| row.id),
            book_by_isbn: rows_by(&db, "book", "isbn", |row| row.isbn.clone()),
            books_by_title: rows_by(&db, "book", "title", |row| row.title.clone()),
            books_by_author: rows_by(&db, "book", "author_id", |row| row.author_id),
            books_by_genre: rows_by(&db, "book", "genre", |row| row.genre.as_str().to_owned()),
            database: db,
        })
    }

    /// Stores a book of this author and tells the subscribers; `None` if another book has its ISBN.
    pub(crate) async fn insert_book(&self, book: NewBook, author_id: i64) -> Result<Option<BookRow>, DbErr> {
        let sql = "INSERT INTO book (isbn, title, genre, publisher, author_id) VALUES (?, ?, ?, ?, ?) RETURNING *";
        let genre = book.genre.as_str().into();
        let values = [book.isbn.into(), book.title.into(), genre, book.publisher.into(), author_id.into()];
        let insert = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
        let stored = match BookRow::find_by_statement(insert).one(&self.database).await {
            Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => None,
            stored => stored?,
        };
        if let Some(row) = &stored {
            // An error means that there is no subscriber.
            let _ = self.added.send(row.clone());
        }
        Ok(stored)
    }
}

fn rows_by<K, R>(
    database: &DatabaseConnection,
    table: &'static str,
    column: &'static str,
    key: fn(&R) -> K,
) -> DataLoader<RowsBy<K, R>> {
    let database = database.clone();
    let rows = RowsBy { database, table, column, key };
    // The objects of a list queue their keys at once, so a delay would only add to the time of each level.
    DataLoader::new(rows, tokio::spawn).delay(Duration::ZERO)
}
