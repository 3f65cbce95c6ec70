//! The query for a page of vehicles.

use cynic::{Operation, QueryBuilder};

use super::Vehicle;
use crate::schema;

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

pub(crate) fn vehicles_page(arguments: PageArguments) -> Operation<ListPage, PageArguments> {
    ListPage::build(arguments)
}
