//! Authors and books in SQLite. Requests that are made at the same time share a statement.

use std::sync::Arc;

use async_graphql::{InputType, Pos};
use database::{Application, Database, FromRow, Lookup, Migration, ReadBatcher, Row, Step};
use sea_orm::DbErr;

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
fn parse<T: InputType>(row: &Row<'_>, column: usize) -> Result<T, DbErr> {
    let text: String = row.get(column)?;
    T::parse(Some(text.into())).map_err(|error| {
        let error = error.into_server_error(Pos::default());
        DbErr::Type(error.message)
    })
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
    pub(crate) books_by_genre: Batched<String, BookRow>,
}

impl Store {
    /// The rows in this database, of which a list has at most `limit`.
    pub(crate) fn new(db: &Database, limit: u32) -> Self {
        Self {
            author_by_id: db.lookup("author", "id", limit, |row| row.id),
            author_by_name: db.lookup("author", "name", limit, |row| row.name.clone()),
            book_by_id: db.lookup("book", "id", limit, |row| row.id),
            book_by_isbn: db.lookup("book", "isbn", limit, |row| row.isbn.clone()),
            books_by_title: db.lookup("book", "title", limit, |row| row.title.clone()),
            books_by_author: db.lookup("book", "author_id", limit, |row| row.author_id),
            books_by_genre: db.lookup("book", "genre", limit, |row| row.genre.as_str().to_owned()),
        }
    }
}
