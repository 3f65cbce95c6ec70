//! Prints the plain model as Rust source. Names, types and texts come from `lower`.

mod constraints;
mod docs;
mod inputs;
mod objects;
mod outputs;
mod registered;
mod resolvers;
mod served;
mod source;
mod stubs;

pub(crate) use self::stubs::{missing, stubs};

use self::source::Source;
use crate::model::{Contract, Definition, Implementation};

/// Prints the contract: first the items that the crate implements and uses.
pub(crate) fn print(contract: &Contract, file: &str) -> String {
    let mut source = Source::default();
    source.line(&format!("// Generated from {file}; do not edit. Each item names its line there."));
    source.line("");
    for definition in &contract.definitions {
        items(&mut source, definition);
    }
    for directive in contract.directives.iter().filter(|of| of.is_read) {
        served::directive(&mut source, directive);
    }
    for definition in &contract.definitions {
        impls(&mut source, definition);
    }
    served::served(&mut source, contract);
    constraints::table(&mut source, contract);
    source.doc("The whole schema as one text.");
    source.line("#[allow(dead_code, reason = \"not every crate prints it\")]");
    source.line(&format!("pub const SDL: &str = {:?};", contract.sdl));
    source.into_text()
}

/// Prints what is generated for one type.
pub(crate) fn expand(definition: &Definition) -> String {
    let mut source = Source::default();
    items(&mut source, definition);
    impls(&mut source, definition);
    source.into_text()
}

/// The items that the crate implements and uses.
fn items(source: &mut Source, definition: &Definition) {
    match definition {
        Definition::Scalar(scalar) => inputs::scalar(source, scalar),
        Definition::Enum(definition) => inputs::enumeration(source, definition),
        Definition::InputObject(input) => inputs::input_object(source, input),
        Definition::Object(object) => match &object.implementation {
            Implementation::Struct => {
                let fields = object.fields.iter();
                let members = fields.map(|field| (&field.header, &*field.ty.rust));
                objects::structure(source, &object.header, members);
            }
            Implementation::Fields(bound) => objects::bound(source, object, bound),
            Implementation::Getters(bound) => {
                objects::bound(source, object, bound);
                objects::getters(source, object);
            }
            Implementation::Resolvers(bound) => {
                objects::bound(source, object, bound);
                resolvers::items(source, object);
            }
            Implementation::Root | Implementation::Subscription => {
                resolvers::items(source, object);
            }
        },
        Definition::Abstract(definition) => outputs::abstract_type(source, definition),
    }
}

/// What registers, writes and resolves the values of the items.
fn impls(source: &mut Source, definition: &Definition) {
    match definition {
        Definition::Scalar(scalar) => inputs::scalar_impls(source, scalar),
        Definition::Enum(definition) => inputs::enumeration_impls(source, definition),
        Definition::InputObject(input) => {
            inputs::default_values(source, input);
            if constraints::is_constrained(&input.fields) {
                constraints::check(source, &input.fields, "", &input.header.ident, input.one_of);
            } else {
                source.line(&format!("impl support::Constrained for {} {{}}", input.header.ident));
            }
        }
        Definition::Object(object) => objects::impls(source, object),
        Definition::Abstract(definition) => outputs::impls(source, definition),
    }
}
