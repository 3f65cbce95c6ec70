//! Variables: defaults, required values, type mismatches, coercion of ids.

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![
    a_variable_has_its_default_only_when_omitted,
    a_required_variable_must_be_declared_and_given,
    a_variable_of_the_wrong_type_inside_of_an_argument_is_refused,
    an_error_names_the_path_within_a_variable,
    a_json_number_with_an_empty_fractional_part_is_an_integer,
    accepts_an_integer_of_64_bits_as_an_id,
    a_long_integer_is_refused_where_a_short_one_is,
    a_null_variable_is_refused_where_null_is_not_allowed,
];

const BY_ID: &str = "query ($id: ID) { vehicle(id: $id) { modelCode } }";

async fn a_variable_has_its_default_only_when_omitted(app: TestApp) {
    app.given_three_vehicles().await;
    let document = "query ($count: Int = 1) { vehicles(count: $count) { id } }";
    for (variables, expected) in [
        (json!({}), 1),
        (json!({ "count": 2 }), 2),
        (json!({ "count": 0 }), 0),
        // Null overrides the default.
        (json!({ "count": null }), 3),
    ] {
        let response = app.query(document, variables).await;
        let vehicles = response.data()["vehicles"].as_array().map(Vec::len);
        assert_eq!(vehicles, Some(expected), "{response}");
    }
}

const NEEDS_ID: &str = "query ($id: ID!) { vehicle(id: $id) { modelCode } }";

async fn a_required_variable_must_be_declared_and_given(app: TestApp) {
    let of_a_directive = "query ($yes: Boolean!) { vehicle(id: 1) { modelCode @skip(if: $yes) } }";
    for (document, variables) in [
        (NEEDS_ID, json!({})),
        (NEEDS_ID, Value::Null),
        (NEEDS_ID, json!({ "ID": 1 })),
        (NEEDS_ID, json!({ "id": null })),
        ("{ vehicle(id: $id) { id } }", json!({ "id": 1 })),
        (of_a_directive, json!({})),
    ] {
        app.query(document, variables).await.assert_refused();
    }
}

/// The mutations before the wrong value are not executed either.
async fn a_variable_of_the_wrong_type_inside_of_an_argument_is_refused(app: TestApp) {
    let page = "query (VARIABLE) { vehiclesConnection(filter: { type: $v }) { nodes { id } } }";
    let create = "mutation (VARIABLE) { createVehicle(type: \"a\", modelCode: \"b\") { id }
        createVehicles(vehicles: [{ type: $v, modelCode: \"c\" }]) { id } }";
    for (document, variable, message) in [
        (
            page,
            "$v: [String!]",
            "the variable \"$v\" of the type [String!] cannot be used where String is expected",
        ),
        (
            create,
            "$v: String",
            "the variable \"$v\" of the type String cannot be used where String! is expected",
        ),
        (
            create,
            "$v: String = null",
            "the variable \"$v\" of the type String cannot be used where String! is expected",
        ),
    ] {
        let document = document.replace("VARIABLE", variable);
        let response = app.query(&document, json!({ "v": null })).await;
        response.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
        assert_eq!(response.error()["message"], message, "{response}");
        assert!(
            response.error()["locations"][0]["line"].is_u64(),
            "{response}"
        );
    }
    let allowed = page.replace("VARIABLE", "$v: String");
    app.query(&allowed, json!({ "v": null })).await.data();
    let repeated = "{ vehiclesConnection(filter: { type: \"a\", type: \"b\" }) { nodes { id } } }";
    let response = app.query(repeated, json!({})).await;
    response.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    let message = "the field \"type\" is given more than once";
    assert_eq!(response.error()["message"], message, "{response}");
    assert_eq!(app.stored_vehicles().await, 0);
}

async fn an_error_names_the_path_within_a_variable(app: TestApp) {
    let create =
        "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { id } }";
    let page = "query ($filter: VehicleFilter, $orderBy: VehicleOrder! = ID_ASC, $first: Int) {
        vehiclesConnection(filter: $filter, orderBy: $orderBy, first: $first) { nodes { id } } }";
    let new = json!({ "type": "SUV", "modelCode": "XC60" });
    for (document, variables, message) in [
        (
            create,
            json!({ "vehicles": [new, new, new, { "type": "SUV", "modelCode": 60 }] }),
            "$vehicles[3].modelCode must be of the type String, it is 60",
        ),
        (
            create,
            json!({ "vehicles": [new, { "type": "SUV", "modelCode": null }] }),
            "$vehicles[1].modelCode must not be null, its type is String!",
        ),
        (
            create,
            json!({ "vehicles": { "type": "SUV" } }),
            "$vehicles.modelCode must be given, its type is String!",
        ),
        (
            create,
            json!({ "vehicles": [new, { "type": "SUV", "modelCode": "XC60", "wingspan": "red" }] }),
            "$vehicles[1] must not have the field \"wingspan\", NewVehicle does not have it",
        ),
        (
            create,
            json!({ "vehicles": [new, null] }),
            "$vehicles[1] must not be null, its type is NewVehicle!",
        ),
        (
            create,
            json!({ "vehicles": [[1]] }),
            "$vehicles[0] must be of the type NewVehicle, it is [1]",
        ),
        (
            create,
            json!({}),
            "$vehicles must be given, its type is [NewVehicle!]!",
        ),
        (
            page,
            json!({ "filter": { "brandName": true } }),
            "$filter.brandName must be of the type String, it is true",
        ),
        (
            page,
            json!({ "filter": {}, "orderBy": "NAME" }),
            "$orderBy must be of the type VehicleOrder, it is \"NAME\"",
        ),
        (
            page,
            json!({ "orderBy": "LAUNCH_DATE_ACS" }),
            "$orderBy must be of the type VehicleOrder, it is \"LAUNCH_DATE_ACS\"; did you mean \"LAUNCH_DATE_ASC\"?",
        ),
        (
            page,
            json!({ "filter": { "brandNam": "Volvo" } }),
            "$filter must not have the field \"brandNam\", VehicleFilter does not have it; did you mean \"brandName\"?",
        ),
        (
            page,
            json!({ "first": 2_147_483_648_u32 }),
            "$first must be of the type Int, it is 2147483648",
        ),
    ] {
        let response = app.query(document, variables).await;
        response.assert_not_executed(&["BAD_USER_INPUT"]);
        assert_eq!(response.error()["message"], message, "{response}");
    }
    assert_eq!(app.stored_vehicles().await, 0);
}

/// GraphQL specification, section 3.5. The bodies are strings, because `serde_json` would normalize the numbers.
async fn a_json_number_with_an_empty_fractional_part_is_an_integer(app: TestApp) {
    app.given_three_vehicles().await;
    let by_count = "query ($id: Int) { vehicles(count: $id) { id } }";
    let first = json!({ "vehicle": { "modelCode": "XC40" } });
    let one = json!({ "vehicles": [{ "id": "1" }] });
    for (document, expected) in [(BY_ID, first), (by_count, one)] {
        for (number, is_integer) in [
            ("1.0", true),
            ("1e0", true),
            ("1E0", true),
            ("10e-1", true),
            ("0.1e1", true),
            ("1.5", false),
            ("15e-1", false),
        ] {
            let variables = format!("{{\"id\": {number}}}");
            let body = format!("{{\"query\": \"{document}\", \"variables\": {variables}}}");
            let parameters = [("query", document), ("variables", variables.as_str())];
            for response in [
                app.post(body).await,
                app.send(&variables, app.get_request(&parameters)).await,
            ] {
                if is_integer {
                    assert_eq!(response.data(), expected, "{number}: {response}");
                } else {
                    response.assert_not_executed(&["BAD_USER_INPUT"]);
                }
            }
            // In a document it is a float.
            for document in [
                format!("{{ vehicle(id: {number}) {{ id }} }}"),
                format!("{{ vehicles(count: {number}) {{ id }} }}"),
                format!("query ($id: ID = {number}) {{ vehicle(id: $id) {{ id }} }}"),
            ] {
                app.query(&document, json!({})).await.assert_refused();
            }
        }
    }
}

async fn a_long_integer_is_refused_where_a_short_one_is(app: TestApp) {
    let create = "mutation ($v: String!) { createVehicle(type: $v, modelCode: \"a\") { id } }";
    let list = "query ($v: Int) { vehicles(count: $v) { id } }";
    let page = "query ($v: VehicleOrder) { vehiclesConnection(orderBy: $v) { nodes { id } } }";
    for (document, ty) in [(create, "String"), (list, "Int"), (page, "VehicleOrder")] {
        for number in ["9".repeat(11), "9".repeat(19)] {
            let body = format!("{{\"query\": {document:?}, \"variables\": {{\"v\": {number}}}}}");
            let response = app.post(body).await;
            response.assert_not_executed(&["BAD_USER_INPUT"]);
            let message = format!("$v must be of the type {ty}, it is {number}");
            assert_eq!(response.error()["message"], message, "{response}");
        }
    }
    assert_eq!(app.stored_vehicles().await, 0);
}

/// Validation permits a nullable variable with a default value where null is not allowed.
async fn a_null_variable_is_refused_where_null_is_not_allowed(app: TestApp) {
    let create =
        "mutation ($v: String = \"a\") { createVehicle(type: $v, modelCode: \"a\") { id } }";
    let response = app.query(create, json!({ "v": null })).await;
    assert_eq!(response.error_code(), "BAD_USER_INPUT", "{response}");
    assert_eq!(
        response.error()["message"],
        "Expected input type \"String\", found null.",
        "{response}"
    );
    assert_eq!(
        response.error()["path"],
        json!(["createVehicle"]),
        "{response}"
    );
    assert_eq!(app.stored_vehicles().await, 0);
}

async fn accepts_an_integer_of_64_bits_as_an_id(app: TestApp) {
    app.given_three_vehicles().await;
    let nothing = json!({ "vehicle": null });
    let (long, longest) = ("9".repeat(30), "9".repeat(400));
    for (id, expected) in [
        ("2", Some(json!({ "vehicle": { "modelCode": "XC60" } }))),
        ("-0", Some(nothing.clone())),
        ("18446744073709551615", Some(nothing.clone())),
        // Others are rounded where JSON is read.
        ("18446744073709551616", None),
        ("-9223372036854775809", None),
        (&long, None),
        (&longest, None),
    ] {
        let variables = format!("{{\"id\": {id}}}");
        let body = format!("{{\"query\": \"{BY_ID}\", \"variables\": {variables}}}");
        let parameters = [("query", BY_ID), ("variables", variables.as_str())];
        for response in [
            app.post(body).await,
            app.send(&variables, app.get_request(&parameters)).await,
        ] {
            match &expected {
                Some(expected) => assert_eq!(response.data(), *expected, "{id}"),
                None => assert!(!response.errors().is_empty(), "{id}: {response}"),
            }
        }
        let document = format!("{{ vehicle(id: {id}) {{ modelCode }} }}");
        let in_document = app.query(&document, json!({})).await.data();
        assert_eq!(in_document, expected.unwrap_or(nothing.clone()), "{id}");
    }
}
