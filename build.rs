//! Generates the interface that the resolvers implement from the contract, `schema.graphql`.

fn main() {
    codegen::Contract::new("schema.graphql")
        .object("Vehicle", "crate::catalogue::Vehicle")
        .generate();
}
