//! Comments that switch a rule off, for an element or for the file, and why.

use std::ops::Range;

use apollo_compiler::{
    Node,
    ast::{Definition, Document, FieldDefinition, InputValueDefinition},
    parser::{SourceFile, SourceSpan},
};

use super::{Finding, Rule};
use crate::{Place, Schema, problem::suggestion};

/// What an allowance looks like.
const FORM: &str = "# lint:allow RULE reason: WHY, or # lint:allow-file RULE reason: WHY";

/// The allowances of a file.
pub(super) struct Allowances {
    found: Vec<Allowance>,
}

/// A comment that speaks of lint.
struct Allowance {
    place: Option<Place>,
    /// What it permits, or why it permits nothing.
    meaning: Result<Permission, String>,
    used: bool,
}

struct Permission {
    rule: Rule,
    /// Where; empty if nothing stands below the comment.
    range: Range<usize>,
}

impl Allowances {
    /// The allowances in the file that the schema was read from.
    pub(super) fn read(schema: &Schema) -> Self {
        let sources = schema.tree().sources.values();
        let mut file = sources.filter(|source| source.path().to_str() == Some(schema.name()));
        let found = file
            .next()
            .map_or_else(Vec::new, |source| of(schema, source));
        Self { found }
    }

    /// Whether a rule is switched off at a place.
    pub(super) fn permit(&mut self, rule: Rule, span: Option<SourceSpan>) -> bool {
        let Some(span) = span else { return false };
        let mut permitted = false;
        for allowance in &mut self.found {
            if let Ok(permission) = &allowance.meaning
                && permission.rule == rule
                && permission.range.contains(&span.offset())
            {
                allowance.used = true;
                permitted = true;
            }
        }
        permitted
    }

    /// What is wrong with the allowances themselves.
    pub(super) fn findings(self, schema: &Schema) -> Vec<Finding> {
        let wrong = self.found.into_iter().filter_map(|allowance| {
            let message = match allowance.meaning {
                Err(message) => message,
                Ok(_) if allowance.used => return None,
                Ok(permission) => format!(
                    "allows what {} does not find here: remove the allowance",
                    permission.rule
                ),
            };
            let line = allowance.place.as_ref().map_or(0, |place| place.line);
            Some(Finding {
                rule: Rule::Allowance,
                severity: Rule::Allowance.severity(),
                coordinate: format!("{}:{line}", schema.name()),
                message,
                place: allowance.place,
            })
        });
        wrong.collect()
    }
}

fn of(schema: &Schema, source: &SourceFile) -> Vec<Allowance> {
    let text = source.source_text();
    let comments = comments(text).into_iter();
    let about_lint = comments.filter(|comment| {
        let words = text[comment.range.clone()]
            .trim_start_matches('#')
            .trim_start();
        words.starts_with("lint:")
    });
    let about_lint: Vec<_> = about_lint.collect();
    if about_lint.is_empty() {
        return Vec::new();
    }
    let elements = elements(text);
    let allowances = about_lint.into_iter().map(|comment| {
        let place = source.get_line_column(comment.range.start).map(|at| Place {
            file: schema.name().into(),
            line: at.line,
            column: at.column,
        });
        Allowance {
            place,
            meaning: meaning(text, &comment, &elements),
            used: false,
        }
    });
    allowances.collect()
}

fn meaning(text: &str, comment: &Comment, elements: &[Range<usize>]) -> Result<Permission, String> {
    let words = text[comment.range.clone()].trim_start_matches('#').trim();
    let (keyword, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    if !matches!(keyword, "lint:allow" | "lint:allow-file") {
        return Err(format!("{keyword:?} is not known: write {FORM}"));
    }
    let (name, rest) = rest
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((rest.trim(), ""));
    let switchable = || {
        Rule::ALL
            .into_iter()
            .filter(|rule| *rule != Rule::Allowance)
    };
    let rule = Rule::named(name)
        .filter(|rule| *rule != Rule::Allowance)
        .ok_or_else(|| {
            let known: Vec<_> = switchable().map(Rule::name).collect();
            let suggestion = suggestion(name, known.iter().copied());
            format!(
                "{name:?} is no rule that can be switched off{suggestion} The rules are {}",
                known.join(", ")
            )
        })?;
    let reason = rest.trim().strip_prefix("reason:").map_or("", str::trim);
    if reason.is_empty() {
        return Err(format!("gives no reason: write {FORM}"));
    }
    if keyword == "lint:allow-file" {
        return Ok(Permission {
            rule,
            range: 0..text.len(),
        });
    }
    if !comment.alone {
        return Err(
            "stands behind something: give it a line of its own above the element".to_owned(),
        );
    }
    // Of several elements that begin at one place, the type and not its first field is meant.
    let below = elements
        .iter()
        .filter(|element| element.start >= comment.range.end);
    let below = below.min_by_key(|element| (element.start, usize::MAX - element.end));
    Ok(Permission {
        rule,
        range: below.cloned().unwrap_or(0..0),
    })
}

/// A comment, and whether nothing else stands in its line.
struct Comment {
    range: Range<usize>,
    alone: bool,
}

/// The comments of a valid file: what begins with `#` outside of strings.
fn comments(text: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['#', '"']) {
        let start = at + next;
        let rest = &text[start..];
        at = start
            + match rest {
                _ if rest.starts_with('#') => {
                    let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                    let line = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
                    found.push(Comment {
                        range: start..start + length,
                        alone: text[line..start].trim().is_empty(),
                    });
                    length
                }
                _ if rest.starts_with("\"\"\"") => block_string(rest),
                _ => string(rest),
            };
    }
    found
}

fn block_string(text: &str) -> usize {
    let mut at = 3;
    while let Some(quotes) = text[at..].find("\"\"\"") {
        let end = at + quotes + 3;
        if !text[at..at + quotes].ends_with('\\') {
            return end;
        }
        at = end;
    }
    text.len()
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (position, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

/// Where each element begins, its description included, and where it ends.
fn elements(text: &str) -> Vec<Range<usize>> {
    let Ok(document) = Document::parse(text, "") else {
        return Vec::new();
    };
    let mut spans = Vec::new();
    for definition in &document.definitions {
        spans.push(definition.location());
        inside(&mut spans, definition);
    }
    let spans = spans.into_iter().flatten();
    spans.map(|span| span.offset()..span.end_offset()).collect()
}

fn inside(spans: &mut Vec<Option<SourceSpan>>, definition: &Definition) {
    match definition {
        Definition::ObjectTypeDefinition(object) => fields(spans, &object.fields),
        Definition::ObjectTypeExtension(object) => fields(spans, &object.fields),
        Definition::InterfaceTypeDefinition(interface) => fields(spans, &interface.fields),
        Definition::InterfaceTypeExtension(interface) => fields(spans, &interface.fields),
        Definition::InputObjectTypeDefinition(input) => inputs(spans, &input.fields),
        Definition::InputObjectTypeExtension(input) => inputs(spans, &input.fields),
        Definition::DirectiveDefinition(directive) => inputs(spans, &directive.arguments),
        Definition::EnumTypeDefinition(of) => spans.extend(of.values.iter().map(Node::location)),
        Definition::EnumTypeExtension(of) => spans.extend(of.values.iter().map(Node::location)),
        _ => {}
    }
}

fn fields(spans: &mut Vec<Option<SourceSpan>>, fields: &[Node<FieldDefinition>]) {
    for field in fields {
        spans.push(field.location());
        inputs(spans, &field.arguments);
    }
}

fn inputs(spans: &mut Vec<Option<SourceSpan>>, inputs: &[Node<InputValueDefinition>]) {
    spans.extend(inputs.iter().map(Node::location));
}
