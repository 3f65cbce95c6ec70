//! The hosts of a URL, and which of them accepts writes.
//!
//! `postgres://USER:PASSWORD@ONE:5432,OTHER:5433/DATABASE`, the syntax of libpq, also for MySQL.

use std::io;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, ConnectOptions, Connection};
use sea_orm::{DatabaseConnection, DbErr};
use tokio::time::timeout;

use crate::error::{Error, connection_error, is_transient};
use crate::galera;
use crate::identity::{Identity, Primary};

/// The timeout of the probe whether a server accepts writes.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// The libpq parameter that selects the kind of server.
const SESSION_ATTRIBUTES: &str = "target_session_attrs";

/// The connection options of a server.
pub(crate) trait Host: ConnectOptions<Connection: Sized + Send> + Clone {
    /// The host and port, or the socket.
    fn name(&self) -> String;

    /// Makes a pool open new connections to this host.
    fn switch(self, pool: &DatabaseConnection);

    /// Whether the server accepts writes: it is neither a standby nor read-only.
    fn accepts_writes(
        connection: &mut Self::Connection,
    ) -> impl Future<Output = Result<bool, sqlx::Error>> + Send;

    /// The identity of a server that accepts writes, if it has one.
    fn identity(
        _: &mut Self::Connection,
        _: &Primary,
    ) -> impl Future<Output = Result<Option<Identity>, sqlx::Error>> + Send {
        async { Ok(None) }
    }
}

impl Host for PgConnectOptions {
    fn name(&self) -> String {
        match self.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", self.get_host(), self.get_port()),
        }
    }

    fn switch(self, pool: &DatabaseConnection) {
        pool.get_postgres_connection_pool()
            .set_connect_options(self);
    }

    async fn accepts_writes(connection: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        let query = "SELECT current_setting('transaction_read_only') = 'off'";
        sqlx::query_scalar(query).fetch_one(connection).await
    }

    async fn identity(
        connection: &mut Self::Connection,
        primary: &Primary,
    ) -> Result<Option<Identity>, sqlx::Error> {
        Identity::from_primary(connection, primary.table()).await
    }
}

impl Host for MySqlConnectOptions {
    fn name(&self) -> String {
        match self.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", self.get_host(), self.get_port()),
        }
    }

    fn switch(self, pool: &DatabaseConnection) {
        pool.get_mysql_connection_pool().set_connect_options(self);
    }

    async fn accepts_writes(connection: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        let query = "SELECT CAST(@@GLOBAL.read_only AS SIGNED) = 0";
        let writable = sqlx::query_scalar(query)
            .fetch_one(&mut *connection)
            .await?;
        Ok(writable && !galera::is_non_primary(connection).await?)
    }
}

/// A file counts as a host that accepts writes.
impl Host for SqliteConnectOptions {
    fn name(&self) -> String {
        self.get_filename().display().to_string()
    }

    fn switch(self, pool: &DatabaseConnection) {
        pool.get_sqlite_connection_pool().set_connect_options(self);
    }

    async fn accepts_writes(_: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        Ok(true)
    }
}

/// Splits a URL with several hosts into one URL per host.
pub(crate) fn split_hosts(url: &str) -> Result<Vec<String>, Error> {
    let start = url.find("://").map_or(0, |index| index + 3);
    let end = url[start..].find(['/', '?', '#']);
    let end = end.map_or(url.len(), |end| start + end);
    let hosts = url[start..end].rfind('@');
    let hosts = hosts.map_or(start, |index| start + index + 1);
    let (before, after) = (&url[..hosts], &url[end..]);
    let hosts: Vec<_> = url[hosts..end].split(',').collect();
    if hosts.len() > 1 && hosts.contains(&"") {
        return Err(Error::invalid_url(
            "a host is missing beside a comma; write HOST:PORT,HOST:PORT",
        ));
    }
    let url = |host: &str| format!("{before}{host}{after}");
    Ok(hosts.into_iter().map(url).collect())
}

/// Removes `target_session_attrs` from a URL; its value must be one of `allowed`.
pub(crate) fn without_session_attributes(url: &str, allowed: &[&str]) -> Result<String, Error> {
    let Some((before, query)) = url.split_once('?') else {
        return Ok(url.to_owned());
    };
    let mut kept = Vec::new();
    for parameter in query.split('&') {
        match parameter.split_once('=') {
            Some((SESSION_ATTRIBUTES, value)) if allowed.contains(&value) => {}
            Some((SESSION_ATTRIBUTES, _)) => {
                let allowed = allowed.join(" or ");
                let reason = format!("{SESSION_ATTRIBUTES} must be {allowed}, or left out");
                return Err(Error::invalid_url(reason));
            }
            _ => kept.push(parameter),
        }
    }
    let query = kept.join("&");
    Ok(if query.is_empty() {
        before.to_owned()
    } else {
        format!("{before}?{query}")
    })
}

/// Connects to the first host, in order, that accepts writes and is not outdated by the known primary;
/// if no primary is known, to the one with the latest timeline. Returns its index and the connection.
/// All hosts are probed concurrently; a single host is not probed.
pub(crate) async fn first_writable<H: Host>(
    hosts: &[(usize, H)],
    primary: &Primary,
) -> Result<(usize, H::Connection), DbErr> {
    if let [(index, host)] = hosts {
        let connection = host.connect().await.map_err(connection_error)?;
        return Ok((*index, connection));
    }
    let (known, _) = primary.identity();
    let mut probes: FuturesOrdered<_> = hosts
        .iter()
        .map(|(index, host)| async move {
            let probed = timeout(PROBE_TIMEOUT, connect_writable(host, primary, known)).await;
            let timed_out = |_| Err(transient_error("it does not respond"));
            (*index, host, probed.unwrap_or_else(timed_out))
        })
        .collect();
    let mut latest: Option<(usize, H::Connection, Identity)> = None;
    let mut errors = Vec::new();
    while let Some((index, host, probed)) = probes.next().await {
        match probed {
            Ok((connection, Some(identity))) if known.is_none() => {
                let is_outdated =
                    |(.., before): &(_, _, Identity)| before.is_outdated_by(&identity);
                if latest.as_ref().is_none_or(is_outdated) {
                    latest = Some((index, connection, identity));
                }
            }
            Ok((connection, _)) => return Ok((index, connection)),
            Err(error) => errors.push((host, error)),
        }
    }
    if let Some((index, connection, _)) = latest {
        return Ok((index, connection));
    }
    // A permanent error is the most useful one to report.
    let permanent = errors.iter().position(|(_, error)| !is_transient(error));
    if let Some(permanent) = permanent {
        return Err(errors.swap_remove(permanent).1);
    }
    let causes = errors.iter();
    let causes = causes.map(|(host, error)| format!("{}: {error}", host.name()));
    let causes = causes.collect::<Vec<_>>().join("; ");
    Err(transient_error(format!(
        "no server takes writes ({causes})"
    )))
}

/// Connects to a host that accepts writes, and reads its identity, if it has one.
async fn connect_writable<H: Host>(
    host: &H,
    primary: &Primary,
    known: Option<Identity>,
) -> Result<(H::Connection, Option<Identity>), DbErr> {
    let mut connection = host.connect().await.map_err(connection_error)?;
    let writable = H::accepts_writes(&mut connection).await;
    let reason = if writable.map_err(connection_error)? {
        let identity = H::identity(&mut connection, primary)
            .await
            .map_err(connection_error)?;
        match (identity, known) {
            (Some(found), Some(known)) if found.is_outdated_by(&known) => format!(
                "it accepts writes on timeline {}, but another server was promoted to timeline {}; \
                 if that one is lost for good, restart the service",
                found.timeline, known.timeline
            ),
            _ => return Ok((connection, identity)),
        }
    } else {
        "it does not accept writes".to_owned()
    };
    // The connection is not needed any more, so an error of closing it does not matter.
    let _ = connection.close().await;
    Err(transient_error(reason))
}

/// An error that a later attempt may not meet.
fn transient_error(reason: impl Into<String>) -> DbErr {
    let reason = io::Error::new(io::ErrorKind::NotConnected, reason.into());
    connection_error(reason.into())
}
