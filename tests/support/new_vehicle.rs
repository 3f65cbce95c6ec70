//! Vehicles for the store, described only by what matters to a test.

use serde_json::Value;
use vehicle_catalogue::catalogue::NewVehicle;

/// A vehicle with these arguments of `createVehicle`; `type` and `modelCode` have defaults.
///
/// # Panics
///
/// Panics if an argument is not valid.
#[expect(
    clippy::needless_pass_by_value,
    reason = "every caller passes a literal"
)]
pub(crate) fn with(arguments: Value) -> NewVehicle {
    let text = |name: &str| arguments[name].as_str().map(str::to_owned);
    let vehicle = NewVehicle::parse(
        text("type").unwrap_or_else(|| "SUV".to_owned()),
        text("modelCode").unwrap_or_else(|| "XC60".to_owned()),
        text("brandName"),
        text("launchDate"),
    );
    vehicle.expect("the arguments are valid")
}
