//! Compares the generated code with golden copies; `UPDATE_EXPECT=1` rewrites them.

#![allow(missing_docs, reason = "a test")]

/// The contract definition of the service's build script.
#[path = "../../../build/contract.rs"]
mod service;

use async_graphql_build::Contract;
use expect_test::expect_file;

#[test]
fn generates_the_contract_of_the_service() {
    let source = service::contract().translate(include_str!("../../../schema.graphql"));
    let source = source.expect("the contract has no problems");
    expect_file!["golden/catalogue.rs"].assert_eq(&source);
}

#[test]
fn generates_every_construct() {
    let contract = Contract::new("kitchen_sink.graphql")
        .scalar("Date", "crate::Day")
        .object("Person", "crate::Human")
        .object("Shop", "crate::Store")
        .object("Offer", "crate::Bargain")
        .object("Holder", "crate::Holding")
        .distinguish_omitted("Changes");
    let source = contract.translate(include_str!("kitchen_sink.graphql"));
    let source = source.expect("the contract has no problems");
    expect_file!["golden/kitchen_sink.rs"].assert_eq(&source);
}

/// The contract of the resolvers in `drift/`.
#[test]
fn generates_the_contract_of_the_drift_tests() {
    let contract = Contract::new("schema.graphql")
        .object("Vehicle", "crate::Car")
        .distinguish_omitted("VehicleChanges");
    let source = contract.translate(include_str!("drift/schema.graphql"));
    expect_file!["drift/contract.rs"].assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of the constants in `drift/`.
#[test]
fn generates_the_assertions_of_the_drift_tests() {
    let contract = Contract::new("schema.graphql")
        .limit("count", "min", "crate::count::MIN")
        .limit("Query.vehicles(price:)", "max", "crate::MAX_PRICE")
        .format("date", "crate::Date::parse")
        .pattern("^[A-Z]{3}$", "crate::Code::parse");
    let source = contract.translate(include_str!("drift/constrained.graphql"));
    expect_file!["drift/constrained_contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of the resolvers of pages in `drift/`.
#[test]
fn generates_the_contract_of_the_drift_tests_with_pages() {
    let contract = Contract::new("pages.graphql").object("Connection", "crate::Page");
    let source = contract.translate(include_str!("drift/pages.graphql"));
    expect_file!["drift/pages_contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of `synchronous_resolution.rs` and of the benchmark.
#[test]
fn generates_the_contract_of_the_synchronous_resolution_tests() {
    let contract = Contract::new("schema.graphql");
    let source = contract.translate(include_str!("synchronous_resolution/schema.graphql"));
    expect_file!["synchronous_resolution/contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of `bindings.rs`.
#[test]
fn generates_the_contract_of_the_test_of_bindings() {
    let contract = Contract::new("schema.graphql")
        .resolved_object("Item", "crate::Number")
        .guard("Query.secret", "crate::Permitted(\"staff\")")
        .complexity(
            "Query.items",
            "first.unsigned_abs() as usize * child_complexity",
        )
        .serde_scalar("IpAddress", "std::net::IpAddr")
        .serde_scalar("JSON", "serde_json::Value");
    let source = contract.translate(include_str!("bindings/schema.graphql"));
    expect_file!["bindings/contract.rs"].assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of `root_values.rs`.
#[test]
fn generates_the_contract_of_the_test_of_root_types_as_values() {
    let contract = Contract::new("schema.graphql")
        .object("Query", "super::Root")
        .object("Added", "super::Addition");
    let source = contract.translate(include_str!("root_values/schema.graphql"));
    expect_file!["root_values/contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of `conformance.rs`.
#[test]
fn generates_the_contract_of_the_conformance_test() {
    let contract = Contract::new("schema.graphql")
        .resolved_object("Item", "super::resolvers::Thing")
        .distinguish_omitted("Input");
    let source = contract.translate(include_str!("conformance/schema.graphql"));
    expect_file!["conformance/contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}
