//! What has the fields of a vehicle: the fragment, the inputs, and the arguments of `createVehicle`. The only
//! place of the client that lists them.

use cynic::{MutationBuilder, Operation};
use serde::Serialize;

use crate::schema;

/// A vehicle of the catalogue with all fields.
///
/// It is a fragment: operations of your own can have fields of this type.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// The primary key in decimal.
    pub id: cynic::Id,
    /// The kind of vehicle.
    #[cynic(rename = "type")]
    pub r#type: Option<String>,
    /// The manufacturer's model code.
    pub model_code: Option<String>,
    /// The brand that it is sold under, if known.
    pub brand_name: Option<String>,
    /// The launch date, if known: always `YYYY-MM-DD`, which the date types of `chrono`, `jiff` and `time`
    /// parse, and which sorts as text.
    pub launch_date: Option<String>,
    /// 1 when the vehicle was created, one more after each change.
    pub version: i32,
}

/// A vehicle to be created. The service validates it: see
/// [`ErrorResponse::violations`](crate::ErrorResponse::violations).
///
/// `None` is sent as an omitted value, which the contract does not distinguish from null.
#[derive(cynic::InputObject, Clone, Debug, Default, PartialEq, Eq)]
#[cynic(require_all_fields)]
#[must_use]
pub struct NewVehicle {
    /// The kind of vehicle: 1 to 255 characters, not blank.
    #[cynic(rename = "type")]
    pub r#type: String,
    /// The manufacturer's model code: 1 to 255 characters, not blank.
    pub model_code: String,
    /// The brand that it is sold under, if known: up to 255 characters.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub brand_name: Option<String>,
    /// The launch date, if known: `YYYY-MM-DD`, from 1000-01-01 to 9999-12-31.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub launch_date: Option<String>,
}

impl NewVehicle {
    /// A vehicle without brand and launch date.
    pub fn new(r#type: impl Into<String>, model_code: impl Into<String>) -> Self {
        Self { r#type: r#type.into(), model_code: model_code.into(), ..Self::default() }
    }

    /// Sets the brand.
    pub fn brand_name(self, brand_name: impl Into<String>) -> Self {
        Self { brand_name: Some(brand_name.into()), ..self }
    }

    /// Sets the launch date, `YYYY-MM-DD`.
    pub fn launch_date(self, launch_date: impl Into<String>) -> Self {
        Self { launch_date: Some(launch_date.into()), ..self }
    }
}

#[derive(cynic::QueryVariables)]
pub(crate) struct CreateVehicleVariables {
    #[cynic(rename = "type")]
    r#type: String,
    model_code: String,
    #[cynic(skip_serializing_if = "Option::is_none")]
    brand_name: Option<String>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    launch_date: Option<String>,
}

#[derive(cynic::QueryFragment)]
#[cynic(graphql_type = "Mutation", variables = "CreateVehicleVariables")]
pub(crate) struct CreateVehicle {
    #[arguments(type: $r#type, modelCode: $model_code, brandName: $brand_name, launchDate: $launch_date)]
    pub(crate) create_vehicle: Option<Vehicle>,
}

pub(crate) fn create_vehicle(new_vehicle: NewVehicle) -> Operation<CreateVehicle, CreateVehicleVariables> {
    let NewVehicle { r#type, model_code, brand_name, launch_date } = new_vehicle;
    CreateVehicle::build(CreateVehicleVariables { r#type, model_code, brand_name, launch_date })
}

/// The changes of `updateVehicle`: what is not set keeps its value, and an omitted field differs from null. The
/// service validates it: see [`ErrorResponse::violations`](crate::ErrorResponse::violations).
///
/// ```
/// # use vehicle_catalogue_client::VehicleChanges;
/// let changes = VehicleChanges::new().model_code("XC90").remove_brand_name();
/// ```
#[derive(cynic::InputObject, Clone, Debug, Default, PartialEq, Eq)]
#[cynic(require_all_fields)]
#[must_use]
pub struct VehicleChanges {
    /// The kind of vehicle: 1 to 255 characters, not blank.
    #[cynic(rename = "type", skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The manufacturer's model code: 1 to 255 characters, not blank.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub model_code: Option<String>,
    /// The brand that it is sold under: up to 255 characters.
    #[cynic(skip_serializing_if = "FieldChange::is_keep")]
    pub brand_name: FieldChange,
    /// The launch date: `YYYY-MM-DD`, from 1000-01-01 to 9999-12-31.
    #[cynic(skip_serializing_if = "FieldChange::is_keep")]
    pub launch_date: FieldChange,
}

/// The change of a value that can be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FieldChange {
    /// It keeps its value: the field is omitted.
    #[default]
    Keep,
    /// It has no value any more: the field is null.
    Remove,
    /// It has this value.
    Set(String),
}

impl VehicleChanges {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the kind of vehicle.
    pub fn r#type(self, r#type: impl Into<String>) -> Self {
        Self { r#type: Some(r#type.into()), ..self }
    }

    /// Changes the model code.
    pub fn model_code(self, model_code: impl Into<String>) -> Self {
        Self { model_code: Some(model_code.into()), ..self }
    }

    /// Changes the brand.
    pub fn brand_name(self, brand_name: impl Into<String>) -> Self {
        Self { brand_name: FieldChange::Set(brand_name.into()), ..self }
    }

    /// Removes the brand.
    pub fn remove_brand_name(self) -> Self {
        Self { brand_name: FieldChange::Remove, ..self }
    }

    /// Changes the launch date, `YYYY-MM-DD`.
    pub fn launch_date(self, launch_date: impl Into<String>) -> Self {
        Self { launch_date: FieldChange::Set(launch_date.into()), ..self }
    }

    /// Removes the launch date.
    pub fn remove_launch_date(self) -> Self {
        Self { launch_date: FieldChange::Remove, ..self }
    }
}

impl FieldChange {
    fn is_keep(&self) -> bool {
        *self == Self::Keep
    }
}

impl cynic::schema::IsScalar<String> for FieldChange {
    type SchemaType = String;
}

impl cynic::coercions::CoercesTo<Option<String>> for FieldChange {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_omitted_field_differs_from_null() {
        let all = VehicleChanges::new().r#type("Car").model_code("V60").brand_name("Volvo").launch_date("2018-02-21");
        for (changes, expected) in [
            (VehicleChanges::new(), json!({})),
            (
                VehicleChanges::new().remove_brand_name().remove_launch_date(),
                json!({ "brandName": null, "launchDate": null }),
            ),
            (
                all,
                json!({
                    "type": "Car", "modelCode": "V60", "brandName": "Volvo", "launchDate": "2018-02-21",
                }),
            ),
        ] {
            assert_eq!(serde_json::to_value(changes).unwrap(), expected);
        }
    }
}
