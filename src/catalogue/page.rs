//! A requested page of vehicles: its filter, order, size and position.

use super::count::parse_length;
use super::cursor::Position;
use super::filter::{Filter, FilterArguments};
use super::order::{SortKey, VehicleOrder};
use super::violation::{Rule, Violation, Violations, collect};

/// The default of the argument `first`, if the list limit is not lower.
const DEFAULT_SIZE: i32 = 50;

/// The arguments of `vehiclesConnection`, not validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageArguments {
    /// `filter`; no condition if it is omitted.
    pub filter: FilterArguments,
    /// `orderBy`.
    pub order: Option<VehicleOrder>,
    /// `first`.
    pub first: Option<i32>,
    /// `after`.
    pub after: Option<String>,
}

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

impl PageRequest {
    /// The minimum of the argument `first`.
    pub const MIN_SIZE: u32 = 1;

    /// Parses the arguments of `vehiclesConnection`, or returns all violations in argument order.
    pub fn parse(arguments: PageArguments, list_limit: u32) -> Result<Self, Violations> {
        let PageArguments {
            filter,
            order,
            first,
            after,
        } = arguments;
        let mut found = Vec::new();
        let has_condition = filter.has_condition();
        let filter = filter.parse(&mut found);
        let order = order.unwrap_or(if has_condition {
            VehicleOrder::LaunchDateAsc
        } else {
            VehicleOrder::IdAsc
        });
        if has_condition && order.key() == SortKey::Id {
            let message =
                "orderBy must be LAUNCH_DATE_ASC or LAUNCH_DATE_DESC if filter has a condition";
            found.push(Violation::new("orderBy", Rule::Order, message.to_owned()));
        }
        let size = collect(page_size(first, list_limit), &mut found);
        let after = after.and_then(|cursor| collect(position(&cursor, order), &mut found));
        Violations::none_of(found)?;
        Ok(Self {
            filter,
            order,
            size: size.expect("a missing size has left a violation"),
            after,
        })
    }
}

/// Parses the argument `first`. The default is valid with every list limit.
fn page_size(first: Option<i32>, list_limit: u32) -> Result<u32, Violation> {
    match first.unwrap_or(DEFAULT_SIZE) {
        DEFAULT_SIZE => Ok(list_limit.min(DEFAULT_SIZE.unsigned_abs())),
        first => parse_length("first", first, PageRequest::MIN_SIZE, list_limit),
    }
}

fn position(cursor: &str, order: VehicleOrder) -> Result<Position, Violation> {
    Position::parse(cursor, order).ok_or_else(|| {
        let message = "after must be a cursor, startCursor or endCursor of vehiclesConnection in the same order";
        Violation::new("after", Rule::Cursor, message.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: PageArguments) -> Result<PageRequest, Violations> {
        PageRequest::parse(arguments, 20)
    }

    fn first(first: impl Into<Option<i32>>) -> PageArguments {
        PageArguments {
            first: first.into(),
            ..PageArguments::default()
        }
    }

    #[test]
    fn a_page_has_from_one_vehicle_to_the_list_limit() {
        for size in [1, 7, 20] {
            let request = parse(first(size)).expect("it is within the limit");
            assert_eq!(request.size, size.unsigned_abs());
        }
        for (size, message) in [
            (0, "first must be from 1 to 20, it is 0"),
            (-1, "first must be from 1 to 20, it is negative"),
            (21, "first must be from 1 to 20, it exceeds the list limit"),
            (
                i32::MAX,
                "first must be from 1 to 20, it exceeds the list limit",
            ),
        ] {
            let violations = parse(first(size)).expect_err("it is outside");
            assert_eq!(violations.to_string(), message);
        }
    }

    #[test]
    fn the_default_size_is_at_most_the_list_limit() {
        for default in [None, Some(DEFAULT_SIZE)] {
            assert_eq!(parse(first(default)).map(|request| request.size), Ok(20));
            let request = PageRequest::parse(first(default), 1000);
            assert_eq!(request.map(|request| request.size), Ok(50));
        }
    }

    #[test]
    fn the_default_order_depends_on_the_conditions() {
        let order = |filter| {
            let arguments = PageArguments {
                filter,
                ..PageArguments::default()
            };
            parse(arguments).map(|request| request.order)
        };
        assert_eq!(order(FilterArguments::default()), Ok(VehicleOrder::IdAsc));
        let by_type = FilterArguments {
            r#type: Some("SUV".to_owned()),
            ..FilterArguments::default()
        };
        assert_eq!(order(by_type), Ok(VehicleOrder::LaunchDateAsc));
    }

    #[test]
    fn reports_every_violation_in_argument_order() {
        let text = |text: &str| Some(text.to_owned());
        let arguments = PageArguments {
            filter: FilterArguments {
                r#type: text("SUV"),
                brand_name: text("Volvo"),
                launched_from: text("2023-02-29"),
                launched_until: text("soon"),
                ..FilterArguments::default()
            },
            order: Some(VehicleOrder::IdDesc),
            first: Some(0),
            after: text(""),
        };
        let violations = parse(arguments).expect_err("nothing is right");
        let arguments: Vec<_> = violations
            .as_slice()
            .iter()
            .map(|found| found.argument.clone())
            .collect();
        assert_eq!(
            arguments,
            [
                "filter",
                "filter.launchedFrom",
                "filter.launchedUntil",
                "orderBy",
                "first",
                "after"
            ]
        );
    }
}
