//! The settings: those of every service, and those that only this one has.

use ::settings::{number, with_prefix};
use clap::{Arg, Args};
use service::hide_in_short_help;

/// The settings of the service.
#[derive(Debug, Clone, Args)]
#[command(mut_args = complete)]
pub struct Settings {
    /// The settings of every service.
    #[command(flatten)]
    pub service: service::Settings,

    /// Maximum number of vehicles that createVehicles creates at once, from 1 to 1000
    #[arg(long, value_name = "VEHICLES", default_value = "100", value_parser = number(1..=1000))]
    #[arg(help_heading = "Vehicles")]
    pub bulk_limit: u32,
}

/// Completes the declaration of a setting of every service.
fn complete(argument: Arg) -> Arg {
    let argument = match argument.get_id().as_str() {
        "database_url" => argument.default_value("sqlite:vehicle-catalogue.db"),
        "log_level" => argument.env("CATALOGUE_LOG"),
        "auth_keys_file" => {
            let help = argument.get_help().cloned().unwrap_or_default();
            let scopes = "queries require the scope catalogue:read, mutations catalogue:write";
            argument.help(format!("{help}: {scopes}"))
        }
        _ => argument,
    };
    hide_in_short_help(with_prefix("CATALOGUE_")(argument))
}
