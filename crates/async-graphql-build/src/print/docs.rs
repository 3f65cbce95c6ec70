//! Descriptions as rustdoc.

use graphql_sdl::is_interpreted;

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
    let mut source = Source::default();
    doc_lines(&mut source, text);
    let docs = source.into_text();
    let lines = docs.lines().map(|line| line.trim_start_matches("///").trim());
    lines.collect::<Vec<_>>().join("\n").trim() == text && !text.is_empty()
}

/// `docs` of the trait that resolves a type.
pub(super) fn resolver_docs(source: &mut Source, header: &Header) {
    source.doc(&format!("Resolves the type `{}` of the contract.", header.name));
    if let Some(description) = &header.description {
        source.doc("");
        doc_lines(source, description);
    }
}

/// A description as rustdoc. Its code is not Rust and must not become a doctest: a fence is at the begin of a line, with the
/// language `text`, and what could begin another block of code or of HTML is escaped or shortened.
fn doc_lines(source: &mut Source, text: &str) {
    let mut fence = String::new();
    // A carriage return is not allowed in a comment.
    for line in text.lines().flat_map(|line| line.split('\r')) {
        let line: String = line.chars().flat_map(visible).collect();
        let (content, marks) = (line.trim(), ['`', '~']);
        let run = marks.map(|mark| content.len() - content.trim_start_matches(mark).len());
        let (run, info) = content.split_at(run[0].max(run[1]));
        if !fence.is_empty() {
            let closes = run.starts_with(&fence) && info.is_empty();
            source.doc(if closes { run } else { &line });
            if closes {
                fence.clear();
            }
        } else if run.len() >= 3 && !info.contains('`') {
            // An empty line ends HTML.
            source.doc("");
            source.doc(&format!("{run}text"));
            run.clone_into(&mut fence);
        } else {
            let indentation = (line.len() - line.trim_start().len()).min(3);
            let mut words = content.split_whitespace().collect::<Vec<_>>().join(" ");
            for mark in marks {
                if words.contains(&String::from(mark).repeat(3)) {
                    words = words.replace(mark, &format!("\\{mark}"));
                }
            }
            let escape = if words.starts_with('<') { "\\" } else { "" };
            let line = format!("{}{escape}{words}", " ".repeat(indentation));
            source.doc(line.trim_end());
        }
    }
    if !fence.is_empty() {
        source.doc(&fence);
    }
}

/// The character, or its escape if an editor or the compiler interprets it.
fn visible(character: char) -> impl Iterator<Item = char> {
    let escape = character != '\t' && is_interpreted(character);
    let escaped = escape.then(|| character.escape_default());
    let plain = (!escape).then_some(character);
    escaped.into_iter().flatten().chain(plain)
}
