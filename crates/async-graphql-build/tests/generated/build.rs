//! Generates the contracts of the tests.

use std::{env, fs, path::Path};

use async_graphql_build::Contract;

fn main() {
    generate("bindings", |contract| {
        contract
            .resolved_object("Item", "super::Number")
            .guard("Query.secret", "super::Permitted(\"staff\")")
            .complexity("Query.items", "first.unsigned_abs() as usize * child_complexity")
            .complexity("Subscription.salaries", "40")
            .serde_scalar("IpAddress", "std::net::IpAddr")
            .serde_scalar("JSON", "serde_json::Value")
            .scalar("Upload", "async_graphql::Upload")
            .guard_directive("auth", "super::HasRole")
            .struct_object("Author", "super::Author")
            .struct_object("Place", "super::Place")
    });
    // It writes `contract.rs`.
    Contract::new("several").resolvers_by_file().generate();
    generate("conformance", |contract| {
        contract.resolved_object("Item", "super::resolvers::Thing").distinguish_omitted("Input")
    });
    generate("kitchen_sink", |contract| {
        contract
            .scalar("Date", "crate::Day")
            .object("Person", "crate::Human")
            .object("Shop", "crate::Store")
            .distinguish_omitted("Changes")
            .documentation("note")
    });
    generate("synchronous_resolution", |contract| contract);
    generate("constraints", |contract| {
        contract.format("even", "super::even").pattern("^[a-z]*$", "super::lower_case").distinguish_omitted("Changes")
    });
    Contract::new("root_values.graphql")
        .module_name("root_values")
        .object("Query", "crate::root_values::Root")
        .object("Added", "crate::root_values::Addition")
        .generate();
    let folder = env::current_dir().expect("cargo sets it");
    Contract::new(folder.join("values.graphql").to_string_lossy())
        .module_name("values")
        .object("Values", "super::Given")
        .generate();
}

/// Writes `NAME.rs` for `NAME.graphql`, and what is generated without the support as `NAME.generated`.
fn generate(name: &str, bind: impl FnOnce(Contract) -> Contract) {
    let file = format!("{name}.graphql");
    let sdl = fs::read_to_string(&file).expect("it can be read");
    let contract = bind(Contract::new(&file));
    let translation = contract.translate(&sdl);
    let translation = translation.unwrap_or_else(|problems| panic!("{problems}"));
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let path = Path::new(&folder).join(name);
    fs::write(path.with_extension("rs"), translation.module()).expect("it can be written");
    fs::write(path.with_extension("generated"), translation.source()).expect("it can be written");
}
