//! The servers that a URL names, and which of them takes writes.
//!
//! `postgres://USER:PASSWORD@ONE:5432,OTHER:5433/DATABASE`, as libpq has it, and the same for MySQL.

use std::io;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use sea_orm::sqlx::mysql::MySqlConnectOptions;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, ConnectOptions, Connection};
use sea_orm::{DbErr, RuntimeErr};
use tokio::time::timeout;

use super::error::{StoreError, may_pass};

/// How long one of several servers may take to say whether it takes writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// What libpq calls which of several servers are meant.
const SESSION_ATTRIBUTES: &str = "target_session_attrs";

/// How to reach a server.
pub(super) trait Host: ConnectOptions<Connection: Sized + Send> + Clone {
    /// Its host and port, or its socket.
    fn name(&self) -> String;

    /// Whether it takes writes: it is no standby, and not read-only.
    fn takes_writes(
        connection: &mut Self::Connection,
    ) -> impl Future<Output = Result<bool, sqlx::Error>> + Send;
}

impl Host for PgConnectOptions {
    fn name(&self) -> String {
        match self.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", self.get_host(), self.get_port()),
        }
    }

    async fn takes_writes(connection: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        let asked = "SELECT current_setting('transaction_read_only') = 'off'";
        sqlx::query_scalar(asked).fetch_one(connection).await
    }
}

impl Host for MySqlConnectOptions {
    fn name(&self) -> String {
        match self.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", self.get_host(), self.get_port()),
        }
    }

    async fn takes_writes(connection: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        let asked = "SELECT CAST(@@GLOBAL.read_only AS SIGNED) = 0";
        sqlx::query_scalar(asked).fetch_one(connection).await
    }
}

/// A file is its own host.
impl Host for SqliteConnectOptions {
    fn name(&self) -> String {
        self.get_filename().display().to_string()
    }

    async fn takes_writes(_: &mut Self::Connection) -> Result<bool, sqlx::Error> {
        Ok(true)
    }
}

/// A URL for each of the hosts.
pub(super) fn one_each(url: &str) -> Result<Vec<String>, StoreError> {
    let start = url.find("://").map_or(0, |place| place + 3);
    let end = url[start..].find(['/', '?', '#']);
    let end = end.map_or(url.len(), |end| start + end);
    let hosts = url[start..end].rfind('@');
    let hosts = hosts.map_or(start, |place| start + place + 1);
    let (before, after) = (&url[..hosts], &url[end..]);
    let hosts: Vec<_> = url[hosts..end].split(',').collect();
    if hosts.len() > 1 && hosts.contains(&"") {
        return Err(StoreError::invalid_url(
            "a host is missing beside a comma; write HOST:PORT,HOST:PORT",
        ));
    }
    let url = |host: &str| format!("{before}{host}{after}");
    Ok(hosts.into_iter().map(url).collect())
}

/// The URL without libpq's word for which of its servers are meant, which has to be one of these.
pub(super) fn without_session_attributes(url: &str, may_be: &[&str]) -> Result<String, StoreError> {
    let Some((before, query)) = url.split_once('?') else {
        return Ok(url.to_owned());
    };
    let mut kept = Vec::new();
    for parameter in query.split('&') {
        match parameter.split_once('=') {
            Some((SESSION_ATTRIBUTES, value)) if may_be.contains(&value) => {}
            Some((SESSION_ATTRIBUTES, _)) => {
                let may_be = may_be.join(" or ");
                let reason = format!("{SESSION_ATTRIBUTES} must be {may_be}, or left out");
                return Err(StoreError::invalid_url(reason));
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

/// The first of these servers, in this order, that takes writes: its place, and a connection to it.
/// A server that stands alone is not asked. All are tried at the same time.
pub(super) async fn first_writable<H: Host>(
    hosts: &[(usize, H)],
) -> Result<(usize, H::Connection), DbErr> {
    if let [(place, host)] = hosts {
        let connection = host.connect().await.map_err(not_connected)?;
        return Ok((*place, connection));
    }
    let mut errors = Vec::new();
    let mut tried = std::pin::pin!(each_tried(hosts));
    while let Some((place, outcome)) = tried.next().await {
        match outcome {
            Ok(connection) => return Ok((place, connection)),
            Err(error) => errors.push((place, error)),
        }
    }
    // What time does not heal is the news.
    let lasting = errors.iter().position(|(_, error)| !may_pass(error));
    if let Some(lasting) = lasting {
        return Err(errors.swap_remove(lasting).1);
    }
    let each = hosts.iter().zip(errors);
    let each = each.map(|((_, host), (_, error))| format!("{}: {error}", host.name()));
    let each = each.collect::<Vec<_>>().join("; ");
    Err(not_now(format!("no server takes writes ({each})")))
}

/// What comes of trying each, in their order.
fn each_tried<H: Host>(
    hosts: &[(usize, H)],
) -> impl Stream<Item = (usize, Result<H::Connection, DbErr>)> {
    let tries = stream::iter(hosts).map(|(place, host)| async move {
        let connection = timeout(PATIENCE, writable(host)).await;
        let silent = |_| Err(not_now("it does not answer"));
        (*place, connection.unwrap_or_else(silent))
    });
    tries.buffered(hosts.len().max(1))
}

async fn writable<H: Host>(host: &H) -> Result<H::Connection, DbErr> {
    let mut connection = host.connect().await.map_err(not_connected)?;
    let writable = H::takes_writes(&mut connection).await;
    if writable.map_err(not_connected)? {
        return Ok(connection);
    }
    // It has served its purpose; whether it says goodbye does not matter.
    let _ = connection.close().await;
    Err(not_now("it does not take writes"))
}

pub(super) fn not_connected(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}

/// Another attempt may have another outcome.
fn not_now(reason: impl Into<String>) -> DbErr {
    let reason = io::Error::new(io::ErrorKind::NotConnected, reason.into());
    not_connected(reason.into())
}
