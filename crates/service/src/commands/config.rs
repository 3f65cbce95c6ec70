//! `config`: checks the settings, or prints an example file or the reference.

use clap::Command;
use settings::{ConfigCommand, Effective, print};

use super::failure::Failure;
use crate::{Definition, Settings, app, error_chain::error_chain, reference};

pub(super) async fn run(
    command: ConfigCommand,
    service: &Definition,
    settings: &Settings,
    effective: &[Effective],
    command_line: &Command,
) -> Result<(), Failure> {
    let text = match command {
        ConfigCommand::Check => return check(service, settings, effective).await,
        ConfigCommand::Example => ::settings::example(command_line),
        ConfigCommand::Reference => reference(command_line),
    };
    print(&text).map_err(Failure::Print)
}

/// Prints the effective settings and validates the files that they name. The settings themselves are
/// validated when they are read.
async fn check(
    service: &Definition,
    settings: &Settings,
    effective: &[Effective],
) -> Result<(), Failure> {
    print(&::settings::listing(effective)).map_err(Failure::Print)?;
    let errors = app::validate_files(service, settings).await;
    if errors.is_empty() {
        return Ok(());
    }
    let sentences = errors.iter().map(|error| error_chain(error)).collect();
    Err(Failure::InvalidSettings(sentences))
}
