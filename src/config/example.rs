//! A file with every setting, its meaning and its default, to be edited.

use std::fmt::Write;

use clap::Command;

use super::setting;

/// The longest line of a comment, in characters.
const WIDTH: usize = 100;

/// The text of the file: valid as it is, since each setting is a comment until its `#` is taken away.
pub(super) fn text(definition: &Command) -> String {
    let mut text = String::from(
        "# Settings of vehicle-catalogue: vehicle-catalogue --config FILE, or CATALOGUE_CONFIG=FILE.\n\
         # Each shows its default. Take the # before a name away to change it. Variables of the\n\
         # environment win over this file, flags over both; paths are relative to the working directory.\n",
    );
    let mut heading = "";
    for setting in setting::all(definition) {
        if heading != setting.heading() {
            heading = setting.heading();
            write!(text, "\n## {heading}\n").expect("a string takes any text");
        }
        text.push('\n');
        for line in wrapped(&setting.meaning()) {
            writeln!(text, "# {line}").expect("a string takes any text");
        }
        let (name, variable) = (setting.name(), setting.variable());
        let value = setting.to_toml(setting.default());
        writeln!(text, "# (--{name}, {variable})\n#{name} = {value}")
            .expect("a string takes any text");
    }
    text
}

fn wrapped(sentence: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split_whitespace() {
        let line = lines.last_mut().expect("there is at least one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= WIDTH - 2 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
