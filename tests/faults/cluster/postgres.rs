//! A PostgreSQL primary and its streaming standby.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use testkit::{Backend, Extras, OwnServer};

/// A primary and its standby, with a database.
pub(crate) struct Pair {
    pub(crate) primary: OwnServer,
    pub(crate) standby: OwnServer,
    database: String,
}

impl Pair {
    pub(crate) fn start() -> Self {
        let primary = OwnServer::start(Backend::Postgres, &Extras::default());
        let url = primary.database();
        let (_, database) = url.rsplit_once('/').unwrap();
        Self { database: database.to_owned(), standby: primary.standby(&Extras::default()), primary }
    }

    /// The database of the same name at this host and port.
    fn url_at(&self, address: &str) -> String {
        format!("postgres://postgres@{address}/{}", self.database)
    }

    /// The database on the primary.
    pub(crate) fn url(&self) -> String {
        self.url_at(self.primary.address())
    }

    /// The database on the standby.
    pub(crate) fn standby_url(&self) -> String {
        self.url_at(self.standby.address())
    }
}

/// The first column of the first row, as text.
pub(crate) async fn value(db: &DatabaseConnection, query: &str) -> String {
    let statement = Statement::from_string(DbBackend::Postgres, query);
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Promotes a standby.
pub(crate) async fn promote(standby: &DatabaseConnection) {
    assert_eq!(value(standby, "SELECT pg_promote()::text").await, "true");
}
