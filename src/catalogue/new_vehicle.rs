//! A vehicle that is not stored yet.

use super::launch_date::LaunchDate;
use super::text::{BrandName, ModelCode, VehicleType};
use super::violation::{Rule, Violation, Violations, collect};

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

impl NewVehicle {
    /// Parses the arguments of `createVehicle`, or returns all violations in argument order.
    pub fn parse(
        r#type: String,
        model_code: String,
        brand_name: Option<String>,
        launch_date: Option<String>,
    ) -> Result<Self, Violations> {
        let mut found = Vec::new();
        let r#type = collect(VehicleType::parse(r#type), &mut found);
        let model_code = collect(ModelCode::parse(model_code), &mut found);
        let brand_name = brand_name.map(|text| collect(BrandName::parse(text), &mut found));
        let launch_date = launch_date.map(|text| collect(LaunchDate::parse(&text), &mut found));
        Violations::none_of(found)?;
        let no_violation = "a missing value has left a violation";
        Ok(Self {
            r#type: r#type.expect(no_violation),
            model_code: model_code.expect(no_violation),
            brand_name: brand_name.map(|part| part.expect(no_violation)),
            launch_date: launch_date.map(|part| part.expect(no_violation)),
        })
    }
}

/// The minimum number of vehicles that are created together.
pub const MIN_ITEMS: usize = 1;

/// The items of an argument, each parsed, or all violations of all items in order. There must be [`MIN_ITEMS`] to
/// `limit`.
pub fn all_of<T>(
    argument: &'static str,
    parsed: Vec<Result<T, Violations>>,
    limit: u32,
) -> Result<Vec<T>, Violations> {
    let count = parsed.len();
    if !(MIN_ITEMS..=limit as usize).contains(&count) {
        let message = format!("{argument} must have {MIN_ITEMS} to {limit} items, it has {count}");
        return Err(Violation::new(argument, Rule::Range, message).into());
    }
    let mut found = Vec::new();
    let mut items = Vec::with_capacity(count);
    for (index, parsed) in parsed.into_iter().enumerate() {
        match parsed {
            Ok(item) => items.push(item),
            Err(violations) => {
                let prefix = format!("{argument}[{index}]");
                found.extend(violations.into_iter().map(|broken| broken.within(&prefix)));
            }
        }
    }
    Violations::none_of(found)?;
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: [&str; 4]) -> Result<NewVehicle, Violations> {
        let [r#type, model_code, brand_name, launch_date] = texts.map(str::to_owned);
        NewVehicle::parse(r#type, model_code, Some(brand_name), Some(launch_date))
    }

    #[test]
    fn keeps_valid_arguments_unchanged() {
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
    fn reports_every_invalid_argument_in_argument_order() {
        let long = "x".repeat(256);
        let violations = parse([" ", &long, "\0", "07.03.2017"]).expect_err("all are wrong");
        let found: Vec<_> = violations
            .into_iter()
            .map(|v| (v.argument, v.rule))
            .collect();
        assert_eq!(
            found,
            [
                ("type".into(), Rule::NotBlank),
                ("modelCode".into(), Rule::MaxLength),
                ("brandName".into(), Rule::NoNul),
                ("launchDate".into(), Rule::DateForm),
            ]
        );
    }

    #[test]
    fn reports_the_violations_of_every_item_with_its_index() {
        let items = || {
            vec![
                parse(["SUV", "XC60", "Volvo", "2017-03-07"]),
                parse(["", "XC60", "Volvo", "2017-02-29"]),
                parse(["SUV", " ", "Volvo", "2017-03-07"]),
            ]
        };
        let violations = all_of("vehicles", items(), 3).expect_err("two are wrong");
        let found: Vec<_> = violations.iter().map(|v| (&*v.argument, v.rule)).collect();
        assert_eq!(
            found,
            [
                ("vehicles[1].type", Rule::NotBlank),
                ("vehicles[1].launchDate", Rule::DateExists),
                ("vehicles[2].modelCode", Rule::NotBlank),
            ]
        );
        assert_eq!(
            violations.to_string(),
            "vehicles[1].type must not be blank, it is empty; vehicles[1].launchDate must be a \
             calendar date; vehicles[2].modelCode must not be blank, it contains only white space"
        );
        let violations = all_of("vehicles", items(), 2).expect_err("there are three");
        assert_eq!(
            violations.to_string(),
            "vehicles must have 1 to 2 items, it has 3"
        );
    }
}
