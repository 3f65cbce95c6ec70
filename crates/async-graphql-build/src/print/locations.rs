//! Locations in the SDL file, as comments at the ends of the lines that compiler messages show.

use proc_macro2::TokenStream;
use quote::quote;

use schema::Position;

const MARKER: &str = "///@location ";

/// Marks the following item with its location. It must be the last of its attributes.
pub(super) fn marker(location: Position) -> TokenStream {
    let text = format!("@location {location}");
    quote!(#[doc = #text])
}

/// The beginnings of the lines of a function that a compiler message can show.
const SHOWN_LINES: [&str; 4] = ["fn ", "arguments:", ") ->", "Output ="];

/// Replaces every mark by a comment on the following line, or, for a function, on each line that a compiler
/// message can show; and separates items by an empty line.
pub(super) fn to_comments(formatted: &str, file: &str) -> String {
    let mut source = String::with_capacity(formatted.len());
    let mut location: Option<&str> = None;
    let mut in_function = false;
    let mut item_ended = false;
    for line in formatted.lines() {
        if item_ended && line != "}" {
            source.push('\n');
        }
        item_ended = matches!(line, "}" | "};")
            || (!line.starts_with([' ', '}']) && line.ends_with("(pub R);"));
        let inner = line.trim_start();
        if let Some(marked) = inner.strip_prefix(MARKER) {
            location = Some(marked);
            continue;
        }
        source.push_str(line);
        if let Some(marked) = location {
            in_function |= inner.starts_with("fn ");
            if !in_function || SHOWN_LINES.iter().any(|start| inner.starts_with(start)) {
                for part in [" // ", file, ":", marked] {
                    source.push_str(part);
                }
            }
            if !in_function || inner.ends_with(';') {
                (location, in_function) = (None, false);
            }
        }
        source.push('\n');
    }
    source
}
