//! `schema`: the commands about the contract. The crate `review` has those that do
//! not concern this service.

mod check;

use ::schema::Schema as Contract;
use clap::Subcommand;
use review::cli::{
    Command, Failure as ReviewFailure, Fetched, Source, Unreadable, read as read_source,
};
use settings::{masked_url, print};

use self::check::Format;
use super::{failure::Failure, remote_contract};
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
    /// Print the hash of the contract of this program, or of a source
    Hash {
        /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
    },
    /// Check that the contract, the served schema and the database tables agree; exit code 1 if
    /// they differ or the database is unreachable
    Check {
        /// The contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH;
        /// default: that of this program
        #[arg(value_name = "SOURCE")]
        source: Option<String>,
        /// Do not check the database
        #[arg(long)]
        without_database: bool,
        /// How to write what was found: text, json or markdown
        #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = Format::parser())]
        format: Format,
    },
    /// The commands of the crate `review`.
    #[command(flatten)]
    Review(Command),
}

pub(super) async fn run(
    command: Schema,
    service: &Definition,
    settings: &Settings,
) -> Result<(), Failure> {
    match command {
        Schema::Print { served: false } => print(service.contract.sdl()).map_err(Failure::Print),
        Schema::Print { served: true } => print(service.served_sdl).map_err(Failure::Print),
        Schema::Hash { source } => {
            let hash = match source {
                None => service.contract.hash(),
                Some(source) => read(&source).await?.hash(),
            };
            print(&format!("{hash}\n")).map_err(Failure::Print)
        }
        Schema::Check {
            source,
            without_database,
            format,
        } => {
            let contract = match source {
                Some(source) => read(&source).await?,
                None => service.contract.schema().clone(),
            };
            let database = (!without_database).then_some(settings);
            check::run(service, &contract, database, format).await
        }
        Schema::Review(command) => {
            let mut fetched = Fetched::new();
            for url in command.urls() {
                fetched.insert(url.to_owned(), fetch(url).await?);
            }
            Ok(command.run(&fetched)?)
        }
    }
}

/// Reads the contract of a source.
async fn read(source: &str) -> Result<Contract, Failure> {
    match Source::parse(source) {
        Source::Url(url) => fetch(&url).await,
        source => Ok(read_source(&source, &Fetched::new()).map_err(ReviewFailure::from)?),
    }
}

async fn fetch(url: &str) -> Result<Contract, Failure> {
    let contract = remote_contract::fetch(url).await;
    let contract = contract.map_err(|error| Failure::Service(masked_url(url), error))?;
    Ok(contract.map_err(|problems| ReviewFailure::from(Unreadable::Invalid(problems)))?)
}
