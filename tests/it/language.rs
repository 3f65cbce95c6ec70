//! Document syntax of the September 2025 specification: ignored tokens, descriptions, line terminators,
//! literals.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, manifest, tests};

tests![
    commas_are_accepted_wherever_the_specification_allows_them,
    commas_and_descriptions_do_not_shift_error_locations,
    operations_fragments_and_variables_may_be_described,
    only_lf_cr_and_crlf_are_line_terminators,
    string_escapes_cover_all_of_unicode,
    the_introspection_schema_is_that_of_september_2025,
    a_syntax_error_names_the_character_that_is_missing,
];

async fn assert_message(app: &TestApp, document: &str, expected: &str) {
    let response = app.query(document, json!({})).await;
    assert_eq!(response.error()["message"], expected, "{response}");
}

async fn a_syntax_error_names_the_character_that_is_missing(app: TestApp) {
    for (document, expected) in [
        (
            "{ vehicles { id }",
            "syntax error: expected \"}\", found the end of the document",
        ),
        (
            "{ vehicles(count: 1 { id } }",
            "syntax error: expected \")\", found {",
        ),
        (
            "query ($ids: [ID { __typename }",
            "syntax error: expected \"]\", found {",
        ),
        ("", "syntax error: the document is empty"),
    ] {
        assert_message(&app, document, expected).await;
    }
}

async fn commas_are_accepted_wherever_the_specification_allows_them(app: TestApp) {
    app.given_three_vehicles().await;
    let variables = json!({ "id": 2 });
    for document in [
        "query,Q,(,$id,:,ID,=,1,),{,v,:,vehicle,(,id,:,$id,),{,id,...,F,},},fragment,F,on,Vehicle,{,type,},",
        "query Q($id:,ID){v:,vehicle(id,:$id){id...,F}}fragment F on Vehicle{type}",
        "query Q($id: ID) { v: vehicle(id: $id) { id ...,on,Vehicle { type } } } # , \"",
        "\"a, b\", query Q(\"\"\"c, d\"\"\",$id: ID) { v: vehicle(id: $id) { id, type } }",
    ] {
        let response = app.query(document, variables.clone()).await;
        let expected = json!({ "v": { "id": "2", "type": "SUV" } });
        assert_eq!(response.data(), expected, "{response}");
    }
    let create = "mutation { createVehicle(type:, \"a, b\", modelCode:, \"\"\"c, d\"\"\") { type modelCode } }";
    let response = app.query(create, json!({})).await;
    let expected = json!({ "createVehicle": { "type": "a, b", "modelCode": "c, d" } });
    assert_eq!(response.data(), expected, "{response}");
}

#[track_caller]
fn assert_location(response: &Response, line: usize, column: usize) {
    let expected = json!([{ "line": line, "column": column }]);
    assert_eq!(response.error()["locations"], expected, "{response}");
}

async fn commas_and_descriptions_do_not_shift_error_locations(app: TestApp) {
    for (document, line, column) in [
        ("{,,wheels }", 1, 4),
        ("\"é\" query,{ wheels }", 1, 13),
        ("\"\"\"\né\r\n\"\"\" query { wheels }", 3, 13),
        (
            "query ($a: ID,, = \"é\", \"ü\" $b: ID) { vehicle(id: $a) { id } x: vehicle(id: $b) { id } wheels }",
            1,
            87,
        ),
        // Errors of a resolver …
        ("\"é\" { a: vehicle, }", 1, 1),
        ("\"é\" query { a:, vehicle { id } }", 1, 17),
        // … and of the parser.
        ("\"é\", query,, { a( }", 1, 19),
    ] {
        let response = app.query(document, json!({})).await;
        assert_location(&response, line, column);
    }
}

const DESCRIBED: &str = "\"\"\"
Looks up \\\"\"\" a vehicle.
\"\"\"
query Q(
  \"Which one.\"
  $id: ID = \"1\" \"\"\"Whether.\"\"\" $yes: Boolean! = true
) { vehicle(id: $id) { ...F @include(if: $yes) } }
\"What is shown.\" fragment F on Vehicle { id }
\"Another one.\" mutation M { __typename }";

async fn operations_fragments_and_variables_may_be_described(app: TestApp) {
    app.given_three_vehicles().await;
    for (operation, expected) in [
        ("Q", json!({ "vehicle": { "id": "1" } })),
        ("M", json!({ "__typename": "Mutation" })),
    ] {
        // The second response uses the cached document.
        for _ in 0..2 {
            let body = json!({ "query": DESCRIBED, "operationName": operation });
            assert_eq!(app.post(body.to_string()).await.data(), expected);
        }
    }
    // Trusted documents may have descriptions, too.
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("manifest.json");
    let documents = manifest(&[("described", DESCRIBED)]);
    std::fs::write(&file, documents).expect("it can be written");
    let flag = format!("--trusted-documents={}", file.display());
    let app = app
        .restart_with(&[&flag, "--trusted-documents-mode=enforce"])
        .await;
    let body = json!({ "documentId": "described", "operationName": "Q" });
    let response = app.post(body.to_string()).await;
    assert_eq!(
        response.data(),
        json!({ "vehicle": { "id": "1" } }),
        "{response}"
    );
}

async fn only_lf_cr_and_crlf_are_line_terminators(app: TestApp) {
    let others = "\u{b}\u{c}\u{85}\u{2028}\u{2029}";
    for (document, line, column) in [
        (format!("# {others}\n{{ wheels }}"), 2, 3),
        (format!("# {others}\r\n{{ wheels }}"), 2, 3),
        (format!("# {others}\r# {others}\r{{ wheels }}"), 3, 3),
        (
            format!("{{ a: vehicle(id: \"{others}\") {{ id }} wheels }}"),
            1,
            34,
        ),
        // Errors of the parser and of a resolver.
        (format!("# {others}\n{{ é: 1"), 2, 3),
        (format!("# {others}\n{{ vehicle {{ id }} }}"), 2, 3),
    ] {
        let response = app.query(&document, json!({})).await;
        assert_location(&response, line, column);
    }
}

async fn string_escapes_cover_all_of_unicode(app: TestApp) {
    let create = |text: &str| {
        format!("mutation {{ createVehicle(type: \"{text}\", modelCode: \"x\") {{ type }} }}")
    };
    for escaped in ["\\u{1F697}", "\\u{01f697}", "\\uD83D\\uDE97", "🚗"] {
        let response = app.query(&create(escaped), json!({})).await;
        assert_eq!(response.data()["createVehicle"]["type"], "🚗", "{response}");
    }
    for wrong in [
        "\\u{110000}",
        "\\u{D83D}",
        "\\uD83D",
        "\\uDE97",
        "\\u{}",
        "\\u{12",
        "\\x",
    ] {
        let response = app.query(&create(wrong), json!({})).await;
        response.assert_not_executed(&["GRAPHQL_PARSE_FAILED"]);
    }
}

async fn the_introspection_schema_is_that_of_september_2025(app: TestApp) {
    let document = "{
        type: __type(name: \"__Type\") { isOneOf fields { name args { name type { kind } } } }
        __schema { directives { name args { name type { kind } } } }
        vehicle: __type(name: \"Vehicle\") { kind one: isOneOf ... { isOneOf } }
    }";
    let data = app.query(document, json!({})).await.data();
    let named = |list: &Value, name: &str| {
        let items = list.as_array().expect("it is a list");
        let item = items.iter().find(|item| item["name"] == name);
        item.unwrap_or_else(|| panic!("there is no {name} in {list}"))
            .clone()
    };
    named(&data["type"]["fields"], "isOneOf");
    for field in ["fields", "enumValues", "inputFields"] {
        let argument = named(
            &named(&data["type"]["fields"], field)["args"],
            "includeDeprecated",
        );
        assert_eq!(argument["type"]["kind"], "NON_NULL", "{field}");
    }
    let directives = &data["__schema"]["directives"];
    for directive in ["skip", "include", "deprecated", "specifiedBy", "oneOf"] {
        named(directives, directive);
    }
    let reason = named(&named(directives, "deprecated")["args"], "reason");
    assert_eq!(reason["type"]["kind"], "NON_NULL");
    let expected = json!({ "kind": "OBJECT", "one": null, "isOneOf": null });
    assert_eq!(data["vehicle"], expected);
    let null = "{ __type(name: \"Vehicle\") { fields(includeDeprecated: null) { name } } }";
    app.query(null, json!({})).await.assert_refused();
}
