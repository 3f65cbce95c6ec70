//! Patterns of schema coordinates.

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
        let Some((start, rest)) = self.0.split_once('*') else {
            return self.0 == coordinate;
        };
        let Some(mut remaining) = coordinate.strip_prefix(start) else {
            return false;
        };
        let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        for part in middle.split('*') {
            let Some((_, after)) = remaining.split_once(part) else {
                return false;
            };
            remaining = after;
        }
        remaining.ends_with(end)
    }

    /// Whether it matches a coordinate, or that of the field or type which has it as a part.
    pub(crate) fn covers(&self, coordinate: &str) -> bool {
        let ends = coordinate.match_indices(['.', '(']).map(|(end, _)| end);
        let mut ends = ends.chain([coordinate.len()]);
        ends.any(|end| self.matches(&coordinate[..end]))
    }
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
    fn a_type_covers_its_fields_and_their_arguments() {
        for (pattern, expected) in [
            ("Query", true),
            ("Query.books", true),
            ("Query.books(first:)", true),
            ("Query.book", false),
            ("Quer", false),
        ] {
            let covers = Pattern::new(pattern).covers("Query.books(first:)");
            assert_eq!(covers, expected, "{pattern}");
        }
        assert!(Pattern::new("@d").covers("@d(a:)"));
    }
}
