//! The plain model to Rust source. Nothing is decided here: `lower` has done that.

mod inputs;
mod objects;
mod outputs;
mod places;
mod resolvers;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use crate::model::{Contract, Definition, Header, TypeRef};

/// The modules that every contract carries along.
const SUPPORT: [(&str, &str); 7] = [
    ("arguments", include_str!("../support/arguments.rs")),
    ("execution", include_str!("../support/execution.rs")),
    ("json", include_str!("../support/json.rs")),
    ("plain", include_str!("../support/plain.rs")),
    ("plans", include_str!("../support/plans.rs")),
    ("registration", include_str!("../support/registration.rs")),
    ("subscription", include_str!("../support/subscription.rs")),
];

fn tokens(source: &str) -> TokenStream {
    source
        .parse()
        .expect("the support is compiled with this crate")
}

/// Formats the whole contract.
pub(crate) fn print(contract: &Contract, file: &str) -> String {
    let printed: Vec<_> = contract.definitions.iter().map(definition).collect();
    let items = printed.iter().map(|printed| &printed.items);
    let machinery = printed.iter().map(|printed| &printed.machinery);
    let support = SUPPORT.map(|(name, source)| {
        let (name, source) = (format_ident!("{name}"), tokens(source));
        quote!(mod #name { #source })
    });
    let tokens = quote! {
        #(#items)*

        #(#machinery)*

        #[allow(dead_code, unreachable_pub, unused_imports, reason = "not every contract uses all of it")]
        pub mod support {
            #[doc = " What serves a contract: plans of operations, their execution, and the values of their answers as text."]
            pub use self::{execution::Execution, json::{write_text, write_value}, plain::Fragments, plans::{Plans, Root}};
            pub(super) use self::{arguments::*, plain::*, registration::*, subscription::*};
            #(#support)*
        }
    };
    let parsed = syn::parse2(tokens).expect("the printer writes syntactically correct Rust");
    let formatted = prettyplease::unparse(&parsed);
    let source = places::to_comments(&formatted, file);
    format!("// Generated from {file}; do not edit. Each item names its line there.\n\n{source}")
}

/// A definition of the contract in Rust.
struct Printed {
    /// What the crate implements and uses.
    items: TokenStream,
    /// What connects the items with async-graphql.
    machinery: TokenStream,
}

fn definition(definition: &Definition) -> Printed {
    match definition {
        Definition::Scalar(scalar) => inputs::scalar(scalar),
        Definition::Enum(definition) => inputs::enumeration(definition),
        Definition::InputObject(input) => inputs::input_object(input),
        Definition::Object(object) => objects::object(object),
        Definition::Abstract(definition) => outputs::abstract_type(definition),
        Definition::Subscription(object) => resolvers::subscription(object),
    }
}

/// The description as rustdoc, the deprecation, and last the place in the SDL file.
fn docs(header: &Header) -> TokenStream {
    docs_and(header, &TokenStream::new())
}

/// `docs` with attributes.
fn docs_and(header: &Header, attributes: &TokenStream) -> TokenStream {
    let (described, place) = (described(header), places::marker(header.place));
    quote!(#described #attributes #place)
}

/// `docs` without the place, for what can't differ from the file.
fn described(header: &Header) -> TokenStream {
    let mut text = header
        .description
        .clone()
        .unwrap_or_else(|| format!("`{}`", header.name));
    if let Some(reason) = &header.deprecated {
        text.push_str("\n\nDeprecated: ");
        text.push_str(reason);
    }
    lines(&text)
}

/// `docs` with a first paragraph of its own, and attributes.
fn introduced(summary: &str, header: &Header, attributes: &TokenStream) -> TokenStream {
    let mut text = summary.to_owned();
    if let Some(description) = &header.description {
        text.push_str("\n\n");
        text.push_str(description);
    }
    let (lines, place) = (lines(&text), places::marker(header.place));
    quote!(#lines #attributes #place)
}

/// A description as rustdoc. Code in it is GraphQL or JSON, not Rust to be tested: a fence without
/// a language is given one, and an indentation that would mean code is made shorter.
fn lines(text: &str) -> TokenStream {
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

/// `Some("…")` or `None`.
fn option(text: Option<&String>) -> TokenStream {
    if let Some(text) = text {
        quote!(Some(#text))
    } else {
        quote!(None)
    }
}

/// The functions that register these types, each once.
fn registers<'a>(types: impl Iterator<Item = &'a TypeRef>, of: &TokenStream) -> Vec<TokenStream> {
    let mut seen = std::collections::BTreeSet::new();
    types
        .filter(|ty| !ty.built_in && seen.insert(ty.named.to_string()))
        .map(|ty| {
            let named = &ty.named;
            quote!(<#named as #of>::create_type_info)
        })
        .collect()
}

/// `type_name` of an async-graphql type.
fn type_name(name: impl ToTokens) -> TokenStream {
    quote! {
        fn type_name() -> ::std::borrow::Cow<'static, str> {
            ::std::borrow::Cow::Borrowed(#name)
        }
    }
}
