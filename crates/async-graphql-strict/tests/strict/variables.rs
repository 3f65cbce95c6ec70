//! Coerced and refused values of variables.

use async_graphql_strict::Settings;
use serde_json::{Value, json};

use crate::support::{answer, data, error_code, refused, strict, with_variables};

#[tokio::test]
async fn a_value_is_coerced_to_the_type_of_its_variable() {
    let strict = strict(Settings::default());
    for (field, ty, value, expected) in [
        ("id", "ID", json!("a"), json!("a")),
        ("id", "ID", json!(7), json!("7")),
        ("id", "ID", json!(1.0), json!("1")),
        ("id", "ID", json!(u64::MAX), json!("18446744073709551615")),
        ("id", "ID", json!(9_007_199_254_740_991.0), json!("9007199254740991")),
        ("id", "ID", Value::Null, Value::Null),
        ("ids", "[[ID]]", json!(7), json!([["7"]])),
        ("ids", "[[ID]]", json!([[1, null], null]), json!([["1", null], null])),
        ("int", "Int", json!(-0.0), json!(0)),
        ("int", "Int", json!(-2_147_483_648.0), json!(i32::MIN)),
        ("required", "Int!", json!(3), json!(3)),
        ("float", "Float", json!(3), json!(3.0)),
        ("float", "Float", json!(1e30), json!(1e30)),
        ("kind", "Kind", json!("PAPER"), json!("PAPER")),
    ] {
        let query = format!("query ($v: {ty}) {{ {field}(v: $v) }}");
        let found = data(&strict, with_variables(&query, json!({ "v": value }))).await;
        assert_eq!(found[field], expected, "{query} {value}");
    }
    let some = json!({ "id": 1.0, "count": 3.0, "ids": 2 });
    let found = data(&strict, with_variables("query ($v: Details) { some(v: $v) }", json!({ "v": some }))).await;
    let expected =
        r#"Some(Details { id: Some(ID("1")), ids: Some([ID("2")]), count: Some(3), share: None, inner: None })"#;
    assert_eq!(found["some"], expected);
    let one = with_variables("query ($v: [One!]) { one(v: $v) }", json!({ "v": { "a": 1.0 } }));
    assert_eq!(data(&strict, one).await["one"], "Some([A(1)])");
}

/// Fields, types, values, and messages without the name of the variable.
const REFUSED: &str = r#"id|ID|1.5| must be of the type ID, it is 1.5
    id|ID|true| must be of the type ID, it is true
    id|ID|9007199254740992.0| must be of the type ID, it is 9007199254740992.0
    int|Int|2147483648| must be of the type Int, it is 2147483648
    int|Int|-0.5| must be of the type Int, it is -0.5
    int|Int|"1"| must be of the type Int, it is "1"
    float|Float|[1, {"a": null}]| must be of the type Float, it is [1,{"a":null}]
    required|Int!|null| must not be null, its type is Int!
    ids|[[ID!]]|[[1], [2, null]]|[1][1] must not be null, its type is ID!
    some|Details|{"ids": ["1", 1.5]}|.ids[1] must be of the type ID, it is 1.5
    some|Details|{"inner": {"coun": 1}}|.inner must not have the field "coun", Details does not have it; did you mean "count"?
    some|Details|"\u001bé"| must be of the type Details, it is "\u001bé"
    string|String|7| must be of the type String, it is 7
    kind|Kind|7| must be of the type Kind, it is 7
    kind|Kind|"PAPE"| must be of the type Kind, it is "PAPE"; did you mean "PAPER"?
    one|[One!]|[{"a": null}]|[0] must have exactly one field, which is not null
    one|[One!]|{"a": 1, "b": ""}| must have exactly one field, which is not null"#;

#[tokio::test]
async fn a_message_names_the_path_the_value_and_the_type() {
    let strict = strict(Settings::default());
    for case in REFUSED.lines() {
        let parts: Vec<_> = case.trim_start().split('|').collect();
        let [field, ty, value, message] = parts[..] else { panic!("{case}") };
        let value: Value = serde_json::from_str(value).expect("it is JSON");
        let query = format!("query ($v: {ty}) {{ {field}(v: $v) }}");
        let answer = answer(&strict, with_variables(&query, json!({ "v": value }))).await;
        assert_eq!(answer["errors"][0]["message"], format!("$v{message}"), "{case}");
        assert_eq!(error_code(&answer), "BAD_USER_INPUT", "{case}");
        assert_eq!(answer.get("data"), None, "{case}");
    }
    let long = "Z".repeat(1 << 16);
    let request = with_variables("query ($v: Int) { int(v: $v) }", json!({ "v": long }));
    assert!(refused(&strict, request).await.chars().count() < 120);
    let message = refused(&strict, "query ($v: Int!) { int(v: $v) }").await;
    assert_eq!(message, "$v must be given, its type is Int!");
}

#[tokio::test]
async fn names_of_the_contract_are_not_told_where_introspection_is_off() {
    let strict = strict(Settings { introspection: false, ..Settings::default() });
    let request = with_variables("query ($v: Details) { some(v: $v) }", json!({ "v": { "coun": 1 } }));
    let message = "$v must not have the field \"coun\", Details does not have it";
    assert_eq!(refused(&strict, request).await, message);
    let message = refused(&strict, "{ boks { id } }").await;
    assert_eq!(message, "type \"Query\" does not have a field \"boks\"");
}

#[tokio::test]
async fn undeclared_variables_are_ignored() {
    let request = with_variables("query ($v: Int = 4) { int(v: $v) }", json!({ "w": {} }));
    let data = data(&strict(Settings::default()), request).await;
    assert_eq!(data, json!({ "int": 4 }));
}

/// Validation permits a nullable variable with a default value, which the request can set to null.
#[tokio::test]
async fn a_condition_that_is_null_is_refused() {
    let strict = strict(Settings::default());
    for (selections, of, column) in
        [("int @skip(if: $n)", "skip", 44), ("book(id: 1) { id ... @include(if: $n) { title } }", "include", 64)]
    {
        let query = format!("query ($n: Boolean = true) {{ {selections} }}");
        let answer = answer(&strict, with_variables(&query, json!({ "n": null }))).await;
        let error = json!({
            "message": format!("$n must not be null, the argument \"if\" of @{of} is Boolean!"),
            "locations": [{ "line": 1, "column": column }],
            "extensions": { "code": "BAD_USER_INPUT" },
        });
        assert_eq!(answer, json!({ "errors": [error] }));
    }
}
