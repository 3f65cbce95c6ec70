//! The operations of the client as cynic fragments: variables and selected fields.

mod page;
mod vehicle;

use cynic::{MutationBuilder, Operation, QueryBuilder};

use crate::schema;

pub use page::{PageArguments, VehicleFilter, VehicleOrder};
pub(crate) use page::{VehicleConnection, vehicles_page};
pub(crate) use vehicle::create_vehicle;
pub use vehicle::{FieldChange, NewVehicle, Vehicle, VehicleChanges};

#[derive(cynic::QueryVariables)]
pub(crate) struct CreateVehiclesVariables {
    vehicles: Vec<NewVehicle>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Mutation", variables = "CreateVehiclesVariables")]
pub(crate) struct CreateVehicles {
    #[arguments(vehicles: $vehicles)]
    pub(crate) create_vehicles: Option<Vec<Vehicle>>,
}

#[derive(cynic::QueryVariables)]
pub(crate) struct UpdateVehicleVariables {
    id: cynic::Id,
    changes: VehicleChanges,
    #[cynic(skip_serializing_if = "Option::is_none")]
    expected_version: Option<i32>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Mutation", variables = "UpdateVehicleVariables")]
pub(crate) struct UpdateVehicle {
    #[arguments(id: $id, changes: $changes, expectedVersion: $expected_version)]
    pub(crate) update_vehicle: Option<Vehicle>,
}

#[derive(cynic::QueryVariables)]
pub(crate) struct DeleteVehicleVariables {
    id: cynic::Id,
    #[cynic(skip_serializing_if = "Option::is_none")]
    expected_version: Option<i32>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Mutation", variables = "DeleteVehicleVariables")]
pub(crate) struct DeleteVehicle {
    #[arguments(id: $id, expectedVersion: $expected_version)]
    pub(crate) delete_vehicle: Option<Vehicle>,
}

#[derive(cynic::QueryVariables)]
pub(crate) struct FindVehicleVariables {
    id: cynic::Id,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "FindVehicleVariables")]
pub(crate) struct FindVehicle {
    #[arguments(id: $id)]
    pub(crate) vehicle: Option<Vehicle>,
}

#[derive(cynic::QueryVariables)]
pub(crate) struct ListVehiclesVariables {
    #[cynic(skip_serializing_if = "Option::is_none")]
    count: Option<i32>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "ListVehiclesVariables")]
pub(crate) struct ListVehicles {
    #[arguments(count: $count)]
    pub(crate) vehicles: Option<Vec<Option<Vehicle>>>,
}

pub(crate) fn create_vehicles(
    vehicles: impl IntoIterator<Item = NewVehicle>,
) -> Operation<CreateVehicles, CreateVehiclesVariables> {
    let vehicles = vehicles.into_iter().collect();
    CreateVehicles::build(CreateVehiclesVariables { vehicles })
}

pub(crate) fn update_vehicle(
    id: impl Into<cynic::Id>,
    changes: VehicleChanges,
    expected_version: Option<i32>,
) -> Operation<UpdateVehicle, UpdateVehicleVariables> {
    UpdateVehicle::build(UpdateVehicleVariables { id: id.into(), changes, expected_version })
}

pub(crate) fn delete_vehicle(
    id: impl Into<cynic::Id>,
    expected_version: Option<i32>,
) -> Operation<DeleteVehicle, DeleteVehicleVariables> {
    DeleteVehicle::build(DeleteVehicleVariables { id: id.into(), expected_version })
}

pub(crate) fn vehicle(id: impl Into<cynic::Id>) -> Operation<FindVehicle, FindVehicleVariables> {
    FindVehicle::build(FindVehicleVariables { id: id.into() })
}

pub(crate) fn vehicles(count: Option<i32>) -> Operation<ListVehicles, ListVehiclesVariables> {
    ListVehicles::build(ListVehiclesVariables { count })
}
