//! Consistent reads of the nodes of a Galera cluster.
//!
//! A write is acknowledged when every node has it in its queue, so a node must apply its queue before
//! it reads: otherwise a row that one node has acknowledged is not yet visible on another.

use sea_orm::sqlx::{self, Executor, MySqlConnection};

/// Makes reads of the session wait until the node has applied its queue, and fail on a node outside the
/// primary component.
pub(crate) async fn enable_causal_reads(
    connection: &mut MySqlConnection,
) -> Result<(), sqlx::Error> {
    if is_node(&mut *connection).await? {
        let session = "SET SESSION wsrep_sync_wait = @@SESSION.wsrep_sync_wait | 1, \
             wsrep_dirty_reads = OFF";
        connection.execute(session).await?;
    }
    Ok(())
}

/// Whether the server is a node of a cluster. MySQL and some builds of MariaDB do not have the variable.
pub(crate) async fn is_node(
    connection: impl Executor<'_, Database = sqlx::MySql>,
) -> Result<bool, sqlx::Error> {
    let query = sqlx::query_as::<_, (String, String)>("SHOW VARIABLES LIKE 'wsrep_on'");
    let row = query.fetch_optional(connection).await?;
    Ok(row.is_some_and(|(_, value)| value == "ON"))
}
