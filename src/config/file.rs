//! The settings of a TOML file: checked like those of the command line, for which they then are
//! the defaults.

use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use clap::Command;
use toml::de::{DeTable, DeValue};

use super::setting::{self, CONFIG, Setting, is_integer};

/// From which likeness on a name is taken for a misspelt other one, from 0 to 1.
const ALIKE: f64 = 0.7;

/// The settings of a file that is right.
#[derive(Debug)]
pub(super) struct ConfigFile {
    path: PathBuf,
    /// By the identifier of the setting.
    entries: BTreeMap<String, Entry>,
}

struct Entry {
    line: usize,
    text: String,
}

impl std::fmt::Debug for Entry {
    /// Without the text, which may be a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}", self.line)
    }
}

/// Something wrong, and where.
type Problem = (usize, String);

impl ConfigFile {
    /// Reads a file, or answers everything that is wrong with it, a sentence each.
    pub(super) fn read(path: &Path, definition: &Command) -> Result<Self, Vec<String>> {
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
    pub(super) fn as_defaults(&self, definition: Command) -> Command {
        self.entries.iter().fold(definition, |definition, entry| {
            let (id, Entry { text, .. }) = entry;
            definition.mut_arg(id, |argument| argument.default_value(text.clone()))
        })
    }

    /// Where a setting stands, if it does: file and line.
    pub(super) fn place(&self, setting: Setting<'_>) -> Option<String> {
        let entry = self.entries.get(setting.id())?;
        Some(format!("{}:{}", self.path.display(), entry.line))
    }
}

fn entries(text: &str, definition: &Command) -> Result<BTreeMap<String, Entry>, Vec<Problem>> {
    let line = |span: Range<usize>| 1 + text[..span.start.min(text.len())].matches('\n').count();
    let table = DeTable::parse(text).map_err(|error| {
        let place = error.span().map_or(1, line);
        // Only the message: the whole error repeats the line, with what may be a secret.
        vec![(place, format!("this is not TOML: {}", error.message()))]
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
    match setting.refuses(&text) {
        None => Ok((setting, text)),
        Some(problem) => Err(problem),
    }
}

/// The text that the flag would have.
fn text(setting: Setting<'_>, value: &DeValue) -> Result<String, String> {
    let name = setting.name();
    match value {
        DeValue::String(text) if setting.is_number() && is_integer(text) => {
            Err(format!("{name} must be written without quotes"))
        }
        DeValue::String(text) => Ok(text.clone().into_owned()),
        DeValue::Integer(number) if setting.is_number() => {
            let value = i64::from_str_radix(number.as_str(), number.radix());
            // What is too large a number for that is so for every setting, whose parser says so.
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

fn unknown(key: &str, value: &DeValue, definition: &Command) -> String {
    if key == CONFIG {
        return "config can't stand in the file that it names".to_owned();
    }
    if value.is_table() {
        return format!("there is no table {key:?}: settings stand without tables");
    }
    match alike(key, definition) {
        Some(setting) => {
            let name = setting.name();
            format!("there is no setting {key:?}; did you mean {name}?")
        }
        None => format!("there is no setting {key:?}; vehicle-catalogue config example lists them"),
    }
}

/// The setting that was probably meant by a name that none has.
pub(super) fn alike<'a>(key: &str, definition: &'a Command) -> Option<Setting<'a>> {
    let plain = key.to_ascii_lowercase().replace(['_', '.', ' '], "-");
    let plain = plain.trim_start_matches("--");
    let plain = plain.strip_prefix("catalogue-").unwrap_or(plain);
    let likeness = |setting: Setting| {
        if setting.variable() == key {
            return 1.0;
        }
        // The first looks at how names begin, the second at how many letters are wrong.
        f64::midpoint(
            strsim::jaro_winkler(plain, setting.name()),
            strsim::normalized_damerau_levenshtein(plain, setting.name()),
        )
    };
    let (likeness, nearest) = setting::all(definition)
        .map(|setting| (likeness(setting), setting))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    (likeness >= ALIKE).then_some(nearest)
}
