//! Descriptions as rustdoc.

use super::source::Source;
use crate::model::Header;

/// The description and the deprecation as rustdoc.
pub(super) fn docs(source: &mut Source, header: &Header) {
    match &header.description {
        Some(description) => doc_lines(source, description),
        None => source.doc(&format!("`{}`", header.name)),
    }
    if let Some(reason) = &header.deprecated {
        source.doc("");
        doc_lines(source, &format!("Deprecated: {reason}"));
    }
}

/// The description for async-graphql's macros, which publish it.
pub(super) fn published_docs(source: &mut Source, header: &Header) {
    doc_lines(source, header.description.as_deref().unwrap_or_default());
}

/// Whether async-graphql's macros publish the description as it is: they remove blanks at the ends of lines.
pub(super) fn is_published(text: &str) -> bool {
    let mut source = Source::new(&[]);
    doc_lines(&mut source, text);
    let docs = source.into_text();
    let lines = docs
        .lines()
        .map(|line| line.trim_start_matches("///").trim());
    lines.collect::<Vec<_>>().join("\n").trim() == text && !text.is_empty()
}

/// `docs` of the trait that resolves a type.
pub(super) fn resolver_docs(source: &mut Source, header: &Header) {
    source.doc(&format!(
        "Resolves the type `{}` of the contract.",
        header.name
    ));
    if let Some(description) = &header.description {
        source.doc("");
        doc_lines(source, description);
    }
}

/// A description as rustdoc. Its code is not Rust and must not become a doctest: a fence without a language
/// becomes `text`, and an indentation that would start a code block is shortened.
fn doc_lines(source: &mut Source, text: &str) {
    let mut fenced = false;
    // A carriage return is not allowed in a comment.
    for line in text.lines().flat_map(|line| line.split('\r')) {
        if line.trim_start().starts_with("```") {
            let language = if !fenced && line.trim() == "```" {
                "text"
            } else {
                ""
            };
            source.doc(&format!("{line}{language}"));
            fenced = !fenced;
        } else if !fenced && line.starts_with("    ") {
            source.doc(&format!("   {}", line.trim_start()));
        } else {
            source.doc(line);
        }
    }
}
