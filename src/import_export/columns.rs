//! The columns of a file and their values: the only list of them.

use std::borrow::Cow;

use crate::catalogue::{NewVehicleArguments, Vehicle, date_text};

/// The names of the columns in the order of an export: the fields of the contract.
pub const NAMES: [&str; 6] = [
    "id",
    "type",
    "modelCode",
    "brandName",
    "launchDate",
    "version",
];

/// The columns that a file must have.
pub const REQUIRED: [&str; 2] = ["type", "modelCode"];

/// The values of a row in the order of [`NAMES`]; `None` is null.
pub(super) type Cells<T> = [Option<T>; NAMES.len()];

/// The id, the values of the vehicle, and its version.
pub(super) fn values(
    cells: Cells<String>,
) -> (Option<String>, NewVehicleArguments, Option<String>) {
    let [id, r#type, model_code, brand_name, launch_date, version] = cells;
    let vehicle = NewVehicleArguments {
        r#type,
        model_code,
        brand_name,
        launch_date,
    };
    (id, vehicle, version)
}

/// The values of a vehicle.
pub(super) fn cells(vehicle: &Vehicle) -> Cells<Cow<'_, str>> {
    let Vehicle {
        id,
        r#type,
        model_code,
        brand_name,
        launch_date,
        version,
    } = vehicle;
    [
        Some(id.to_string().into()),
        Some(r#type.into()),
        Some(model_code.into()),
        brand_name.as_deref().map(Cow::Borrowed),
        launch_date.map(|date| Cow::Owned(date_text(date))),
        Some(version.to_string().into()),
    ]
}
