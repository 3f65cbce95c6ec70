//! A vehicle that is not stored yet.

use super::launch_date::LaunchDate;
use super::text::{BrandName, ModelCode, VehicleType};
use super::violation::{Violation, Violations};

/// Everything about a vehicle but its id, which the database makes.
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

impl NewVehicle {
    /// Takes the arguments of `createVehicle`, or says everything that is wrong with them, in their order.
    pub fn parse(
        r#type: String,
        model_code: String,
        brand_name: Option<String>,
        launch_date: Option<String>,
    ) -> Result<Self, Violations> {
        let mut found = Vec::new();
        let r#type = keep(VehicleType::parse(r#type), &mut found);
        let model_code = keep(ModelCode::parse(model_code), &mut found);
        let brand_name = brand_name.map(|text| keep(BrandName::parse(text), &mut found));
        let launch_date = launch_date.map(|text| keep(LaunchDate::parse(&text), &mut found));
        Violations::none_of(found)?;
        let sound = "a part that is missing has left a violation";
        Ok(Self {
            r#type: r#type.expect(sound),
            model_code: model_code.expect(sound),
            brand_name: brand_name.map(|part| part.expect(sound)),
            launch_date: launch_date.map(|part| part.expect(sound)),
        })
    }
}

/// The part, or nothing and its violations added to those `found`.
fn keep<T, E>(parsed: Result<T, E>, found: &mut Vec<Violation>) -> Option<T>
where
    E: Into<Violations>,
{
    match parsed {
        Ok(part) => Some(part),
        Err(violations) => {
            found.extend(violations.into());
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::violation::Rule;
    use super::*;

    fn parse(texts: [&str; 4]) -> Result<NewVehicle, Violations> {
        let [r#type, model_code, brand_name, launch_date] = texts.map(str::to_owned);
        NewVehicle::parse(r#type, model_code, Some(brand_name), Some(launch_date))
    }

    #[test]
    fn sound_arguments_are_kept_as_given() {
        let vehicle = parse(["SUV", "XC60 ", "", "2017-03-07"]).expect("nothing is wrong");
        assert_eq!(vehicle.r#type.as_str(), "SUV");
        assert_eq!(vehicle.model_code.as_str(), "XC60 ");
        assert_eq!(vehicle.brand_name.map(String::from).as_deref(), Some(""));
        assert_eq!(
            vehicle
                .launch_date
                .map(|date| date.get().to_string())
                .as_deref(),
            Some("2017-03-07")
        );
    }

    #[test]
    fn brand_and_launch_date_may_be_absent() {
        let vehicle = NewVehicle::parse("SUV".to_owned(), "XC60".to_owned(), None, None)
            .expect("nothing is wrong");
        assert_eq!((vehicle.brand_name, vehicle.launch_date), (None, None));
    }

    #[test]
    fn every_broken_argument_is_reported_in_argument_order() {
        let long = "x".repeat(256);
        let violations = parse([" ", &long, "\0", "07.03.2017"]).expect_err("all are wrong");
        let found: Vec<_> = violations
            .into_iter()
            .map(|v| (v.argument, v.rule))
            .collect();
        assert_eq!(
            found,
            [
                ("type", Rule::NotBlank),
                ("modelCode", Rule::MaxLength),
                ("brandName", Rule::NoNul),
                ("launchDate", Rule::DateForm),
            ]
        );
    }
}
