//! String literals of programming languages, and the text of the documents in them.

use std::ops::Range;

/// What replaces an expression in a selection set: it is valid at every place of a selection but the root of a subscription.
const SELECTED: &str = " __typename ";

/// What replaces an expression at a place where a document cannot be read without its value.
const UNREADABLE: &str = "!";

/// A form of string literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether it can have line breaks.
    pub(super) has_lines: bool,
    /// Whether a backslash begins an escape sequence.
    pub(super) has_escapes: bool,
    /// The begin of an expression.
    expression: Option<&'static str>,
    /// Whether it can contain code that contains such literals.
    pub(super) is_nested: bool,
}

const fn literal(open: &'static str, close: &'static str) -> Literal {
    Literal { open, close, has_lines: true, has_escapes: false, expression: None, is_nested: false }
}

const fn escaped(delimiter: &'static str, has_lines: bool) -> Literal {
    Literal { has_lines, has_escapes: true, ..literal(delimiter, delimiter) }
}

pub(super) const TEMPLATE: Literal = Literal { is_nested: true, ..escaped("`", true).with("${") };
pub(super) const RAW_TEMPLATE: Literal = literal("`", "`");
pub(super) const LINE: Literal = escaped("\"", false);
pub(super) const QUOTED_LINE: Literal = escaped("'", false);
pub(super) const LINES: Literal = escaped("\"", true);
pub(super) const BLOCK: Literal = escaped("\"\"\"", true);
pub(super) const QUOTED_BLOCK: Literal = escaped("'''", true);
pub(super) const RAW_BLOCK: Literal = literal("\"\"\"", "\"\"\"");
pub(super) const RAW_QUOTES: Literal = literal("r\"", "\"");
pub(super) const RAW_HASH: Literal = literal("r#\"", "\"#");
pub(super) const RAW_HASHES: Literal = literal("r##\"", "\"##");
pub(super) const RAW_HASHES_3: Literal = literal("r###\"", "\"###");
pub(super) const RAW_HASH_BLOCK: Literal = literal("#\"\"\"", "\"\"\"#");

/// A document in a literal.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// The document.
    pub(super) document: String,
    /// Pairs of an offset in the document and the same offset in the file, ascending.
    pub(super) offsets: Vec<(usize, usize)>,
    /// The code of its expressions in the file.
    pub(super) expressions: Vec<Range<usize>>,
    /// Whether an expression is in an operation or a fragment, and not between them.
    pub(super) is_incomplete: bool,
    /// The end of the literal in the file.
    pub(super) end: usize,
}

impl Literal {
    /// The same literal with expressions.
    pub(super) const fn with(self, expression: &'static str) -> Self {
        Self { expression: Some(expression), ..self }
    }

    /// Whether the content can be a document after a tag or in a call, which can also have a path or a URL.
    pub(super) fn can_have_document(&self, content: &str) -> bool {
        let content = content.trim_start();
        if self.has_lines {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            content.starts_with(is_name) || content.starts_with(['{', '"', '#', '$', '\\', '`'])
        } else {
            let begins = ["{", "query", "mutation", "subscription", "fragment"];
            begins.iter().any(|begin| content.starts_with(begin))
        }
    }

    /// The end of a literal whose content begins at an offset; `Err` with the offset up to which there is no end.
    pub(super) fn end(&self, text: &str, start: usize) -> Result<usize, usize> {
        let bytes = text.as_bytes();
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' if !self.has_lines => return Err(at),
                b'\\' if self.has_escapes => at += 2,
                _ if bytes[at..].starts_with(self.close.as_bytes()) => {
                    return Ok(at + self.close.len());
                }
                _ => at += 1,
            }
        }
        Err(bytes.len())
    }

    /// The document in a literal whose content begins at an offset. A literal that is not closed ends with its line, or
    /// with the file.
    pub(super) fn decode(&self, text: &str, start: usize) -> Decoded {
        let bytes = text.as_bytes();
        let mut decoded = Decoded { offsets: vec![(0, start)], ..Decoded::default() };
        let (mut braces, mut parentheses) = (0_usize, 0_usize);
        // What was read and is not in the document yet.
        let (mut unread, mut at) = (start, start);
        while let Some(byte) = bytes.get(at) {
            let rest = &bytes[at..];
            if rest.starts_with(self.close.as_bytes()) || (!self.has_lines && *byte == b'\n') {
                break;
            }
            let expression = self.expression.filter(|begin| rest.starts_with(begin.as_bytes()));
            if let Some(begin) = expression {
                let end = expression_end(bytes, at + begin.len());
                decoded.document.push_str(&text[unread..at]);
                let content = at + begin.len()..end;
                // The only way to write it in a raw literal of Kotlin.
                let is_dollar = matches!(&bytes[content.clone()], b"'$'}" | b"\"$\"}");
                if !is_dollar {
                    decoded.expressions.push(content);
                }
                let value = match (braces, parentheses) {
                    _ if is_dollar => "$",
                    // Fragments, which are found by their names.
                    (0, 0) => " ",
                    _ => {
                        decoded.is_incomplete = true;
                        let is_selection = parentheses == 0 && is_between_selections(&decoded.document, &text[end..]);
                        if is_selection { SELECTED } else { UNREADABLE }
                    }
                };
                (unread, at) = (end, end);
                decoded.add(value, at);
            } else if *byte == b'\\' && self.has_escapes {
                decoded.document.push_str(&text[unread..at]);
                let escaped = text[at + 1..].chars().next();
                at += 1 + escaped.map_or(0, char::len_utf8);
                unread = at;
                decoded.add(&escaped.and_then(unescaped).map(String::from).unwrap_or_default(), at);
            } else {
                match byte {
                    b'{' => braces += 1,
                    b'}' => braces = braces.saturating_sub(1),
                    b'(' => parentheses += 1,
                    b')' => parentheses = parentheses.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
        }
        decoded.document.push_str(&text[unread..at]);
        let is_closed = bytes[at..].starts_with(self.close.as_bytes());
        decoded.end = at + if is_closed { self.close.len() } else { 0 };
        decoded
    }
}

impl Decoded {
    /// Adds the value of a part of the file that ends at an offset.
    fn add(&mut self, value: &str, end: usize) {
        self.document.push_str(value);
        self.offsets.push((self.document.len(), end));
    }
}

/// Whether a whole selection can be between two parts of a document.
fn is_between_selections(before: &str, after: &str) -> bool {
    let is_ignored = |letter: char| letter.is_ascii_whitespace() || letter == ',';
    let begins = before.ends_with(|last| is_ignored(last) || "{})".contains(last));
    let before = before.trim_end_matches(is_ignored);
    let continues = before.ends_with(['.', ':', '@', '$']) || before.ends_with(" on");
    let next = after.trim_start_matches(is_ignored);
    let is_continued = next.starts_with(['{', '(', ':', '@'])
        || after.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    begins && !continues && !is_continued
}

/// The end of the expression whose content begins at an offset, after its bracket; literals and templates in it can contain
/// brackets.
fn expression_end(bytes: &[u8], start: usize) -> usize {
    let mut open = vec![if bytes[start - 1] == b'{' { b'}' } else { b')' }];
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let is_template = open.last() == Some(&b'`');
        match byte {
            b'\\' => at += 1,
            _ if open.last() == Some(&byte) => {
                open.pop();
                if open.is_empty() {
                    return at;
                }
            }
            b'$' if is_template && bytes.get(at) == Some(&b'{') => {
                open.push(b'}');
                at += 1;
            }
            _ if is_template => {}
            b'`' => open.push(b'`'),
            b'{' => open.push(b'}'),
            b'(' => open.push(b')'),
            b'"' | b'\'' => {
                let mut previous = 0;
                let end = bytes[at..].iter().position(|&next| {
                    let is_escaped = previous == b'\\';
                    previous = if is_escaped { 0 } else { next };
                    next == b'\n' || (next == byte && !is_escaped)
                });
                at = end.map_or(bytes.len(), |end| at + end + 1);
            }
            _ => {}
        }
    }
    bytes.len()
}

/// The character of an escape sequence: white space, or what the backslash is before, which is also read of a code. `None`
/// for a line break, which is not part of the text.
fn unescaped(first: char) -> Option<char> {
    match first {
        '\n' => None,
        'n' => Some('\n'),
        'r' | 't' => Some(' '),
        other => Some(other),
    }
}
