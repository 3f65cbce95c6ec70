//! How vehicles are written in files: rows of CSV and lines of NDJSON, read and written.
//!
//! A row becomes a [`NewVehicle`](crate::catalogue::NewVehicle) under the rules of `createVehicle`.
//! One row is in memory at a time. Nothing here knows where vehicles are kept, or which file it is.

mod csv;
mod format;
mod ndjson;
mod read;
mod row;
mod unreadable;
mod write;

pub use format::Format;
pub use read::Reader;
pub use row::{BadRow, Ids, Row};
pub use unreadable::Unreadable;
pub use write::Writer;

/// The most bytes a row may have; the longest row that can be right has far fewer.
pub const MAX_ROW_BYTES: u64 = 1 << 20;
