//! What the commands find as annotations: messages at the lines of files, for the tools that show them beside the code.

use std::collections::HashMap;

use graphql_sdl::{Location, Problems, Schema};

pub use crate::lint::Severity;
use crate::{
    Level, Review,
    lint::Finding,
    operations::{Checked, InvalidOperation, report::cause},
    report::details,
    text::{first, one_line},
    usage::Usage,
};

/// A message at a line of a file.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Annotation {
    /// An error fails the command.
    pub severity: Severity,
    /// Where; `None` if a schema was read by introspection.
    pub location: Option<Location>,
    /// The kind of a change, or the name of a lint rule.
    pub rule: String,
    /// What is found, and the details, each in a line.
    pub message: String,
}

impl Annotation {
    fn new(
        severity: Severity,
        location: Option<&Location>,
        rule: impl Into<String>,
        lines: impl IntoIterator<Item = String>,
    ) -> Self {
        let lines: Vec<String> = lines.into_iter().map(|line| one_line(&line)).collect();
        Self {
            severity,
            location: location.and_then(in_working_directory),
            rule: rule.into(),
            message: lines.join("\n"),
        }
    }
}

/// A location in a file of the working directory, also of a git revision of it; `None` for a URL.
fn in_working_directory(location: &Location) -> Option<Location> {
    let path = match location.file.strip_prefix("git:") {
        Some(revision) => revision.split_once(':')?.1,
        None if location.file.contains("://") => return None,
        None => &location.file,
    };
    Some(Location {
        file: path.trim_start_matches("./").into(),
        position: location.position,
    })
}

/// The changes that are breaking or dangerous and were not accepted, the problems of the new schema, the invalid entries of accepted changes, and the
/// operations that stop working. What was removed is at the nearest part that the new schema has.
pub fn of_review(review: &Review, new: &Schema) -> Vec<Annotation> {
    let elements = new.elements().into_iter();
    let locations: HashMap<String, Location> = elements
        .filter_map(|element| Some((element.coordinate(), new.location(element.name_span())?)))
        .collect();
    let nearest = |coordinate: &str| {
        let owner = coordinate
            .split_once('(')
            .map_or(coordinate, |(owner, _)| owner);
        let ty = owner.split_once('.').map_or(owner, |(ty, _)| ty);
        let location = [owner, ty].into_iter().find_map(|near| locations.get(near));
        location.cloned().or_else(|| new.location_of_offset(0))
    };
    let changes = review
        .changes
        .iter()
        .filter(|reviewed| reviewed.accepted.is_none());
    let changes = changes.filter_map(|reviewed| {
        let change = &reviewed.change;
        let severity = match change.level {
            Level::Breaking => Severity::Error,
            Level::Dangerous => Severity::Warning,
            Level::Safe => return None,
        };
        let location = change.new.clone().or_else(|| nearest(&change.coordinate));
        let lines = [change.message.clone(), change.reason.to_owned()];
        let lines = lines.into_iter().chain(details(reviewed));
        Some(Annotation::new(
            severity,
            location.as_ref(),
            change.kind.name(),
            lines,
        ))
    });
    let of_problems = |problems: &Option<Problems>, rule| {
        let problems = problems.iter().flatten().map(|problem| {
            let (location, lines) = (problem.location(), [problem.message.clone()]);
            Annotation::new(Severity::Error, location.as_ref(), rule, lines)
        });
        problems.collect::<Vec<_>>()
    };
    let invalid = of_problems(&review.invalid, "INVALID");
    let problems = of_problems(&review.problems, "ACCEPTED");
    let operations = review.broken_operations().flat_map(of_operation);
    sorted(changes.chain(invalid).chain(problems).chain(operations))
}

/// The operations that stop working.
pub fn of_operations(checked: &Checked) -> Vec<Annotation> {
    sorted(checked.broken.iter().flat_map(of_operation))
}

fn of_operation(operation: &InvalidOperation) -> impl Iterator<Item = Annotation> {
    let causes = first(operation.changes.iter().map(cause));
    operation.problems.iter().map(move |problem| {
        let name = format!("{} stops working: {}", operation.operation, problem.message);
        let causes = causes.iter().map(|cause| format!("because {cause}"));
        let lines = std::iter::once(name).chain(causes);
        Annotation::new(
            Severity::Error,
            problem.location.as_ref(),
            "OPERATION",
            lines,
        )
    })
}

/// The findings of the lint.
pub fn of_findings(findings: &[Finding]) -> Vec<Annotation> {
    sorted(findings.iter().map(|finding| {
        let (location, rule) = (finding.location.as_ref(), finding.rule.name());
        let message = format!("{} {}", finding.coordinate, finding.message);
        Annotation::new(finding.severity, location, rule, [message])
    }))
}

/// What is deprecated and used.
pub fn of_usage(usage: &Usage, schema: &Schema) -> Vec<Annotation> {
    let deprecated = usage.deprecated(schema).into_iter();
    let used = deprecated.filter(|element| !element.clients.is_empty());
    sorted(used.map(|element| {
        let name = format!(
            "{} '{}' is deprecated and used",
            element.kind, element.coordinate
        );
        let clients = first(element.clients.iter());
        let lines = std::iter::once(name).chain(clients);
        Annotation::new(
            Severity::Warning,
            element.location.as_ref(),
            "DEPRECATED",
            lines,
        )
    }))
}

/// Errors first: GitHub shows ten of each severity in a step.
fn sorted(annotations: impl Iterator<Item = Annotation>) -> Vec<Annotation> {
    let mut annotations: Vec<_> = annotations.collect();
    annotations.sort();
    annotations.dedup();
    annotations
}
