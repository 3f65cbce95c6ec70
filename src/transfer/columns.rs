//! The columns of a file, and the texts of their values.

use std::borrow::Cow;

use crate::catalogue::{date_text, vehicle::Model};

/// The names of the columns in the order of an export: the fields of the contract.
pub(super) const NAMES: [&str; 6] = ["id", "type", "modelCode", "brandName", "launchDate", "version"];

/// The columns that a file must have.
pub(super) const REQUIRED: [&str; 2] = ["type", "modelCode"];

/// The values of a row in the order of [`NAMES`]; `None` is null.
pub(super) type Cells<T> = [Option<T>; NAMES.len()];

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
