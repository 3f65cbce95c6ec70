//! The settings of the program, their sources and errors, and its health.

mod config_command;
mod health;
mod origins;

use testkit::Module;

pub(crate) const MODULES: &[Module] =
    &[("config_command", config_command::TESTS), ("health", health::TESTS), ("origins", origins::TESTS)];
