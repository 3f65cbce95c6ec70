//! What the declarations of settings have in common, and what each must state.

use clap::{Arg, Command};

use super::setting::{self, Setting, default, is_integer};

/// Words at the end of the names of secrets.
const SECRETS: &[&str] = &["url", "endpoint", "password", "token", "secret"];

/// Completes each flag of a command line, for its attribute `#[command(mut_args = …)]`:
///
/// - Commands accept it, too.
/// - Its variable is its name after `prefix`, unless the field states another one.
/// - Its value name is the last word of its name (`BYTES`, `SECONDS`), unless the field states another
///   one.
/// - It is a number, which a file contains without quotes, if its default is one, or if the field
///   states `allow_negative_numbers = true`.
pub fn with_prefix(prefix: &str) -> impl Fn(Arg) -> Arg {
    move |argument| {
        let Some(flag) = argument.get_long() else {
            return argument;
        };
        let name = flag.to_ascii_uppercase().replace('-', "_");
        let variable = match argument.get_env() {
            Some(variable) => variable.to_owned(),
            None => format!("{prefix}{name}").into(),
        };
        let unit = match name.rsplit_once('_').map_or(&*name, |(_, last)| last) {
            "MS" => "MILLISECONDS",
            unit => unit,
        };
        // The derive names a value like its field unless the field states a name.
        let is_named = argument.get_value_names() != Some(&[(&name).into()]);
        let is_number = default(&argument).is_some_and(is_integer);
        let is_number = is_number || argument.is_allow_negative_numbers_set();
        let argument = argument
            .global(true)
            .env(variable)
            .allow_negative_numbers(is_number);
        if is_named {
            argument
        } else {
            argument.value_name(unit.to_owned())
        }
    }
}

/// What the declarations of settings lack, for a test: each setting has a variable, a default that is
/// valid and a meaning; each number has a unit, and its meaning states the bounds that its parser
/// enforces; and exactly the settings whose names are those of secrets hide their values.
pub fn defects(definition: &Command) -> Vec<String> {
    let flags = definition.get_arguments().filter_map(|argument| {
        let flag = argument.get_long()?;
        let is_setting = argument.get_env().is_some() || ["help", "version"].contains(&flag);
        (!is_setting).then(|| format!("{flag}: has no variable"))
    });
    let settings = setting::all(definition).flat_map(|setting| {
        let defects = setting_defects(setting).into_iter();
        defects.map(move |defect| format!("{}: {defect}", setting.name()))
    });
    flags.chain(settings).collect()
}

fn setting_defects(setting: Setting<'_>) -> Vec<String> {
    let mut defects = Vec::new();
    if setting.meaning().split(' ').count() < 3 {
        defects.push("has no meaning".to_owned());
    }
    defects.extend(setting.validation_error(setting.default()));
    let last_word = setting.name().rsplit('-').next().unwrap_or_default();
    if SECRETS.contains(&last_word) != setting.is_secret() {
        defects.push("must hide its value if, and only if, it is a secret".to_owned());
    }
    match (setting.is_number(), bounds(&setting.meaning())) {
        (true, Some(bounds)) => defects.extend(number_defects(setting, bounds)),
        (true, None) => defects.push("states no bounds".to_owned()),
        (false, Some(_)) => defects.push("states bounds and is not a number".to_owned()),
        (false, None) => {}
    }
    defects
}

fn number_defects(setting: Setting<'_>, (from, to): (i64, i64)) -> Vec<String> {
    let mut defects = Vec::new();
    let name = setting.name();
    let has_unit = match setting.unit() {
        "SECONDS" => name.ends_with("-seconds"),
        "MILLISECONDS" => name.ends_with("-ms"),
        "BYTES" => name.ends_with("-bytes"),
        counted => counted.ends_with('S'),
    };
    if !has_unit {
        defects.push("does not state its unit".to_owned());
    }
    for inside in [from, to] {
        defects.extend(setting.validation_error(&inside.to_string()));
    }
    for outside in [from - 1, to + 1] {
        let refused = setting.validation_error(&outside.to_string());
        let expected = format!("a whole number from {from} to {to}, not");
        if !refused.is_some_and(|sentence| sentence.contains(&expected)) {
            defects.push(format!("accepts {outside}, or states other bounds"));
        }
    }
    defects
}

/// The bounds in a text such as `from 1024 (1 KiB) to 67108864 (64 MiB)`.
fn bounds(meaning: &str) -> Option<(i64, i64)> {
    let first_number = |text: &str| {
        let word = text.split_whitespace().next()?;
        word.trim_end_matches([',', ';', '.']).parse().ok()
    };
    meaning.match_indices("from ").find_map(|(at, word)| {
        let tail = &meaning[at + word.len()..];
        let from = first_number(tail)?;
        let to = first_number(tail.split_once(" to ")?.1)?;
        Some((from, to))
    })
}
