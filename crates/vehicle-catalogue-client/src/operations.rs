//! The operations of the client as cynic fragments: variables and selected fields.

mod vehicle;

use cynic::{MutationBuilder, Operation, QueryBuilder};

use crate::schema;

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

/// The conditions that the vehicles of a page meet. Fields that are `None` are no conditions. At most one of
/// `type`, `model_code` and `brand_name` is allowed.
#[derive(cynic::InputObject, Clone, Debug, Default, PartialEq, Eq)]
#[cynic(require_all_fields)]
pub struct VehicleFilter {
    /// The vehicle has this type.
    #[cynic(rename = "type", skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The vehicle has this model code.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub model_code: Option<String>,
    /// The vehicle has this brand.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub brand_name: Option<String>,
    /// The vehicle has this launch date or a later one: `YYYY-MM-DD`.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub launched_from: Option<String>,
    /// The vehicle has this launch date or an earlier one: `YYYY-MM-DD`.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub launched_until: Option<String>,
}

/// The order of the vehicles on pages. Those without a launch date are last in both directions.
#[derive(cynic::Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum VehicleOrder {
    /// By id, lowest first.
    IdAsc,
    /// By id, highest first.
    IdDesc,
    /// By launch date, earliest first.
    LaunchDateAsc,
    /// By launch date, latest first.
    LaunchDateDesc,
}

/// The arguments of `vehiclesConnection`. By default they request the first vehicles in ascending order of id.
#[derive(cynic::QueryVariables, Clone, Debug, Default)]
pub struct PageArguments {
    /// The conditions that the vehicles meet.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub filter: Option<VehicleFilter>,
    /// The order; by default `LaunchDateAsc` if there is a condition, else `IdAsc`.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub order_by: Option<VehicleOrder>,
    /// The maximum number of vehicles on the page; by default 50.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub first: Option<i32>,
    /// The end cursor of the preceding page.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Query", variables = "PageArguments")]
pub(crate) struct ListPage {
    #[arguments(filter: $filter, orderBy: $order_by, first: $first, after: $after)]
    pub(crate) vehicles_connection: Option<VehicleConnection>,
}

#[derive(cynic::QueryFragment)]
pub(crate) struct VehicleConnection {
    pub(crate) nodes: Vec<Vehicle>,
    pub(crate) page_info: PageInfo,
}

#[derive(cynic::QueryFragment)]
pub(crate) struct PageInfo {
    pub(crate) has_next_page: bool,
    pub(crate) end_cursor: Option<String>,
}

pub(crate) fn create_vehicles(vehicles: Vec<NewVehicle>) -> Operation<CreateVehicles, CreateVehiclesVariables> {
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

pub(crate) fn vehicles_page(arguments: PageArguments) -> Operation<ListPage, PageArguments> {
    ListPage::build(arguments)
}
