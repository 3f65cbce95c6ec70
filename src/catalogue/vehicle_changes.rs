//! A change of a vehicle.

use super::launch_date::LaunchDate;
use super::text::{BrandName, ModelCode, VehicleType};
use super::vehicle::Vehicle;
use super::violation::collect;
use super::violation::{Rule, Violation, Violations};

const ARGUMENT: &str = "changes";

/// New values of a vehicle; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VehicleChanges {
    /// What kind of vehicle it is.
    pub r#type: Option<VehicleType>,
    /// The manufacturer's code of the model.
    pub model_code: Option<ModelCode>,
    /// The brand it is sold under; `Some(None)` removes it.
    pub brand_name: Option<Option<BrandName>>,
    /// The day of its launch; `Some(None)` removes it.
    pub launch_date: Option<Option<LaunchDate>>,
}

impl VehicleChanges {
    /// Parses the fields of the argument `changes`, of which each is omitted (`None`), null (`Some(None)`) or a
    /// text, or returns all violations in the order of the fields.
    pub fn parse(
        r#type: Option<Option<String>>,
        model_code: Option<Option<String>>,
        brand_name: Option<Option<String>>,
        launch_date: Option<Option<String>>,
    ) -> Result<Self, Violations> {
        let mut found = Vec::new();
        let changes = Self {
            r#type: r#type.and_then(|text| {
                collect(
                    required("type", text).and_then(VehicleType::parse),
                    &mut found,
                )
            }),
            model_code: model_code.and_then(|text| {
                collect(
                    required("modelCode", text).and_then(ModelCode::parse),
                    &mut found,
                )
            }),
            brand_name: brand_name
                .map(|text| text.and_then(|text| collect(BrandName::parse(text), &mut found))),
            launch_date: launch_date
                .map(|text| text.and_then(|text| collect(LaunchDate::parse(&text), &mut found))),
        };
        let found = found
            .into_iter()
            .map(|violation| violation.within(ARGUMENT));
        Violations::none_of(found.collect())?;
        Ok(changes)
    }

    /// The vehicle with the new values; its version is the same.
    pub fn applied_to(&self, vehicle: &Vehicle) -> Vehicle {
        let Self {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = self.clone();
        let mut changed = vehicle.clone();
        if let Some(text) = r#type {
            changed.r#type = text.into();
        }
        if let Some(text) = model_code {
            changed.model_code = text.into();
        }
        if let Some(text) = brand_name {
            changed.brand_name = text.map(String::from);
        }
        if let Some(date) = launch_date {
            changed.launch_date = date.map(LaunchDate::get);
        }
        changed
    }
}

/// The text of a field that cannot be removed.
fn required(field: &'static str, text: Option<String>) -> Result<String, Violations> {
    text.ok_or_else(|| {
        let message = format!("{field} must not be null; omit it to keep its value");
        Violation::new(field, Rule::Required, message).into()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{NewVehicle, VehicleId};
    use super::*;

    fn volvo() -> Vehicle {
        let texts = ["SUV", "XC60", "Volvo", "2017-03-07"].map(str::to_owned);
        let [r#type, model_code, brand_name, launch_date] = texts;
        let vehicle = NewVehicle::parse(r#type, model_code, Some(brand_name), Some(launch_date));
        Vehicle::stored(VehicleId::from_key(7), vehicle.expect("nothing is wrong"))
    }

    #[test]
    fn an_omitted_field_keeps_its_value() {
        let none = VehicleChanges::parse(None, None, None, None).expect("nothing is wrong");
        assert_eq!(none, VehicleChanges::default());
        assert_eq!(none.applied_to(&volvo()), volvo());
    }

    #[test]
    fn null_removes_brand_and_launch_date() {
        let removed = VehicleChanges::parse(None, None, Some(None), Some(None));
        let changed = removed.expect("nothing is wrong").applied_to(&volvo());
        let expected = Vehicle {
            brand_name: None,
            launch_date: None,
            ..volvo()
        };
        assert_eq!(changed, expected);
    }

    #[test]
    fn a_text_replaces_the_value() {
        let text = |text: &str| Some(Some(text.to_owned()));
        let changes =
            VehicleChanges::parse(text("Car"), text("V60 "), text(""), text("2018-02-21"));
        let updated = changes.expect("nothing is wrong").applied_to(&volvo());
        assert_eq!((updated.id, updated.version), (volvo().id, volvo().version));
        assert_eq!(
            (
                updated.r#type.as_str(),
                updated.model_code.as_str(),
                updated.brand_name.as_deref()
            ),
            ("Car", "V60 ", Some(""))
        );
        assert_eq!(updated.formatted_date().as_deref(), Some("2018-02-21"));
    }

    #[test]
    fn reports_every_invalid_field_with_its_path() {
        let text = |text: &str| Some(Some(text.to_owned()));
        let parsed = VehicleChanges::parse(Some(None), text(" "), text("\0"), text("soon"));
        let violations = parsed.expect_err("all are wrong");
        let found: Vec<_> = violations.iter().map(|v| (&*v.argument, v.rule)).collect();
        assert_eq!(
            found,
            [
                ("changes.type", Rule::Required),
                ("changes.modelCode", Rule::NotBlank),
                ("changes.brandName", Rule::NoNul),
                ("changes.launchDate", Rule::DateForm),
            ]
        );
        let message = "changes.type must not be null; omit it to keep its value";
        assert_eq!(violations.as_slice()[0].message, message);
    }
}
