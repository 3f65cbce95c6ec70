//! Reads and writes files of vehicles: CSV and NDJSON.
//!
//! A row is validated as a [`NewVehicle`](crate::catalogue::NewVehicle) with the rules of `createVehicle`. Rows are read
//! and written one by one. This module knows no database and opens no file.

mod columns;
mod csv;
mod format;
mod lines;
mod ndjson;
mod read;
mod row;
mod unreadable;
mod write;

pub use columns::{NAMES as COLUMNS, REQUIRED as REQUIRED_COLUMNS};
pub use csv::COMMA;
pub use format::Format;
pub use read::Reader;
pub use row::{InvalidRow, Row};
pub use unreadable::{MAX_ROW_BYTES, Unreadable};
pub use write::{write_header, write_row};
