//! Authors and books in SQLite. Requests that are made at the same time share a statement.

use std::sync::Arc;

use database::{
    Application, BatchedQuery, Database, FromRow, Lookup, Migration, ReadBatcher, Row, Step,
};
use engine::runtime::Input;
use sea_orm::{DbErr, Value};

use crate::{contract::Genre, isbn::Isbn};

pub(crate) const APPLICATION: Application = Application {
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

#[derive(Clone)]
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

impl FromRow for AuthorRow {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
        })
    }
}

impl FromRow for BookRow {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.get(0)?,
            isbn: parse(row, 1)?,
            title: row.get(2)?,
            genre: parse(row, 3)?,
            publisher: row.get(4)?,
            author_id: row.get(5)?,
        })
    }
}

/// Parses a value that is stored in the form of the contract.
fn parse<T: Input>(row: &Row<'_>, column: usize) -> Result<T, DbErr> {
    let text: String = row.get(column)?;
    T::parse(Some(text.into())).map_err(|error| DbErr::Type(error.to_string()))
}

type Batched<K, R> = Arc<ReadBatcher<Lookup<K, R>>>;

/// A batcher for each way to find rows.
pub(crate) struct Store {
    pub(crate) author_by_id: Batched<i64, AuthorRow>,
    pub(crate) author_by_name: Batched<String, AuthorRow>,
    pub(crate) book_by_id: Batched<i64, BookRow>,
    pub(crate) book_by_isbn: Batched<Isbn, BookRow>,
    pub(crate) books_by_title: Batched<String, BookRow>,
    pub(crate) books_by_author: Batched<i64, BookRow>,
    pub(crate) books_by_genre: Batched<Genre, BookRow>,
}

impl Store {
    /// The rows in this database, of which a list has at most `list_limit`.
    pub(crate) fn new(database: &Database, list_limit: u32) -> Self {
        let db = &(database, list_limit);
        Self {
            author_by_id: lookup(db, "author", "id", |row| row.id),
            author_by_name: lookup(db, "author", "name", |row| row.name.clone()),
            book_by_id: lookup(db, "book", "id", |row| row.id),
            book_by_isbn: lookup(db, "book", "isbn", |row| row.isbn.clone()),
            books_by_title: lookup(db, "book", "title", |row| row.title.clone()),
            books_by_author: lookup(db, "book", "author_id", |row| row.author_id),
            books_by_genre: lookup(db, "book", "genre", |row| row.genre),
        }
    }
}

/// Finds the rows of a table by the values of a column: at most `list_limit` for each.
fn lookup<K, R>(
    (database, list_limit): &(&Database, u32),
    table: &str,
    column: &str,
    key: fn(&R) -> K,
) -> Batched<K, R>
where
    Lookup<K, R>: BatchedQuery,
{
    let sql = format!(
        "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {column} ORDER BY id) AS number
         FROM {table} WHERE {column} IN ({{keys}})) WHERE number <= {list_limit} ORDER BY id"
    );
    let query = |reader| Lookup::new(reader, sql.clone(), key);
    database.read_batcher(query, Lookup::<K, R>::MAX_BATCH)
}

impl From<Genre> for Value {
    fn from(genre: Genre) -> Self {
        genre.as_str().into()
    }
}
