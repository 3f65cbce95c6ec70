//! What a vehicle is: values that cannot be wrong, and the rules that make them so.
//!
//! Raw input becomes one of these values once, at the border. Nothing here knows of GraphQL's
//! types, of HTTP or of a database.

mod count;
mod launch_date;
mod new_vehicle;
mod text;
mod vehicle;
mod vehicle_id;
mod violation;

pub use count::{Count, ListLimit};
pub use launch_date::LaunchDate;
pub use new_vehicle::NewVehicle;
pub use text::{BrandName, MAX_CHARACTERS, ModelCode, VehicleType};
pub use vehicle::Vehicle;
pub use vehicle_id::VehicleId;
pub use violation::{Rule, Violation, Violations};
