//! The domain: validated values of a vehicle, and their rules.
//!
//! Raw input is parsed into these values once. This module knows nothing of GraphQL, HTTP or databases.

mod count;
mod cursor;
mod expected_version;
mod filter;
mod launch_date;
mod order;
mod page;
mod text;
mod vehicle;
mod vehicle_id;
mod violation;

pub use count::{MIN_COUNT, parse_count};
pub use cursor::Position;
pub use expected_version::ExpectedVersion;
pub use filter::{Filter, FilterArguments, TextCondition};
pub use launch_date::{LaunchDate, date_text};
pub use order::{Direction, SortKey, VehicleOrder};
pub use page::{PageArguments, PageRequest};
pub use text::*;
pub use vehicle::{
    FIRST_VERSION, NewVehicle, NewVehicleArguments, Vehicle, VehicleChanges,
    VehicleChangesArguments,
};
pub use vehicle_id::VehicleId;
pub use violation::{MIN_ITEMS, Rule, Violation, Violations, all_of};
