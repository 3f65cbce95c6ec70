//! Parsers of settings. Their error is one sentence with the flag, the environment variable and the
//! valid values.

use std::{ffi::OsStr, ops::RangeInclusive, path::PathBuf, time::Duration};

use clap::{Arg, Command, builder::TypedValueParser, error::ErrorKind};

use super::url::masked_url;

/// A parser that returns the value, or the end of the error message.
#[derive(Clone)]
struct SettingParser<F> {
    must_be: String,
    parse: F,
}

/// A setting that is parsed by `parse`; `must_be` describes the valid values.
pub fn value<T: Clone + Send + Sync + 'static>(
    must_be: impl Into<String>,
    parse: impl Fn(&str) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    SettingParser {
        must_be: must_be.into(),
        // The value can be a URL with a password that is meant for another setting.
        parse: move |text: &str| parse(text).ok_or_else(|| format!(", not {:?}", masked_url(text))),
    }
}

/// A secret setting: error messages contain the error of `parse`, and not the text. If a valid value is secret, its
/// field needs `hide_env_values = true`, too.
pub fn secret<T: Clone + Send + Sync + 'static>(
    must_be: impl Into<String>,
    parse: impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    SettingParser {
        must_be: must_be.into(),
        parse: move |text: &str| parse(text).map_err(|reason| format!(": {reason}")),
    }
}

/// A setting that is one of several words, each with its value.
pub fn choice<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let names = values.each_ref().map(|(name, _)| *name);
    let must_be = match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    };
    value(must_be, move |text| {
        let chosen = values.iter().find(|(name, _)| *name == text);
        chosen.map(|(_, value)| value.clone())
    })
}

/// A setting that is `on` or `off`.
pub fn switch<T: Clone + Send + Sync + 'static>(on: T, off: T) -> impl TypedValueParser<Value = T> {
    choice([("on", on), ("off", off)])
}

/// A setting that is a whole number.
pub fn number(bounds: RangeInclusive<u32>) -> impl TypedValueParser<Value = u32> {
    let must_be = format!("a whole number from {} to {}", bounds.start(), bounds.end());
    value(must_be, move |text| {
        text.parse().ok().filter(|number| bounds.contains(number))
    })
}

/// A setting that is a size, such as a number of bytes.
pub fn size(bounds: RangeInclusive<u32>) -> impl TypedValueParser<Value = usize> {
    number(bounds).map(|number| number as usize)
}

/// A setting that is a duration in whole seconds.
pub fn seconds(bounds: RangeInclusive<u32>) -> impl TypedValueParser<Value = Duration> {
    number(bounds).map(|seconds| Duration::from_secs(seconds.into()))
}

/// A setting that is a duration in whole milliseconds.
pub fn milliseconds(bounds: RangeInclusive<u32>) -> impl TypedValueParser<Value = Duration> {
    number(bounds).map(|milliseconds| Duration::from_millis(milliseconds.into()))
}

/// A setting that is `none`, or parsed by `parse`; `must_be` describes the valid values with `none`.
pub fn optional<T: Clone + Send + Sync + 'static>(
    must_be: impl Into<String>,
    parse: impl Fn(&str) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = Option<T>> {
    value(must_be, move |text| match text {
        "none" => Some(None),
        text => parse(text).map(Some),
    })
}

/// A setting that is a path, or `none`. A URL is refused, since messages with the path would show its password.
pub fn optional_path() -> impl TypedValueParser<Value = Option<PathBuf>> {
    optional("a path or none", |text| {
        (!text.is_empty() && !text.contains("://")).then(|| text.into())
    })
}

impl<T, F> TypedValueParser for SettingParser<F>
where
    T: Clone + Send + Sync + 'static,
    F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        text: &OsStr,
    ) -> Result<T, clap::Error> {
        let not_unicode = || Err(", in Unicode".to_owned());
        // The name of a file can begin or end with white space; those of settings come from variables, too.
        let is_exact = argument.is_some_and(Arg::is_positional);
        let parsed = text.to_str().map_or_else(not_unicode, |text| {
            (self.parse)(if is_exact { text } else { text.trim() })
        });
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
