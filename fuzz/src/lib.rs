//! What must hold whatever comes in: each check takes any bytes and panics when a promise is broken.
//!
//! libFuzzer looks for such bytes by hand and for long (`fuzz/README.md`); `tests/replay.rs` tries
//! the corpora and what comes of them by chance, with every run of the tests, to which it belongs.

mod codegen;
mod diff;
mod http;
mod values;

use std::str;

/// A request by HTTP: a body to be posted, or after a question mark the parameters of a URL.
///
/// # Panics
///
/// If the answer is not one of GraphQL over HTTP, tells of an error inside, or a query is answered
/// differently when it is asked again.
pub fn http(input: &[u8]) {
    http::check(input);
}

/// An SDL file for the generator.
///
/// # Panics
///
/// If the generator panics, answers something else than Rust, or refuses without a reason that has
/// a place in the file.
pub fn codegen(input: &[u8]) {
    if let Ok(sdl) = str::from_utf8(input) {
        codegen::check(sdl);
    }
}

/// Two SDL files to be compared, with a line of three hyphens between them.
///
/// # Panics
///
/// If reading, comparing, linting or reporting panics, a schema differs from itself or from its
/// canonical form, or what is added one way is not what is removed the other way.
pub fn diff(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        let (old, new) = text.split_once("\n---\n").unwrap_or((text, text));
        diff::check(old, new);
    }
}

/// A text to be read as a date, an id, a count, and the other arguments.
///
/// # Panics
///
/// If the catalogue and a second implementation of its rules disagree.
pub fn values(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        values::check(text);
    }
}
