//! Changes written for a terminal, for programs, and for a comment on a pull request.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::{Level, Place, Review, Reviewed, text::one_line};

/// Whether a text is coloured; the caller knows where it goes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Colours {
    /// Nothing but the text.
    None,
    /// With the escape sequences of a terminal.
    Ansi,
}

impl Colours {
    fn style(self, style: Style) -> Style {
        match self {
            Self::None => Style::new(),
            Self::Ansi => style,
        }
    }
}

fn style(level: Level) -> Style {
    let colour = match level {
        Level::Breaking => AnsiColor::Red,
        Level::Dangerous => AnsiColor::Yellow,
        Level::Safe => AnsiColor::Green,
    };
    colour.on_default().bold()
}

/// `2 breaking, 1 dangerous, 3 safe, 1 accepted`.
fn summary(review: &Review) -> String {
    if review.changes.is_empty() {
        return "no change".to_owned();
    }
    let counts = Level::ALL.map(|level| format!("{} {level}", review.count(level)));
    let mut summary = counts.join(", ");
    match review.accepted_count() {
        0 => {}
        count => {
            let _ = write!(summary, ", {count} accepted");
        }
    }
    summary
}

/// Where the change stands, in the old schema and in the new one.
fn places(reviewed: &Reviewed) -> impl Iterator<Item = &Place> {
    let change = &reviewed.change;
    change.old.iter().chain(&change.new)
}

/// `accepted until 2027-01-31: why`, if it was.
fn acceptance(reviewed: &Reviewed) -> Option<String> {
    let accepted = reviewed.accepted.as_ref()?;
    let until = accepted.until.map(|day| format!(" until {day}"));
    Some(format!(
        "accepted{}: {}",
        until.unwrap_or_default(),
        accepted.reason
    ))
}

/// For a terminal: the worst first; a line for each change, and below it where it stands, why it
/// has its level, and why it was accepted. The last line counts.
pub fn text(review: &Review, colours: Colours) -> String {
    let mut text = String::new();
    let dimmed = colours.style(Style::new().dimmed());
    for level in Level::ALL {
        let style = colours.style(style(level));
        for reviewed in review.of_level(level) {
            let change = &reviewed.change;
            let (message, kind) = (&change.message, change.kind);
            let _ = writeln!(
                text,
                "{style}{level}{style:#}: {message} {dimmed}[{kind}]{dimmed:#}"
            );
            for place in places(reviewed) {
                let _ = writeln!(text, "  at {place}");
            }
            let _ = writeln!(text, "  {dimmed}{}{dimmed:#}", change.reason);
            if let Some(accepted) = acceptance(reviewed) {
                let _ = writeln!(text, "  {accepted}");
            }
        }
    }
    for problem in review.problems.iter().flatten() {
        let style = colours.style(style(Level::Breaking));
        let _ = writeln!(text, "{style}error{style:#}: {problem}");
    }
    let _ = writeln!(text, "{}", summary(review));
    text
}

/// For programs: an array with an object for each change, in the order of the coordinates:
/// `coordinate`, `kind`, `level`, `message`, `reason`, the places `old` and `new` (`file`, `line`,
/// `column`, or null) and `accepted` (`reason`, `until`, `place`, or null).
pub fn json(review: &Review) -> String {
    let json = serde_json::to_string_pretty(&review.changes);
    json.expect("it has no map whose keys are not texts") + "\n"
}

/// For a comment on a pull request: what breaks and what is dangerous in a table, what is safe
/// folded away.
pub fn markdown(review: &Review) -> String {
    let mut text = format!("### Contract: {}\n", summary(review));
    let folded =
        |reviewed: &&Reviewed| reviewed.change.level == Level::Safe || reviewed.accepted.is_some();
    let by_level = || {
        Level::ALL
            .into_iter()
            .flat_map(|level| review.of_level(level))
    };
    let (hidden, shown): (Vec<_>, Vec<_>) = by_level().partition(folded);
    if !shown.is_empty() {
        table(&shown, &mut text);
    }
    if let Some(problems) = &review.problems {
        text.push_str("\n**Entries of the file of accepted changes that do not hold:**\n\n");
        for problem in problems {
            let _ = writeln!(text, "- {}", escaped(&problem.to_string()));
        }
    }
    if !hidden.is_empty() {
        let _ = write!(
            text,
            "\n<details><summary>{} safe or accepted</summary>\n",
            hidden.len()
        );
        table(&hidden, &mut text);
        text.push_str("\n</details>\n");
    }
    text
}

fn table(changes: &[&Reviewed], text: &mut String) {
    text.push_str("\n| Level | What changes | Where | Why |\n|---|---|---|---|\n");
    for reviewed in changes {
        let change = &reviewed.change;
        let level = match change.level {
            Level::Breaking => "**breaking**",
            Level::Dangerous => "dangerous",
            Level::Safe => "safe",
        };
        let places: Vec<String> = places(reviewed)
            .map(|place| code(&place.to_string()))
            .collect();
        let accepted = acceptance(reviewed).map(|accepted| format!("<br>{}", escaped(&accepted)));
        let _ = writeln!(
            text,
            "| {level} | {} | {} | {}{} |",
            escaped(&change.message),
            places.join("<br>"),
            escaped(change.reason),
            accepted.unwrap_or_default()
        );
    }
}

/// A text in which Markdown sees nothing but text. An empty comment keeps `@name` and `#1` from
/// calling people and issues; it also works where a backslash would not.
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

/// A code span in a table, whatever is in it.
fn code(text: &str) -> String {
    let line = one_line(text);
    let longest = line.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default() + 1);
    let padding = if line.contains('`') { " " } else { "" };
    format!(
        "{fence}{padding}{}{padding}{fence}",
        line.replace('|', "\\|")
    )
}
