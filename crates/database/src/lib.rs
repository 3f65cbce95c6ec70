//! Access to SQLite, PostgreSQL, MySQL and MariaDB for services on SeaORM.
#![doc = include_str!("../README.md")]

mod batcher;
mod columns;
mod connect;
mod connect_with_retry;
mod connection_health;
mod connection_pool;
mod database;
mod encryption;
mod error;
mod error_hints;
mod failover;
mod galera;
mod hosts;
mod identity;
mod ids_left;
mod inserter;
mod migrations;
mod password;
mod pools;
mod reader;
mod replica;
mod retry;
mod row;
mod scheduling;
mod server_version;
mod settings;
mod stats;
mod target;
mod transactions;
mod writable;
mod writer;

pub use batcher::{BatchError, BatchedQuery, Batcher, BatcherLimits, Observer};
pub use columns::{Column, ColumnType, entity_columns};
pub use database::{Application, Database};
pub use error::{DriverError, Error};
pub use inserter::{Inserter, StoredRow};
pub use migrations::{MigrationState, MigrationStatus};
pub use reader::{Reader, fan_out_error};
pub use replica::{Replica, ReplicaSettings, ReplicaState, ReplicaStats};
pub use row::{ColumnValue, FromRow, Row};
pub use settings::{DatabaseSettings, DatabaseUrl};
pub use stats::{DatabaseStats, PoolStats};
pub use transactions::Transaction;
pub use writer::{WriteTransaction, Writer};
