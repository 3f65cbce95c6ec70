//! Descriptions as rustdoc.

use proc_macro2::TokenStream;
use quote::quote;

use super::locations;
use crate::model::Header;

/// The description and the deprecation as rustdoc, and the location in the SDL file.
pub(super) fn docs(header: &Header) -> TokenStream {
    docs_and(header, &TokenStream::new())
}

/// `docs` with attributes.
pub(super) fn docs_and(header: &Header, attributes: &TokenStream) -> TokenStream {
    let (description_docs, location) =
        (description_docs(header), locations::marker(header.location));
    quote!(#description_docs #attributes #location)
}

/// The description for async-graphql's macros, which publish it, attributes, and the location in the SDL file.
pub(super) fn published_docs_and(header: &Header, attributes: &TokenStream) -> TokenStream {
    let location = locations::marker(header.location);
    let description = published_docs(header);
    quote!(#description #attributes #location)
}

/// `published_docs_and` without attributes and the location.
pub(super) fn published_docs(header: &Header) -> TokenStream {
    let description = header.description.as_deref();
    description.map(doc_lines).unwrap_or_default()
}

/// `docs` without the location, for items that compiler messages do not show.
pub(super) fn description_docs(header: &Header) -> TokenStream {
    let mut text = header
        .description
        .clone()
        .unwrap_or_else(|| format!("`{}`", header.name));
    if let Some(reason) = &header.deprecated {
        text.push_str("\n\nDeprecated: ");
        text.push_str(reason);
    }
    doc_lines(&text)
}

/// `docs` of the trait that resolves a type.
pub(super) fn resolver_docs(header: &Header) -> TokenStream {
    let mut text = format!("Resolves the type `{}` of the contract.", header.name);
    if let Some(description) = &header.description {
        text.push_str("\n\n");
        text.push_str(description);
    }
    let (lines, location) = (doc_lines(&text), locations::marker(header.location));
    quote!(#lines #location)
}

/// A description as rustdoc. Its code is not Rust and must not become a doctest: a fence without a language
/// becomes `text`, and an indentation that would start a code block is shortened.
pub(super) fn doc_lines(text: &str) -> TokenStream {
    let mut fenced = false;
    let lines = text.lines().map(|line| {
        let mut line = line.to_owned();
        if line.trim_start().starts_with("```") {
            if !fenced && line.trim() == "```" {
                line.push_str("text");
            }
            fenced = !fenced;
        } else if !fenced && line.starts_with("    ") {
            line = format!("   {}", line.trim_start());
        }
        let line = if line.is_empty() {
            line
        } else {
            format!(" {line}")
        };
        quote!(#[doc = #line])
    });
    quote!(#(#lines)*)
}
