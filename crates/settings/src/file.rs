//! The settings of a TOML file: validated like those of the command line, and then used as its
//! defaults.

use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use clap::Command;
use toml::de::{DeTable, DeValue};

use super::setting::{self, CONFIG, Setting, is_integer, most_similar};

/// The settings of a valid file.
pub(crate) struct SettingsFile {
    path: PathBuf,
    /// By the identifier of the setting.
    entries: BTreeMap<String, Entry>,
}

/// Without `Debug`, because the text may be a secret.
struct Entry {
    line: usize,
    text: String,
}

/// A line number and a message.
type Problem = (usize, String);

impl SettingsFile {
    /// Reads a file; the error contains a message for each problem.
    pub(crate) fn read(path: &Path, definition: &Command) -> Result<Self, Vec<String>> {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| vec![format!("cannot read the settings in {shown}: {error}")])?;
        let entries = entries(&text, definition).map_err(|mut problems| {
            problems.sort();
            let problems = problems.into_iter();
            problems
                .map(|(line, problem)| format!("{shown}:{line}: {problem}"))
                .collect::<Vec<_>>()
        })?;
        let path = path.to_owned();
        Ok(Self { path, entries })
    }

    /// The definition with the settings of the file as its defaults.
    pub(crate) fn as_defaults(&self, definition: Command) -> Command {
        self.entries.iter().fold(definition, |definition, entry| {
            let (id, Entry { text, .. }) = entry;
            definition.mut_arg(id, |argument| argument.default_value(text.clone()))
        })
    }

    /// The location of a setting, if the file contains it: file and line.
    pub(crate) fn location(&self, setting: Setting<'_>) -> Option<String> {
        let entry = self.entries.get(setting.id())?;
        Some(format!("{}:{}", self.path.display(), entry.line))
    }
}

fn entries(text: &str, definition: &Command) -> Result<BTreeMap<String, Entry>, Vec<Problem>> {
    let line = |span: Range<usize>| 1 + text[..span.start.min(text.len())].matches('\n').count();
    let table = DeTable::parse(text).map_err(|error| {
        let location = error.span().map_or(1, line);
        let text = text.lines().nth(location - 1).unwrap_or_default();
        if let Some(problem) = unquoted(text, definition) {
            return vec![(location, problem)];
        }
        // Only the message: the full error repeats the line, which may contain a secret.
        vec![(location, format!("this is not TOML: {}", error.message()))]
    })?;
    let (mut entries, mut problems) = (BTreeMap::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let line = line(key.span());
        match entry(key.get_ref(), value.get_ref(), definition) {
            Ok((setting, text)) => {
                entries.insert(setting.id().to_owned(), Entry { line, text });
            }
            Err(problem) => problems.push((line, problem)),
        }
    }
    if problems.is_empty() {
        Ok(entries)
    } else {
        Err(problems)
    }
}

fn entry<'a>(
    key: &str,
    value: &DeValue,
    definition: &'a Command,
) -> Result<(Setting<'a>, String), String> {
    let setting = setting::all(definition).find(|setting| setting.name() == key);
    let setting = setting.ok_or_else(|| unknown(key, value, definition))?;
    let text = text(setting, value)?;
    match setting.validation_error(&text) {
        None => Ok((setting, text)),
        Some(problem) => Err(problem),
    }
}

/// The value as the text of the flag.
fn text(setting: Setting<'_>, value: &DeValue) -> Result<String, String> {
    let name = setting.name();
    match value {
        DeValue::String(text) if setting.is_number() && is_integer(text.trim()) => {
            Err(format!("{name} must be written without quotes"))
        }
        DeValue::String(text) => Ok(text.trim().to_owned()),
        DeValue::Integer(number) if setting.is_number() => {
            let value = i64::from_str_radix(number.as_str(), number.radix());
            // A number that overflows exceeds every bound, which the parser of the setting reports.
            Ok(value.map_or_else(|_| number.to_string(), |value| value.to_string()))
        }
        other if setting.is_number() => {
            let found = other.type_str();
            Err(format!(
                "{name} must be a whole number and not a TOML {found}"
            ))
        }
        other => {
            let (found, example) = (other.type_str(), setting.to_toml(setting.default()));
            Err(format!(
                "{name} must be a text in quotes, such as {name} = {example}, and not a TOML {found}"
            ))
        }
    }
}

/// The message for a line in which the text of a setting has no quotes.
fn unquoted(line: &str, definition: &Command) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    let mut settings = setting::all(definition);
    let setting = settings.find(|setting| setting.name() == key.trim())?;
    let is_unquoted = !setting.is_number() && !value.trim_start().starts_with(['"', '\'']);
    is_unquoted.then(|| {
        let (name, example) = (setting.name(), setting.to_toml(setting.default()));
        format!("{name} must be a text in quotes, such as {name} = {example}")
    })
}

fn unknown(key: &str, value: &DeValue, definition: &Command) -> String {
    if key == CONFIG {
        return "config is not allowed in the settings file".to_owned();
    }
    if value.is_table() {
        return format!("unknown table {key:?}; settings are top-level keys");
    }
    if let Some(setting) = most_similar(key, definition) {
        let name = setting.name();
        return format!("unknown setting {key:?}; did you mean {name}?");
    }
    let program = definition.get_name();
    format!("unknown setting {key:?}; {program} --help lists all")
}
