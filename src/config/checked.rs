//! How the text of a setting becomes its value, and what is said when it cannot: one sentence
//! that names the flag, the variable and what would be right.

use std::{
    ffi::OsStr,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{Arg, Command, builder::TypedValueParser, error::ErrorKind};

/// The parser of one setting.
#[derive(Clone)]
pub(super) struct Checked<T> {
    parse: Arc<Parse<T>>,
    must_be: String,
}

/// The value, or how the sentence that refuses the text ends.
type Parse<T> = dyn Fn(&str) -> Result<T, String> + Send + Sync;

/// A setting that is what `parse` makes of the text.
pub(super) fn value<T>(
    must_be: &str,
    parse: impl Fn(&str) -> Option<T> + Send + Sync + 'static,
) -> Checked<T> {
    Checked {
        parse: Arc::new(move |text| parse(text).ok_or_else(|| format!(", not {text:?}"))),
        must_be: must_be.to_owned(),
    }
}

/// A setting of which even a wrong text is never shown: `parse` says what is wrong without it.
pub(super) fn secret<T>(
    must_be: &str,
    parse: impl Fn(&str) -> Result<T, String> + Send + Sync + 'static,
) -> Checked<T> {
    Checked {
        parse: Arc::new(move |text| parse(text).map_err(|reason| format!(": {reason}"))),
        must_be: must_be.to_owned(),
    }
}

/// A setting that is on or off.
pub(super) fn switch<T>(on: T, off: T) -> Checked<T>
where
    T: Clone + Send + Sync + 'static,
{
    value("on or off", move |text| match text {
        "on" => Some(on.clone()),
        "off" => Some(off.clone()),
        _ => None,
    })
}

/// A setting that is a whole number.
pub(super) fn number(bounds: RangeInclusive<u32>) -> Checked<u32> {
    let must_be = format!("a whole number from {} to {}", bounds.start(), bounds.end());
    value(&must_be, move |text| {
        text.parse().ok().filter(|number| bounds.contains(number))
    })
}

/// A file or folder, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OptionalPath(Option<PathBuf>);

impl OptionalPath {
    pub(super) fn as_path(&self) -> Option<&Path> {
        self.0.as_deref()
    }
}

/// A setting that is a path, or `none`.
pub(super) fn optional_path() -> Checked<OptionalPath> {
    value("a path or none", |text| match text {
        "" => None,
        "none" => Some(OptionalPath(None)),
        path => Some(OptionalPath(Some(PathBuf::from(path)))),
    })
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Checked<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        text: &OsStr,
    ) -> Result<T, clap::Error> {
        let not_unicode = || Err(", in Unicode".to_owned());
        let parsed = text
            .to_str()
            .map_or_else(not_unicode, |text| (self.parse)(text));
        parsed.map_err(|ending| {
            let name = argument.map(name).unwrap_or_default();
            let sentence = format!("{name} must be {}{ending}\n", self.must_be);
            clap::Error::raw(ErrorKind::ValueValidation, sentence).with_cmd(command)
        })
    }
}

fn name(argument: &Arg) -> String {
    let flag = argument.get_long().unwrap_or_default();
    match argument.get_env() {
        Some(variable) => format!("--{flag} ({})", variable.to_string_lossy()),
        None if flag.is_empty() => argument.get_id().to_string(),
        None => format!("--{flag}"),
    }
}
