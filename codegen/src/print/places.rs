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

/// Turns every mark into a comment: on the line that follows, and for a function that spans
/// several lines also on those of its arguments and result, since a message may show any of them.
/// Sets items apart with an empty line.
pub(super) fn to_comments(formatted: &str, file: &str) -> String {
    let mut source = String::with_capacity(formatted.len());
    let mut place: Option<&str> = None;
    let mut item_ended = false;
    for line in formatted.lines() {
        if item_ended && line != "}" {
            source.push('\n');
        }
        item_ended = line == "}" || (!line.starts_with([' ', '}']) && line.ends_with("(pub R);"));
        if let Some(marked) = line.trim_start().strip_prefix(MARK) {
            place = Some(marked);
            continue;
        }
        source.push_str(line);
        if let Some(marked) = place {
            let inner = line.trim_start();
            let opens_function = inner.starts_with("fn ") && !inner.ends_with(';');
            let within = inner.starts_with("arguments:") || inner.starts_with(") ->");
            let first = !inner.starts_with("&self") && !inner.starts_with("ctx:");
            if opens_function || within || first {
                source.push_str(&format!(" // {file}:{marked}"));
            }
            if !(opens_function || (line.ends_with(',') && place_spans(inner))) {
                place = None;
            }
        }
        source.push('\n');
    }
    source
}

/// Whether a line is one of several of a function's signature.
fn place_spans(line: &str) -> bool {
    ["&self", "ctx:", "arguments:"]
        .iter()
        .any(|start| line.starts_with(start))
}
