//! How the contract becomes Rust: one definition for the build script and the golden copy in `codegen/`.

/// The contract of the service and its bindings.
pub(crate) fn contract() -> codegen::Contract {
    codegen::Contract::new("schema.graphql")
        .object("Vehicle", "crate::graphql::SharedVehicle")
        .object("VehicleConnection", "crate::graphql::VehiclePage")
        .object("VehicleEdge", "crate::graphql::PagedVehicle")
        .distinguish_omitted("VehicleChanges")
}
