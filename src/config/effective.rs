//! Which settings are in effect, and who said so.

use std::fmt;

use clap::{ArgMatches, Command, parser::ValueSource};

use super::{
    Settings,
    file::ConfigFile,
    setting::{self, Setting},
};

/// What is shown instead of a secret.
const MASK: &str = "********";

/// A setting as it is in effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// The name of the setting.
    pub name: String,
    /// What it belongs to.
    pub heading: String,
    /// Its value as a file would have it; masked if it is a secret.
    pub value: String,
    /// What may be known of a secret.
    pub hint: Option<String>,
    /// Who said so.
    pub origin: Origin,
}

/// Who has said what a setting is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody.
    Default,
    /// A file, with the line.
    File(String),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

/// `default`, `FILE:LINE`, `variable NAME` or `flag --NAME`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(place) => f.write_str(place),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// Every setting in the order of the definition.
pub(super) fn list(
    definition: &Command,
    file: Option<&ConfigFile>,
    matches: &ArgMatches,
    settings: &Settings,
) -> Vec<Effective> {
    let effective = |setting: Setting| {
        let origin = origin(setting, file, matches);
        let hidden = setting.is_secret() && origin != Origin::Default;
        let hint = match setting.id() {
            "database_url" => Some(settings.database_url.to_string()),
            "read_database_url" => settings.replica().map(|replica| replica.url.to_string()),
            _ => None,
        };
        let hint = hint.filter(|_| hidden);
        Effective {
            name: setting.name().to_owned(),
            heading: setting.heading().to_owned(),
            value: setting.to_toml(if hidden { MASK } else { text(setting, matches) }),
            hint,
            origin,
        }
    };
    setting::all(definition).map(effective).collect()
}

fn origin(setting: Setting<'_>, file: Option<&ConfigFile>, matches: &ArgMatches) -> Origin {
    match matches.value_source(setting.id()) {
        Some(ValueSource::CommandLine) => Origin::Flag(setting.name().to_owned()),
        Some(ValueSource::EnvVariable) => Origin::Variable(setting.variable().to_owned()),
        _ => file
            .and_then(|file| file.place(setting))
            .map_or(Origin::Default, Origin::File),
    }
}

fn text<'a>(setting: Setting<'_>, matches: &'a ArgMatches) -> &'a str {
    let mut values = matches.get_raw(setting.id()).into_iter().flatten();
    let text = values.next().and_then(std::ffi::OsStr::to_str);
    text.expect("a setting has a value that its parser has read as Unicode")
}
