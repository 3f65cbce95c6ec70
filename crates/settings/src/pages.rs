//! The example file and the reference: every setting with its meaning and its default.

use std::fmt::Write;

use clap::Command;

use super::setting::{self, config_variable};

/// The maximum width of a comment line of the example, in characters.
const MAX_WIDTH: usize = 100;

/// A TOML file with every setting. It is valid without changes, since every setting is commented out.
pub fn example(definition: &Command) -> String {
    let (program, variable) = (definition.get_name(), config_variable(definition));
    let mut text = format!(
        "# Settings of {program}: {program} --config FILE, or {variable}=FILE.\n\
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

/// The reference of all settings in Markdown: a section with a table for each group.
pub fn reference(definition: &Command) -> String {
    let (mut text, mut heading) = (String::new(), "");
    for setting in setting::all(definition) {
        if heading != setting.heading() {
            heading = setting.heading();
            let header = "| flag | variable | default | meaning |\n|---|---|---|---|";
            writeln!(text, "\n## {heading}\n\n{header}").expect("a string takes any text");
        }
        // A pipe would end the cell.
        let meaning = setting.meaning().replace('|', "\\|");
        let (name, variable, default) = (setting.name(), setting.variable(), setting.default());
        writeln!(
            text,
            "| `--{name}` | `{variable}` | `{default}` | {meaning} |"
        )
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
        } else if line.chars().count() + 1 + word.chars().count() <= MAX_WIDTH - 2 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
