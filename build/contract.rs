//! How the contract becomes Rust: the types and functions of the service that it names.

/// The contract of the service and its bindings.
pub(crate) fn contract() -> async_graphql_build::Contract {
    async_graphql_build::Contract::new("schema.graphql")
        .object("Vehicle", "crate::graphql::Vehicle")
        .object("VehicleConnection", "crate::graphql::Page")
        .object("VehicleEdge", "crate::graphql::Edge")
        .distinguish_omitted("VehicleChanges")
        .format("date", "crate::catalogue::parse_launch_date")
}
