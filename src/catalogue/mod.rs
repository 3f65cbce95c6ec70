//! The entity `vehicle`, and the rules of its values.
//!
//! Input becomes an `ActiveModel` here and nowhere else, so what is stored meets every rule. Knows nothing of HTTP.

mod cursor;
mod launch_date;
mod page;
mod text;
pub mod vehicle;
mod violation;

pub use crate::contract::{
    MutationCreateVehicleArguments, MutationUpdateVehicleArguments, NewVehicle, QueryVehiclesArguments, VehicleChanges,
    VehicleFilter, VehicleOrder,
};
pub use cursor::Position;
pub use launch_date::{date_text, parse_launch_date};
pub use page::{Filter, PageArguments, PageRequest, max_characters, parse_count};
pub use vehicle::{Checked, FIRST_VERSION};
pub use violation::{FormatError, Rule, Violation, Violations};
