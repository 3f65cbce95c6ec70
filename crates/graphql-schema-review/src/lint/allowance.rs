//! Allowances: comments and entries of a policy that disable a rule for an element or for the file, with a reason.

use std::ops::Range;

use apollo_compiler::{Name, parser::SourceSpan};
use chrono::NaiveDate;
use graphql_sdl::{Element, Location, Schema, excerpt, suggestion};

use super::finding::{Finding, Options, Rule};
use crate::{
    names::{Pattern, with_owners},
    policy::Allowed,
};

/// The syntax of an allowance, as shown in messages.
const FORM: &str = "# lint:allow RULE reason: WHY, or # lint:allow-file RULE reason: WHY";

/// The allowances of the file that the schema was read from, and of a policy.
pub(super) struct Allowances<'a> {
    all: Vec<Allowance<'a>>,
    today: NaiveDate,
}

/// A comment that starts with `lint:`, or an entry of the policy.
struct Allowance<'a> {
    location: Option<Location>,
    /// The rule that it disables and where, or a message if it is invalid.
    permission: Result<(Rule, Scope<'a>), String>,
    until: Option<NaiveDate>,
    used: bool,
}

/// What an allowance applies to.
enum Scope<'a> {
    /// The elements in these bytes of the file; empty if there is no element below the comment.
    Bytes(Range<usize>),
    /// An element and its parts.
    Coordinate(&'a Pattern),
}

impl<'a> Allowances<'a> {
    pub(super) fn read(
        schema: &Schema,
        entries: impl IntoIterator<Item = (&'a Allowed, Location)>,
        today: NaiveDate,
    ) -> Self {
        let entries = entries.into_iter().map(|(entry, location)| Allowance {
            location: Some(location),
            permission: Ok((entry.rule, Scope::Coordinate(&entry.coordinate))),
            until: entry.until,
            used: false,
        });
        let all = comments(schema).into_iter().chain(entries).collect();
        Self { all, today }
    }

    /// Whether a rule is disabled at a span and a coordinate; marks the allowances that disable it as used.
    pub(super) fn permit(&mut self, rule: Rule, span: Option<SourceSpan>, coordinate: &str) -> bool {
        let coordinates: Vec<&str> = with_owners(coordinate).collect();
        let mut permitted = false;
        for allowance in &mut self.all {
            let applies = match &allowance.permission {
                Ok((of, scope)) if *of == rule => match scope {
                    Scope::Bytes(range) => span.is_some_and(|span| range.contains(&span.offset())),
                    Scope::Coordinate(pattern) => coordinates.iter().any(|one| pattern.matches(one)),
                },
                _ => false,
            };
            allowance.used |= applies;
            permitted |= applies && allowance.until.is_none_or(|until| until >= self.today);
        }
        permitted
    }

    /// Findings about invalid, expired and unused allowances. An allowance of a rule that is off has no use, but becomes
    /// necessary once the rule is on.
    pub(super) fn findings(self, options: &Options) -> Vec<Finding> {
        let Some(severity) = options.severity(Rule::Allowance) else {
            return Vec::new();
        };
        let findings = self.all.into_iter().filter_map(|allowance| {
            let message = match allowance.permission {
                Err(message) => message,
                Ok((rule, scope)) => {
                    let place = match scope {
                        Scope::Bytes(_) => "here".to_owned(),
                        Scope::Coordinate(pattern) => format!("for '{}'", pattern.as_str()),
                    };
                    match allowance.until.filter(|until| *until < self.today) {
                        Some(until) => format!(
                            "the allowance of {rule} {place} expired on {until}: correct the findings, or set a later \
                             date after a review"
                        ),
                        None if allowance.used || options.severity(rule).is_none() => return None,
                        None => format!("the rule {rule} has no finding {place}: remove the allowance"),
                    }
                }
            };
            let place = allowance.location.as_ref();
            Some(Finding {
                rule: Rule::Allowance,
                severity,
                coordinate: place.map(|place| format!("{}:{}", place.file, place.position.line)).unwrap_or_default(),
                message,
                location: allowance.location,
            })
        });
        findings.collect()
    }
}

fn comments(schema: &Schema) -> Vec<Allowance<'static>> {
    let Some((text, comments)) = schema.comments() else {
        return Vec::new();
    };
    let elements = schema.elements().into_iter();
    let scalars = schema.defined_scalars().iter().filter_map(Name::location);
    let elements: Vec<_> = elements.flat_map(Element::spans).chain(scalars).collect();
    let allowances = comments.into_iter().filter_map(|range| {
        let content = text[range.clone()].trim_start_matches('#').trim();
        content.starts_with("lint:").then(|| Allowance {
            location: schema.location_of_offset(range.start),
            permission: parse_permission(text, content, &range, &elements),
            until: None,
            used: false,
        })
    });
    allowances.collect()
}

fn parse_permission(
    text: &str,
    content: &str,
    comment: &Range<usize>,
    elements: &[SourceSpan],
) -> Result<(Rule, Scope<'static>), String> {
    let (keyword, arguments) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
    if !matches!(keyword, "lint:allow" | "lint:allow-file") {
        return Err(format!("unknown keyword {:?}: write {FORM}", excerpt(keyword)));
    }
    let (name, reason) = arguments.trim().split_once(char::is_whitespace).unwrap_or((arguments.trim(), ""));
    let rules = || Rule::ALL.into_iter().filter(|rule| *rule != Rule::Allowance);
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
        return Ok((rule, Scope::Bytes(0..text.len())));
    }
    let line = text[..comment.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    if !text[line..comment.start].trim().is_empty() {
        return Err("the comment is not on its own line: move it above the element".to_owned());
    }
    // Of several elements that start at the same offset, the outermost is meant.
    let below = elements.iter().filter(|element| element.offset() >= comment.end);
    let below = below.min_by_key(|element| (element.offset(), usize::MAX - element.end_offset()));
    let range = below.map_or(0..0, |element| element.offset()..element.end_offset());
    Ok((rule, Scope::Bytes(range)))
}
