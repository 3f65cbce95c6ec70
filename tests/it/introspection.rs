//! Introspection: the queries of tools. `async-graphql-strict` tests its results.

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![introspection_queries_of_tools_are_executed, the_introspection_schema_is_that_of_september_2025,];

/// The introspection query of graphql-js, which GraphiQL, Apollo's tools and code generators also send.
const OF_TOOLS: &str = "query IntrospectionQuery { __schema {
    description queryType { name kind } mutationType { name kind } subscriptionType { name kind }
    types { ...FullType }
    directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } } } }
fragment FullType on __Type { kind name description specifiedByURL
    fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue }
        type { ...TypeRef } isDeprecated deprecationReason }
    inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue {
    name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType {
    kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }";

async fn introspection_queries_of_tools_are_executed(app: TestApp) {
    // A short list limit lowers the cost limit.
    let app = app.restart_with(&["--list-limit=1"]).await;
    for query in [OF_TOOLS, graphql_sdl::INTROSPECTION] {
        let response = app.query(query, json!({})).await;
        let types = response.data()["__schema"]["types"].clone();
        let types = types.as_array().expect("types are a list");
        let vehicle = types.iter().find(|ty| ty["name"] == "Vehicle");
        let fields = vehicle.map(|vehicle| &vehicle["fields"]);
        let fields = fields.and_then(Value::as_array).map_or(0, Vec::len);
        assert!(fields >= 5, "{response}");
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
        item.unwrap_or_else(|| panic!("there is no {name} in {list}")).clone()
    };
    let fields = &data["type"]["fields"];
    named(fields, "isOneOf");
    for field in ["fields", "enumValues", "inputFields"] {
        let argument = named(&named(fields, field)["args"], "includeDeprecated");
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
    app.query(null, json!({})).await.assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
}
