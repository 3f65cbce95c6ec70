//! Imports and exports vehicles as CSV and NDJSON files.
//!
//! A row is checked by the rules of `createVehicle`. Rows are read and written one by one.

mod csv;
mod export;
mod file;
mod import;
mod lines;
mod ndjson;
mod progress;
mod read;
mod row;
mod sink;
mod write;

pub use export::{ExportError, export};
pub use file::{FileOrStdio, Format};
pub use import::{ImportError, ImportOptions, import};
pub use lines::{MAX_ROW_BYTES, Unreadable};
pub use read::Reader;
pub use row::Row;
pub use write::{write_header, write_row};
