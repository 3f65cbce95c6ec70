//! The formats of reports: colours on a terminal, JSON, and the markup of Markdown.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use graphql_sdl::{Location, Problems, is_interpreted};
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

/// The report as JSON. The characters that a terminal interprets, and workflow commands, occur only in strings, where
/// they are escaped.
pub(crate) fn to_json(report: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(report);
    let json = json.expect("it has no map whose keys are not texts");
    let mut escaped = String::with_capacity(json.len() + 1);
    for character in json.chars() {
        let is_command = character == '#' && escaped.ends_with('#');
        if is_command || (character != '\n' && is_interpreted(character)) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped.push('\n');
    escaped
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

/// The maximum size of a Markdown report: GitHub accepts a comment of 65,536 characters.
const MAX_MARKDOWN_BYTES: usize = 65_536;

/// What remains for the text after a list that was left out.
const RESERVED_BYTES: usize = 2048;

/// Adds lines, such as the rows of a table, to a Markdown report as long as they fit, and how many more there are.
pub(crate) fn add_lines(text: &mut String, lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter();
    let mut left_out = 0;
    for line in lines.by_ref() {
        if text.len() + line.len() + RESERVED_BYTES > MAX_MARKDOWN_BYTES {
            left_out = 1;
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    left_out += lines.count();
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\n{left_out} more left out: a comment has at most {MAX_MARKDOWN_BYTES} characters; the text format lists all."
        );
    }
}

/// The begin of a line about a problem of an old contract that is not valid.
pub(crate) const UNREAD: &str = "not valid";

/// The problems of an old contract that is not valid, as in messages.
pub(crate) fn unread_lines(unread: Option<&Problems>) -> Vec<String> {
    let text = unread.map(Problems::to_string).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Adds the problems of an old contract that is not valid to a Markdown report.
pub(crate) fn add_unread(text: &mut String, unread: Option<&Problems>) {
    if unread.is_some() {
        text.push_str("\n**The old contract is not valid:**\n\n");
        let lines = unread_lines(unread).into_iter();
        add_lines(text, lines.map(|line| format!("- {}", escaped(&line))));
    }
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
