//! What a policy names: directives, and coordinates by patterns.

use apollo_compiler::Name;
use serde::{Deserialize, Deserializer, de::Error as _};

/// The name of a directive, with or without `@`.
#[derive(Clone, Debug)]
pub(crate) struct DirectiveName(pub(crate) Name);

impl<'de> Deserialize<'de> for DirectiveName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let name = Name::new(text.strip_prefix('@').unwrap_or(&text));
        name.map(Self).map_err(|_| {
            let text = graphql_sdl::excerpt(&text);
            D::Error::custom(format!("{text:?} is not the name of a directive"))
        })
    }
}

/// A schema coordinate in which `*` stands for any characters: `Query.legacy*`.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Pattern(String);

impl Pattern {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it stands for one coordinate.
    pub(crate) fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    pub(crate) fn matches(&self, coordinate: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = coordinate.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            let Some((_, after)) = rest.split_once(part) else {
                return false;
            };
            rest = after;
        }
        rest.ends_with(last)
    }
}

/// The coordinates of the type and of the field which have an element as a part, and its own.
pub(crate) fn with_owners(coordinate: &str) -> impl Iterator<Item = &str> {
    let ends = coordinate.match_indices(['.', '(']).map(|(end, _)| end);
    ends.chain([coordinate.len()]).map(|end| &coordinate[..end])
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
            let matches = Pattern(pattern.to_owned()).matches(coordinate);
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
