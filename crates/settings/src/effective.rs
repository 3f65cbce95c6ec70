//! The effective settings and their origins.

use std::fmt;

use clap::{ArgMatches, Command, parser::ValueSource};

use super::{
    file::SettingsFile,
    setting::{self, Setting},
    url::MASK,
};

/// An effective setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// The name of the setting.
    pub name: String,
    /// The group of the setting.
    pub heading: String,
    /// The value as in a TOML file; masked if it is a secret.
    pub value: String,
    /// The public part of a secret, such as a URL without its password.
    pub hint: Option<String>,
    /// Where the value was set.
    pub origin: Origin,
}

/// Where the value of a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The default.
    Default,
    /// A file and a line.
    File(String),
    /// An environment variable.
    Variable(String),
    /// A command line flag.
    Flag(String),
}

/// `default`, `FILE:LINE`, `variable NAME` or `flag --NAME`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(location) => f.write_str(location),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

impl Effective {
    /// Adds the public part of a secret, such as a URL without its password. A default is not masked
    /// and remains as it is.
    pub fn describe(&mut self, public_part: &dyn fmt::Display) {
        if self.value.trim_matches('"') == MASK {
            self.hint = Some(public_part.to_string());
        }
    }

    fn assignment(&self) -> String {
        format!("{} = {}", self.name, self.value)
    }
}

/// Every setting in the order of the definition.
pub(crate) fn list(
    definition: &Command,
    file: Option<&SettingsFile>,
    matches: &ArgMatches,
) -> Vec<Effective> {
    let effective = |setting: Setting| {
        let origin = origin(setting, file, matches);
        let text = text(setting, matches);
        let hidden = setting.is_secret() && text != setting.default();
        Effective {
            name: setting.name().to_owned(),
            heading: setting.heading().to_owned(),
            value: setting.to_toml(if hidden { MASK } else { text }),
            hint: None,
            origin,
        }
    };
    setting::all(definition).map(effective).collect()
}

/// The settings as in a TOML file, each with its origin.
pub fn listing(effective: &[Effective]) -> String {
    let widths = effective.iter().map(|one| one.assignment().chars().count());
    let width = widths.filter(|&width| width <= 60).max().unwrap_or(0);
    let (mut lines, mut heading) = (Vec::new(), "");
    for setting in effective {
        if heading != setting.heading {
            heading = &setting.heading;
            lines.push(format!("## {heading}"));
        }
        let hint = setting.hint.as_ref();
        let hint = hint.map_or(String::new(), |hint| format!(", {hint}"));
        let (assignment, origin) = (setting.assignment(), &setting.origin);
        lines.push(format!("{assignment:width$}  # {origin}{hint}"));
    }
    lines.join("\n") + "\n"
}

fn origin(setting: Setting<'_>, file: Option<&SettingsFile>, matches: &ArgMatches) -> Origin {
    match matches.value_source(setting.id()) {
        Some(ValueSource::CommandLine) => Origin::Flag(setting.name().to_owned()),
        Some(ValueSource::EnvVariable) => Origin::Variable(setting.variable().to_owned()),
        _ => file
            .and_then(|file| file.location(setting))
            .map_or(Origin::Default, Origin::File),
    }
}

fn text<'a>(setting: Setting<'_>, matches: &'a ArgMatches) -> &'a str {
    let mut values = matches.get_raw(setting.id()).into_iter().flatten();
    let text = values.next().and_then(std::ffi::OsStr::to_str);
    text.expect("a setting has a value that its parser has read as Unicode")
        .trim()
}
