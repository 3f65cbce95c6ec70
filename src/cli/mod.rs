//! The command line, and the commands that only this service has.

mod command_line;
mod export;
mod file_or_stdio;
mod import;
mod progress;

pub use self::{
    command_line::CommandLine,
    export::ExportError,
    import::{ImportError, Processed},
};
