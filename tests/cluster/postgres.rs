//! A PostgreSQL primary and its streaming replica.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

use crate::{
    databases::{Backend, Extras, OwnServer},
    running::until,
};

/// Why they cannot be had here.
pub(crate) fn availability() -> Result<(), String> {
    OwnServer::standby_availability()
}

/// Two servers, the second of which follows the first, and a database on both.
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
        Self {
            database: database.to_owned(),
            standby: primary.standby(&Extras::default()),
            primary,
        }
    }

    /// The database on the primary.
    pub(crate) fn url(&self) -> String {
        format!(
            "postgres://postgres@{}/{}",
            address(&self.primary),
            self.database
        )
    }

    /// The database on the standby.
    pub(crate) fn standby_url(&self) -> String {
        format!(
            "postgres://postgres@{}/{}",
            address(&self.standby),
            self.database
        )
    }

    /// The same, with the standby first.
    pub(crate) fn url_of_both_reversed(&self) -> String {
        let (one, other) = (address(&self.standby), address(&self.primary));
        format!("postgres://postgres@{one},{other}/{}", self.database)
    }

    /// The database on whichever of the two is the primary.
    pub(crate) fn url_of_both(&self) -> String {
        let (one, other) = (address(&self.primary), address(&self.standby));
        format!("postgres://postgres@{one},{other}/{}", self.database)
    }
}

/// The host and port of a server.
fn address(server: &OwnServer) -> &str {
    server.admin_url().split(['@', '/']).nth(3).unwrap()
}

/// A connection that no service knows.
pub(crate) async fn stranger(url: &str) -> DatabaseConnection {
    Database::connect(url).await.unwrap()
}

/// The first column of the first row, a text.
pub(crate) async fn value(db: &DatabaseConnection, query: &str) -> String {
    let statement = Statement::from_string(DbBackend::Postgres, query);
    let row = db.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Makes a primary of a standby.
pub(crate) async fn promote(standby: &DatabaseConnection) {
    assert_eq!(value(standby, "SELECT pg_promote()::text").await, "true");
}

/// Waits until a standby has everything that its primary has.
pub(crate) async fn caught_up(primary: &DatabaseConnection, standby: &DatabaseConnection) {
    let position = value(primary, "SELECT pg_current_wal_flush_lsn()::text").await;
    let reached = format!("SELECT (pg_last_wal_replay_lsn() >= '{position}')::text");
    until("the standby follows", async || {
        value(standby, &reached).await == "true"
    })
    .await;
}
