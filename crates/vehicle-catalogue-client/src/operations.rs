//! The operations of the contract as cynic fragments: variables and selected fields.

mod page;
mod vehicle;

use cynic::{MutationBuilder, Operation, QueryBuilder};

use crate::schema;

pub use page::{ListPage, PageArguments, PageInfo, VehicleConnection, VehicleFilter, VehicleOrder, vehicles_page};
pub use vehicle::{CreateVehicle, CreateVehicleVariables, FieldChange, NewVehicle, Vehicle, VehicleChanges};

/// The arguments of `createVehicles`.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct CreateVehiclesVariables {
    /// The vehicles.
    pub vehicles: Vec<NewVehicle>,
}

/// The mutation `createVehicles`.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Mutation", variables = "CreateVehiclesVariables")]
pub struct CreateVehicles {
    /// The stored vehicles, in the order given.
    #[arguments(vehicles: $vehicles)]
    pub create_vehicles: Option<Vec<Vehicle>>,
}

/// The variables of `updateVehicle`.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct UpdateVehicleVariables {
    /// The id of the vehicle.
    pub id: cynic::Id,
    /// The new values.
    pub changes: VehicleChanges,
    /// The version that the vehicle must have; by default any.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub expected_version: Option<i32>,
}

/// The mutation `updateVehicle`.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Mutation", variables = "UpdateVehicleVariables")]
pub struct UpdateVehicle {
    /// The vehicle as stored.
    #[arguments(id: $id, changes: $changes, expectedVersion: $expected_version)]
    pub update_vehicle: Option<Vehicle>,
}

/// The variables of `deleteVehicle`.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct DeleteVehicleVariables {
    /// The id of the vehicle.
    pub id: cynic::Id,
    /// The version that the vehicle must have; by default any.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub expected_version: Option<i32>,
}

/// The mutation `deleteVehicle`.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Mutation", variables = "DeleteVehicleVariables")]
pub struct DeleteVehicle {
    /// The vehicle as it was, if it existed.
    #[arguments(id: $id, expectedVersion: $expected_version)]
    pub delete_vehicle: Option<Vehicle>,
}

/// The variables of the query for one vehicle.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct FindVehicleVariables {
    /// The id of the vehicle.
    pub id: cynic::Id,
}

/// The query for one vehicle.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Query", variables = "FindVehicleVariables")]
pub struct FindVehicle {
    /// The vehicle with this id, if it exists.
    #[arguments(id: $id)]
    pub vehicle: Option<Vehicle>,
}

/// The variables of the query for a list of vehicles.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct ListVehiclesVariables {
    /// Maximum number of vehicles; by default the list limit of the server.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub count: Option<i32>,
}

/// The query for a list of vehicles.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Query", variables = "ListVehiclesVariables")]
pub struct ListVehicles {
    /// The vehicles in ascending order of their ids.
    #[arguments(count: $count)]
    pub vehicles: Option<Vec<Option<Vehicle>>>,
}

/// The operation that creates a vehicle.
pub fn create_vehicle(new_vehicle: NewVehicle) -> Operation<CreateVehicle, CreateVehicleVariables> {
    CreateVehicle::build(new_vehicle.into())
}

/// The operation that creates all vehicles or none.
pub fn create_vehicles(
    vehicles: impl IntoIterator<Item = NewVehicle>,
) -> Operation<CreateVehicles, CreateVehiclesVariables> {
    let vehicles = vehicles.into_iter().collect();
    CreateVehicles::build(CreateVehiclesVariables { vehicles })
}

/// The operation that changes a vehicle.
pub fn update_vehicle(
    id: impl Into<cynic::Id>,
    changes: VehicleChanges,
    expected_version: Option<i32>,
) -> Operation<UpdateVehicle, UpdateVehicleVariables> {
    UpdateVehicle::build(UpdateVehicleVariables { id: id.into(), changes, expected_version })
}

/// The operation that deletes a vehicle.
pub fn delete_vehicle(
    id: impl Into<cynic::Id>,
    expected_version: Option<i32>,
) -> Operation<DeleteVehicle, DeleteVehicleVariables> {
    DeleteVehicle::build(DeleteVehicleVariables { id: id.into(), expected_version })
}

/// The operation that finds one vehicle.
pub fn vehicle(id: impl Into<cynic::Id>) -> Operation<FindVehicle, FindVehicleVariables> {
    FindVehicle::build(FindVehicleVariables { id: id.into() })
}

/// The operation that lists at most `count` vehicles, by default as many as the list limit of the server.
pub fn vehicles(count: Option<i32>) -> Operation<ListVehicles, ListVehiclesVariables> {
    ListVehicles::build(ListVehiclesVariables { count })
}
