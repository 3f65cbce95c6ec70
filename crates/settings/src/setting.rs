//! One setting in the definition of a command line.

use clap::{Arg, Command};

/// The setting that names the file of settings, and so cannot be in it.
pub(crate) const CONFIG: &str = "config";

/// The minimum similarity, from 0 to 1, at which a name is reported as misspelt.
const MIN_SIMILARITY: f64 = 0.7;

/// A setting: a flag outside of subcommands that also has an environment variable.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a>(&'a Arg);

/// The settings that a file can contain, in the order of the definition.
pub(crate) fn all(definition: &Command) -> impl Iterator<Item = Setting<'_>> {
    let arguments = definition.get_arguments();
    let settings = arguments.filter(|argument| argument.get_env().is_some());
    settings
        .map(Setting)
        .filter(|setting| setting.name() != CONFIG)
}

/// The prefix of the variables: that of the variable which names the file.
pub(crate) fn prefix(definition: &Command) -> &str {
    let mut arguments = definition.get_arguments();
    let config = arguments.find(|argument| argument.get_id() == CONFIG);
    let config = config.expect("a command line with settings contains `ConfigFile`");
    Setting(config).variable().trim_end_matches("CONFIG")
}

/// The setting whose name is most similar to an unknown name, if it is similar enough.
pub(crate) fn most_similar<'a>(key: &str, definition: &'a Command) -> Option<Setting<'a>> {
    let plain = key.strip_prefix(prefix(definition)).unwrap_or(key);
    let plain = plain.to_ascii_lowercase().replace(['_', '.', ' '], "-");
    let plain = plain.trim_start_matches("--");
    let similarity = |setting: Setting| {
        if setting.variable() == key {
            return 1.0;
        }
        // Jaro-Winkler favours a common prefix, Damerau-Levenshtein counts wrong letters.
        f64::midpoint(
            strsim::jaro_winkler(plain, setting.name()),
            strsim::normalized_damerau_levenshtein(plain, setting.name()),
        )
    };
    let (similarity, nearest) = all(definition)
        .map(|setting| (similarity(setting), setting))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    (similarity >= MIN_SIMILARITY).then_some(nearest)
}

impl<'a> Setting<'a> {
    /// The identifier in the definition.
    pub(crate) fn id(self) -> &'a str {
        self.0.get_id().as_str()
    }

    /// The name of the flag without dashes, which is also the key in a file.
    pub(crate) fn name(self) -> &'a str {
        self.0.get_long().expect("a setting has a flag")
    }

    /// The name of the variable.
    pub(crate) fn variable(self) -> &'a str {
        let variable = self.0.get_env().and_then(std::ffi::OsStr::to_str);
        variable.expect("a setting has a variable, in ASCII")
    }

    /// The default.
    pub(crate) fn default(self) -> &'a str {
        default(self.0).expect("a setting has a default, in ASCII")
    }

    /// The help text, with the bounds.
    pub(crate) fn meaning(self) -> String {
        let help = self.0.get_help().expect("a setting is documented");
        help.to_string()
    }

    /// The value name in the help, in the plural: the unit of a number.
    pub(crate) fn unit(self) -> &'a str {
        let names = self.0.get_value_names().unwrap_or_default();
        names.first().map_or("", |name| name.as_str())
    }

    /// The group of the setting.
    pub(crate) fn heading(self) -> &'a str {
        self.0.get_help_heading().unwrap_or("General")
    }

    /// Whether the value is a secret.
    pub(crate) fn is_secret(self) -> bool {
        self.0.is_hide_env_values_set()
    }

    /// Whether the value is a number, which a file contains without quotes.
    pub(crate) fn is_number(self) -> bool {
        self.0.is_allow_negative_numbers_set()
    }

    /// The value as in a file.
    pub(crate) fn to_toml(self, text: &str) -> String {
        if self.is_number() && is_integer(text) {
            text.to_owned()
        } else {
            toml::Value::from(text).to_string()
        }
    }

    /// The error of the parser of the flag for a value, if it is invalid.
    pub(crate) fn validation_error(self, text: &str) -> Option<String> {
        // Positional, so that the message contains the name of the setting and not the flag.
        let alone = Arg::new(self.name().to_owned())
            .allow_hyphen_values(true)
            .value_parser(self.0.get_value_parser().clone());
        let command = Command::new(CONFIG).no_binary_name(true).arg(alone);
        // Without `--` the value could be parsed as a flag.
        let error = command.try_get_matches_from(["--", text]).err()?;
        let sentence = error.to_string();
        let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
        Some(sentence.trim_end().to_owned())
    }
}

/// The default of an argument.
pub(crate) fn default(argument: &Arg) -> Option<&str> {
    let default = argument.get_default_values().first();
    default.and_then(|text| text.to_str())
}

/// Whether the text is a TOML integer.
pub(crate) fn is_integer(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}
