//! The settings of a session that change results, durability or refusals. Each new connection sets them, because the server,
//! the database, the role and the account have defaults for them that differ.

use std::time::Duration;

/// A setting of PostgreSQL.
struct PostgresSetting {
    name: &'static str,
    value: &'static str,
    /// The only value that is replaced; every other one if empty.
    replaced: &'static str,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test compares it with the documentation")
    )]
    reason: &'static str,
}

/// A setting of MySQL and MariaDB.
struct MySqlSetting {
    /// An assignment of the statement `SET`.
    assignment: &'static str,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test compares it with the documentation")
    )]
    reason: &'static str,
}

const fn postgres_setting(
    name: &'static str,
    value: &'static str,
    replaced: &'static str,
    reason: &'static str,
) -> PostgresSetting {
    PostgresSetting {
        name,
        value,
        replaced,
        reason,
    }
}

const fn mysql_setting(assignment: &'static str, reason: &'static str) -> MySqlSetting {
    MySqlSetting { assignment, reason }
}

const POSTGRES: &[PostgresSetting] = &[
    postgres_setting("client_encoding", "UTF8", "", "text is exchanged as UTF-8"),
    postgres_setting(
        "standard_conforming_strings",
        "on",
        "",
        "a backslash in a literal is a character",
    ),
    postgres_setting(
        "transform_null_equals",
        "off",
        "",
        "a comparison with null has no result",
    ),
    postgres_setting(
        "default_transaction_isolation",
        "read committed",
        "",
        "a statement sees what was committed before it",
    ),
    postgres_setting(
        "synchronous_commit",
        "on",
        "off",
        "an acknowledged write survives a crash of the server",
    ),
    postgres_setting(
        "lock_timeout",
        "0",
        "",
        "`statement_timeout`, which is `--database-timeout-seconds`, bounds the wait for a lock",
    ),
    postgres_setting(
        "plan_cache_mode",
        "force_generic_plan",
        "auto",
        "a prepared statement keeps its plan; planning a page of a large table takes longer than reading it",
    ),
];

const MYSQL: &[MySqlSetting] = &[
    mysql_setting(
        "NAMES utf8mb4 COLLATE utf8mb4_bin",
        "text is exchanged as UTF-8; other character sets lack characters",
    ),
    mysql_setting(
        "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT'",
        "a value that does not fit is refused instead of cut, an empty text is not null, and `\"` quotes text",
    ),
    mysql_setting(
        "autocommit = 1",
        "a statement without a transaction is stored",
    ),
    mysql_setting(
        "completion_type = 0",
        "a commit does not begin another transaction",
    ),
    mysql_setting(
        "sql_select_limit = 18446744073709551615",
        "a query returns all its rows",
    ),
    mysql_setting(
        "sql_big_selects = 1",
        "no query is refused because of `max_join_size`",
    ),
    mysql_setting(
        "sql_safe_updates = 0",
        "no change is refused because of its condition",
    ),
    mysql_setting(
        "sql_auto_is_null = 0",
        "`id IS NULL` does not find the last inserted row",
    ),
    mysql_setting(
        "max_sort_length = 1024",
        "rows are sorted by whole texts of 255 characters",
    ),
    mysql_setting(
        "unique_checks = 1",
        "a unique index, such as that of idempotency keys, refuses equal values",
    ),
    mysql_setting("foreign_key_checks = 1", "foreign keys are enforced"),
    mysql_setting("time_zone = '+00:00'", "times are those of UTC"),
    mysql_setting(
        "default_storage_engine = InnoDB",
        "every table that a migration creates has transactions",
    ),
];

/// The isolation level of a session, which a statement of its own sets under the same name on all servers.
const MYSQL_ISOLATION: MySqlSetting = mysql_setting(
    "SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "no uncommitted row is read",
);

/// The statements for a session of PostgreSQL whose statements the server aborts after the query timeout, or never.
/// `CockroachDB` has other settings and other plans.
pub(crate) fn postgres(query_timeout: Option<Duration>) -> String {
    let settings = POSTGRES.iter().map(|setting| {
        let PostgresSetting {
            name,
            value,
            replaced,
            ..
        } = setting;
        format!("('{name}', '{value}', '{replaced}')")
    });
    let settings = settings.collect::<Vec<_>>().join(", ");
    let timeout_ms = query_timeout.map_or(0, |timeout| timeout.as_millis());
    format!(
        "SELECT set_config(name, value, false) FROM (VALUES {settings}) AS setting (name, value, replaced) \
         WHERE current_setting('crdb_version', true) IS NULL AND CASE replaced \
         WHEN '' THEN current_setting(name, true) <> value ELSE current_setting(name, true) = replaced END; \
         SELECT set_config('statement_timeout', '{timeout_ms}', false)"
    )
}

/// The statements for a session of MySQL or MariaDB whose statements the server aborts after the query timeout, or never.
pub(crate) fn mysql(query_timeout: Option<Duration>) -> String {
    let assignments = MYSQL.iter().map(|setting| setting.assignment);
    let assignments = assignments.collect::<Vec<_>>().join(", ");
    let isolation = MYSQL_ISOLATION.assignment;
    let locks = query_timeout.map_or_else(String::new, |timeout| {
        let seconds = timeout.as_secs().max(1);
        format!(", lock_wait_timeout = {seconds}, innodb_lock_wait_timeout = {seconds}")
    });
    let seconds = query_timeout.map_or(0, |timeout| timeout.as_secs().max(1));
    let milliseconds = query_timeout.map_or(0, |timeout| timeout.as_millis());
    // The first comment is executed by MariaDB only, the second by MySQL only.
    format!(
        "SET {assignments}{locks} \
         /*M! , check_constraint_checks = 1, max_statement_time = {seconds} */ \
         /*!50708 , max_execution_time = {milliseconds} */; \
         SET {isolation}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_every_setting_with_its_reason() {
        let documentation = include_str!("../../../docs/databases.md");
        let postgres = POSTGRES.iter().map(|setting| {
            let PostgresSetting {
                name,
                value,
                replaced,
                reason,
            } = setting;
            let replaced = match *replaced {
                "" => String::new(),
                value => format!(" if it is `{value}`"),
            };
            format!("| `{name} = {value}`{replaced} | {reason} |")
        });
        let mysql = MYSQL.iter().chain([&MYSQL_ISOLATION]);
        let mysql =
            mysql.map(|setting| format!("| `{}` | {} |", setting.assignment, setting.reason));
        let missing = postgres
            .chain(mysql)
            .filter(|row| !documentation.contains(row));
        let missing: Vec<_> = missing.collect();
        assert!(
            missing.is_empty(),
            "docs/databases.md lacks these rows:\n{}",
            missing.join("\n")
        );
    }
}
