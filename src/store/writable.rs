//! Finding out at the start whether a SQLite file can be written, which no read tells.

use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{
    ConnectionTrait, DbErr, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use super::Store;
use super::error::{StoreError, is_read_only};
use super::target::Target;

impl Store {
    /// Refuses a SQLite file that SQLite could only open for reading, unless the URL asks for just
    /// that. Writes nothing. A server is taken as it is: it may become writable while it runs.
    pub async fn refuse_read_only(&self) -> Result<(), StoreError> {
        let target = &self.settings.url.0;
        let Target::SqliteFile(options) = target else {
            return Ok(());
        };
        match self.almost_write().await {
            Err(source) if is_read_only(&source) && !is_meant_to_be(options) => {
                let database = target.to_string();
                Err(StoreError::ReadOnly { database, source })
            }
            // Whatever else is wrong, such as another instance that writes, shows where it matters.
            _ => Ok(()),
        }
    }

    /// A change that is taken back: a transaction alone may begin on a read-only file.
    async fn almost_write(&self) -> Result<(), DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = self.pools.writer.begin_with_options(options).await?;
        transaction
            .execute_unprepared("PRAGMA user_version = 0")
            .await?;
        transaction.rollback().await
    }
}

/// Whether the operator wants the file to be read alone.
fn is_meant_to_be(options: &SqliteConnectOptions) -> bool {
    let url = options.to_url_lossy();
    let mut parameters = url.query_pairs();
    parameters.any(|(name, value)| (name == "mode" && value == "ro") || name == "immutable")
}
