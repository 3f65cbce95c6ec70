//! Comments that were meant as descriptions.

use std::collections::HashSet;

use graphql_sdl::{Element, Schema};

/// The words that begin the comments of tools.
const TOOLS: [&str; 6] = ["FIXME", "TODO", "eslint", "import", "lint", "prettier"];

/// The offsets of the elements above which there is a comment in prose.
pub(super) struct Comments(HashSet<usize>);

impl Comments {
    pub(super) fn read(schema: &Schema) -> Self {
        let (text, comments) = schema.comments().unwrap_or_default();
        let mut commented = HashSet::new();
        // The comment of a tool can continue in the next line.
        let (mut next, mut is_of_tool) = (0, false);
        for range in comments {
            let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
            let content = text[range.clone()].trim_matches(['#', ' ', '\t']);
            let (word, rest) = first_word(content);
            is_of_tool = TOOLS.contains(&word) || is_of_tool && next == range.start;
            let below = text[range.end..].trim_start_matches('\r');
            let below = below.strip_prefix('\n').unwrap_or(below);
            next = text.len() - below.trim_start_matches([' ', '\t']).len();
            let is_code = rest.starts_with([':', '(', '{', '@', '-']) || content.ends_with(['{', '}']);
            let is_prose = word.starts_with(char::is_alphabetic) && !is_code && !is_of_tool;
            if is_prose && text[line..range.start].trim().is_empty() {
                commented.insert(next);
            }
        }
        Self(commented)
    }

    /// What is wrong with the comment above an element that has no description.
    pub(super) fn wrong(&self, element: Element) -> Option<String> {
        let span = element.spans().into_iter().next()?;
        let is_wrong = element.description().is_none() && self.0.contains(&span.offset());
        is_wrong.then(|| "has a comment, which clients cannot read: write it as a description".to_owned())
    }
}

fn first_word(comment: &str) -> (&str, &str) {
    let end = comment.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    comment.split_at(end.unwrap_or(comment.len()))
}
