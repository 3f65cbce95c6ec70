//! The generated code, reviewed: golden copies that rewrite themselves with `UPDATE_EXPECT=1`.

use codegen::Contract;
use expect_test::expect_file;

/// The bindings of the service's own `build.rs`.
fn catalogue() -> Contract {
    Contract::new("schema.graphql").object("Vehicle", "crate::catalogue::Vehicle")
}

#[test]
fn the_contract_of_the_service_becomes_this_rust() {
    let source = catalogue().translate(include_str!("../../schema.graphql"));
    expect_file!["golden/catalogue.rs"].assert_eq(&source.expect("the contract has no problems"));
}
