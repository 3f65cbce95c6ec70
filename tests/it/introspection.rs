//! Introspection: the queries of tools. `async-graphql-strict` tests its results.

use serde_json::{Value, json};

use crate::support::{TestApp, tests};

tests![introspection_queries_of_tools_are_executed,];

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
