//! Messages at the lines of files, for the tools that show them beside the code: workflow commands of GitHub, code quality
//! of GitLab, SARIF and `JUnit`.

use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write,
};

use graphql_sdl::{Hash, Location, printable};
use serde_json::{Value, json};

pub use crate::lint::Severity;
use crate::report::{json as to_json, one_line};

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
    pub(crate) fn new(
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

/// In order, errors first: GitHub shows ten of each severity in a step.
pub(crate) fn sorted(annotations: impl Iterator<Item = Annotation>) -> Vec<Annotation> {
    let mut annotations: Vec<_> = annotations.collect();
    annotations.sort();
    annotations.dedup();
    annotations
}

/// A location in a file of the working directory, also of a git revision of it; `None` for a URL.
fn in_working_directory(location: &Location) -> Option<Location> {
    let path = match location.file.strip_prefix("git:") {
        Some(revision) => revision.split_once(':')?.1,
        None if location.file.contains("://") => return None,
        None => &location.file,
    };
    Some(Location { file: path.trim_start_matches("./").into(), position: location.position })
}

/// Workflow commands for a step of a GitHub workflow, one in each line.
pub fn github(annotations: &[Annotation]) -> String {
    let mut text = String::new();
    let data = |text: &str| {
        let lines: Vec<_> = text.lines().map(|line| printable(line).replace('%', "%25")).collect();
        lines.join("%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    for annotation in annotations {
        let command = severity(annotation, "error", "warning");
        let _ = write!(text, "::{command} ");
        if let Some(location) = &annotation.location {
            let (file, at) = (property(&location.file), location.position);
            let _ = write!(text, "file={file},line={},col={},", at.line, at.column);
        }
        let (title, message) = (property(&annotation.rule), data(&annotation.message));
        let _ = writeln!(text, "title={title}::{message}");
    }
    text
}

/// The code quality report of GitLab.
pub fn gitlab(annotations: &[Annotation]) -> String {
    let fingerprints = fingerprints(annotations);
    let issues = annotations.iter().zip(fingerprints).map(|(annotation, fingerprint)| {
        let location = annotation.location.as_ref();
        json!({
            "description": annotation.message,
            "check_name": annotation.rule,
            "fingerprint": fingerprint,
            "severity": severity(annotation, "major", "minor"),
            "location": {
                "path": location.map_or("schema", |location| &location.file),
                "lines": { "begin": location.map_or(1, |location| location.position.line) },
            },
        })
    });
    to_json(&issues.collect::<Vec<Value>>())
}

/// A log in SARIF 2.1.0.
pub fn sarif(annotations: &[Annotation]) -> String {
    let rules: BTreeSet<&str> = annotations.iter().map(|one| &*one.rule).collect();
    let rules = rules.iter().map(|rule| json!({ "id": rule }));
    let fingerprints = fingerprints(annotations);
    let results = annotations.iter().zip(fingerprints).map(|(annotation, fingerprint)| {
        let locations = annotation.location.iter().map(|location| {
            json!({ "physicalLocation": {
                "artifactLocation": { "uri": uri(&location.file) },
                "region": { "startLine": location.position.line, "startColumn": location.position.column },
            } })
        });
        json!({
            "ruleId": annotation.rule,
            "level": severity(annotation, "error", "warning"),
            "message": { "text": annotation.message },
            "locations": locations.collect::<Vec<_>>(),
            "partialFingerprints": { "message/v1": fingerprint },
        })
    });
    to_json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "schema-review",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    }))
}

/// `JUnit` XML: a test case for each annotation, which fails for an error; a passed one if there are none.
pub fn junit(annotations: &[Annotation]) -> String {
    let is_error = |one: &&Annotation| one.severity == Severity::Error;
    let (failures, tests) = (annotations.iter().filter(is_error).count(), annotations.len().max(1));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"schema-review\" tests=\"{tests}\" \
         failures=\"{failures}\">\n"
    );
    for annotation in annotations {
        let lines: Vec<String> = annotation.message.lines().map(xml).collect();
        let (name, rule) = (lines.first().map_or("", |line| line), xml(&annotation.rule));
        let _ = write!(text, "<testcase classname=\"{rule}\" name=\"{name}\"");
        let mut place = String::new();
        if let Some(location) = &annotation.location {
            let (file, line) = (xml(&location.file), location.position.line);
            let _ = write!(text, " file=\"{file}\" line=\"{line}\"");
            place = format!("at {file}:{}\n", location.position);
        }
        let element = severity(annotation, "failure", "system-out");
        let attributes = severity(annotation, &format!(" type=\"{rule}\" message=\"{name}\""), "").to_owned();
        let body = lines.join("\n");
        let _ = writeln!(text, "><{element}{attributes}>{place}{body}</{element}></testcase>");
    }
    if annotations.is_empty() {
        text.push_str("<testcase classname=\"schema-review\" name=\"no findings\"/>\n");
    }
    text + "</testsuite>\n</testsuites>\n"
}

fn severity<'a>(annotation: &Annotation, error: &'a str, warning: &'a str) -> &'a str {
    match annotation.severity {
        Severity::Error => error,
        Severity::Warning => warning,
    }
}

/// What identifies each annotation in other runs, in which its line can be another one.
fn fingerprints(annotations: &[Annotation]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let identify = |one: &Annotation| {
        let file = one.location.as_ref().map_or("", |location| &location.file);
        let text = format!("{file}\n{}\n{}", one.rule, one.message.lines().next().unwrap_or_default());
        let count = counts.entry(text.clone()).or_default();
        *count += 1;
        Hash::of(&format!("{text}\n{count}")).to_string()
    };
    annotations.iter().map(identify).collect()
}

/// A relative URI reference (RFC 3986) of a path.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

fn xml(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
