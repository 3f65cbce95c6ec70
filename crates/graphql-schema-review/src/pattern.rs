//! Patterns of schema coordinates.

/// The maximum number of patterns in a file: each is compared with each finding or change.
pub(crate) const MAX_PATTERNS: usize = 50;

/// A schema coordinate in which `*` stands for any characters: `Query.legacy*`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Pattern(String);

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it stands for one coordinate.
    pub(crate) fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    pub(crate) fn matches(&self, coordinate: &str) -> bool {
        let (pattern, text) = (self.0.as_bytes(), coordinate.as_bytes());
        let (mut in_pattern, mut in_text) = (0, 0);
        // What follows the last asterisk, and where the text that it stands for ends; 0 before the first asterisk.
        let (mut after, mut end) = (0, 0);
        while in_text < text.len() {
            let byte = pattern.get(in_pattern).copied().unwrap_or_default();
            if byte == b'*' {
                in_pattern += 1;
                (after, end) = (in_pattern, in_text);
            } else if byte == text[in_text] {
                in_pattern += 1;
                in_text += 1;
            } else if after > 0 {
                end += 1;
                (in_pattern, in_text) = (after, end);
            } else {
                return false;
            }
        }
        pattern[in_pattern..].iter().all(|byte| *byte == b'*')
    }
}

/// The coordinates of the type and of the field which have an element as a part, and its own.
pub(crate) fn with_owners(coordinate: &str) -> impl Iterator<Item = &str> {
    let ends = coordinate.match_indices(['.', '(']).map(|(end, _)| end);
    let ends = ends.chain([coordinate.len()]);
    ends.map(|end| &coordinate[..end])
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn an_asterisk_stands_for_any_characters() {
        for (pattern, coordinate, expected) in [
            ("Query.a", "Query.a", true),
            ("Query.a", "Query.ab", false),
            ("Query.legacy*", "Query.legacyBooks(first:)", true),
            ("Query.legacy*", "Query.legac", false),
            ("*Id", "Book.ownerId", true),
            ("*Id", "Book.ownerIds", false),
            ("B*.*s", "Book.titles", true),
            ("B*.*s", "Books", false),
            ("*a*a*", "aXa", true),
            ("*a*a*", "Xa", false),
            ("ab*ba", "aba", false),
            ("*", "", true),
        ] {
            let matches = Pattern::new(pattern).matches(coordinate);
            assert_eq!(matches, expected, "{pattern} {coordinate}");
        }
    }

    #[test]
    fn a_type_and_a_field_own_an_argument() {
        let owners = |coordinate| super::with_owners(coordinate).collect::<Vec<_>>();
        let coordinates = ["Query", "Query.books", "Query.books(first:)"];
        assert_eq!(owners("Query.books(first:)"), coordinates);
        assert_eq!(owners("@d(a:)"), ["@d", "@d(a:)"]);
    }
}
