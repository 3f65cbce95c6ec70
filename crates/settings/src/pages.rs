//! The example file and the reference: every setting with its meaning and its default.

use clap::Command;

use super::setting::{self, config_variable};

/// The maximum width of a comment line of the example, in characters.
const MAX_WIDTH: usize = 100;

/// The heading of the settings that the short help lists, if it does not list all.
const FIRST: &str = "The settings that are set first";

/// A TOML file with every setting, those of the short help first. It is valid without changes, since every setting is commented out.
pub fn example(definition: &Command) -> String {
    let (program, variable) = (definition.get_name(), config_variable(definition));
    let mut lines = vec![format!(
        "# Settings of {program}: {program} --config FILE, or {variable}=FILE.\n\
         # Each shows its default. Take the # before a name away to change it. Variables of the\n\
         # environment win over this file, flags over both; paths are relative to the working directory.",
    )];
    let is_short = setting::all(definition).any(|setting| !setting.is_in_short_help());
    let (first, others): (Vec<_>, Vec<_>) =
        setting::all(definition).partition(|setting| is_short && setting.is_in_short_help());
    let first = first.into_iter().map(|setting| (FIRST, setting));
    let others = others.into_iter();
    let others = others.map(|setting| (setting.heading(), setting));
    let mut previous = "";
    for (heading, setting) in first.chain(others) {
        if heading != previous {
            lines.push(format!("\n## {heading}"));
            previous = heading;
        }
        let (name, variable) = (setting.name(), setting.variable());
        let value = setting.to_toml(setting.default());
        let comment = comment(&setting.meaning());
        lines.push(format!(
            "\n{comment}\n# (--{name}, {variable})\n#{name} = {value}"
        ));
    }
    lines.join("\n") + "\n"
}

/// The reference of all settings in Markdown: a section with a table for each group.
pub fn reference(definition: &Command) -> String {
    let (mut lines, mut heading) = (Vec::new(), "");
    for setting in setting::all(definition) {
        if heading != setting.heading() {
            heading = setting.heading();
            let header = "| flag | variable | default | meaning |\n|---|---|---|---|";
            lines.push(format!("\n## {heading}\n\n{header}"));
        }
        // A pipe would end the cell.
        let meaning = setting.meaning().replace('|', "\\|");
        let (name, variable, default) = (setting.name(), setting.variable(), setting.default());
        lines.push(format!(
            "| `--{name}` | `{variable}` | `{default}` | {meaning} |"
        ));
    }
    lines.join("\n") + "\n"
}

/// The sentence as a comment, wrapped between words.
fn comment(sentence: &str) -> String {
    let (mut text, mut width) = ("#".to_owned(), 1);
    for word in sentence.split_whitespace() {
        let length = 1 + word.chars().count();
        if width > 1 && width + length > MAX_WIDTH {
            text.push_str("\n#");
            width = 1;
        }
        text.extend([" ", word]);
        width += length;
    }
    text
}
