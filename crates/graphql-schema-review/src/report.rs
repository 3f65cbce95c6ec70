//! What a command found, as text for a terminal and Markdown for a pull request.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use graphql_sdl::{Location, Problems, excerpt, is_interpreted, printable};
use serde::Serialize;

use crate::Level;

/// The maximum number of displayed entries of a list inside of an entry.
const MAX_DISPLAYED: usize = 10;

/// The maximum number of characters of a text in a report.
const MAX_CHARACTERS: usize = 1000;

/// Whether a report is coloured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Colours {
    /// Plain text.
    None,
    /// With ANSI escape sequences.
    Ansi,
}

/// What a command found.
#[derive(Debug)]
pub struct Report {
    /// What was reviewed.
    pub(crate) subject: &'static str,
    pub(crate) entries: Vec<Entry>,
    /// What Markdown calls the entries that it collapses.
    pub(crate) folded: &'static str,
    pub(crate) notes: Vec<Note>,
    pub(crate) summary: String,
    /// Whether notes have all lines; otherwise text and Markdown have the first ones.
    pub lists_all_notes: bool,
}

/// One change, finding, operation or deprecated element.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) label: &'static str,
    pub(crate) colour: AnsiColor,
    pub(crate) message: String,
    /// The kind of a change, or the name of a lint rule.
    pub(crate) rule: Option<&'static str>,
    pub(crate) locations: Vec<Location>,
    pub(crate) details: Vec<String>,
    pub(crate) is_folded: bool,
}

/// Lines about what is no entry.
#[derive(Debug)]
pub(crate) struct Note {
    /// The begin of each line of text.
    pub(crate) label: &'static str,
    /// The heading in Markdown.
    pub(crate) heading: &'static str,
    pub(crate) lines: Vec<String>,
}

impl Note {
    /// The problems of an old contract that is not valid, of which the rest was compared.
    pub(crate) fn unread(problems: Option<&Problems>) -> Self {
        let lines = problems.map(Problems::to_string).unwrap_or_default();
        Self {
            label: "not valid",
            heading: "The old contract is not valid",
            lines: lines.lines().map(str::to_owned).collect(),
        }
    }
}

/// The maximum size of a Markdown report: GitHub accepts a comment of 65,536 characters.
const MAX_MARKDOWN_BYTES: usize = 65_536;

/// What remains for the text after a list that was left out.
const RESERVED_BYTES: usize = 2048;

impl Report {
    /// Keeps only the changes of these levels, if some are given, and the problems of the new schema.
    #[must_use]
    pub fn only(mut self, levels: &[Level]) -> Self {
        let is_kept = |entry: &Entry| levels.iter().any(|level| level.name() == entry.label);
        self.entries.retain(|entry| levels.is_empty() || entry.label == "error" || is_kept(entry));
        self
    }

    /// For a terminal: each entry with its locations and details, then the notes. The last line is the summary.
    pub fn text(&self, colours: Colours) -> String {
        let style = |style| match colours {
            Colours::None => Style::new(),
            Colours::Ansi => style,
        };
        let bold = |colour: AnsiColor| style(colour.on_default().bold());
        let dimmed = style(Style::new().dimmed());
        let mut text = String::new();
        for entry in &self.entries {
            let (label, colour) = (entry.label, bold(entry.colour));
            // What has no details is one line, as compilers print it.
            let (place, below) = match (&entry.locations[..], &entry.details[..]) {
                ([place], []) => (format!("{place}: "), &[][..]),
                (places, _) => (String::new(), places),
            };
            let message = one_line(&entry.message);
            let _ = write!(text, "{place}{colour}{label}{colour:#}: {message}");
            if let Some(rule) = entry.rule {
                let _ = write!(text, " {dimmed}[{rule}]{dimmed:#}");
            }
            text.push('\n');
            let below = below.iter().map(|location| format!("at {location}"));
            for line in below.chain(entry.details.iter().cloned()) {
                let _ = writeln!(text, "  {line}");
            }
        }
        for note in &self.notes {
            for line in self.lines(note) {
                let _ = writeln!(text, "{}: {line}", note.label);
            }
        }
        text + &self.summary + "\n"
    }

    /// For a comment on a pull request or the summary of a job: tables of the entries, and the notes.
    pub fn markdown(&self) -> String {
        let mut text = format!("### {}: {}\n", self.subject, self.summary);
        let (folded, shown): (Vec<_>, Vec<_>) = self.entries.iter().partition(|entry| entry.is_folded);
        table(&shown, &mut text);
        for note in self.notes.iter().filter(|note| !note.lines.is_empty()) {
            let _ = write!(text, "\n**{}:**\n\n", note.heading);
            add_lines(&mut text, self.lines(note).into_iter().map(|line| format!("- {}", escaped(&line))));
        }
        if !folded.is_empty() {
            let (count, name) = (folded.len(), self.folded);
            let _ = write!(text, "\n<details><summary>{count} {name}</summary>\n");
            table(&folded, &mut text);
            text.push_str("\n</details>\n");
        }
        text
    }

    fn lines(&self, note: &Note) -> Vec<String> {
        if self.lists_all_notes { note.lines.clone() } else { first(note.lines.iter()) }
    }
}

/// For programs. The characters that a terminal interprets, and workflow commands, occur only in strings, where they are
/// escaped.
pub fn json(report: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(report).expect("it has no map whose keys are not texts");
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

fn table(entries: &[&Entry], text: &mut String) {
    if entries.is_empty() {
        return;
    }
    text.push_str("\n| Level | What | Where | Details |\n|---|---|---|---|\n");
    let rows = entries.iter().map(|entry| {
        let rule = entry.rule.map(|rule| format!(" `{rule}`"));
        let places: Vec<_> = entry.locations.iter().map(|place| escaped(&place.to_string())).collect();
        let details: Vec<_> = entry.details.iter().map(|line| escaped(line)).collect();
        format!(
            "| {} | {}{} | {} | {} |",
            entry.label,
            escaped(&entry.message),
            rule.unwrap_or_default(),
            places.join("<br>"),
            details.join("<br>"),
        )
    });
    add_lines(text, rows);
}

/// Adds lines, such as the rows of a table, to a Markdown report as long as they fit, and how many more there are.
fn add_lines(text: &mut String, lines: impl IntoIterator<Item = String>) {
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

/// Escapes the markup of Markdown. An empty comment prevents mentions (`@name`) and issue links
/// (`#1`), for which a backslash does not work everywhere.
fn escaped(text: &str) -> String {
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

/// The text in one line, truncated where it is very long, with escapes for what a terminal would interpret.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    if let Some((end, _)) = line.char_indices().nth(MAX_CHARACTERS) {
        line.truncate(end);
        line.push('…');
    }
    printable(&line).into_owned()
}

/// The text in one line, truncated where it is long.
pub(crate) fn shortened(text: &str) -> String {
    excerpt(&one_line(text)).into_owned()
}

/// The first entries of a list, and how many more there are.
pub(crate) fn first<T: ToString>(list: impl ExactSizeIterator<Item = T>) -> Vec<String> {
    let more = list.len().saturating_sub(MAX_DISPLAYED);
    let mut shown: Vec<String> = list.take(MAX_DISPLAYED).map(|entry| entry.to_string()).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}
