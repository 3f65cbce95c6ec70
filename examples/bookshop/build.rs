//! Generates the resolver traits from `schema.graphql`.

fn main() {
    async_graphql_build::Contract::new("schema.graphql")
        .resolved_object("Author", "crate::resolvers::Author")
        .resolved_object("Book", "crate::resolvers::Book")
        .scalar("Isbn", "crate::isbn::Isbn")
        .pattern(r"\S", "crate::resolvers::not_blank")
        .generate();
}
