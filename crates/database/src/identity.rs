//! The identity of a PostgreSQL server: cluster, timeline and database.
//!
//! WAL positions can only be compared between servers of one cluster and timeline. A promoted standby
//! starts a new timeline; ids that it generates may also have been generated on the old timeline, for
//! rows that were lost.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, io};

use sea_orm::sqlx::postgres::Postgres;
use sea_orm::sqlx::{self, Executor, PgConnection};

/// An ordinary role can call these functions. The control file of a standby has the timeline of its last
/// restartpoint; `received_tli` is current, but null without `pg_read_all_stats`. A control file
/// never has a later timeline than the server, so the greatest value is correct.
const SERVER: &str = "SELECT recovering, \
     (CASE WHEN recovering THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::bigint, \
     (SELECT system_identifier FROM pg_control_system()), \
     CASE WHEN recovering \
     THEN (SELECT greatest(timeline_id, min_recovery_end_timeline, (SELECT received_tli FROM pg_stat_wal_receiver)) \
         FROM pg_control_checkpoint(), pg_control_recovery()) \
     ELSE ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int END, \
     (SELECT oid FROM pg_database WHERE datname = current_database())::bigint, \
     to_regclass($1)::oid::bigint \
     FROM pg_is_in_recovery() AS recovering";

/// What identifies the rows of a server: the same on a primary and the standbys that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The system identifier of the cluster, created by `initdb`.
    pub(crate) system: i64,
    pub(crate) timeline: i32,
    /// The object identifiers of the database and of the table that statements use.
    pub(crate) database: i64,
    pub(crate) table: Option<i64>,
}

/// The state of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// Whether it is a standby.
    pub(crate) recovering: bool,
    /// The WAL position in bytes: replayed on a standby, flushed on a primary.
    pub(crate) position: i64,
    pub(crate) identity: Identity,
}

impl Server {
    /// Reads the state of the server.
    pub(crate) async fn read(
        executor: impl Executor<'_, Database = Postgres>,
        table: &str,
    ) -> Result<Self, sqlx::Error> {
        let (recovering, position, system, timeline, database, table) = sqlx::query_as(SERVER)
            .bind(table)
            .fetch_one(executor)
            .await?;
        let identity = Identity {
            system,
            timeline,
            database,
            table,
        };
        Ok(Self {
            recovering,
            position,
            identity,
        })
    }
}

impl Identity {
    /// The identity of the server of a connection, if it accepts writes. `None` also if it is only compatible with PostgreSQL
    /// and does not have the functions, or if the role must not call them.
    pub(crate) async fn from_primary(
        connection: &mut PgConnection,
        table: &str,
    ) -> Result<Option<Self>, sqlx::Error> {
        match Server::read(connection, table).await {
            Err(sqlx::Error::Database(refusal))
                // Insufficient privilege, feature not supported, undefined column, function or table.
                if matches!(
                    refusal.code().as_deref(),
                    Some("42501" | "0A000" | "42703" | "42883" | "42P01")
                ) =>
            {
                Ok(None)
            }
            server => server.map(|server| (!server.recovering).then_some(server.identity)),
        }
    }

    /// Whether this server was the primary before `newer` was promoted.
    pub(crate) fn is_outdated_by(&self, newer: &Self) -> bool {
        self.system == newer.system && self.timeline < newer.timeline
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            system,
            timeline,
            database,
            table,
        } = self;
        write!(
            f,
            "cluster {system}, timeline {timeline}, database {database}, "
        )?;
        match table {
            Some(table) => write!(f, "table {table}"),
            None => f.write_str("no table"),
        }
    }
}

/// The identity of the primary. Every new connection updates it before its first use, so this changes
/// before the first statement is sent to a different primary. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Primary(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    table: &'static str,
    is_check_enabled: AtomicBool,
    /// The number of changes of the identity.
    changes: AtomicU64,
    identity: Mutex<Option<Identity>>,
}

impl Primary {
    /// An unknown primary, which has this table.
    pub(crate) fn new(table: &'static str) -> Self {
        Self(Arc::new(Shared {
            table,
            ..Shared::default()
        }))
    }

    /// The table that a replica must share.
    pub(crate) fn table(&self) -> &'static str {
        self.0.table
    }

    /// Enables the check of new connections.
    pub(crate) fn check(&self) {
        self.0.is_check_enabled.store(true, SeqCst);
    }

    /// The number of changes of the identity.
    pub(crate) fn changes(&self) -> u64 {
        self.0.changes.load(SeqCst)
    }

    /// The identity, if it is known, and the number of its changes.
    pub(crate) fn identity(&self) -> (Option<Identity>, u64) {
        let identity = self.0.identity.lock();
        let identity = identity.unwrap_or_else(PoisonError::into_inner);
        (*identity, self.changes())
    }

    /// Records the identity of the server of a new connection.
    pub(crate) async fn check_connection(
        &self,
        connection: &mut PgConnection,
    ) -> Result<(), sqlx::Error> {
        if self.0.is_check_enabled.load(SeqCst) {
            let before = self.changes();
            let identity = Identity::from_primary(connection, self.table()).await?;
            self.update(identity, before);
        }
        Ok(())
    }

    /// Records an identity that was queried after `changes` changes. Connections to an older primary can
    /// respond late, so the timeline never decreases, and of two unordered identities the one that was
    /// queried after the last change is recorded.
    pub(crate) fn update(&self, found: Option<Identity>, changes: u64) {
        let identity = self.0.identity.lock();
        let mut identity = identity.unwrap_or_else(PoisonError::into_inner);
        let is_newer = match (&*identity, &found) {
            (Some(before), Some(found)) if found.is_outdated_by(before) => false,
            (Some(before), Some(found)) if before.is_outdated_by(found) => true,
            _ => changes == self.changes(),
        };
        if is_newer && *identity != found {
            *identity = found;
            self.0.changes.fetch_add(1, SeqCst);
        }
    }
}

/// The expected role of the server of a connection.
#[derive(Clone)]
pub(crate) enum Role {
    /// It accepts writes, and its identity is recorded here.
    Primary(Primary),
    /// It must follow this primary.
    Replica(Primary),
}

impl Role {
    /// Rejects a server that does not have this role.
    pub(crate) async fn check(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let primary = match self {
            Self::Primary(primary) => return primary.check_connection(connection).await,
            Self::Replica(primary) => primary,
        };
        let server = Server::read(connection, primary.table()).await?;
        match primary.identity() {
            (Some(primary), _) if server.recovering && server.identity == primary => Ok(()),
            _ => {
                let message = format!("it does not follow the primary: {}", server.identity);
                Err(io::Error::new(io::ErrorKind::ConnectionRefused, message).into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(system: i64, timeline: i32) -> Identity {
        Identity {
            system,
            timeline,
            database: 5,
            table: None,
        }
    }

    #[test]
    fn the_timeline_never_decreases() {
        let primary = Primary::new("book");
        primary.update(Some(identity(1, 1)), 0);
        assert_eq!(primary.identity(), (Some(identity(1, 1)), 1));
        primary.update(Some(identity(1, 2)), 0);
        assert_eq!(
            primary.identity(),
            (Some(identity(1, 2)), 2),
            "a later timeline is recorded"
        );
        primary.update(Some(identity(1, 1)), 2);
        assert_eq!(primary.identity(), (Some(identity(1, 2)), 2));
    }

    #[test]
    fn ignores_a_late_identity_of_another_cluster() {
        let primary = Primary::new("book");
        primary.update(Some(identity(1, 1)), 0);
        primary.update(Some(identity(2, 1)), 1);
        primary.update(Some(identity(1, 1)), 1);
        assert_eq!(primary.identity(), (Some(identity(2, 1)), 2));
        primary.update(None, 2);
        assert_eq!(primary.identity(), (None, 3));
    }
}
