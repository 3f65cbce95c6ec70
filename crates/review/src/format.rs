//! The formats of reports: colours on a terminal, JSON, and the markup of Markdown.

use anstyle::{AnsiColor, Style};
use schema::Location;
use serde::Serialize;

use crate::text::one_line;

/// Whether a report is coloured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Colours {
    /// Plain text.
    None,
    /// With ANSI escape sequences.
    Ansi,
}

impl Colours {
    pub(crate) fn style(self, style: Style) -> Style {
        match self {
            Self::None => Style::new(),
            Self::Ansi => style,
        }
    }

    pub(crate) fn bold(self, colour: AnsiColor) -> Style {
        self.style(colour.on_default().bold())
    }
}

pub(crate) fn to_json(report: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(report);
    json.expect("it has no map whose keys are not texts") + "\n"
}

/// A cell of a table with one location per line.
pub(crate) fn locations_cell<'a>(locations: impl IntoIterator<Item = &'a Location>) -> String {
    let locations = locations.into_iter();
    let locations: Vec<String> = locations
        .map(|location| code(&location.to_string()))
        .collect();
    locations.join("<br>")
}

/// A cell of a table with these lines.
pub(crate) fn lines_cell(lines: impl IntoIterator<Item = String>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| escaped(&line)).collect();
    lines.join("<br>")
}

/// Escapes the markup of Markdown. An empty comment prevents mentions (`@name`) and issue links
/// (`#1`), for which a backslash does not work everywhere.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in one_line(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' | '#' => {
                escaped.push(letter);
                escaped.push_str("<!-- -->");
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A code span in a table, with a fence longer than any run of backticks in the text.
pub(crate) fn code(text: &str) -> String {
    let line = one_line(text);
    let longest = line.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default() + 1);
    let padding = if line.contains('`') { " " } else { "" };
    format!(
        "{fence}{padding}{}{padding}{fence}",
        line.replace('|', "\\|")
    )
}
