//! Generates the contracts of the tests.

use std::{env, fs, path::Path};

use async_graphql_build::Contract;

fn main() {
    generate("bindings", |contract| {
        contract
            .resolved_object("Item", "super::Number")
            .guard("Query.secret", "super::Permitted(\"staff\")")
            .complexity(
                "Query.items",
                "first.unsigned_abs() as usize * child_complexity",
            )
            .serde_scalar("IpAddress", "std::net::IpAddr")
            .serde_scalar("JSON", "serde_json::Value")
    });
    generate("conformance", |contract| {
        contract
            .resolved_object("Item", "super::resolvers::Thing")
            .distinguish_omitted("Input")
    });
    generate("kitchen_sink", |contract| {
        contract
            .scalar("Date", "crate::Day")
            .object("Person", "crate::Human")
            .object("Shop", "crate::Store")
            .object("Offer", "crate::Bargain")
            .object("Holder", "crate::Holding")
            .distinguish_omitted("Changes")
    });
    generate("root_values", |contract| {
        contract
            .object("Query", "super::Root")
            .object("Added", "super::Addition")
    });
    generate("synchronous_resolution", |contract| contract);
    generate("values", |contract| {
        contract.object("Values", "super::Given")
    });
}

/// Writes `NAME.rs` for `NAME.graphql`.
fn generate(name: &str, bind: impl FnOnce(Contract) -> Contract) {
    let file = format!("{name}.graphql");
    let sdl = fs::read_to_string(&file).expect("it can be read");
    let source = bind(Contract::new(&file)).translate(&sdl);
    let source = source.unwrap_or_else(|problems| panic!("{problems}"));
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let path = Path::new(&folder).join(name).with_extension("rs");
    fs::write(path, source).expect("it can be written");
}
