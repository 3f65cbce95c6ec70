//! Parts of messages and reports; sanitizes untrusted text.

use graphql_sdl::{excerpt, printable};

/// The maximum number of displayed entries of a list inside of an entry.
const MAX_DISPLAYED: usize = 10;

/// The maximum number of characters of a text in a report.
const MAX_CHARACTERS: usize = 1000;

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
