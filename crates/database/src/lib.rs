//! Access to SQLite, PostgreSQL, MySQL and MariaDB for services on SeaORM.
#![doc = include_str!("../README.md")]

mod application;
mod batcher;
mod columns;
mod connect;
mod connect_with_retry;
mod connection_health;
mod connection_pool;
mod database;
mod database_url;
mod encryption;
mod error;
mod galera;
mod ids;
mod ids_left;
mod inserter;
mod migrations;
mod pools;
mod reader;
mod retry;
mod row;
mod semantic_conventions;
mod server_version;
mod session;
mod settings;
mod stats;
mod tables;
mod transactions;
mod writable;
mod writer;

pub use application::Application;
pub use batcher::{BatchError, BatchedQuery, Batcher, BatcherLimits, Observer};
pub use columns::{Column, ColumnType, entity_columns};
pub use database::Database;
pub use database_url::DatabaseUrl;
pub use error::{DriverError, Error, fan_out_error};
pub use inserter::Inserter;
pub use migrations::{Index, Migration, MigrationState, MigrationStatus, Step, text_column};
pub use reader::Reader;
pub use row::{column, date_column, unreadable};
pub use settings::DatabaseSettings;
pub use stats::{DatabaseStats, PoolStats};
pub use transactions::Transaction;
pub use writer::{Change, WriteTransaction, Writer};
