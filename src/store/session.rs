//! The settings of a session that change results, durability or refusals. Each new connection sets them, because the server,
//! the database, the role and the account have defaults for them that differ. `docs/databases.md` has the reasons.

use std::time::Duration;

use sea_orm::sqlx::{self, AssertSqlSafe, Executor, MySqlConnection, PgConnection};

/// Settings of PostgreSQL; a weaker durability that is chosen on purpose stays, except `off`.
const POSTGRES: &str = "SELECT set_config('client_encoding', 'UTF8', false), \
     set_config('standard_conforming_strings', 'on', false), \
     set_config('transform_null_equals', 'off', false), \
     set_config('default_transaction_isolation', 'read committed', false), \
     set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' \
     ELSE current_setting('synchronous_commit') END, false), \
     set_config('lock_timeout', '0', false), \
     set_config('plan_cache_mode', CASE current_setting('plan_cache_mode') WHEN 'auto' THEN 'force_generic_plan' \
     ELSE current_setting('plan_cache_mode') END, false)";

/// Settings of MySQL and MariaDB.
const MYSQL: &str = "NAMES utf8mb4 COLLATE utf8mb4_bin, \
     sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT', autocommit = 1, completion_type = 0, \
     sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_safe_updates = 0, sql_auto_is_null = 0, \
     max_sort_length = 1024, unique_checks = 1, foreign_key_checks = 1, time_zone = '+00:00', \
     default_storage_engine = InnoDB";

/// Sets up a session of PostgreSQL, whose statements the server aborts after the time-out, or never.
pub(super) async fn postgres(connection: &mut PgConnection, timeout: Option<Duration>) -> Result<(), sqlx::Error> {
    let timeout_ms = timeout.map_or(0, |timeout| timeout.as_millis());
    let session = format!("{POSTGRES}, set_config('statement_timeout', '{timeout_ms}', false)");
    connection.execute(sqlx::raw_sql(AssertSqlSafe(session))).await.map(drop)
}

/// Sets up a session of MySQL or MariaDB, whose statements the server aborts after the time-out, or never.
pub(super) async fn mysql(connection: &mut MySqlConnection, timeout: Option<Duration>) -> Result<(), sqlx::Error> {
    let locks = timeout.map_or_else(String::new, |timeout| {
        let seconds = timeout.as_secs().max(1);
        format!(", lock_wait_timeout = {seconds}, innodb_lock_wait_timeout = {seconds}")
    });
    let seconds = timeout.map_or(0, |timeout| timeout.as_secs().max(1));
    let milliseconds = timeout.map_or(0, |timeout| timeout.as_millis());
    // The first comment is executed by MariaDB only, the second by MySQL only.
    let session = format!(
        "SET {MYSQL}{locks} /*M! , check_constraint_checks = 1, max_statement_time = {seconds} */ \
         /*!50708 , max_execution_time = {milliseconds} */; \
         SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"
    );
    connection.execute(sqlx::raw_sql(AssertSqlSafe(session))).await?;
    // MySQL and some builds of MariaDB do not have the variable.
    let galera = sqlx::query_as::<_, (String, String)>("SHOW VARIABLES LIKE 'wsrep_on'");
    let galera = galera.fetch_optional(&mut *connection).await?;
    if galera.is_some_and(|(_, value)| value == "ON") {
        // A write is acknowledged when every node has it in its queue, so a node must apply its queue before it reads.
        let session = "SET SESSION wsrep_sync_wait = @@SESSION.wsrep_sync_wait | 1, wsrep_dirty_reads = OFF";
        connection.execute(session).await?;
    }
    Ok(())
}
