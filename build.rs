//! Generates the resolver trait from the contract, `schema.graphql`, and sets its hash.

use std::fs;

use async_graphql_build::Contract;
use graphql_sdl::Schema;

fn main() {
    Contract::new("schema.graphql")
        .object("Vehicle", "crate::graphql::Vehicle")
        .object("VehicleConnection", "crate::graphql::Page")
        .object("VehicleEdge", "crate::graphql::Edge")
        .distinguish_omitted("VehicleChanges")
        .format("date", "crate::catalogue::parse_launch_date")
        .generate();
    set_contract_hash();
}

/// Sets `CONTRACT_HASH`, so that the command line need not parse the contract.
fn set_contract_hash() {
    let file = "schema.graphql";
    let sdl = fs::read_to_string(file).expect("the generator has read it");
    let schema = Schema::parse(file, &sdl).expect("the generator has validated it");
    println!("cargo::rustc-env=CONTRACT_HASH={}", schema.hash());
}
