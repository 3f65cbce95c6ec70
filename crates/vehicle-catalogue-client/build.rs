//! Registers `schema.graphql` with cynic, whose derives check every fragment against it.

fn main() {
    cynic_codegen::register_schema("catalogue")
        .from_sdl_file("../../schema.graphql")
        .and_then(cynic_codegen::registration::SchemaRegistration::as_default)
        .expect("schema.graphql is a valid schema");
}
