//! Detects MySQL accounts whose password is sent only over TLS.
//!
//! `caching_sha2_password` compares a hash with its cache. Without a cache entry, after a restart for
//! example, the server requests the password itself, which the driver sends only over TLS, because it
//! is built without RSA (RUSTSEC-2023-0071).

use sea_orm::DbErr;
use sea_orm::sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
use sea_orm::sqlx::{self, MySqlConnection, Row};

use crate::error::{PasswordNeedsTls, connection_error};

/// Rejects a login without TLS that works only while the server has the password in its cache.
pub(crate) async fn check(
    connection: &mut MySqlConnection,
    host: &MySqlConnectOptions,
) -> Result<(), DbErr> {
    use MySqlSslMode::{Required, VerifyCa, VerifyIdentity};
    // Behind a proxy, the status below describes the proxy's own connection to the server.
    if let Required | VerifyCa | VerifyIdentity = host.get_ssl_mode() {
        return Ok(());
    }
    let mut fetch_text = async |sql: &'static str, column: usize| {
        let row = sqlx::raw_sql(sql).fetch_one(&mut *connection).await;
        row.and_then(|row| row.try_get::<String, _>(column))
    };
    // Compatible servers without these statements do not have such accounts either.
    if fetch_text("SHOW SESSION STATUS LIKE 'Ssl_cipher'", 1)
        .await
        .is_ok_and(|cipher| cipher.is_empty())
        && fetch_text("SHOW CREATE USER CURRENT_USER()", 0)
            .await
            .is_ok_and(|account| is_cached(&account))
    {
        let reason = Box::new(PasswordNeedsTls);
        return Err(connection_error(sqlx::Error::Configuration(reason)));
    }
    Ok(())
}

/// Whether the account has a password that the server caches. Without a password none is requested.
fn is_cached(account: &str) -> bool {
    account.contains("IDENTIFIED WITH 'caching_sha2_password' AS ")
}

#[cfg(test)]
mod tests {
    use super::is_cached;

    #[test]
    fn an_account_without_a_password_needs_no_tls() {
        let account = |identified: &str| format!("CREATE USER `u`@`%` {identified} REQUIRE NONE");
        for cached in [
            "IDENTIFIED WITH 'caching_sha2_password' AS <secret>",
            "IDENTIFIED WITH 'caching_sha2_password' AS '$A$005$...'",
        ] {
            assert!(is_cached(&account(cached)), "{cached}");
        }
        for other in [
            "IDENTIFIED WITH 'caching_sha2_password'",
            "IDENTIFIED WITH 'mysql_native_password' AS '*94BD'",
            "IDENTIFIED BY PASSWORD '*94BD'",
        ] {
            assert!(!is_cached(&account(other)), "{other}");
        }
    }
}
