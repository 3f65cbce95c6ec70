//! The resolvers of the contract. An object keeps its row, and loads its relations when they are selected.

use std::sync::Arc;

use async_graphql::{Context, ID};
use sea_orm::DbErr;

use crate::{
    contract::{
        AuthorResolver, BookKey, BookResolver, Contributor, Genre, MutationAddBookArguments, MutationResolver, NewBook,
        Publisher, QueryBookArguments, QueryBooksArguments, QueryNamedArguments, QueryResolver, SearchResult,
        support::Unchecked,
    },
    failure::Failure,
    isbn::Isbn,
    store::{AuthorRow, BookRow, Store},
};

/// An author, and the store that has the books.
#[derive(Clone)]
pub(crate) struct Author(Arc<Store>, AuthorRow);

/// A book, and the store that has its author.
#[derive(Clone)]
pub(crate) struct Book(pub(crate) Arc<Store>, pub(crate) BookRow);

/// Checks texts whose constraint is that one character is no white space.
pub(crate) fn not_blank(text: &str) -> Result<(), &'static str> {
    if text.trim().is_empty() { Err("must not be blank") } else { Ok(()) }
}

fn books(store: &Arc<Store>, rows: Option<Vec<BookRow>>) -> impl Iterator<Item = Book> {
    let rows = rows.into_iter().flatten();
    rows.map(|row| Book(Arc::clone(store), row))
}

impl QueryResolver for Arc<Store> {
    type Error = Failure;

    async fn books(
        &self,
        _: &Context<'_>,
        QueryBooksArguments { genre }: QueryBooksArguments<Genre>,
    ) -> Result<Vec<Book>, Failure> {
        let genre = genre.as_str().to_owned();
        let rows = self.books_by_genre.load_one(genre).await?;
        Ok(books(self, rows).collect())
    }

    async fn book(
        &self,
        _: &Context<'_>,
        QueryBookArguments { by }: QueryBookArguments<BookKey>,
    ) -> Result<Option<Book>, Failure> {
        let rows = match by {
            BookKey::Id(id) => match id.parse() {
                Ok(id) => self.book_by_id.load_one(id).await?,
                Err(_) => None,
            },
            BookKey::Isbn(isbn) => self.book_by_isbn.load_one(isbn).await?,
        };
        Ok(books(self, rows).next())
    }

    async fn named(
        &self,
        _: &Context<'_>,
        QueryNamedArguments { name }: QueryNamedArguments<String>,
    ) -> Result<Vec<SearchResult>, Failure> {
        let authors = self.author_by_name.load_one(name.clone());
        let titles = self.books_by_title.load_one(name);
        let (authors, titles) = tokio::try_join!(authors, titles)?;
        let authors = authors.into_iter().flatten();
        let authors = authors.map(|row| Author(Arc::clone(self), row).into());
        let titles = books(self, titles).map(Into::into);
        Ok(authors.chain(titles).collect())
    }
}

impl MutationResolver for Arc<Store> {
    type Error = Failure;

    async fn add_book(
        &self,
        _: &Context<'_>,
        arguments: Unchecked<MutationAddBookArguments<NewBook>>,
    ) -> Result<Book, Failure> {
        let MutationAddBookArguments { book } = arguments.check()?;
        let authors = self.author_by_name.load_one(book.author.clone()).await?;
        let Some(author) = authors.into_iter().flatten().next() else {
            let message = "author: no author in the shop has this name".to_owned();
            return Err(Failure::Invalid(message));
        };
        let isbn = book.isbn.clone();
        match self.insert_book(book, author.id).await? {
            Some(row) => Ok(Book(Arc::clone(self), row)),
            None => {
                Err(Failure::Invalid(format!("isbn: the shop has a book with the ISBN {isbn}; each book has its own")))
            }
        }
    }
}

impl AuthorResolver for Author {
    type Error = Failure;

    async fn name(&self, _: &Context<'_>) -> Result<String, Failure> {
        Ok(self.1.name.clone())
    }

    async fn books(&self, _: &Context<'_>) -> Result<Vec<Book>, Failure> {
        let rows = self.0.books_by_author.load_one(self.1.id).await?;
        Ok(books(&self.0, rows).collect())
    }
}

impl BookResolver for Book {
    type Error = Failure;

    async fn id(&self, _: &Context<'_>) -> Result<ID, Failure> {
        Ok(self.1.id.into())
    }

    async fn isbn(&self, _: &Context<'_>) -> Result<Isbn, Failure> {
        Ok(self.1.isbn.clone())
    }

    async fn title(&self, _: &Context<'_>) -> Result<String, Failure> {
        Ok(self.1.title.clone())
    }

    async fn genre(&self, _: &Context<'_>) -> Result<Genre, Failure> {
        Ok(self.1.genre)
    }

    async fn author(&self, _: &Context<'_>) -> Result<Author, Failure> {
        let rows = self.0.author_by_id.load_one(self.1.author_id).await?;
        let missing = || DbErr::RecordNotFound(format!("author {}", self.1.author_id));
        let row = rows.and_then(|mut rows| rows.pop()).ok_or_else(missing)?;
        Ok(Author(Arc::clone(&self.0), row))
    }

    async fn contributors(&self, ctx: &Context<'_>) -> Result<Vec<Contributor>, Failure> {
        let name = self.1.publisher.clone();
        Ok(vec![self.author(ctx).await?.into(), Publisher { name }.into()])
    }
}
