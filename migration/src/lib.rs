//! The database migrations of the vehicle catalogue, which define its tables, and the lock under which one instance at a
//! time applies them.
//!
//! A run is one transaction on one connection, which holds the lock: if the connection is lost, the run ends. PostgreSQL
//! and SQLite roll back a failed run; MySQL commits each statement, so every step can be repeated.

mod migrator;
mod vehicle;

pub use migrator::{Error, MigrationStatus, State, down, names, status, up};
pub use vehicle::{INDEXES, UNIQUE_INDEX, create_index};
