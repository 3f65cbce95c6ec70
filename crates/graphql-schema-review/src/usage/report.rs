//! The report of deprecated elements and their clients.

use anstyle::AnsiColor;

use super::{ClientUse, Deprecated, DeprecatedUse};
use crate::{
    annotation::{Annotation, Severity, sorted},
    report::{Entry, Report},
    text::{first, shortened},
};

impl Deprecated {
    /// Each deprecated element with its clients, that with the most requests first.
    pub fn report(&self) -> Report {
        let summary = match (self.used().count(), self.deprecated.len()) {
            (_, 0) => "nothing is deprecated".to_owned(),
            (0, 1) => "the deprecated element is not used".to_owned(),
            (_, 1) => "the deprecated element is used".to_owned(),
            (1, all) => format!("1 of {all} deprecated elements is used"),
            (used, all) => format!("{used} of {all} deprecated elements are used"),
        };
        Report {
            subject: "Deprecated",
            summary: format!("{summary}; {}", self.seen),
            entries: self.deprecated.iter().map(entry).collect(),
            folded: "",
            notes: Vec::new(),
            lists_all_notes: false,
        }
    }

    /// What is deprecated and used.
    pub fn annotations(&self) -> Vec<Annotation> {
        sorted(self.used().map(|element| {
            let (kind, coordinate) = (element.kind, &element.coordinate);
            let lines = [format!("{kind} '{coordinate}' is deprecated and used")];
            let lines = lines.into_iter().chain(first(element.clients.iter()));
            let location = element.location.as_ref();
            Annotation::new(Severity::Warning, location, "DEPRECATED", lines)
        }))
    }

    fn used(&self) -> impl Iterator<Item = &DeprecatedUse> {
        let all = self.deprecated.iter();
        all.filter(|element| !element.clients.is_empty())
    }
}

fn clients(element: &DeprecatedUse) -> Vec<String> {
    let mut lines: Vec<_> = element.clients.iter().map(ClientUse::to_string).collect();
    match &element.in_variables {
        Some(ty) => lines.push(format!("clients give '{ty}' in variables, whose values are not counted")),
        None if lines.is_empty() => lines.push("no use was recorded".to_owned()),
        None => {}
    }
    lines
}

fn entry(element: &DeprecatedUse) -> Entry {
    let is_unused = element.clients.is_empty() && element.in_variables.is_none();
    let reason = element.reason.as_deref().map(shortened);
    let reason = reason.map(|reason| format!(": {reason}"));
    let (kind, coordinate) = (element.kind, &element.coordinate);
    Entry {
        label: "deprecated",
        colour: if is_unused { AnsiColor::Green } else { AnsiColor::Yellow },
        message: format!("{kind} '{coordinate}'{}", reason.unwrap_or_default()),
        rule: None,
        details: clients(element),
        locations: element.location.iter().cloned().collect(),
        is_folded: false,
    }
}
