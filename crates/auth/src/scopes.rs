//! The scopes that a token grants.

use serde::Deserialize;

/// The scopes that a token grants, from its claims `scope` and `scp`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(pub(super) Vec<Claim>);

/// A space-separated string (RFC 8693, section 4.2), or a list of strings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Claim {
    Text(String),
    List(Vec<String>),
}

impl Scopes {
    /// Whether the token grants this scope.
    pub fn contains(&self, scope: &str) -> bool {
        self.0.iter().any(|claim| match claim {
            Claim::Text(text) => text.split(' ').any(|granted| granted == scope),
            Claim::List(list) => list.iter().any(|granted| granted == scope),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_whole_words_of_any_claim() {
        let claims = [
            r#""books:read books:lend""#,
            r#"["books:write", "two words"]"#,
        ];
        let claims = claims.map(|json| serde_json::from_str(json).unwrap());
        let scopes = Scopes(claims.into());
        for (scope, expected) in [
            ("books:read", true),
            ("books:lend", true),
            ("books:write", true),
            ("two words", true),
            ("books", false),
            ("two", false),
            ("BOOKS:READ", false),
        ] {
            assert_eq!(scopes.contains(scope), expected, "{scope}");
        }
        assert!(!Scopes::default().contains("books:read"));
        assert!(serde_json::from_str::<Claim>("7").is_err());
    }
}
