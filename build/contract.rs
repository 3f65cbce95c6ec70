//! How the contract becomes Rust: the types, constants and functions of the service that it names.

/// The contract of the service and its bindings.
pub(crate) fn contract() -> async_graphql_build::Contract {
    async_graphql_build::Contract::new("schema.graphql")
        .object("Vehicle", "crate::graphql::SharedVehicle")
        .object("VehicleConnection", "crate::graphql::Page")
        .object("VehicleEdge", "crate::graphql::Edge")
        .distinguish_omitted("VehicleChanges")
        .limit("*", "minLength", "crate::catalogue::MIN_CHARACTERS")
        .limit("*", "maxLength", "crate::catalogue::MAX_CHARACTERS")
        .limit("count", "min", "crate::catalogue::MIN_COUNT")
        .limit("first", "min", "crate::catalogue::PageRequest::MIN_SIZE")
        .limit("vehicles", "minItems", "crate::catalogue::MIN_ITEMS")
        .limit("expectedVersion", "min", "crate::catalogue::FIRST_VERSION")
        .format("date", "crate::catalogue::parse_launch_date")
}
