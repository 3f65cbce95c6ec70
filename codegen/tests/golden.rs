//! The generated code, reviewed: golden copies that rewrite themselves with `UPDATE_EXPECT=1`.

#![allow(missing_docs, reason = "a test")]

use codegen::Contract;
use expect_test::expect_file;

/// The bindings of the service's own `build.rs`.
fn catalogue() -> Contract {
    Contract::new("schema.graphql").object("Vehicle", "crate::catalogue::Vehicle")
}

#[test]
fn the_contract_of_the_service_becomes_this_rust() {
    let source = catalogue().translate(include_str!("../../schema.graphql"));
    let source = source.expect("the contract has no problems");
    // What every contract carries along is in the golden copy of every construct.
    let (own, _) = source
        .split_once("\n#[allow(")
        .expect("the support is marked so");
    expect_file!["golden/catalogue.rs"].assert_eq(own);
}

#[test]
fn every_construct_becomes_this_rust() {
    let contract = Contract::new("kitchen_sink.graphql")
        .scalar("Date", "crate::Day")
        .object("Person", "crate::Human")
        .object("Shop", "crate::Store")
        .object("Offer", "crate::Bargain");
    let source = contract.translate(include_str!("kitchen_sink.graphql"));
    let source = source.expect("the contract has no problems");
    expect_file!["golden/kitchen_sink.rs"].assert_eq(&source);
}

/// The contract that the resolvers in `drift/` disagree with; see `drift.rs`.
#[test]
fn the_contract_of_the_drift_tests_becomes_this_rust() {
    let contract = Contract::new("schema.graphql").object("Vehicle", "crate::Car");
    let source = contract.translate(include_str!("drift/schema.graphql"));
    expect_file!["drift/contract.rs"].assert_eq(&source.expect("the contract has no problems"));
}

/// The contract of `straight_loop.rs` and of the benchmark.
#[test]
fn the_contract_of_the_straight_loop_becomes_this_rust() {
    let contract = Contract::new("schema.graphql");
    let source = contract.translate(include_str!("straight_loop/schema.graphql"));
    expect_file!["straight_loop/contract.rs"]
        .assert_eq(&source.expect("the contract has no problems"));
}
