//! Finds GraphQL documents in source code: a text search that follows literals and comments, not the grammar of the
//! language, in a time that is linear in the size of the file.

use std::path::Path;

use super::literal::{self, Decoded, Literal};

/// The maximum size of the begin of a document, and of a list of fragments.
const MAX_HEAD_BYTES: usize = 1024;

/// The maximum number of literals of a language.
const MAX_LITERALS: usize = 5;

/// A document in source code.
#[derive(Debug)]
pub(super) struct Embedded {
    /// The document and its offsets.
    pub(super) text: Decoded,
    /// The name that was declared last before it: `PARTS` in ``const PARTS = gql`…` ``.
    pub(super) declared: String,
    /// The code of its expressions, and of the list after it: ``graphql(`…`, [PARTS])``.
    pub(super) uses: String,
}

/// What the search knows of a language.
#[derive(Debug)]
pub(crate) struct Language {
    extensions: &'static [&'static str],
    line_comment: &'static str,
    literals: &'static [Literal],
}

const LANGUAGES: &[Language] = &[
    Language {
        extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"],
        line_comment: "//",
        literals: &[literal::TEMPLATE, literal::LINE, literal::QUOTED_LINE],
    },
    Language {
        extensions: &["kt"],
        line_comment: "//",
        literals: &[literal::RAW_BLOCK.with("${"), literal::LINE.with("${")],
    },
    Language {
        extensions: &["swift"],
        line_comment: "//",
        literals: &[literal::RAW_HASH_BLOCK.with("\\#("), literal::BLOCK.with("\\("), literal::LINE.with("\\(")],
    },
    Language { extensions: &["go"], line_comment: "//", literals: &[literal::RAW_TEMPLATE, literal::LINE] },
    Language {
        extensions: &["rs"],
        line_comment: "//",
        literals: &[literal::RAW_HASH, literal::RAW_HASHES, literal::RAW_HASHES_3, literal::RAW_QUOTES, literal::LINES],
    },
    Language {
        extensions: &["py"],
        line_comment: "#",
        literals: &[literal::BLOCK, literal::QUOTED_BLOCK, literal::LINE, literal::QUOTED_LINE],
    },
];

impl Language {
    /// The language of a file, by the extension of its name.
    pub(crate) fn of(file: &Path) -> Option<&'static Self> {
        let extension = file.extension()?.to_str()?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    }

    /// The documents in a file.
    pub(super) fn documents(&self, text: &str) -> Vec<Embedded> {
        let mut search = Search {
            language: self,
            text,
            at: 0,
            mark: Mark::None,
            last_name: "",
            declared: "",
            templates: Vec::new(),
            unclosed: [0; MAX_LITERALS],
            unclosed_comment: false,
            found: Vec::new(),
        };
        while let Some(byte) = text.as_bytes().get(search.at) {
            match search.templates.last() {
                Some(None) => search.template(*byte),
                _ => search.step(*byte),
            }
        }
        search.found
    }
}

/// What is before a literal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Mark {
    None,
    /// `gql`
    Tag,
    /// `gql(`, or a comment `/* GraphQL */`
    Call,
}

/// The state of a search in one file.
struct Search<'t> {
    language: &'t Language,
    text: &'t str,
    at: usize,
    mark: Mark,
    last_name: &'t str,
    /// The last name after `const`, `let`, `val` or `var`.
    declared: &'t str,
    /// The open templates: `None` in the text of one, or the number of open braces in an expression of it.
    templates: Vec<Option<usize>>,
    /// For each literal of the language, up to where none is closed.
    unclosed: [usize; MAX_LITERALS],
    unclosed_comment: bool,
    found: Vec<Embedded>,
}

impl Search<'_> {
    /// The text of a template, which is no code.
    fn template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'$' if self.text.as_bytes().get(self.at + 1) == Some(&b'{') => {
                self.templates.pop();
                self.templates.push(Some(0));
                self.at += 2;
            }
            // A document is no text after a template: the template began at a quote that is no code.
            b'`' if begins_document(self.text, self.at + 1) => {
                self.templates.clear();
                self.step(byte);
            }
            b'`' => {
                self.templates.pop();
                self.at += 1;
            }
            _ => self.at += 1,
        }
    }

    fn step(&mut self, byte: u8) {
        let bytes = self.text.as_bytes();
        let (rest, previous) = (&bytes[self.at..], self.at.checked_sub(1).map(|at| bytes[at]));
        let after_name = previous.is_some_and(is_name);
        let opens = |literal: &Literal| {
            let is_begin = !literal.open.starts_with('r') || !after_name;
            is_begin && rest.starts_with(literal.open.as_bytes())
        };
        if byte.is_ascii_whitespace() {
            self.at += 1;
            return;
        }
        if rest.starts_with(self.language.line_comment.as_bytes()) && previous != Some(b':') {
            // `https://` is in the text of an element, or in a literal with several lines.
            let end = rest.iter().position(|byte| *byte == b'\n');
            self.at = end.map_or(bytes.len(), |end| self.at + end);
        } else if rest.starts_with(b"/*") && !after_name && previous != Some(b'\\') {
            self.block_comment();
        } else if let Some(index) = self.language.literals.iter().position(opens) {
            self.literal(index);
        } else if is_name(byte) {
            let length = rest.iter().take_while(|byte| is_name(**byte)).count();
            let name = &self.text[self.at..self.at + length];
            let is_tag = matches!(name, "gql" | "graphql");
            self.mark = if is_tag { Mark::Tag } else { Mark::None };
            self.at += length;
            if matches!(self.last_name, "const" | "let" | "val" | "var") {
                self.declared = name;
            }
            self.last_name = name;
        } else {
            match (byte, self.templates.last_mut()) {
                (b'{', Some(Some(braces))) => *braces += 1,
                (b'}', Some(expression)) => {
                    *expression = expression.and_then(|braces| braces.checked_sub(1));
                }
                _ => {}
            }
            self.mark = match (byte, self.mark) {
                (b'(', Mark::Tag) => Mark::Call,
                // A macro of Rust.
                (b'!', Mark::Tag) => Mark::Tag,
                _ => Mark::None,
            };
            self.at += 1;
            // A quote as a character.
            self.at += match rest {
                [b'\'', b'"' | b'`', b'\'', ..] => 2,
                [b'\'', b'\\', b'"' | b'\'', b'\'', ..] => 3,
                _ => 0,
            };
        }
    }

    fn block_comment(&mut self) {
        let comment = &self.text[self.at + 2..];
        if self.unclosed_comment {
            self.at += 2;
        } else if let Some(end) = comment.find("*/") {
            if comment[..end].trim().eq_ignore_ascii_case("graphql") {
                self.mark = Mark::Call;
            }
            self.at += end + 4;
        } else {
            self.unclosed_comment = true;
            self.at += 2;
        }
    }

    fn literal(&mut self, index: usize) {
        let literal = self.language.literals[index];
        let start = self.at + literal.open.len();
        let is_tagged = self.mark == Mark::Call || self.mark == Mark::Tag && literal.is_nested;
        let is_tagged = is_tagged && literal.can_have_document(&self.text[start..]);
        self.mark = Mark::None;
        if is_tagged || begins_document(self.text, start) {
            let text = literal.decode(self.text, start);
            self.at = text.end;
            let end = self.text.floor_char_boundary(text.end + MAX_HEAD_BYTES);
            let list = self.text[text.end..end].trim_start_matches([' ', '\n', '\r', ',']);
            let list = list.strip_prefix('[').and_then(|list| list.split(']').next());
            let mut uses: Vec<&str> = text.expressions.iter().map(|code| &self.text[code.clone()]).collect();
            uses.extend(list);
            self.found.push(Embedded { uses: uses.join(" "), declared: self.declared.to_owned(), text });
            return;
        }
        self.at = start;
        if literal.is_nested {
            self.templates.push(None);
        } else if self.unclosed[index] <= start {
            match literal.end(self.text, start) {
                Ok(end) => self.at = end,
                Err(end) => self.unclosed[index] = end,
            }
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Whether a literal begins like a document. An operation without a name has variables or several lines: `query {}` is
/// often a part of a message.
fn begins_document(text: &str, start: usize) -> bool {
    let end = text.floor_char_boundary(start + MAX_HEAD_BYTES);
    let mut head = text[start..end].trim_start();
    while let Some(comment) = head.strip_prefix('#') {
        head = comment.split_once('\n').map_or("", |(_, next)| next.trim_start());
    }
    let word = |text: &mut &str| {
        let begin = text.trim_start();
        let end = begin.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let (word, rest) = begin.split_at(end.unwrap_or(begin.len()));
        *text = rest;
        word.to_owned()
    };
    match &*word(&mut head) {
        "query" | "mutation" | "subscription" => {
            let is_named = !word(&mut head).is_empty();
            let mut rest = head.trim_start().chars();
            match rest.next() {
                Some('{') => is_named || rest.as_str().trim_start_matches([' ', '\r']).starts_with('\n'),
                Some('(') => is_named || rest.as_str().trim_start().starts_with('$'),
                first => first == Some('@'),
            }
        }
        "fragment" => !word(&mut head).is_empty() && word(&mut head) == "on",
        _ => false,
    }
}
