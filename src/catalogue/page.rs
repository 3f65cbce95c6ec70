//! The arguments of lists and pages.

use chrono::NaiveDate;
use sea_orm::IdenStatic;

use super::cursor::Position;
use super::launch_date;
use super::text::{Blank, check};
use super::vehicle::Column;
use super::violation::{Rule, Violations};
use crate::contract::{QueryVehiclesConnectionArguments, VehicleFilter, VehicleOrder};

/// The minimum of the argument `count`; a list of no vehicles is empty.
pub const MIN_COUNT: u32 = 0;

/// The default of the argument `first`, if the list limit is not lower.
const DEFAULT_SIZE: i32 = 50;

/// The arguments of `vehiclesConnection`, not validated.
pub type PageArguments =
    QueryVehiclesConnectionArguments<Option<VehicleFilter>, Option<VehicleOrder>, Option<i32>, Option<String>>;

/// A requested page of vehicles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest {
    /// The conditions, or `None` if no vehicle can meet them. Without conditions in an order by id.
    pub filter: Option<Filter>,
    /// The order.
    pub order: VehicleOrder,
    /// The maximum number of vehicles, at least 1.
    pub size: u32,
    /// The page starts after this position.
    pub after: Option<Position>,
}

/// Conditions that a vehicle must all meet, and that a vehicle can meet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The name of a column and the text that the vehicle has in it, byte for byte.
    pub text: Option<(&'static str, String)>,
    /// The earliest launch date.
    pub launched_from: Option<NaiveDate>,
    /// The latest launch date, not before the earliest.
    pub launched_until: Option<NaiveDate>,
}

/// Parses the argument `count`: [`MIN_COUNT`] to `limit`, or nothing.
pub fn parse_count(count: Option<i32>, limit: u32) -> Result<Option<u32>, Violations> {
    let mut found = Violations::default();
    let count = count.map(|count| length(&mut found, "count", count, MIN_COUNT, limit));
    found.unless_any(count)
}

impl PageRequest {
    /// The minimum of the argument `first`.
    pub const MIN_SIZE: u32 = 1;

    /// Parses the arguments of `vehiclesConnection`, or returns all violations in argument order.
    pub fn parse(arguments: PageArguments, list_limit: u32) -> Result<Self, Violations> {
        let mut found = Violations::default();
        let (has_condition, filter) = match arguments.filter {
            Some(filter) => conditions(&mut found, filter),
            None => (false, Some(Filter::default())),
        };
        let order =
            arguments.order_by.unwrap_or(if has_condition { VehicleOrder::LaunchDateAsc } else { VehicleOrder::IdAsc });
        if has_condition && !order.is_by_date() {
            let must = "must be LAUNCH_DATE_ASC or LAUNCH_DATE_DESC if filter has a condition";
            found.add("orderBy", Rule::Order, must);
        }
        // The default is valid with every list limit.
        let size = match arguments.first.unwrap_or(DEFAULT_SIZE) {
            DEFAULT_SIZE => list_limit.min(DEFAULT_SIZE.unsigned_abs()),
            first => length(&mut found, "first", first, Self::MIN_SIZE, list_limit),
        };
        let after = arguments.after.and_then(|cursor| {
            let position = Position::parse(&cursor, order);
            if position.is_none() {
                let must = "must be a cursor, startCursor or endCursor of vehiclesConnection in the same order";
                found.add("after", Rule::Cursor, must);
            }
            position
        });
        found.unless_any(Self { filter, order, size, after })
    }
}

/// Whether there is a condition, and the filter, or `None` if no vehicle can meet the conditions.
fn conditions(found: &mut Violations, filter: VehicleFilter) -> (bool, Option<Filter>) {
    let has_date = filter.launched_from.is_some() || filter.launched_until.is_some();
    let texts = [
        (Column::Type, filter.r#type, Blank::Refused),
        (Column::ModelCode, filter.model_code, Blank::Refused),
        (Column::BrandName, filter.brand_name, Blank::Allowed),
    ];
    let mut texts = texts.into_iter().filter_map(|(column, text, blank)| Some((column, text?, blank)));
    let (text, other) = (texts.next(), texts.next());
    let has_condition = has_date || text.is_some();
    if other.is_some() {
        let must = "must have at most one of type, modelCode and brandName";
        found.add("filter", Rule::OneCondition, must);
    }
    let mut date = |argument, text: Option<String>| text.and_then(|text| launch_date::check(found, argument, &text));
    let launched_from = date("filter.launchedFrom", filter.launched_from);
    let launched_until = date("filter.launchedUntil", filter.launched_until);
    let range = launched_from.zip(launched_until);
    // A text that breaks a rule is not the text of a vehicle.
    let mut broken = Violations::default();
    let text = text.map(|(column, text, blank)| (column.as_str(), check(&mut broken, "filter", text, blank)));
    let is_possible = broken.as_slice().is_empty() && range.is_none_or(|(from, until)| from <= until);
    let filter = is_possible.then_some(Filter { text, launched_from, launched_until });
    (has_condition, filter)
}

/// An argument that limits the length of a list: `min` to `max`.
fn length(found: &mut Violations, argument: &str, length: i32, min: u32, max: u32) -> u32 {
    let problem = match u32::try_from(length) {
        Ok(length) if (min..=max).contains(&length) => return length,
        Ok(0) => "it is 0",
        Ok(_) => "it exceeds the list limit",
        Err(_) => "it is negative",
    };
    let must = format!("must be from {min} to {max}, {problem}");
    found.add(argument, Rule::Range, must);
    min
}
