//! Authors and books in SQLite. Requests that are made at the same time share a statement.

use std::{collections::HashMap, fmt, hash::Hash, sync::Arc};

use database::{
    Application, BatchedQuery, Batcher, Database, DatabaseSettings, DatabaseUrl, Error, FromRow,
    Observer, Reader, Row, fan_out_error,
};
use sea_orm::{DbErr, Value, Values};

use crate::{contract::Genre, isbn::Isbn, migration::Migrator};

/// The maximum length of a list.
pub(crate) const LIST_LIMIT: u32 = 20;
const BATCH_SIZE: usize = 100;

#[derive(Clone, Debug)]
pub(crate) struct AuthorRow {
    pub(crate) id: i64,
    pub(crate) name: String,
}

#[derive(Clone, Debug)]
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
        let (id, name) = (row.get(0)?, row.get(1)?);
        Ok(Self { id, name })
    }
}

impl FromRow for BookRow {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        let (isbn, genre): (String, String) = (row.get(1)?, row.get(3)?);
        let unknown = |value: &str| DbErr::Type(format!("unknown value {value:?}"));
        Ok(Self {
            id: row.get(0)?,
            isbn: Isbn::parse(&isbn).ok_or_else(|| unknown(&isbn))?,
            title: row.get(2)?,
            genre: match genre.as_str() {
                "NOVEL" => Genre::Novel,
                "SATIRE" => Genre::Satire,
                _ => return Err(unknown(&genre)),
            },
            publisher: row.get(4)?,
            author_id: row.get(5)?,
        })
    }
}

/// Finds rows by the values of a column.
pub(crate) struct Lookup<K, R> {
    reader: Reader,
    /// A statement that ends with the column.
    sql: &'static str,
    key: fn(&R) -> K,
}

impl<K, R> BatchedQuery for Lookup<K, R>
where
    K: Clone + Eq + Hash + Into<Value> + Send + 'static,
    R: FromRow + Clone + Send + Sync + 'static,
{
    type Request = K;
    type Output = Result<Vec<R>, Error>;
    type Observer = Logged;

    const NAME: &'static str = "SELECT";

    fn can_batch(_: &K, _: &K) -> bool {
        true
    }

    async fn run(&self, keys: Vec<K>) -> Vec<Self::Output> {
        let placeholders = vec!["?"; keys.len()].join(", ");
        let sql = format!("{} IN ({placeholders}) ORDER BY id", self.sql);
        let values = Values(keys.iter().cloned().map(Into::into).collect());
        let rows = match self.reader.rows::<R>(&sql, &values).await {
            Ok(rows) => rows,
            Err(error) => return fan_out_error(&error, keys.len()),
        };
        let mut found: HashMap<K, Vec<R>> = HashMap::new();
        for row in rows {
            found.entry((self.key)(&row)).or_default().push(row);
        }
        let rows = keys.iter().map(|key| found.get(key).into_iter().flatten());
        let rows = rows.map(|rows| rows.take(LIST_LIMIT as usize).cloned().collect());
        rows.map(Ok).collect()
    }
}

/// Logs each statement with the number of requests that share it.
pub(crate) struct Logged;

impl Observer for Logged {
    type Queued = ();
    type Statement = ();

    fn queued() {}

    fn begin<'a>(name: &'static str, batch: impl ExactSizeIterator<Item = &'a ()>) {
        tracing::info!("{name} for {} requests", batch.len());
    }
}

type Batched<K, R> = Arc<Batcher<Lookup<K, R>>>;

/// The database, and a batcher for each way to find rows.
pub(crate) struct Store {
    pub(crate) database: Database,
    pub(crate) author_by_id: Batched<i64, AuthorRow>,
    pub(crate) author_by_name: Batched<String, AuthorRow>,
    pub(crate) book_by_id: Batched<i64, BookRow>,
    pub(crate) book_by_isbn: Batched<Isbn, BookRow>,
    pub(crate) books_by_title: Batched<String, BookRow>,
    pub(crate) books_by_author: Batched<i64, BookRow>,
    pub(crate) books_by_genre: Batched<Genre, BookRow>,
}

impl Store {
    /// Opens a database in memory and creates its tables.
    pub(crate) async fn open() -> Result<Self, Error> {
        let application = Application {
            name: "bookshop",
            table: "book",
        };
        let settings = DatabaseSettings::new(DatabaseUrl::parse("sqlite::memory:")?);
        let database = Database::connect(application, &settings).await?;
        database.migrate_up::<Migrator>().await?;
        let db = &database;
        Ok(Self {
            author_by_id: batched(db, "SELECT * FROM author WHERE id", |row| row.id),
            author_by_name: batched(db, "SELECT * FROM author WHERE name", |row| {
                row.name.clone()
            }),
            book_by_id: batched(db, "SELECT * FROM book WHERE id", |row| row.id),
            book_by_isbn: batched(db, "SELECT * FROM book WHERE isbn", |row| row.isbn.clone()),
            books_by_title: batched(db, "SELECT * FROM book WHERE title", |row| {
                row.title.clone()
            }),
            books_by_author: batched(db, "SELECT * FROM book WHERE author_id", |row| {
                row.author_id
            }),
            books_by_genre: batched(db, "SELECT * FROM book WHERE genre", |row| row.genre),
            database,
        })
    }
}

fn batched<K, R>(database: &Database, sql: &'static str, key: fn(&R) -> K) -> Batched<K, R>
where
    Lookup<K, R>: BatchedQuery,
{
    let reader = database.reader();
    let lookup = Lookup { reader, sql, key };
    Batcher::new(lookup, database.read_limits(BATCH_SIZE))
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.database.fmt(f)
    }
}

impl From<Genre> for Value {
    fn from(genre: Genre) -> Self {
        match genre {
            Genre::Novel => "NOVEL".into(),
            Genre::Satire => "SATIRE".into(),
        }
    }
}

impl From<Isbn> for Value {
    fn from(isbn: Isbn) -> Self {
        isbn.as_str().into()
    }
}
