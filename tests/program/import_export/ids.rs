//! Ids in imported files.

use serde_json::Value;

use super::fixture::{Fixture, rows, table, without_ids};

testkit::tests![
    exported_vehicles_are_imported_unchanged,
    kept_ids_are_not_generated_again,
    accepts_an_unchanged_vehicle_and_rejects_a_conflicting_one,
    ids_within_a_file_are_compared on Sqlite Postgres Mariadb,
    rejects_an_id_that_leaves_too_few_for_new_vehicles,
];

const FIELDS: [&str; 5] = ["id", "type", "modelCode", "brandName", "launchDate"];

/// Texts with special characters of CSV, JSON, SQL and spreadsheets, null, and the empty string.
fn special_vehicles() -> String {
    let lines = [
        r#"{"id":"3","type":"SUV","modelCode":"XC60","brandName":null,"launchDate":null,"version":7}"#,
        r#"{"id":"7","type":" SUV ","modelCode":",\"';--","brandName":"","launchDate":"1000-01-01"}"#,
        r#"{"id":"8","type":"a\r\nb","modelCode":"\n","brandName":" ","launchDate":"9999-12-31"}"#,
        r#"{"id":"9","type":"=1+1","modelCode":"\\N","brandName":"NULL","launchDate":"2024-02-29"}"#,
        r#"{"id":"4000000000","type":"🚗","modelCode":"é","brandName":"\ufeffé\\\"","launchDate":null}"#,
    ];
    let lines = lines.map(|line| format!("{line}\n")).concat();
    // A model code must not be blank.
    lines.replace(r#""modelCode":"\n""#, r#""modelCode":"\nx""#)
}

fn exported_vehicles_are_imported_unchanged(fixture: &Fixture) {
    fixture.write("first.ndjson", special_vehicles());
    fixture.succeed(&["import", "first.ndjson"]);
    for name in ["second.csv", "second.ndjson"] {
        fixture.succeed(&["export", name]);
        fixture.clear();
        fixture.succeed(&["import", name]);
        let lines = fixture.succeed(&["export", "--format", "ndjson"]).stdout;
        // Without fields that these tests do not set.
        let values = |lines: &str| -> Vec<Vec<Value>> {
            let value = |line| -> Value { serde_json::from_str(line).unwrap() };
            let fields = |value: Value| FIELDS.map(|name| value[name].clone()).to_vec();
            lines.lines().map(|line| fields(value(line))).collect()
        };
        assert_eq!(values(&lines), values(&special_vehicles()), "{name}");
        let again = fixture.exported();
        fixture.clear();
        fixture.write("third.csv", &again);
        fixture.succeed(&["import", "third.csv"]);
        assert_eq!(fixture.exported(), again);
    }
}

fn kept_ids_are_not_generated_again(fixture: &Fixture) {
    fixture.write("low.csv", table(&rows(5..=6)));
    fixture.write("high.csv", table(&rows(900..=900)));
    fixture.write("new.csv", without_ids(1..=2));
    for (file, ids) in [("high.csv", vec![900]), ("low.csv", vec![5, 6, 900]), ("new.csv", vec![5, 6, 900, 901, 902])] {
        fixture.succeed(&["import", file]);
        let exported = fixture.exported();
        let found = exported.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap());
        assert_eq!(found.collect::<Vec<u32>>(), ids);
    }
}

fn accepts_an_unchanged_vehicle_and_rejects_a_conflicting_one(fixture: &Fixture) {
    fixture.write("first.csv", table(&rows(1..=1500)));
    fixture.succeed(&["import", "first.csv"]);
    let output = fixture.succeed(&["import", "first.csv"]);
    let expected = "0 stored, 1500 unchanged, 0 rejected";
    assert!(output.stderr.contains(expected), "{}", output.stderr);

    let changed = rows(1400..=1700).replace("XC1450,", "changed,");
    fixture.write("second.csv", table(&changed));
    let output = fixture.run(&["import", "second.csv"]);
    assert_eq!(output.code, Some(1));
    for expected in [
        "second.csv:52: the vehicle 1450 is stored with other values (modelCode); remove the row, or change the vehicle with updateVehicle",
        "0 stored, 50 unchanged, 1 rejected",
        "line 52 was rejected, see above; the import ended after 50 rows",
    ] {
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
    let output = fixture.run(&["import", "second.csv", "--on-error", "skip"]);
    let expected = "200 stored, 100 unchanged, 1 rejected";
    assert!(output.stderr.contains(expected), "{}", output.stderr);
    assert_eq!(fixture.exported(), table(&rows(1..=1700)));
}

fn ids_within_a_file_are_compared(fixture: &Fixture) {
    let twice = table(&format!("{}{}7,Van,other,,\n", rows(6..=7), rows(7..=7)));
    fixture.write("vehicles.csv", twice);
    let output = fixture.run(&["import", "vehicles.csv", "--on-error", "skip"]);
    for expected in [
        "vehicles.csv:5: the vehicle 7 is stored with other values (type, modelCode, brandName, launchDate); ",
        "2 stored, 1 unchanged, 1 rejected",
    ] {
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
    assert_eq!(fixture.exported(), table(&rows(6..=7)));
}

/// The maximum id of an import, which leaves 2^32 ids above it.
const MAX_ID: u64 = i64::MAX as u64 - (1 << 32);

fn rejects_an_id_that_leaves_too_few_for_new_vehicles(fixture: &Fixture) {
    let too_high = [MAX_ID + 1, i64::MAX as u64].map(|id| rows(id..=id)).concat();
    fixture.write("too_high.csv", table(&too_high));
    fixture.write("high.csv", table(&rows(MAX_ID..=MAX_ID)));
    fixture.write("new.csv", without_ids(1..=1));
    let output = fixture.run(&["import", "too_high.csv", "--on-error", "skip"]);
    assert_eq!(output.code, Some(1));
    for line in [2, 3] {
        let expected = format!("too_high.csv:{line}: id must be an integer from 1 to {MAX_ID}");
        assert!(output.stderr.contains(&expected), "{}", output.stderr);
    }
    assert_eq!(fixture.count(), 0);
    fixture.succeed(&["import", "high.csv"]);
    fixture.succeed(&["import", "new.csv"]);
    let exported = fixture.exported();
    let last = format!("{},SUV,XC1,", MAX_ID + 1);
    assert!(exported.lines().nth(2).unwrap().starts_with(&last), "{exported}");
}
