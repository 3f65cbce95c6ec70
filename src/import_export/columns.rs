//! The columns of a file and their values: the only list of them.

use std::borrow::Cow;

use crate::catalogue::{Vehicle, VehicleChangesArguments, date_text};

/// The names of the columns in the order of an export: the fields of the contract.
pub const NAMES: [&str; 6] = [
    "id",
    "type",
    "modelCode",
    "brandName",
    "launchDate",
    "version",
];

/// The columns that a file must have, unless it updates stored vehicles by id.
pub const REQUIRED: [&str; 2] = ["type", "modelCode"];

/// The values of a row in the order of [`NAMES`]; `None` is null.
pub(super) type Cells<T> = [Option<T>; NAMES.len()];

/// The values of a row of a file, of which some can be absent (`None`).
pub(super) type GivenCells = Cells<Option<String>>;

/// The id, the values of the vehicle, and its version.
pub(super) fn values(
    cells: GivenCells,
) -> (Option<String>, VehicleChangesArguments, Option<String>) {
    let [id, r#type, model_code, brand_name, launch_date, version] = cells;
    let vehicle = VehicleChangesArguments {
        r#type,
        model_code,
        brand_name,
        launch_date,
    };
    (id.flatten(), vehicle, version.flatten())
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

/// The names of the columns whose values differ, without the version.
pub fn changed_columns(before: &Vehicle, after: &Vehicle) -> Vec<&'static str> {
    let (before, after) = (cells(before), cells(after));
    let cells = before.iter().zip(&after).zip(NAMES);
    let changed = cells.filter(|((before, after), name)| before != after && *name != "version");
    changed.map(|(_, name)| name).collect()
}
