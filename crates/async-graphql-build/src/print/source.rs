//! Rust source, line by line.

use graphql_sdl::Location;

use crate::model::Header;

/// The indentation of a level.
const LEVEL: usize = 4;

/// Rust source that is indented as it is written: a line opens a bracket by its last character and closes one by its first.
#[derive(Default)]
pub(super) struct Source {
    text: String,
    /// The indentations of the lines that opened a bracket.
    open: Vec<usize>,
    item_ended: bool,
}

impl Source {
    /// Writes lines, whose own indentation is replaced.
    pub(super) fn lines(&mut self, code: &str) {
        for line in code.lines() {
            self.line(line.trim_start());
        }
    }

    pub(super) fn line(&mut self, code: &str) {
        self.begin(code);
        self.text.push('\n');
    }

    /// Writes a line that compiler messages show, with its location in the SDL file as a comment.
    pub(super) fn located(&mut self, code: &str, location: &Location) {
        self.begin(code);
        self.text.extend([" // ", &location.to_string(), "\n"]);
    }

    /// Imports a type of the crate by its name in the contract, so that one error names it if it is missing, and says what to do.
    pub(super) fn import(&mut self, path: &str, header: &Header, advice: &str) {
        let ident = &header.ident;
        let item = if path.contains("::") && !path.contains('<') {
            let alias = if path.rsplit("::").next() == Some(ident) { String::new() } else { format!(" as {ident}") };
            format!("use {path}{alias}")
        } else {
            format!("type {ident} = {path}")
        };
        self.located(&format!("pub(super) {item};"), &header.location);
        self.text.truncate(self.text.len() - 1);
        self.text.extend([": define this type and ", advice, "\n"]);
    }

    /// Adds a comma to the last line.
    pub(super) fn comma(&mut self) {
        self.text.insert(self.text.len() - 1, ',');
    }

    /// Writes a line of rustdoc.
    pub(super) fn doc(&mut self, text: &str) {
        self.indent(self.inner());
        let space = if text.is_empty() { "" } else { " " };
        for part in ["///", space, text, "\n"] {
            self.text.push_str(part);
        }
    }

    /// Writes a line without its end.
    fn begin(&mut self, code: &str) {
        let closed = code.starts_with(['}', ')', ']', '>']);
        let closed = if closed { self.open.pop() } else { None };
        let continued = if code.starts_with('.') { LEVEL } else { 0 };
        let indentation = closed.unwrap_or_else(|| self.inner() + continued);
        self.indent(indentation);
        self.text.push_str(code);
        if code.ends_with(['{', '(', '[']) {
            self.open.push(indentation);
        }
        self.item_ended = self.open.is_empty() && code.ends_with(['}', ';']);
    }

    /// The indentation inside of the brackets that are open.
    fn inner(&self) -> usize {
        self.open.last().map_or(0, |outer| outer + LEVEL)
    }

    fn indent(&mut self, indentation: usize) {
        if self.item_ended {
            self.text.push('\n');
            self.item_ended = false;
        }
        self.text.extend(std::iter::repeat_n(' ', indentation));
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
