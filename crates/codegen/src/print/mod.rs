//! Prints the plain model as Rust source. Names, types and texts come from `lower`.

mod assertions;
mod inputs;
mod locations;
mod objects;
mod outputs;
mod planning;
mod resolvers;
mod sdl;

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Contract, Definition, Header};

/// Prints and formats the contract.
pub(crate) fn print(contract: &Contract, file: &str) -> String {
    let printed: Vec<_> = contract.definitions.iter().map(definition).collect();
    let items = printed.iter().map(|printed| &printed.items);
    let impls = printed.iter().map(|printed| &printed.impls);
    let assertions = contract.assertions.iter().map(assertions::assertion);
    let sdl = sdl::print(contract);
    let tokens = quote! {
        #(#items)*

        #(#impls)*

        #(#assertions)*

        #[doc = " The schema that this code serves."]
        #[allow(dead_code, reason = "not every crate prints it")]
        pub const SDL: &str = #sdl;
    };
    let parsed = syn::parse2(tokens).expect("the printer generates valid Rust");
    let formatted = prettyplease::unparse(&parsed);
    let source = locations::to_comments(&formatted, file);
    format!("// Generated from {file}; do not edit. Each item names its line there.\n\n{source}")
}

/// The Rust code of a definition.
struct Printed {
    /// The items that the crate implements and uses.
    items: TokenStream,
    /// The implementations of the traits of `engine::runtime`.
    impls: TokenStream,
}

fn definition(definition: &Definition) -> Printed {
    match definition {
        Definition::Scalar(scalar) => inputs::scalar(scalar),
        Definition::Enum(definition) => inputs::enumeration(definition),
        Definition::InputObject(input) => inputs::input_object(input),
        Definition::Object(object) => objects::object(object),
        Definition::Abstract(definition) => outputs::abstract_type(definition),
    }
}

/// The description and the deprecation as rustdoc, and the location in the SDL file.
fn docs(header: &Header) -> TokenStream {
    docs_and(header, &TokenStream::new())
}

/// `docs` with attributes.
fn docs_and(header: &Header, attributes: &TokenStream) -> TokenStream {
    let (description_docs, location) =
        (description_docs(header), locations::marker(header.location));
    quote!(#description_docs #attributes #location)
}

/// `docs` without the location, for items that compiler messages do not show.
fn description_docs(header: &Header) -> TokenStream {
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
fn resolver_docs(header: &Header) -> TokenStream {
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
fn doc_lines(text: &str) -> TokenStream {
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
