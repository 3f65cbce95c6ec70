//! How the text of a setting becomes its value, and what is said when it cannot: one sentence
//! that names the flag, the variable and what would be right.

use std::{ffi::OsStr, ops::RangeInclusive, sync::Arc};

use clap::{Arg, Command, builder::TypedValueParser, error::ErrorKind};

/// The parser of one setting.
#[derive(Clone)]
pub(super) struct Checked<T> {
    parse: Arc<Parse<T>>,
    must_be: String,
    echo: Echo,
}

type Parse<T> = dyn Fn(&str) -> Option<T> + Send + Sync;

/// Whether a wrong text is repeated.
#[derive(Debug, Clone, Copy)]
enum Echo {
    Repeat,
    Conceal,
}

/// A setting that is what `parse` makes of the text.
pub(super) fn value<T>(
    must_be: &str,
    parse: impl Fn(&str) -> Option<T> + Send + Sync + 'static,
) -> Checked<T> {
    Checked {
        parse: Arc::new(parse),
        must_be: must_be.to_owned(),
        echo: Echo::Repeat,
    }
}

/// A setting of which even a wrong text is never shown.
pub(super) fn secret<T>(
    must_be: &str,
    parse: impl Fn(&str) -> Option<T> + Send + Sync + 'static,
) -> Checked<T> {
    Checked {
        echo: Echo::Conceal,
        ..value(must_be, parse)
    }
}

/// A setting that is a whole number.
pub(super) fn number(bounds: RangeInclusive<u32>) -> Checked<u32> {
    let must_be = format!("a whole number from {} to {}", bounds.start(), bounds.end());
    value(&must_be, move |text| {
        text.parse().ok().filter(|number| bounds.contains(number))
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
        text.to_str()
            .and_then(|text| (self.parse)(text))
            .ok_or_else(|| {
                let name = argument.map(name).unwrap_or_default();
                let found = match self.echo {
                    Echo::Repeat => format!(", not {:?}", text.to_string_lossy()),
                    Echo::Conceal => String::new(),
                };
                let sentence = format!("{name} must be {}{found}\n", self.must_be);
                clap::Error::raw(ErrorKind::ValueValidation, sentence).with_cmd(command)
            })
    }
}

fn name(argument: &Arg) -> String {
    let flag = argument.get_long().unwrap_or_default();
    match argument.get_env() {
        Some(variable) => format!("--{flag} ({})", variable.to_string_lossy()),
        None => format!("--{flag}"),
    }
}
