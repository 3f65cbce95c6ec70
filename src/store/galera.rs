//! What the service has to know about the nodes of a Galera cluster.
//!
//! A write is answered when every node has it in its queue, so a node that reads has to empty its
//! queue first: otherwise a vehicle that one node has acknowledged is not yet there on the next.

use sea_orm::sqlx::{self, Executor, MySqlConnection};

/// Sessions of a node wait, before they read, for what the cluster had accepted until then.
pub(super) async fn join(connection: &mut MySqlConnection) -> Result<(), sqlx::Error> {
    if is_node(&mut *connection).await? {
        let wait = "SET SESSION wsrep_sync_wait = @@SESSION.wsrep_sync_wait | 1";
        connection.execute(wait).await?;
    }
    Ok(())
}

/// Whether the server is a node of a cluster. MySQL, and MariaDB on some systems, know no such variable.
pub(super) async fn is_node(
    connection: impl Executor<'_, Database = sqlx::MySql>,
) -> Result<bool, sqlx::Error> {
    let asked = sqlx::query_as::<_, (String, String)>("SHOW VARIABLES LIKE 'wsrep_on'");
    let told = asked.fetch_optional(connection).await?;
    Ok(told.is_some_and(|(_, value)| value == "ON"))
}

/// Whether the server is a node that has lost the others: it still answers what needs no table.
pub(super) async fn is_cut_off(connection: &mut MySqlConnection) -> Result<bool, sqlx::Error> {
    if !is_node(&mut *connection).await? {
        return Ok(false);
    }
    let asked = sqlx::query_as::<_, (String, String)>("SHOW STATUS LIKE 'wsrep_ready'");
    let told = asked.fetch_optional(connection).await?;
    Ok(told.is_some_and(|(_, value)| value != "ON"))
}
