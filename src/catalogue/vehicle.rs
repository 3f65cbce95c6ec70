//! A vehicle: stored, new, and changed. The only place of the catalogue that lists its fields.

use std::borrow::Cow;

use chrono::NaiveDate;

use super::launch_date::{LaunchDate, date_text};
use super::text::{BrandName, ModelCode, VehicleType};
use super::vehicle_id::VehicleId;
use super::violation::{Rule, Violation, Violations, collect};

/// The argument of `updateVehicle` with the new values.
const CHANGES: &str = "changes";

/// A stored vehicle. Its fields are plain values: stored data is not validated again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// The id that the database generated.
    pub id: VehicleId,
    /// What kind of vehicle it is.
    pub r#type: String,
    /// The manufacturer's code of the model.
    pub model_code: String,
    /// The brand it is sold under, if any was given.
    pub brand_name: Option<String>,
    /// The day of its launch, if any was given.
    pub launch_date: Option<NaiveDate>,
    /// [`FIRST_VERSION`] after its creation, one more after each change.
    pub version: i32,
}

/// The version of a vehicle that was never changed.
pub const FIRST_VERSION: i32 = 1;

impl Vehicle {
    /// The vehicle of `new_vehicle` after it was stored with this id.
    pub fn stored(id: VehicleId, new_vehicle: NewVehicle) -> Self {
        let NewVehicle {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = new_vehicle;
        Self {
            id,
            r#type: r#type.into(),
            model_code: model_code.into(),
            brand_name: brand_name.map(String::from),
            launch_date: launch_date.map(LaunchDate::get),
            version: FIRST_VERSION,
        }
    }

    /// Whether it has the content of `new_vehicle`.
    pub fn has_content_of(&self, new_vehicle: &NewVehicle) -> bool {
        let stored = Self::stored(self.id, new_vehicle.clone());
        *self
            == Self {
                version: self.version,
                ..stored
            }
    }
}

/// A vehicle without its id, which the database generates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewVehicle {
    /// What kind of vehicle it is.
    pub r#type: VehicleType,
    /// The manufacturer's code of the model.
    pub model_code: ModelCode,
    /// The brand it is sold under, if any was given.
    pub brand_name: Option<BrandName>,
    /// The day of its launch, if any was given.
    pub launch_date: Option<LaunchDate>,
}

/// The arguments of `createVehicle`, not validated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewVehicleArguments {
    /// What kind of vehicle it is; required.
    pub r#type: Option<String>,
    /// The manufacturer's code of the model; required.
    pub model_code: Option<String>,
    /// The brand it is sold under.
    pub brand_name: Option<String>,
    /// The day of its launch.
    pub launch_date: Option<String>,
}

impl NewVehicle {
    /// Parses the arguments of `createVehicle`, or returns all violations in argument order.
    pub fn parse(arguments: NewVehicleArguments) -> Result<Self, Violations> {
        let NewVehicleArguments {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = arguments;
        let mut found = Vec::new();
        let given = |argument, text: Option<String>| {
            text.ok_or_else(|| Violations::from(Violation::required(argument)))
        };
        let r#type = given("type", r#type).and_then(VehicleType::parse);
        let r#type = collect(r#type, &mut found);
        let model_code = given("modelCode", model_code).and_then(ModelCode::parse);
        let model_code = collect(model_code, &mut found);
        let brand_name = brand_name.and_then(|text| collect(BrandName::parse(text), &mut found));
        let launch_date =
            launch_date.and_then(|text| collect(LaunchDate::parse(&text), &mut found));
        Violations::none_of(found)?;
        let no_violation = "a missing value has left a violation";
        Ok(Self {
            r#type: r#type.expect(no_violation),
            model_code: model_code.expect(no_violation),
            brand_name,
            launch_date,
        })
    }

    /// The arguments that this vehicle was parsed from, with their names: those that were given.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, Cow<'_, str>)> {
        let Self {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = self;
        let date = launch_date.map(|date| Cow::Owned(date_text(date.get())));
        let arguments = [
            ("type", Some(r#type.as_str().into())),
            ("modelCode", Some(model_code.as_str().into())),
            (
                "brandName",
                brand_name.as_ref().map(|text| text.as_str().into()),
            ),
            ("launchDate", date),
        ];
        let arguments = arguments.into_iter();
        arguments.filter_map(|(name, text)| Some((name, text?)))
    }
}

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

/// The fields of the argument `changes`, not validated: each is omitted (`None`), null (`Some(None)`) or a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VehicleChangesArguments {
    /// What kind of vehicle it is; must not be null.
    pub r#type: Option<Option<String>>,
    /// The manufacturer's code of the model; must not be null.
    pub model_code: Option<Option<String>>,
    /// The brand it is sold under.
    pub brand_name: Option<Option<String>>,
    /// The day of its launch.
    pub launch_date: Option<Option<String>>,
}

impl VehicleChanges {
    /// Parses the fields of the argument `changes`, or returns all violations in the order of the fields.
    pub fn parse(arguments: VehicleChangesArguments) -> Result<Self, Violations> {
        let VehicleChangesArguments {
            r#type,
            model_code,
            brand_name,
            launch_date,
        } = arguments;
        let r#type = r#type.map(|text| VehicleType::parse(required("type", text)?));
        let model_code = model_code.map(|text| ModelCode::parse(required("modelCode", text)?));
        let mut found = Vec::new();
        let changes = Self {
            r#type: r#type.and_then(|parsed| collect(parsed, &mut found)),
            model_code: model_code.and_then(|parsed| collect(parsed, &mut found)),
            brand_name: brand_name.map(|text| collect(BrandName::parse(text?), &mut found)),
            launch_date: launch_date.map(|text| collect(LaunchDate::parse(&text?), &mut found)),
        };
        Violations::none_of(found).map_err(|violations| violations.within(CHANGES))?;
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
mod tests;
