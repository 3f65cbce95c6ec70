//! One row of a file, before and after its rules are applied.

use std::fmt;

use crate::catalogue::{
    BrandName, LaunchDate, ModelCode, NewVehicle, VehicleId, VehicleType, Violation, Violations,
};

const NEW_IDS: &str = "--ids new has the database make every id";

const WRONG_ID: &str =
    "id must be a whole number from 1 to 9223372036854775807, without sign and leading zero";

/// A sound row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// The id it gives, unless ids are made by the database.
    pub id: Option<VehicleId>,
    /// The vehicle.
    pub vehicle: NewVehicle,
}

/// A row that cannot be stored, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// A sentence for each rule it breaks; there is at least one.
    pub reasons: Vec<String>,
}

impl BadRow {
    /// A row with one thing wrong.
    pub fn new(line: u64, reason: impl Into<String>) -> Self {
        Self {
            line,
            reasons: vec![reason.into()],
        }
    }
}

/// All reasons, separated by semicolons.
impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

/// What becomes of the ids in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// They are kept; where a file has none, the database makes them.
    Keep,
    /// They are not read: the database makes new ones.
    New,
}

/// Whether a row has to have an id: all rows of a file have one, or none has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdRule {
    Ignored,
    AsFirstRow,
    Required,
    Refused,
}

/// What a row says, nothing of it judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Raw {
    /// The line on which it begins, counted from 1.
    pub(super) line: u64,
    pub(super) id: Option<String>,
    pub(super) r#type: Option<String>,
    pub(super) model_code: Option<String>,
    pub(super) brand_name: Option<String>,
    pub(super) launch_date: Option<String>,
}

impl Raw {
    /// The sound row, or everything that is wrong with it, in the order of the contract's fields.
    pub(super) fn judge(self, rule: &mut IdRule) -> Result<Row, BadRow> {
        let line = self.line;
        let id = id(self.id, rule);
        let vehicle = vehicle(
            self.r#type,
            self.model_code,
            self.brand_name,
            self.launch_date,
        );
        match (id, vehicle) {
            (Ok(id), Ok(vehicle)) => Ok(Row { line, id, vehicle }),
            (id, vehicle) => {
                let mut reasons: Vec<String> = id.err().into_iter().collect();
                reasons.extend(vehicle.err().into_iter().flatten());
                Err(BadRow { line, reasons })
            }
        }
    }
}

fn id(text: Option<String>, rule: &mut IdRule) -> Result<Option<VehicleId>, String> {
    if *rule == IdRule::AsFirstRow {
        *rule = match text {
            Some(_) => IdRule::Required,
            None => IdRule::Refused,
        };
    }
    match (*rule, text) {
        (IdRule::Ignored, _) | (IdRule::Refused | IdRule::AsFirstRow, None) => Ok(None),
        (IdRule::Refused, Some(_)) => Err(format!(
            "id must not be given, since the first row has none ({NEW_IDS})"
        )),
        (IdRule::Required, None) => Err(format!(
            "id must be given, since other rows have one ({NEW_IDS})"
        )),
        (IdRule::Required | IdRule::AsFirstRow, Some(text)) => VehicleId::parse(&text)
            .map(Some)
            .ok_or_else(|| WRONG_ID.to_owned()),
    }
}

fn vehicle(
    r#type: Option<String>,
    model_code: Option<String>,
    brand_name: Option<String>,
    launch_date: Option<String>,
) -> Result<NewVehicle, Vec<String>> {
    let (r#type, model_code) = match (r#type, model_code) {
        (Some(r#type), Some(model_code)) => {
            return NewVehicle::parse(r#type, model_code, brand_name, launch_date)
                .map_err(|violations| texts_of(&violations));
        }
        missing => missing,
    };
    let required = |argument| Some(Violations::from(Violation::required(argument)));
    let found = [
        r#type.map_or_else(|| required("type"), |text| VehicleType::parse(text).err()),
        model_code.map_or_else(
            || required("modelCode"),
            |text| ModelCode::parse(text).err(),
        ),
        brand_name.and_then(|text| BrandName::parse(text).err()),
        launch_date.and_then(|text| LaunchDate::parse(&text).err().map(Violations::from)),
    ];
    Err(found
        .into_iter()
        .flatten()
        .flat_map(|violations| texts_of(&violations))
        .collect())
}

fn texts_of(violations: &Violations) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(id: Option<&str>) -> Raw {
        Raw {
            line: 3,
            id: id.map(str::to_owned),
            r#type: Some("SUV".to_owned()),
            model_code: Some("XC60".to_owned()),
            ..Raw::default()
        }
    }

    #[test]
    fn everything_wrong_with_a_row_is_said_in_the_order_of_the_fields() {
        let row = Raw {
            line: 3,
            id: Some("07".to_owned()),
            r#type: None,
            model_code: Some(" ".to_owned()),
            brand_name: Some("\0".to_owned()),
            launch_date: Some("tomorrow".to_owned()),
        };
        let bad = row.judge(&mut IdRule::Required).unwrap_err();
        let starts: Vec<_> = bad
            .reasons
            .iter()
            .map(|reason| reason.split(' ').next().unwrap())
            .collect();
        assert_eq!(
            starts,
            ["id", "type", "modelCode", "brandName", "launchDate"]
        );
        assert_eq!(bad.line, 3);
    }

    #[test]
    fn the_first_row_decides_whether_rows_have_ids() {
        let mut rule = IdRule::AsFirstRow;
        let first = raw(Some("7")).judge(&mut rule).unwrap();
        assert_eq!(first.id.map(VehicleId::get), Some(7));
        assert!(raw(None).judge(&mut rule).is_err());
        let mut rule = IdRule::AsFirstRow;
        assert_eq!(raw(None).judge(&mut rule).unwrap().id, None);
        assert!(raw(Some("7")).judge(&mut rule).is_err());
        assert_eq!(raw(None).judge(&mut rule).unwrap().id, None);
    }

    #[test]
    fn an_id_that_is_not_read_can_be_anything() {
        let row = raw(Some("anything")).judge(&mut IdRule::Ignored);
        assert_eq!(row.unwrap().id, None);
    }
}
