//! The columns of a file, and a row of it with its validation.

use std::borrow::Cow;

use crate::catalogue::{
    Checked, date_text,
    vehicle::{Model, parse_id},
};
use crate::contract::MutationCreateVehicleArguments;

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

/// The maximum id in a file. The database generates ids above the highest one, up to 2^63 - 1: this
/// leaves 2^32 of them.
const MAX_ID: i64 = i64::MAX - (1 << 32);

/// A row of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its first line, from 1.
    pub line: u64,
    /// The vehicle, with its id and version if the file has them, or a message for each violation.
    pub vehicle: Result<Checked, Vec<String>>,
}

/// The valid vehicle of a row, or every violation, in the order of the fields in the contract. Either all rows of a file
/// have ids, or none has.
pub(super) fn validate(cells: Cells<String>, has_ids: &mut Option<bool>) -> Result<Checked, Vec<String>> {
    let [id, r#type, model_code, brand_name, launch_date, version] = cells;
    let arguments = MutationCreateVehicleArguments { r#type, model_code, brand_name, launch_date };
    let has_ids = *has_ids.get_or_insert(id.is_some());
    let id = match (id, has_ids) {
        (None, false) => Ok(None),
        (Some(_), false) => Err("unexpected id: the first row has none".to_owned()),
        (None, true) => Err("missing id: the first row has one".to_owned()),
        (Some(text), true) => {
            let id = parse_id(&text).filter(|id| *id <= MAX_ID);
            id.map(Some)
                .ok_or_else(|| format!("id must be an integer from 1 to {MAX_ID} without sign or leading zeros"))
        }
    };
    let version = version.map(|text| parse_version(&text)).transpose();
    match (id, Checked::new_vehicle(arguments), version) {
        (Ok(id), Ok(vehicle), Ok(version)) => Ok(vehicle.with_identity(id, version)),
        (id, vehicle, version) => {
            let mut reasons: Vec<String> = id.err().into_iter().collect();
            if let Err(found) = vehicle {
                let violations = found.as_slice().iter();
                reasons.extend(violations.map(|violation| violation.message.clone()));
            }
            reasons.extend(version.err());
            Err(reasons)
        }
    }
}

/// Digits without sign or leading zeros, as in an id.
fn parse_version(text: &str) -> Result<i32, String> {
    let version = parse_id(text).and_then(|version| i32::try_from(version).ok());
    version.ok_or_else(|| format!("version must be an integer from 1 to {}", i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row with a type, a model code and these values.
    fn cells(id: Option<&str>, version: Option<&str>) -> Cells<String> {
        let cells = NAMES.map(|name| match name {
            "id" => id,
            "type" => Some("SUV"),
            "modelCode" => Some("XC60"),
            "version" => version,
            _ => None,
        });
        cells.map(|cell| cell.map(str::to_owned))
    }

    #[test]
    fn reports_every_violation_in_the_order_of_the_fields() {
        let cells = NAMES.map(|name| (name != "type").then(|| "\0".to_owned()));
        let reasons = validate(cells, &mut Some(true)).unwrap_err();
        let first_words = reasons.iter().map(|reason| reason.split(' ').next().unwrap());
        assert_eq!(first_words.collect::<Vec<_>>(), NAMES);
    }

    #[test]
    fn the_first_row_determines_whether_rows_have_ids() {
        for (first, other) in [(Some("7"), None), (None, Some("7"))] {
            let mut has_ids = None;
            assert!(validate(cells(first, None), &mut has_ids).is_ok());
            assert!(validate(cells(other, None), &mut has_ids).is_err());
            assert!(validate(cells(first, None), &mut has_ids).is_ok());
        }
    }

    #[test]
    fn the_maximum_id_leaves_ids_for_new_vehicles() {
        let validated = |id: i64| validate(cells(Some(&id.to_string()), None), &mut None);
        assert!(validated(MAX_ID).is_ok());
        for id in [MAX_ID + 1, i64::MAX] {
            let reasons = validated(id).unwrap_err();
            assert!(reasons[0].contains("from 1 to 9223372032559808511"), "{reasons:?}");
        }
    }

    #[test]
    fn a_version_is_a_positive_integer_of_32_bits() {
        for (text, expected) in [
            ("1", Some(1)),
            ("2147483647", Some(i32::MAX)),
            ("2147483648", None),
            ("0", None),
            ("-1", None),
            ("+1", None),
            ("01", None),
            ("1.0", None),
            ("", None),
        ] {
            let vehicle = validate(cells(Some("7"), Some(text)), &mut None);
            let version = vehicle.ok().and_then(|vehicle| vehicle.into_row().version.take());
            assert_eq!(version, expected, "{text}");
        }
    }
}
