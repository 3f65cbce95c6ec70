//! `schema`: the commands about the contract. The program `schema-review` has those that do not concern this service.

mod check;

use std::{
    fs,
    path::{Path, PathBuf},
};

use ::schema::Schema as Contract;
use clap::Subcommand;
use settings::print;

use self::check::Format;
use super::failure::Failure;
use crate::{Definition, Settings};

/// The commands for the contract.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Schema {
    /// Print the contract that this program serves
    Print {
        /// Print the served schema as async-graphql prints it
        #[arg(long)]
        served: bool,
    },
    /// Print the hash of the contract of this program, or of a file
    Hash {
        /// A file of SDL, or an introspection response (.json)
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Check that the contract, the served schema and the database tables agree; exit code 1 if
    /// they differ or the database is unreachable
    Check {
        /// The contract: a file of SDL, or an introspection response (.json); default: that of this
        /// program
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Do not check the database
        #[arg(long)]
        without_database: bool,
        /// How to write what was found: text, json or markdown
        #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::parser())]
        format: Format,
    },
}

pub(super) async fn run(
    command: Schema,
    service: &Definition,
    settings: &Settings,
) -> Result<(), Failure> {
    match command {
        Schema::Print { served: false } => print(service.contract.sdl()).map_err(Failure::Print),
        Schema::Print { served: true } => print(service.served_sdl).map_err(Failure::Print),
        Schema::Hash { file } => {
            let hash = match file {
                None => service.contract.hash(),
                Some(file) => read(&file)?.hash(),
            };
            print(&format!("{hash}\n")).map_err(Failure::Print)
        }
        Schema::Check {
            file,
            without_database,
            format,
        } => {
            let contract = match file {
                Some(file) => read(&file)?,
                None => service.contract.schema().clone(),
            };
            let database = (!without_database).then_some(settings);
            check::run(service, &contract, database, format).await
        }
    }
}

fn read(file: &Path) -> Result<Contract, Failure> {
    let text = fs::read_to_string(file);
    let text = text.map_err(|error| Failure::Contract(file.to_owned(), error))?;
    Contract::read(&file.to_string_lossy(), &text).map_err(Failure::InvalidContract)
}
