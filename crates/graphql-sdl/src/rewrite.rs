//! Replaces tokens that apollo-parser does not support by spaces.

use std::{borrow::Cow, ops::Range};

use apollo_parser::{Lexer, Token, TokenKind};

/// Replaces commas, which are ignored tokens (GraphQL specification, section 2.1.5), by spaces in type system
/// definitions: apollo-parser refuses some of them.
pub(crate) fn type_system(text: &str) -> Cow<'_, str> {
    if !text.contains(',') {
        return text.into();
    }
    blank(text, |_| None)
}

/// The comments of a text.
pub(crate) fn comments(text: &str) -> Vec<Range<usize>> {
    let comments = Lexer::new(text).flatten().filter(|token| token.kind() == TokenKind::Comment);
    comments.map(|token| range(&token)).collect()
}

/// Replaces commas by spaces in an executable document, and the descriptions of operations, fragments and
/// variables (section 2.3), which apollo-parser does not support.
pub fn executable(text: &str) -> Cow<'_, str> {
    if !text.contains([',', '"']) {
        return text.into();
    }
    let mut descriptions = Descriptions::default();
    blank(text, |token| descriptions.next(token))
}

/// Replaces commas, and the ranges that `ignored` returns, by spaces. Line ends are preserved, and so are lexical
/// errors, for the parser to report.
fn blank<'t>(text: &'t str, mut ignored: impl FnMut(&Token<'t>) -> Option<Range<usize>>) -> Cow<'t, str> {
    let mut blanked: Option<Vec<u8>> = None;
    for token in Lexer::new(text).flatten() {
        let range = match token.kind() {
            TokenKind::Comma => Some(range(&token)),
            TokenKind::Whitespace | TokenKind::Comment => None,
            _ => ignored(&token),
        };
        let Some(range) = range else { continue };
        let bytes = blanked.get_or_insert_with(|| text.as_bytes().to_vec());
        for byte in &mut bytes[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    blanked.map_or(text.into(), |bytes| String::from_utf8(bytes).expect("whole tokens are replaced by ASCII").into())
}

fn range(token: &Token<'_>) -> Range<usize> {
    token.index()..token.index() + token.data().len()
}

/// Finds the descriptions among the tokens of an executable document.
#[derive(Default)]
struct Descriptions {
    /// The number of open brackets of any kind.
    depth: usize,
    /// The outermost open bracket.
    outermost: Option<TokenKind>,
    previous: Option<TokenKind>,
    /// A string that is a description if the next token begins a described element.
    string: Option<(Range<usize>, Described)>,
}

#[derive(Clone, Copy)]
enum Described {
    Definition,
    Variable,
}

impl Descriptions {
    /// The description before this token, if any.
    fn next(&mut self, token: &Token<'_>) -> Option<Range<usize>> {
        let kind = token.kind();
        let description = self.string.take().and_then(|(range, described)| {
            let begins = match described {
                Described::Definition => {
                    kind == TokenKind::Name
                        && matches!(token.data(), "query" | "mutation" | "subscription" | "fragment")
                }
                Described::Variable => kind == TokenKind::Dollar,
            };
            begins.then_some(range)
        });
        match kind {
            TokenKind::StringValue => {
                self.string = self.described().map(|described| (range(token), described));
            }
            TokenKind::LCurly | TokenKind::LParen | TokenKind::LBracket => {
                if self.depth == 0 {
                    self.outermost = Some(kind);
                }
                self.depth += 1;
            }
            TokenKind::RCurly | TokenKind::RParen | TokenKind::RBracket => {
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
        self.previous = Some(kind);
        description
    }

    /// The kind of element that a string would describe here. After `=` and `:` it is a value.
    fn described(&self) -> Option<Described> {
        match (self.depth, self.previous) {
            (0, None | Some(TokenKind::RCurly)) => Some(Described::Definition),
            (1, previous) if self.outermost == Some(TokenKind::LParen) => {
                let is_value = matches!(previous, Some(TokenKind::Eq | TokenKind::Colon));
                (!is_value).then_some(Described::Variable)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn replaces_commas_outside_of_strings_and_comments() {
        let text = "{ a(b: \"1,2\", c: \"\"\",\"\"\"),, ...,F } # 1,2\n,";
        let expected = "{ a(b: \"1,2\"  c: \"\"\",\"\"\")   ... F } # 1,2\n ";
        assert_eq!(executable(text), expected);
        assert_eq!(type_system("\"a,b\",type A,{ b,: Int }"), "\"a,b\" type A { b : Int }");
    }

    #[test]
    fn replaces_descriptions_and_preserves_values() {
        for (text, expected) in [
            ("\"é\" query { a }", "     query { a }".to_owned()),
            (
                "\"\"\"\na\r\n\"\"\" fragment F on T { a }",
                format!("{}\n \r\n{} fragment F on T {{ a }}", " ".repeat(3), " ".repeat(3)),
            ),
            ("{ a } \"b\",mutation M { c }", "{ a }     mutation M { c }".to_owned()),
            (
                "query (\"d\" $a: S = \"v\" \"e\" $b: [S] = [\"v\"] @x(y: \"v\") \"f\" $c: O = {v: \"v\"}) { a(b: \"v\") }",
                "query (    $a: S = \"v\"     $b: [S] = [\"v\"] @x(y: \"v\")     $c: O = {v: \"v\"}) { a(b: \"v\") }"
                    .to_owned(),
            ),
        ] {
            assert_eq!(executable(text), expected, "{text}");
            assert_eq!(executable(text).len(), text.len());
        }
    }

    proptest! {
        #[test]
        fn never_panics_and_preserves_the_length(text in "[{}()\\[\\]:!$@.=,\"\\\\ a-z#\n\r\u{0}é]{0,80}") {
            for rewritten in [executable(&text), type_system(&text)] {
                prop_assert_eq!(rewritten.len(), text.len());
            }
        }
    }
}
