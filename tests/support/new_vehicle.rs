//! Vehicles for the store, described only by what matters to a test.

use serde_json::Value;
use vehicle_catalogue::catalogue::{NewVehicle, NewVehicleArguments};

/// A vehicle with these arguments of `createVehicle`; `type` and `modelCode` have defaults.
///
/// # Panics
///
/// Panics if an argument is not valid.
#[expect(
    clippy::needless_pass_by_value,
    reason = "every caller passes a literal"
)]
#[allow(clippy::needless_update, reason = "a new field is null")]
pub(crate) fn with(arguments: Value) -> NewVehicle {
    let text = |name: &str| arguments[name].as_str().map(str::to_owned);
    let vehicle = NewVehicle::parse(NewVehicleArguments {
        r#type: text("type").or_else(|| Some("SUV".to_owned())),
        model_code: text("modelCode").or_else(|| Some("XC60".to_owned())),
        brand_name: text("brandName"),
        launch_date: text("launchDate"),
        ..NewVehicleArguments::default()
    });
    vehicle.expect("the arguments are valid")
}
