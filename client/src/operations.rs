//! The operations of the contract as cynic fragments: what is asked, and what is answered.

use cynic::{MutationBuilder, Operation, QueryBuilder};

use crate::schema;

/// A vehicle of the catalogue, with everything that can be asked of it.
///
/// It is a fragment: queries of your own can have fields of this type.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// The number that the database gave it, in decimal.
    pub id: cynic::Id,
    /// What kind of vehicle it is.
    #[cynic(rename = "type")]
    pub r#type: Option<String>,
    /// The manufacturer's code of the model.
    pub model_code: Option<String>,
    /// The brand it is sold under, if any was given.
    pub brand_name: Option<String>,
    /// The day of its launch, if any was given: always `YYYY-MM-DD`, which the date types of `chrono`,
    /// `jiff` and `time` parse, and which sorts as text.
    pub launch_date: Option<String>,
}

/// A vehicle to be created. The service says what breaks a rule: see [`Refused::violations`].
///
/// `None` is sent as an omitted argument. The contract gives an omitted argument and null the same
/// meaning everywhere, so there is no third state.
///
/// [`Refused::violations`]: crate::Refused::violations
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct NewVehicle {
    /// What kind of vehicle it is: 1 to 255 characters, not blank.
    #[cynic(rename = "type")]
    pub r#type: String,
    /// The manufacturer's code of the model: 1 to 255 characters, not blank.
    pub model_code: String,
    /// The brand it is sold under, if any: up to 255 characters.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub brand_name: Option<String>,
    /// The day of its launch, if it is known: `YYYY-MM-DD`, from 1000-01-01 to 9999-12-31.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub launch_date: Option<String>,
}

impl NewVehicle {
    /// A vehicle without a brand and a launch date.
    pub fn new(r#type: impl Into<String>, model_code: impl Into<String>) -> Self {
        Self {
            r#type: r#type.into(),
            model_code: model_code.into(),
            brand_name: None,
            launch_date: None,
        }
    }

    /// The same with the brand it is sold under.
    #[must_use]
    pub fn brand_name(mut self, brand_name: impl Into<String>) -> Self {
        self.brand_name = Some(brand_name.into());
        self
    }

    /// The same with the day of its launch, `YYYY-MM-DD`.
    #[must_use]
    pub fn launch_date(mut self, launch_date: impl Into<String>) -> Self {
        self.launch_date = Some(launch_date.into());
        self
    }
}

/// The mutation `createVehicle`.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Mutation", variables = "NewVehicle")]
pub struct CreateVehicle {
    /// The vehicle as it was stored.
    #[arguments(type: $r#type, modelCode: $model_code, brandName: $brand_name, launchDate: $launch_date)]
    pub create_vehicle: Option<Vehicle>,
}

/// The variables of the query for one vehicle.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct FindVehicleVariables {
    /// The id of the vehicle.
    pub id: cynic::Id,
}

/// The query for one vehicle.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Query", variables = "FindVehicleVariables")]
pub struct FindVehicle {
    /// The vehicle, if there is one with this id.
    #[arguments(id: $id)]
    pub vehicle: Option<Vehicle>,
}

/// The variables of the query for a list of vehicles.
#[derive(cynic::QueryVariables, Clone, Debug, PartialEq, Eq)]
pub struct ListVehiclesVariables {
    /// How many vehicles to answer at most; up to the limit of the server if there is none.
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub count: Option<i32>,
}

/// The query for a list of vehicles.
#[derive(cynic::QueryFragment, Clone, Debug, PartialEq, Eq)]
#[cynic(graphql_type = "Query", variables = "ListVehiclesVariables")]
pub struct ListVehicles {
    /// The vehicles in ascending order of their ids.
    #[arguments(count: $count)]
    pub vehicles: Option<Vec<Option<Vehicle>>>,
}

/// Asks for a vehicle to be created.
pub fn create_vehicle(new_vehicle: NewVehicle) -> Operation<CreateVehicle, NewVehicle> {
    CreateVehicle::build(new_vehicle)
}

/// Asks for one vehicle.
pub fn vehicle(id: impl Into<cynic::Id>) -> Operation<FindVehicle, FindVehicleVariables> {
    FindVehicle::build(FindVehicleVariables { id: id.into() })
}

/// Asks for at most `count` vehicles, or for as many as the server answers at once.
pub fn vehicles(count: Option<i32>) -> Operation<ListVehicles, ListVehiclesVariables> {
    ListVehicles::build(ListVehiclesVariables { count })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operations_have_a_name_and_ask_for_everything() {
        let fields = "id type modelCode brandName launchDate";
        let create = create_vehicle(NewVehicle::new("SUV", "XC60"));
        for (name, text, head) in [
            (
                create.operation_name,
                create.query,
                "mutation CreateVehicle(",
            ),
            (
                vehicle("1").operation_name,
                vehicle("1").query,
                "query FindVehicle($id: ID!) {",
            ),
            (
                vehicles(None).operation_name,
                vehicles(None).query,
                "query ListVehicles($count: Int) {",
            ),
        ] {
            assert!(text.starts_with(head), "{text}");
            assert!(head.contains(&*name.expect("it has a name")), "{text}");
            let words: Vec<_> = text.split_whitespace().collect();
            assert!(words.join(" ").contains(fields), "{text}");
        }
    }

    #[test]
    fn what_is_not_given_is_omitted() {
        let variables = create_vehicle(NewVehicle::new("SUV", "XC60")).variables;
        let json = serde_json::to_value(variables).unwrap();
        assert_eq!(json, json!({ "type": "SUV", "modelCode": "XC60" }));
        let json = serde_json::to_value(vehicles(None).variables).unwrap();
        assert_eq!(json, json!({}));
    }
}
