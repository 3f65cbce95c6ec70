//! What the definition of the command line says about a single setting.

use std::any::TypeId;

use clap::{Arg, Command};

use super::documents::CostLimit;
use crate::catalogue::ListLimit;

/// The setting that names the file of the others, and so can't stand in it.
pub(super) const CONFIG: &str = "config";

/// A setting: a flag of the command line that is a variable of the environment, too.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a>(&'a Arg);

/// The settings in the order of the definition, each of which may stand in a file.
pub(super) fn all(definition: &Command) -> impl Iterator<Item = Setting<'_>> {
    let arguments = definition.get_arguments();
    let settings = arguments.filter(|argument| argument.get_env().is_some());
    settings
        .map(Setting)
        .filter(|setting| setting.name() != CONFIG)
}

impl<'a> Setting<'a> {
    /// The identifier in the definition.
    pub(super) fn id(self) -> &'a str {
        self.0.get_id().as_str()
    }

    /// The name of the flag without its dashes, and of the key in a file.
    pub(super) fn name(self) -> &'a str {
        self.0.get_long().expect("a setting has a flag")
    }

    /// The name of the variable.
    pub(super) fn variable(self) -> &'a str {
        let variable = self.0.get_env().and_then(std::ffi::OsStr::to_str);
        variable.expect("a setting has a variable, in ASCII")
    }

    /// Its value when nobody says anything.
    pub(super) fn default(self) -> &'a str {
        let default = self.0.get_default_values().first();
        let default = default.and_then(|text| text.to_str());
        default.expect("a setting has a default, in ASCII")
    }

    /// What it means, with its bounds.
    pub(super) fn meaning(self) -> String {
        let help = self.0.get_help().expect("a setting is documented");
        help.to_string()
    }

    /// What stands for its value in a line of help, in the plural: the unit of a number.
    #[cfg(test)]
    pub(super) fn unit(self) -> &'a str {
        let names = self.0.get_value_names().unwrap_or_default();
        names.first().map_or("", |name| name.as_str())
    }

    /// What it belongs to.
    pub(super) fn heading(self) -> &'a str {
        self.0.get_help_heading().unwrap_or("General")
    }

    /// Whether its value is nobody's business.
    pub(super) fn is_secret(self) -> bool {
        self.0.is_hide_env_values_set()
    }

    /// Whether its value is a number, so that a file has it without quotes.
    pub(super) fn is_number(self) -> bool {
        let made = self.0.get_value_parser().type_id();
        let numbers = [
            TypeId::of::<u32>(),
            TypeId::of::<ListLimit>(),
            TypeId::of::<CostLimit>(),
        ];
        numbers.iter().any(|number| made == *number)
    }

    /// Its value as a file has it.
    pub(super) fn to_toml(self, text: &str) -> String {
        if self.is_number() && is_integer(text) {
            text.to_owned()
        } else {
            toml::Value::from(text).to_string()
        }
    }

    /// What is wrong with a text as its value, by the parser of the flag.
    pub(super) fn refuses(self, text: &str) -> Option<String> {
        // Positional, so that the sentence names the setting and not the flag.
        let alone = Arg::new(self.name().to_owned())
            .allow_hyphen_values(true)
            .value_parser(self.0.get_value_parser().clone());
        let command = Command::new(CONFIG).no_binary_name(true).arg(alone);
        // A text of its own could be taken for a flag.
        let refusal = command.try_get_matches_from(["--", text]).err()?;
        let sentence = refusal.to_string();
        let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
        Some(sentence.trim_end().to_owned())
    }
}

/// Whether a text is what TOML has without quotes.
pub(super) fn is_integer(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}
