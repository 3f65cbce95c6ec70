//! Allowances: comments and entries of a policy that disable a rule for an element or for the file, with a reason.

use std::{collections::HashMap, ops::Range};

use apollo_compiler::{Name, parser::SourceSpan};
use chrono::NaiveDate;
use graphql_sdl::{Element, Location, Schema, excerpt, suggestion};

use super::{
    finding::{Finding, Rule},
    options::{Allowed, Options},
};
use crate::pattern::with_owners;

/// The syntax of an allowance, as shown in messages.
const FORM: &str = "# lint:allow RULE reason: WHY, or # lint:allow-file RULE reason: WHY";

/// The allowances of a file and of a policy.
pub(super) struct Allowances<'a> {
    found: Vec<Allowance>,
    /// The entries of the policy, and whether they were used.
    entries: Vec<(&'a Allowed, bool)>,
    /// The indices of the entries without a pattern.
    exact: HashMap<(Rule, &'a str), Vec<usize>>,
    /// The indices of the others.
    patterns: Vec<usize>,
    options: &'a Options,
    today: NaiveDate,
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

impl<'a> Allowances<'a> {
    /// The allowances in the file that the schema was read from, and those of the policy.
    pub(super) fn read(
        schema: &Schema,
        options: &'a Options,
        allowed: &'a [Allowed],
        today: NaiveDate,
    ) -> Self {
        let mut exact: HashMap<_, Vec<usize>> = HashMap::new();
        let mut patterns = Vec::new();
        for (index, entry) in allowed.iter().enumerate() {
            let coordinate = &entry.coordinate;
            if coordinate.is_exact() {
                let key = (entry.rule, coordinate.as_str());
                exact.entry(key).or_default().push(index);
            } else {
                patterns.push(index);
            }
        }
        Self {
            found: comments(schema),
            exact,
            patterns,
            entries: allowed.iter().map(|entry| (entry, false)).collect(),
            options,
            today,
        }
    }

    /// Whether a rule is disabled at a span and a coordinate; marks the allowances that disable it as used.
    pub(super) fn permit(
        &mut self,
        rule: Rule,
        span: Option<SourceSpan>,
        coordinate: &str,
    ) -> bool {
        let mut permitted = false;
        for allowance in &mut self.found {
            if let Ok(permission) = &allowance.permission
                && permission.rule == rule
                && span.is_some_and(|span| permission.range.contains(&span.offset()))
            {
                allowance.used = true;
                permitted = true;
            }
        }
        let coordinates: Vec<&str> = with_owners(coordinate).collect();
        let exact = coordinates.iter();
        let exact = exact.filter_map(|coordinate| self.exact.get(&(rule, *coordinate)));
        let patterns = self.patterns.iter().filter(|index| {
            let (entry, _) = self.entries[**index];
            let mut coordinates = coordinates.iter();
            entry.rule == rule && coordinates.any(|one| entry.coordinate.matches(one))
        });
        let covering: Vec<usize> = exact.flatten().chain(patterns).copied().collect();
        for index in covering {
            let (entry, used) = &mut self.entries[index];
            *used = true;
            let until = entry.acceptance.until;
            permitted |= until.is_none_or(|until| until >= self.today);
        }
        permitted
    }

    /// Findings about invalid, expired and unused allowances. An allowance of a rule that is off has no use, but becomes
    /// necessary once the rule is on.
    pub(super) fn findings(self, schema: &Schema) -> Vec<Finding> {
        let Some(severity) = self.options.severity(Rule::Allowance) else {
            return Vec::new();
        };
        let is_on = |rule| self.options.severity(rule).is_some();
        let unused =
            |rule, place| format!("the rule {rule} has no finding {place}: remove the allowance");
        let mut messages = Vec::new();
        for allowance in self.found {
            let message = match allowance.permission {
                Err(message) => message,
                Ok(permission) if allowance.used || !is_on(permission.rule) => continue,
                Ok(permission) => unused(permission.rule, "here".to_owned()),
            };
            messages.push((schema.name().to_owned(), allowance.location, message));
        }
        for (
            Allowed {
                rule,
                coordinate,
                acceptance,
            },
            used,
        ) in self.entries
        {
            let coordinate = coordinate.as_str();
            let expired = acceptance.until.filter(|until| *until < self.today);
            let message = match expired {
                Some(until) => format!(
                    "the allowance of {rule} for '{coordinate}' expired on {until}: correct the findings, or set a later \
                     date after a review"
                ),
                None if used || !is_on(*rule) => continue,
                None => unused(*rule, format!("for '{coordinate}'")),
            };
            let location = acceptance.location.clone();
            messages.push((location.file.to_string(), Some(location), message));
        }
        let findings = messages.into_iter().map(|(file, location, message)| {
            let line = location
                .as_ref()
                .map_or(0, |location| location.position.line);
            Finding {
                rule: Rule::Allowance,
                severity,
                coordinate: format!("{file}:{line}"),
                message,
                location,
            }
        });
        findings.collect()
    }
}

fn comments(schema: &Schema) -> Vec<Allowance> {
    let Some((text, comments)) = schema.comments() else {
        return Vec::new();
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
    allowances.collect()
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
