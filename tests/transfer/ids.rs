//! Vehicles that keep their ids.

use crate::{
    cases,
    fixture::{Fixture, HEADER, rows, without_ids},
};

cases![
    what_was_exported_imports_back_identical,
    ids_that_are_kept_are_not_made_again,
    new_ids_are_made_on_demand,
    a_vehicle_that_is_there_counts_as_stored_and_another_one_is_refused,
    ids_within_a_file_are_compared,
];

/// Texts that CSV, JSON, SQL and spreadsheets read as something else, null, and the empty text.
fn nasty() -> String {
    let lines = [
        r#"{"id":"3","type":"SUV","modelCode":"XC60","brandName":null,"launchDate":null}"#,
        r#"{"id":"7","type":" SUV ","modelCode":",\"';--","brandName":"","launchDate":"1000-01-01"}"#,
        r#"{"id":"8","type":"a\r\nb","modelCode":"\n","brandName":" ","launchDate":"9999-12-31"}"#,
        r#"{"id":"9","type":"=1+1","modelCode":"\\N","brandName":"NULL","launchDate":"2024-02-29"}"#,
        r#"{"id":"4000000000","type":"🚗","modelCode":"é","brandName":"\ufeffé\\\"","launchDate":null}"#,
    ];
    let lines = lines.map(|line| format!("{line}\n")).concat();
    // Blank text is no model code.
    lines.replace(r#""modelCode":"\n""#, r#""modelCode":"\nx""#)
}

fn what_was_exported_imports_back_identical(fixture: &Fixture) {
    fixture.write("first.ndjson", nasty());
    fixture.succeed(&["import", "first.ndjson"]);
    for name in ["second.csv", "second.ndjson"] {
        fixture.succeed(&["export", name]);
        fixture.clear();
        fixture.succeed(&["import", name]);
        let lines = fixture.succeed(&["export", "--format", "ndjson"]).stdout;
        let values = |lines: &str| -> Vec<serde_json::Value> {
            let lines = lines.lines();
            lines
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        };
        assert_eq!(values(&lines), values(&nasty()), "{name}");
        let again = fixture.exported();
        fixture.clear();
        fixture.write("third.csv", &again);
        fixture.succeed(&["import", "third.csv", "--batch-rows", "1"]);
        assert_eq!(fixture.exported(), again);
    }
}

fn ids_that_are_kept_are_not_made_again(fixture: &Fixture) {
    fixture.write("low.csv", format!("{HEADER}{}", rows(5..=6)));
    fixture.write("high.csv", format!("{HEADER}{}", rows(900..=900)));
    fixture.write("new.csv", without_ids(1..=2));
    for (file, ids) in [
        ("high.csv", vec![900]),
        ("low.csv", vec![5, 6, 900]),
        ("new.csv", vec![5, 6, 900, 901, 902]),
    ] {
        fixture.succeed(&["import", file]);
        let exported = fixture.exported();
        let found = exported
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().parse().unwrap());
        assert_eq!(found.collect::<Vec<u32>>(), ids);
    }
}

fn new_ids_are_made_on_demand(fixture: &Fixture) {
    fixture.write("vehicles.csv", format!("{HEADER}{}", rows(5..=6)));
    fixture.succeed(&["import", "vehicles.csv", "--ids", "new"]);
    fixture.succeed(&["import", "vehicles.csv", "--ids", "new"]);
    let codes = ["1,SUV,XC5", "2,SUV,XC6", "3,SUV,XC5", "4,SUV,XC6"];
    let exported = fixture.exported();
    for (line, start) in exported.lines().skip(1).zip(codes) {
        assert!(line.starts_with(start), "{exported}");
    }
    assert_eq!(fixture.count(), 4);
}

fn a_vehicle_that_is_there_counts_as_stored_and_another_one_is_refused(fixture: &Fixture) {
    fixture.write("first.csv", format!("{HEADER}{}", rows(1..=1500)));
    fixture.succeed(&["import", "first.csv"]);
    let ended = fixture.succeed(&["import", "first.csv"]);
    let said = "0 stored, 1500 were there already, 0 refused";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);

    let changed = rows(1400..=1700).replace("XC1450,", "changed,");
    fixture.write("second.csv", format!("{HEADER}{changed}"));
    let ended = fixture.run(&["import", "second.csv"]);
    assert_eq!(ended.code, Some(1));
    for said in [
        "second.csv:52: id must not be that of another vehicle, and one is stored under it",
        "0 stored, 50 were there already, 1 refused",
        "line 52 cannot be stored, see above; go on with --skip-rows 50",
    ] {
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    let ended = fixture.run(&["import", "second.csv", "--on-error", "skip"]);
    let said = "200 stored, 100 were there already, 1 refused";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert_eq!(fixture.exported(), format!("{HEADER}{}", rows(1..=1700)));
}

fn ids_within_a_file_are_compared(fixture: &Fixture) {
    let twice = format!("{HEADER}{}{}7,Van,other,,\n", rows(6..=7), rows(7..=7));
    fixture.write("vehicles.csv", twice);
    let ended = fixture.run(&["import", "vehicles.csv", "--on-error", "skip"]);
    for said in [
        "vehicles.csv:5: id must not be",
        "2 stored, 1 were there already, 1 refused",
    ] {
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
    assert_eq!(fixture.exported(), format!("{HEADER}{}", rows(6..=7)));
}
