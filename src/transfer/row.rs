//! One row of a file, before and after validation.

use std::fmt;

use super::columns::{Cells, values};
use crate::catalogue::{Checked, vehicle::parse_id};

/// The maximum id in a file. The database generates ids above the highest one, up to 2^63 - 1: this
/// leaves 2^32 of them.
const MAX_ID: i64 = i64::MAX - (1 << 32);

/// A valid row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its first line, from 1.
    pub line: u64,
    /// The vehicle, with its id and version if the file has them.
    pub vehicle: Checked,
}

/// A row that cannot be stored, with every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidRow {
    /// Its first line, from 1.
    pub line: u64,
    /// A message for each violation; at least one.
    pub reasons: Vec<String>,
}

impl InvalidRow {
    /// A row with one reason.
    pub fn new(line: u64, reason: impl Into<String>) -> Self {
        Self {
            line,
            reasons: vec![reason.into()],
        }
    }
}

/// All reasons, separated by semicolons.
impl fmt::Display for InvalidRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

/// Whether a row must have an id: either all rows of a file have one, or none has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdRule {
    AsFirstRow,
    Required,
    Forbidden,
}

/// The values of a row, not validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RawRow {
    /// Its first line, from 1.
    pub(super) line: u64,
    pub(super) cells: Cells<String>,
}

impl RawRow {
    /// The valid row, or every violation, in the order of the fields in the contract.
    pub(super) fn validate(self, rule: &mut IdRule) -> Result<Row, InvalidRow> {
        let Self { line, cells } = self;
        let (id, arguments, version) = values(cells);
        let version = version.map(|text| parse_version(&text)).transpose();
        let id = row_id(id, rule);
        match (id, Checked::new_vehicle(arguments), version) {
            (Ok(id), Ok(vehicle), Ok(version)) => Ok(Row {
                line,
                vehicle: vehicle.with_identity(id, version),
            }),
            (id, vehicle, version) => {
                let mut reasons: Vec<String> = id.err().into_iter().collect();
                if let Err(found) = vehicle {
                    let violations = found.as_slice().iter();
                    reasons.extend(violations.map(|violation| violation.message.clone()));
                }
                reasons.extend(version.err());
                Err(InvalidRow { line, reasons })
            }
        }
    }
}

fn row_id(text: Option<String>, rule: &mut IdRule) -> Result<Option<i64>, String> {
    if *rule == IdRule::AsFirstRow {
        *rule = match text {
            Some(_) => IdRule::Required,
            None => IdRule::Forbidden,
        };
    }
    match (*rule, text) {
        (IdRule::Forbidden | IdRule::AsFirstRow, None) => Ok(None),
        (IdRule::Forbidden, Some(_)) => Err("unexpected id: the first row has none".to_owned()),
        (IdRule::Required, None) => Err("missing id: the first row has one".to_owned()),
        (IdRule::Required | IdRule::AsFirstRow, Some(text)) => {
            let id = parse_id(&text).filter(|id| *id <= MAX_ID);
            let message = "id must be an integer from 1 to";
            let error = || format!("{message} {MAX_ID} without sign or leading zeros");
            id.map(Some).ok_or_else(error)
        }
    }
}

/// Digits without sign or leading zeros, like the version of the contract.
fn parse_version(text: &str) -> Result<i32, String> {
    let version = text.parse().ok().filter(|version: &i32| *version > 0);
    version
        .filter(|version| version.to_string() == text)
        .ok_or_else(|| format!("version must be an integer from 1 to {}", i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::columns::NAMES;

    /// A row with a type, a model code and these values.
    fn raw(id: Option<&str>, version: Option<&str>) -> RawRow {
        let cells = NAMES.map(|name| match name {
            "id" => id,
            "type" => Some("SUV"),
            "modelCode" => Some("XC60"),
            "version" => version,
            _ => None,
        });
        let cells = cells.map(|cell| cell.map(str::to_owned));
        RawRow { line: 3, cells }
    }

    #[test]
    fn reports_every_violation_in_the_order_of_the_fields() {
        let cells = NAMES.map(|name| (name != "type").then(|| "\0".to_owned()));
        let row = RawRow { line: 3, cells };
        let invalid = row.validate(&mut IdRule::Required).unwrap_err();
        let starts: Vec<_> = invalid
            .reasons
            .iter()
            .map(|reason| reason.split(' ').next().unwrap())
            .collect();
        assert_eq!(starts, NAMES);
        assert_eq!(invalid.line, 3);
    }

    #[test]
    fn the_first_row_determines_whether_rows_have_ids() {
        let mut rule = IdRule::AsFirstRow;
        let first = raw(Some("7"), None).validate(&mut rule).unwrap();
        assert_eq!(first.vehicle.row().id.try_as_ref().copied(), Some(7));
        assert!(raw(None, None).validate(&mut rule).is_err());
        let mut rule = IdRule::AsFirstRow;
        assert!(raw(None, None).validate(&mut rule).is_ok());
        assert!(raw(Some("7"), None).validate(&mut rule).is_err());
        assert!(raw(None, None).validate(&mut rule).is_ok());
    }

    #[test]
    fn the_maximum_id_leaves_ids_for_new_vehicles() {
        let validated = |id: i64| raw(Some(&id.to_string()), None).validate(&mut IdRule::Required);
        assert!(validated(MAX_ID).is_ok());
        for id in [MAX_ID + 1, i64::MAX] {
            let invalid = validated(id).unwrap_err();
            assert!(
                invalid
                    .to_string()
                    .contains("from 1 to 9223372032559808511"),
                "{invalid}"
            );
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
            let row = raw(Some("7"), Some(text)).validate(&mut IdRule::Required);
            let version = row
                .ok()
                .and_then(|row| row.vehicle.into_row().version.take());
            assert_eq!(version, expected, "{text}");
        }
    }
}
