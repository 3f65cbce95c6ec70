//! The commands of the program `schema-review`.

mod config;
mod diff;
mod documents;
mod failure;
mod fetch;
mod files;
mod git;
mod header;
mod lint;
mod operations;
mod output;
mod program;
mod source;
mod usage;

pub use self::program::main;
