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

use quote::quote;

use self::printed::Printed;
use crate::model::{Contract, Definition};

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

fn definition(definition: &Definition) -> Printed {
    match definition {
        Definition::Scalar(scalar) => inputs::scalar(scalar),
        Definition::Enum(definition) => inputs::enumeration(definition),
        Definition::InputObject(input) => inputs::input_object(input),
        Definition::Object(object) => objects::object(object),
        Definition::Abstract(definition) => outputs::abstract_type(definition),
    }
}
