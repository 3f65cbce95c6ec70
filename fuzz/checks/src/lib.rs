//! Properties that hold for every input: each check takes any bytes and panics if a property is violated.
//!
//! libFuzzer searches for such inputs (`fuzz/README.md`); `tests/replay.rs` checks the corpora with every test run.

mod codegen;
mod diff;
mod http;
mod values;

use std::str;

/// An HTTP request: a body for POST, or after a question mark the query string of a URL for GET.
///
/// # Panics
///
/// If the response does not follow GraphQL over HTTP, has an internal error, or a repeated query has
/// another response.
pub fn http(input: &[u8]) {
    http::check(input);
}

/// An SDL file for the generator.
///
/// # Panics
///
/// If the generator panics, generates invalid Rust, or rejects the file without a problem that has a
/// position in the file.
pub fn codegen(input: &[u8]) {
    if let Ok(sdl) = str::from_utf8(input) {
        codegen::check(sdl);
    }
}

/// Two SDL files to compare, separated by a line of three hyphens.
///
/// # Panics
///
/// If parsing, comparing, linting or reporting panics, a schema differs from itself or from its
/// canonical form, or the additions in one direction are not the removals in the other.
pub fn diff(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        let (old, new) = text.split_once("\n---\n").unwrap_or((text, text));
        diff::check(old, new);
    }
}

/// A string to parse as a date, an id, a count, and the other arguments.
///
/// # Panics
///
/// If the catalogue and a second implementation of its rules differ.
pub fn values(input: &[u8]) {
    if let Ok(text) = str::from_utf8(input) {
        values::check(text);
    }
}
