//! Checks at startup whether a SQLite file is writable.

use futures_util::future::BoxFuture;
use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{
    ConnectionTrait, DbErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use crate::database::Database;
use crate::database_url::Target;
use crate::error::{Error, is_read_only};

impl Database {
    /// Rejects a SQLite file that can only be opened read-only, unless the URL requests that. Changes
    /// nothing. A server is not checked, because it may become writable while it runs.
    pub fn ensure_writable(&self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(async move {
            let url = &self.settings.url;
            let Target::SqliteFile(options) = &url.0 else {
                return Ok(());
            };
            match self.probe_writable().await {
                Err(source) if is_read_only(&source) && !is_read_only_requested(options) => {
                    let database = url.to_string();
                    let source = source.into();
                    Err(Error::ReadOnly { database, source })
                }
                // Any other error, such as a lock of another process, does not mean that the file is read-only.
                _ => Ok(()),
            }
        })
    }

    /// Writes in a transaction and rolls back: a transaction without a write can begin on a read-only file.
    async fn probe_writable(&self) -> Result<(), DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = self.pools.writer.db.begin_with_options(options).await?;
        transaction
            .execute_unprepared("PRAGMA user_version = 0")
            .await?;
        transaction.rollback().await
    }
}

/// Whether the URL requests a read-only file.
fn is_read_only_requested(options: &SqliteConnectOptions) -> bool {
    let url = options.to_url_lossy();
    let mut parameters = url.query_pairs();
    parameters.any(|(name, value)| (name == "mode" && value == "ro") || name == "immutable")
}
