//! The columns of a file and their values: the only list of them.

use std::borrow::Cow;

use crate::catalogue::{date_text, vehicle::Model};
use crate::contract::MutationCreateVehicleArguments;

/// The names of the columns in the order of an export: the fields of the contract.
pub const NAMES: [&str; 6] = ["id", "type", "modelCode", "brandName", "launchDate", "version"];

/// The columns that a file must have.
pub const REQUIRED: [&str; 2] = ["type", "modelCode"];

/// The values of a row in the order of [`NAMES`]; `None` is null.
pub(super) type Cells<T> = [Option<T>; NAMES.len()];

/// The arguments of a new vehicle, in which required texts can be missing.
pub(super) type Arguments =
    MutationCreateVehicleArguments<Option<String>, Option<String>, Option<String>, Option<String>>;

/// The id, the values of the vehicle, and its version.
pub(super) fn values(cells: Cells<String>) -> (Option<String>, Arguments, Option<String>) {
    let [id, r#type, model_code, brand_name, launch_date, version] = cells;
    let arguments = Arguments { r#type, model_code, brand_name, launch_date };
    (id, arguments, version)
}

/// The values of a vehicle.
pub(super) fn cells(vehicle: &Model) -> Cells<Cow<'_, str>> {
    [
        Some(vehicle.id.to_string().into()),
        Some(vehicle.r#type.as_str().into()),
        Some(vehicle.model_code.as_str().into()),
        vehicle.brand_name.as_deref().map(Cow::Borrowed),
        vehicle.launch_date.map(|date| date_text(date).into()),
        Some(vehicle.version.to_string().into()),
    ]
}
