//! Allowances: comments that disable a rule for an element or for the file, with a reason.

use std::ops::Range;

use apollo_compiler::{Name, parser::SourceSpan};
use schema::{Element, Location, Schema, excerpt, suggestion};

use super::finding::{Finding, Rule};

/// The syntax of an allowance, as shown in messages.
const FORM: &str = "# lint:allow RULE reason: WHY, or # lint:allow-file RULE reason: WHY";

/// The allowances of a file.
pub(super) struct Allowances {
    found: Vec<Allowance>,
}

/// A comment that starts with `lint:`.
struct Allowance {
    location: Option<Location>,
    /// The parsed comment, or a message if it is invalid.
    permission: Result<Permission, String>,
    used: bool,
}

struct Permission {
    rule: Rule,
    /// The bytes of the file it applies to; empty if there is no element below the comment.
    range: Range<usize>,
}

impl Allowances {
    /// The allowances in the file that the schema was read from.
    pub(super) fn read(schema: &Schema) -> Self {
        let Some((text, comments)) = schema.comments() else {
            return Self { found: Vec::new() };
        };
        let elements = schema.elements().into_iter();
        let scalars = schema.defined_scalars().iter();
        let scalars = scalars.filter_map(Name::location);
        let elements: Vec<_> = elements.flat_map(Element::spans).chain(scalars).collect();
        let allowances = comments.into_iter().filter_map(|range| {
            let content = text[range.clone()].trim_start_matches('#').trim();
            content.starts_with("lint:").then(|| Allowance {
                location: schema.location_of_offset(range.start),
                permission: parse_permission(text, content, &range, &elements),
                used: false,
            })
        });
        Self {
            found: allowances.collect(),
        }
    }

    /// Whether a rule is disabled at a span; marks the allowances that disable it as used.
    pub(super) fn permit(&mut self, rule: Rule, span: Option<SourceSpan>) -> bool {
        let Some(span) = span else { return false };
        let mut permitted = false;
        for allowance in &mut self.found {
            if let Ok(permission) = &allowance.permission
                && permission.rule == rule
                && permission.range.contains(&span.offset())
            {
                allowance.used = true;
                permitted = true;
            }
        }
        permitted
    }

    /// Findings about invalid and unused allowances.
    pub(super) fn findings(self, schema: &Schema) -> Vec<Finding> {
        let Some(severity) = Rule::Allowance.severity() else {
            return Vec::new();
        };
        let findings = self.found.into_iter().filter_map(|allowance| {
            let message = match allowance.permission {
                Err(message) => message,
                Ok(_) if allowance.used => return None,
                Ok(permission) => format!(
                    "the rule {} has no finding here: remove the allowance",
                    permission.rule
                ),
            };
            let line = allowance
                .location
                .as_ref()
                .map_or(0, |location| location.position.line);
            Some(Finding {
                rule: Rule::Allowance,
                severity,
                coordinate: format!("{}:{line}", schema.name()),
                message,
                location: allowance.location,
            })
        });
        findings.collect()
    }
}

fn parse_permission(
    text: &str,
    content: &str,
    comment: &Range<usize>,
    elements: &[SourceSpan],
) -> Result<Permission, String> {
    let (keyword, arguments) = content
        .split_once(char::is_whitespace)
        .unwrap_or((content, ""));
    if !matches!(keyword, "lint:allow" | "lint:allow-file") {
        return Err(format!(
            "unknown keyword {:?}: write {FORM}",
            excerpt(keyword)
        ));
    }
    let (name, reason) = arguments
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((arguments.trim(), ""));
    let rules = || Rule::ALL.into_iter().filter(|rule| rule.is_allowable());
    let rule = rules().find(|rule| rule.name() == name).ok_or_else(|| {
        let known: Vec<_> = rules().map(Rule::name).collect();
        let suggestion = suggestion(name, known.iter().copied());
        let known = known.join(", ");
        let name = excerpt(name);
        format!("{name:?} is not a rule that can be disabled: use one of {known}{suggestion}")
    })?;
    let reason = reason.trim().strip_prefix("reason:").map_or("", str::trim);
    if reason.is_empty() {
        return Err(format!("the reason is missing: write {FORM}"));
    }
    if keyword == "lint:allow-file" {
        return Ok(Permission {
            rule,
            range: 0..text.len(),
        });
    }
    let line = text[..comment.start]
        .rfind(['\n', '\r'])
        .map_or(0, |end| end + 1);
    if !text[line..comment.start].trim().is_empty() {
        return Err("the comment is not on its own line: move it above the element".to_owned());
    }
    // Of several elements that start at the same offset, the outermost is meant.
    let below = elements
        .iter()
        .filter(|element| element.offset() >= comment.end);
    let below = below.min_by_key(|element| (element.offset(), usize::MAX - element.end_offset()));
    Ok(Permission {
        rule,
        range: below.map_or(0..0, |element| element.offset()..element.end_offset()),
    })
}
