//! Values of the command line, whose errors are one sentence with the flag and the valid values.

use std::ffi::OsStr;

use clap::{Arg, Command, builder::TypedValueParser, error::ErrorKind};

use graphql_sdl::masked_url;

/// A parser that returns the value, or the end of the error message.
#[derive(Clone)]
struct Parser<F> {
    must_be: String,
    parse: F,
}

/// A value of which error messages contain the error of `parse`, and not the text, which can be a secret.
pub(super) fn secret<T: Clone + Send + Sync + 'static>(
    must_be: &str,
    parse: impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    Parser {
        must_be: must_be.to_owned(),
        parse: move |text: &str| parse(text).map_err(|reason| format!(": {reason}")),
    }
}

/// One of several words, each with its value.
pub(super) fn choice<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let names = values.each_ref().map(|(name, _)| *name);
    let must_be = match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    };
    let parse = move |text: &str| {
        let chosen = values.iter().find(|(name, _)| *name == text);
        let chosen = chosen.map(|(_, value)| value.clone());
        chosen.ok_or_else(|| format!(", not {:?}", masked_url(text)))
    };
    Parser { must_be, parse }
}

impl<T, F> TypedValueParser for Parser<F>
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
        let parsed = text
            .to_str()
            .map_or_else(not_unicode, |text| (self.parse)(text.trim()));
        parsed.map_err(|ending| {
            let flag = argument.and_then(Arg::get_long).unwrap_or_default();
            let sentence = format!("--{flag} must be {}{ending}\n", self.must_be);
            clap::Error::raw(ErrorKind::ValueValidation, sentence).with_cmd(command)
        })
    }
}
