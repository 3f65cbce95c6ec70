//! Texts of others put into messages and reports.

/// What a message shows of a value or a text at most, in characters.
const SHOWN_MAX: usize = 80;

/// A text in one line, without the control characters that a terminal would obey.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}

/// A text in one line, shortened where it is long.
pub(crate) fn shortened(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
