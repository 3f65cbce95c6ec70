//! Inserts books.

use database::Error;
use sea_orm::{NotSet, Set, SqlErr, entity::prelude::*};

use super::{BookRow, Store};
use crate::contract::NewBook;

/// A row of the table `book`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "book")]
pub(super) struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub isbn: String,
    pub title: String,
    pub genre: String,
    pub publisher: String,
    pub author_id: i64,
}

/// Relations are loaded by their keys.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub(super) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Store {
    /// Stores a book of this author and tells the subscribers; `None` if another book has its ISBN.
    pub(crate) async fn insert_book(
        &self,
        book: NewBook,
        author_id: i64,
    ) -> Result<Option<BookRow>, Error> {
        let row = ActiveModel {
            id: NotSet,
            isbn: Set(book.isbn.to_string()),
            title: Set(book.title),
            genre: Set(book.genre.as_str().to_owned()),
            publisher: Set(book.publisher),
            author_id: Set(author_id),
        };
        let mut stored: Vec<BookRow> = match self.inserter.insert_all(&[row]).await {
            Err(Error::Unexpected(error)) if is_duplicate(&error) => return Ok(None),
            stored => stored?,
        };
        let stored = stored.pop();
        if let Some(row) = &stored {
            // An error means that nobody has subscribed.
            let _ = self.added.send(row.clone());
        }
        Ok(stored)
    }
}

fn is_duplicate(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}
