//! Places in the SDL file, as comments at the ends of the lines that compiler messages show.

use proc_macro2::TokenStream;
use quote::quote;

use crate::problem::Place;

const MARK: &str = "///@place ";

/// Marks the item that follows with its place; the last of its attributes.
pub(super) fn marker(place: Place) -> TokenStream {
    let text = format!("@place {place}");
    quote!(#[doc = #text])
}

/// The lines of a function that a compiler message may show.
const SHOWN: [&str; 4] = ["fn ", "arguments:", ") ->", "Output ="];

/// Turns every mark into a comment on the line that follows, for a function on each line that a
/// compiler message may show; and sets items apart with an empty line.
pub(super) fn to_comments(formatted: &str, file: &str) -> String {
    let mut source = String::with_capacity(formatted.len());
    let mut place: Option<&str> = None;
    let mut in_function = false;
    let mut item_ended = false;
    for line in formatted.lines() {
        if item_ended && line != "}" {
            source.push('\n');
        }
        item_ended = line == "}" || (!line.starts_with([' ', '}']) && line.ends_with("(pub R);"));
        let inner = line.trim_start();
        if let Some(marked) = inner.strip_prefix(MARK) {
            place = Some(marked);
            continue;
        }
        source.push_str(line);
        if let Some(marked) = place {
            in_function |= inner.starts_with("fn ");
            if !in_function || SHOWN.iter().any(|start| inner.starts_with(start)) {
                for part in [" // ", file, ":", marked] {
                    source.push_str(part);
                }
            }
            if !in_function || inner.ends_with(';') {
                (place, in_function) = (None, false);
            }
        }
        source.push('\n');
    }
    source
}
