//! Tests of vehicles: stored, new, and changed.

use super::super::all_of;
use super::*;

fn texts(texts: [&str; 4]) -> NewVehicleArguments {
    let [r#type, model_code, brand_name, launch_date] = texts.map(|text| Some(text.to_owned()));
    NewVehicleArguments {
        r#type,
        model_code,
        brand_name,
        launch_date,
    }
}

fn parse(arguments: [&str; 4]) -> Result<NewVehicle, Violations> {
    NewVehicle::parse(texts(arguments))
}

fn launched(date: Option<&str>) -> Vehicle {
    let arguments = NewVehicleArguments {
        launch_date: date.map(str::to_owned),
        ..texts(["SUV", "XC60", "Volvo", ""])
    };
    let new_vehicle = NewVehicle::parse(arguments).expect("nothing is wrong");
    Vehicle::stored(VehicleId::from_key(7), new_vehicle)
}

fn volvo() -> Vehicle {
    launched(Some("2017-03-07"))
}

#[test]
fn a_stored_vehicle_has_the_content_it_was_created_with() {
    let vehicle = launched(None);
    assert_eq!(vehicle.id.get(), 7);
    assert_eq!(
        (vehicle.r#type.as_str(), vehicle.model_code.as_str()),
        ("SUV", "XC60")
    );
    assert_eq!(vehicle.brand_name.as_deref(), Some("Volvo"));
}

#[test]
fn keeps_valid_arguments_unchanged() {
    let vehicle = parse(["SUV", "XC60 ", "", "2017-03-07"]).expect("nothing is wrong");
    let given: Vec<_> = vehicle.given().collect();
    let expected = [
        ("type", "SUV"),
        ("modelCode", "XC60 "),
        ("brandName", ""),
        ("launchDate", "2017-03-07"),
    ];
    assert_eq!(given, expected.map(|(name, text)| (name, text.into())));
}

#[test]
fn brand_and_launch_date_may_be_absent() {
    let arguments = NewVehicleArguments {
        brand_name: None,
        launch_date: None,
        ..texts(["SUV", "XC60", "", ""])
    };
    let vehicle = NewVehicle::parse(arguments).expect("nothing is wrong");
    assert_eq!((&vehicle.brand_name, vehicle.launch_date), (&None, None));
    let given: Vec<_> = vehicle.given().map(|(name, _)| name).collect();
    assert_eq!(given, ["type", "modelCode"]);
}

#[test]
fn type_and_model_code_are_required() {
    let violations = NewVehicle::parse(NewVehicleArguments::default());
    let violations = violations.expect_err("both are missing");
    assert_eq!(
        violations.to_string(),
        "type is required; modelCode is required"
    );
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
    let found: Vec<_> = violations
        .as_slice()
        .iter()
        .map(|v| (&*v.argument, v.rule))
        .collect();
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

/// A field of the changes with a text.
#[expect(
    clippy::option_option,
    clippy::unnecessary_wraps,
    reason = "a field can be omitted or null"
)]
fn set(text: &str) -> Option<Option<String>> {
    Some(Some(text.to_owned()))
}

#[test]
fn an_omitted_field_keeps_its_value() {
    let none = VehicleChanges::parse(VehicleChangesArguments::default());
    let none = none.expect("nothing is wrong");
    assert_eq!(none, VehicleChanges::default());
    assert_eq!(none.applied_to(&volvo()), volvo());
}

#[test]
fn null_removes_brand_and_launch_date() {
    let removed = VehicleChanges::parse(VehicleChangesArguments {
        brand_name: Some(None),
        launch_date: Some(None),
        ..VehicleChangesArguments::default()
    });
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
    let changes = VehicleChanges::parse(VehicleChangesArguments {
        r#type: set("Car"),
        model_code: set("V60 "),
        brand_name: set(""),
        launch_date: set("2018-02-21"),
    });
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
    assert_eq!(updated.launch_date, NaiveDate::from_ymd_opt(2018, 2, 21));
}

#[test]
fn reports_every_invalid_field_with_its_path() {
    let parsed = VehicleChanges::parse(VehicleChangesArguments {
        r#type: Some(None),
        model_code: set(" "),
        brand_name: set("\0"),
        launch_date: set("soon"),
    });
    let violations = parsed.expect_err("all are wrong");
    let found: Vec<_> = violations
        .as_slice()
        .iter()
        .map(|v| (&*v.argument, v.rule))
        .collect();
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
