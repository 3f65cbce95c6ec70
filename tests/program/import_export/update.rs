//! Imports that update stored vehicles.

use super::fixture::{Fixture, rows, table, table_row};

testkit::tests![
    updates_stored_vehicles_and_lists_the_changes,
    what_the_file_does_not_have_is_unchanged,
    a_new_vehicle_requires_type_and_model_code,
    every_row_has_its_own_changes,
    an_export_updates_nothing,
    rejects_a_row_whose_vehicle_has_another_version,
    a_rejected_row_leaves_an_all_or_nothing_import_without_effect,
    versions_are_exported_and_imported,
    refuses_to_update_without_a_database,
];

/// A vehicle with a brand and a launch date, and its update.
const BEFORE: &str = "id,type,modelCode,brandName,launchDate\n2,SUV,XC2,Brand 2,2017-03-07\n";
const AFTER: &str = "id,type,modelCode,brandName,launchDate\n2,SUV,XC2,Volvo,\n";

fn updates_stored_vehicles_and_lists_the_changes(fixture: &Fixture) {
    fixture.write("first.csv", table(&rows(1..=3)));
    fixture.succeed(&["import", "first.csv"]);
    fixture.write(
        "second.csv",
        format!("{AFTER}3,SUV,XC3,Brand 3,2017-03-07\n4,SUV,XC4,,\n"),
    );
    for (line, summary) in [
        (
            "second.csv:2: updated 2 to version 2: brandName, launchDate",
            "1 stored, 1 updated, 1 unchanged, 0 rejected",
        ),
        ("", "0 stored, 0 updated, 3 unchanged, 0 rejected"),
    ] {
        let output = fixture.succeed(&["import", "second.csv", "--update"]);
        assert!(output.stderr.contains(line), "{}", output.stderr);
        assert!(output.stderr.contains(summary), "{}", output.stderr);
        let expected = [
            table(&rows(1..=1)),
            table_row("2,SUV,XC2,Volvo,", "2"),
            table_row("3,SUV,XC3,Brand 3,2017-03-07", "1"),
            table_row("4,SUV,XC4,,", "1"),
        ];
        assert_eq!(fixture.exported(), expected.concat());
    }
}

fn what_the_file_does_not_have_is_unchanged(fixture: &Fixture) {
    fixture.write("stored.csv", table(&rows(1..=4)));
    fixture.succeed(&["import", "stored.csv"]);
    let steps = [
        (
            "columns.csv",
            "id,type,modelCode\n1,SUV,XC1\n2,Car,XC2\n",
            "columns.csv:3: updated 2 to version 2: type\n",
            [
                "2,Car,XC2,Brand 2,2017-03-07",
                "3,SUV,XC3,Brand 3,2017-03-07",
            ],
            ["2", "1"],
        ),
        (
            "brands.csv",
            "brandName,version,id\n,2,2\n\"\",,3\n",
            "brands.csv:2: updated 2 to version 3: brandName\nbrands.csv:3: updated 3 to version 2: brandName\n",
            ["2,Car,XC2,,2017-03-07", "3,SUV,XC3,\"\",2017-03-07"],
            ["3", "2"],
        ),
        (
            "keys.ndjson",
            "{\"id\":1}\n{\"id\":2,\"brandName\":\"Volvo\"}\n{\"id\":3,\"launchDate\":null,\"version\":2}\n",
            "keys.ndjson:2: updated 2 to version 4: brandName\nkeys.ndjson:3: updated 3 to version 3: launchDate\n",
            ["2,Car,XC2,Volvo,2017-03-07", "3,SUV,XC3,\"\","],
            ["4", "3"],
        ),
    ];
    for (name, file, changes, [second, third], [of_second, of_third]) in steps {
        fixture.write(name, file);
        let output = fixture.succeed(&["import", name, "--update"]);
        assert!(output.stderr.starts_with(changes), "{}", output.stderr);
        let expected = [
            table(&rows(1..=1)),
            table_row(second, of_second),
            table_row(third, of_third),
            table_row("4,SUV,XC4,Brand 4,2017-03-07", "1"),
        ];
        assert_eq!(fixture.exported(), expected.concat(), "{name}");
    }
}

fn a_new_vehicle_requires_type_and_model_code(fixture: &Fixture) {
    fixture.write("before.csv", BEFORE);
    fixture.succeed(&["import", "before.csv"]);
    let stored = fixture.exported();
    fixture.write("brands.csv", "id,brandName\n2,Volvo\n7,Volvo\n2,Saab\n");
    let update = ["import", "brands.csv", "--update"];
    let message = "brands.csv:3: no vehicle with this id is stored, and for a new one type is required; \
                   modelCode is required\n";
    for (flags, summary, expected) in [
        (
            &["--all-or-nothing"][..],
            "rows: 0 stored, 0 updated, 0 unchanged, 1 rejected",
            &stored,
        ),
        (
            &["--on-error", "skip"],
            "rows: 0 stored, 2 updated, 0 unchanged, 1 rejected",
            &table("").replace(
                '\n',
                &format!("\n{}", table_row("2,SUV,XC2,Saab,2017-03-07", "3")),
            ),
        ),
    ] {
        let output = fixture.run(&[&update, flags].concat());
        assert_eq!(output.code, Some(1));
        for part in [message, summary] {
            assert!(output.stderr.contains(part), "{}", output.stderr);
        }
        assert_eq!(&fixture.exported(), expected);
    }
    fixture.write("none.csv", "brandName\nVolvo\n");
    let output = fixture.run(&["import", "none.csv", "--update"]);
    let expected = "missing type; missing modelCode; allowed are ";
    assert!(output.stderr.contains(expected), "{}", output.stderr);
    let new = "id,type,modelCode,launchDate\n8,SUV,XC8,2020-01-01\n";
    fixture.write("new.csv", new);
    fixture.succeed(&["import", "new.csv", "--update"]);
    let added = table_row("8,SUV,XC8,,2020-01-01", "1");
    assert!(fixture.exported().ends_with(&added));
}

fn every_row_has_its_own_changes(fixture: &Fixture) {
    fixture.write("stored.csv", table(&rows(1..=1234)));
    fixture.succeed(&["import", "stored.csv"]);
    let mut file = String::new();
    let mut expected = table("");
    for id in 1..=1234 {
        let (line, values, version) = match id % 4 {
            0 => (
                format!("{{\"id\":{id}}}"),
                format!("{id},SUV,XC{id},Brand {id},2017-03-07"),
                "1",
            ),
            1 => (
                format!("{{\"id\":{id},\"brandName\":null,\"type\":\"Car {id}\"}}"),
                format!("{id},Car {id},XC{id},,2017-03-07"),
                "2",
            ),
            2 => (
                format!("{{\"id\":{id},\"launchDate\":null}}"),
                format!("{id},SUV,XC{id},Brand {id},"),
                "2",
            ),
            // Twice.
            _ => (
                format!(
                    "{{\"id\":{id},\"modelCode\":\"V{id}\",\"launchDate\":null}}\n\
                     {{\"id\":{id},\"brandName\":\"\",\"launchDate\":\"2020-02-{}\"}}",
                    id % 20 + 10
                ),
                format!("{id},SUV,V{id},\"\",2020-02-{}", id % 20 + 10),
                "3",
            ),
        };
        file.push_str(&line);
        file.push('\n');
        expected += &table_row(&values, version);
    }
    fixture.write("changes.ndjson", file);
    let output = fixture.succeed(&["import", "changes.ndjson", "--update"]);
    let summary = "rows: 0 stored, 1234 updated, 308 unchanged, 0 rejected";
    assert!(output.stderr.contains(summary), "{}", output.stderr);
    assert_eq!(fixture.exported(), expected);
}

fn an_export_updates_nothing(fixture: &Fixture) {
    let file = table("1,SUV,XC1,,\n2,SUV,XC2,\"\",2017-03-07\n3,SUV,\"a,\"\"b\"\"\",Volvo,\n");
    fixture.write("vehicles.csv", &file);
    fixture.succeed(&["import", "vehicles.csv"]);
    for name in ["export.csv", "export.ndjson"] {
        fixture.succeed(&["export", name]);
        let output = fixture.succeed(&["import", name, "--update"]);
        let summary = "rows: 0 stored, 0 updated, 3 unchanged, 0 rejected";
        assert!(output.stderr.starts_with(summary), "{}", output.stderr);
        assert_eq!(fixture.exported(), file);
    }
}

fn rejects_a_row_whose_vehicle_has_another_version(fixture: &Fixture) {
    for (name, text) in [("before.csv", BEFORE), ("after.csv", AFTER)] {
        fixture.write(name, text);
    }
    fixture.succeed(&["import", "before.csv"]);
    let stale = fixture.exported().replace("XC2", "XC90");
    fixture.write("stale.csv", stale + &table_row("5,SUV,XC5,,", ""));
    fixture.succeed(&["import", "after.csv", "--update"]);
    let stored = fixture.exported();
    let output = fixture.run(&["import", "stale.csv", "--update"]);
    assert_eq!(output.code, Some(1));
    let message = "stale.csv:2: the stored vehicle has version 2; export it again";
    assert!(output.stderr.contains(message), "{}", output.stderr);
    assert_eq!(fixture.exported(), stored);
    let skip = ["import", "stale.csv", "--update", "--on-error", "skip"];
    let output = fixture.run(&skip);
    let summary = "1 stored, 0 updated, 0 unchanged, 1 rejected";
    assert!(output.stderr.contains(summary), "{}", output.stderr);
    assert_eq!(fixture.exported(), stored + &table_row("5,SUV,XC5,,", "1"));
}

fn a_rejected_row_leaves_an_all_or_nothing_import_without_effect(fixture: &Fixture) {
    fixture.write("before.csv", BEFORE);
    fixture.succeed(&["import", "before.csv"]);
    let stored = fixture.exported();
    fixture.write("after.csv", format!("{AFTER}7,,XC7,,\n"));
    let flags = ["--update", "--all-or-nothing", "--batch-rows", "1"];
    let output = fixture.run(&[&["import", "after.csv"][..], &flags].concat());
    assert_eq!(output.code, Some(1));
    let summary = "0 stored, 0 updated, 0 unchanged, 1 rejected";
    assert!(output.stderr.contains(summary), "{}", output.stderr);
    assert_eq!(fixture.exported(), stored);
}

fn versions_are_exported_and_imported(fixture: &Fixture) {
    for (name, text) in [("before.csv", BEFORE), ("after.csv", AFTER)] {
        fixture.write(name, text);
        fixture.succeed(&["import", name, "--update"]);
    }
    let exported = fixture.exported();
    let updated = table_row("2,SUV,XC2,Volvo,", "2");
    assert!(exported.ends_with(&updated), "{exported}");
    let lines = fixture.succeed(&["export", "--format", "ndjson"]).stdout;
    assert!(lines.ends_with(",\"version\":2}\n"), "{lines}");
    for (name, text) in [("copy.csv", &exported), ("copy.ndjson", &lines)] {
        fixture.clear();
        fixture.write(name, text);
        fixture.succeed(&["import", name]);
        assert_eq!(fixture.exported(), exported);
    }
    fixture.succeed(&["import", "copy.csv", "--ids", "new"]);
    let copy = table_row("3,SUV,XC2,Volvo,", "1");
    assert_eq!(fixture.exported(), exported + &copy);
}

fn refuses_to_update_without_a_database(fixture: &Fixture) {
    fixture.write("before.csv", BEFORE);
    let output = fixture.run(&["import", "before.csv", "--update", "--dry-run"]);
    assert_eq!(output.code, Some(2), "{}", output.stderr);
    assert!(output.stderr.contains("--dry-run"), "{}", output.stderr);
}
