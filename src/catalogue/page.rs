//! The arguments of lists and pages.

use chrono::NaiveDate;
use sea_orm::IdenStatic;

use super::cursor::Position;
use super::launch_date;
use super::vehicle::Column;
use super::violation::{Rule, Violations};
use crate::contract::{
    CONSTRAINTS, QueryVehiclesArguments, QueryVehiclesConnectionArguments, VehicleFilter, VehicleOrder, constraint,
    support::Unchecked,
};

/// The minimum of an argument that limits the length of a list.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a small number")]
const fn min(argument: &str) -> u32 {
    constraint(argument).min.expect("the contract states one") as u32
}

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

/// Parses the argument `count`: at most `limit`, or nothing.
pub fn parse_count(
    arguments: impl Into<Unchecked<QueryVehiclesArguments<Option<i32>>>>,
    limit: u32,
) -> Result<Option<u32>, Violations> {
    let (arguments, stated) = arguments.into().with_violations();
    let mut found = Violations::stated(stated);
    let min = const { min("Query.vehicles(count:)") };
    let count = arguments.count.map(|count| length(&mut found, "count", count, min, limit));
    found.unless_any(count)
}

impl PageRequest {
    /// Parses the arguments of `vehiclesConnection`, or returns all violations in argument order.
    pub fn parse(arguments: impl Into<Unchecked<PageArguments>>, list_limit: u32) -> Result<Self, Violations> {
        let (arguments, stated) = arguments.into().with_violations();
        let mut found = Violations::stated(stated);
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
            first => {
                let min = const { min("Query.vehiclesConnection(first:)") };
                length(&mut found, "first", first, min, list_limit)
            }
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
    let texts =
        [(Column::Type, filter.r#type), (Column::ModelCode, filter.model_code), (Column::BrandName, filter.brand_name)];
    let mut texts = texts.into_iter().filter_map(|(column, text)| Some((column.as_str(), text?)));
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
    // No vehicle has another text, and PostgreSQL refuses U+0000.
    let is_storable = |text: &str| !text.contains('\0') && text.chars().nth(max_characters()).is_none();
    let is_possible =
        text.as_ref().is_none_or(|(_, text)| is_storable(text)) && range.is_none_or(|(from, until)| from <= until);
    let filter = is_possible.then_some(Filter { text, launched_from, launched_until });
    (has_condition, filter)
}

/// The maximum number of characters of the texts of a vehicle.
pub fn max_characters() -> usize {
    CONSTRAINTS.iter().filter_map(|(_, constraint)| constraint.max_length).max().unwrap_or(0)
}

/// An argument that limits the length of a list: `min` to `max`.
fn length(found: &mut Violations, argument: &str, length: i32, min: u32, max: u32) -> u32 {
    // The message has both limits, that of the contract and that of the server.
    found.take_stated(argument);
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
