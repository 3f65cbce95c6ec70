//! Prints the plain model as Rust source. Names, types and texts come from `lower`.

mod assertions;
mod docs;
mod inputs;
mod locations;
mod objects;
mod outputs;
mod printed;
mod registered;
mod resolvers;
mod sdl;
mod stubs;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use self::stubs::stubs;

use self::printed::Printed;
use crate::model::{Contract, Definition};

/// Prints and formats the contract, one definition after the other: the tokens of a large contract would take more than
/// ten times the memory of its text.
pub(crate) fn print(contract: &Contract, file: &str) -> String {
    let (mut items, mut impls) = (String::new(), String::new());
    for printed in contract.definitions.iter().map(definition) {
        items.push_str(&format(printed.items));
        impls.push_str(&format(printed.impls));
    }
    let assertions = contract.assertions.iter().map(assertions::assertion);
    let sdl = sdl::print(contract);
    let rest = quote! {
        #(#assertions)*

        #[doc = " The schema that this code serves."]
        #[allow(dead_code, reason = "not every crate prints it")]
        pub const SDL: &str = #sdl;
    };
    let source = locations::to_comments(&(items + &impls + &format(rest)), file);
    format!("// Generated from {file}; do not edit. Each item names its line there.\n\n{source}")
}

/// Prints what is generated for one type.
pub(crate) fn expand(expanded: &Definition, file: &str) -> String {
    let Printed { items, impls } = definition(expanded);
    locations::to_comments(&(format(items) + &format(impls)), file)
}

fn format(tokens: TokenStream) -> String {
    let parsed = syn::parse2(tokens).expect("the printer generates valid Rust");
    prettyplease::unparse(&parsed)
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
