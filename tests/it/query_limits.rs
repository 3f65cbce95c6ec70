//! Limits of a query: cost, expanded fragments, introspection, response size.

use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    a_page_costs_at_least_the_rows_that_it_reads,
    introspection_can_be_turned_off,
    fragments_are_expanded_up_to_the_limits,
    introspection_counts_towards_the_cost_limit,
    the_response_size_is_limited,
    a_mutation_whose_response_may_be_too_large_is_not_executed,
];

async fn a_page_costs_at_least_the_rows_that_it_reads(app: TestApp) {
    let app = app.restart_with(&["--cost-limit=1000"]).await;
    let page = |selection: &str| format!("vehiclesConnection(first: 998) {{ {selection} }}");
    for selection in [
        "pageInfo { hasNextPage }",
        "pageInfo { startCursor }",
        "pageInfo { __typename }",
        "__typename",
        "edges { __typename }",
        "nodes { ... { __typename } }",
    ] {
        let page = page(selection);
        app.query(&format!("{{ {page} }}"), json!({})).await.data();
        let query = format!("{{ {page} other: {page} }}");
        let response = app.query(&query, json!({})).await;
        response.assert_not_executed(&["LIMIT_EXCEEDED"]);
        let limit = &response.error()["extensions"]["limit"]["name"];
        assert_eq!(limit, "cost-limit", "{response}");
    }
    for costly in ["edges { cursor }", "nodes { id }"] {
        let response = app
            .query(&format!("{{ {} }}", page(costly)), json!({}))
            .await;
        response.assert_not_executed(&["LIMIT_EXCEEDED"]);
    }
}

async fn introspection_can_be_turned_off(app: TestApp) {
    let misspelt = "{ vehicle { modelCod } }";
    let suggestion = r#"did you mean "modelCode"?"#;
    let response = app.query(misspelt, json!({})).await;
    let message = &response.errors()[0]["message"];
    assert!(
        message
            .as_str()
            .is_some_and(|text| text.ends_with(suggestion)),
        "{message}"
    );
    let app = app.restart_with(&["--introspection=off"]).await;
    for query in [
        "{ __schema { queryType { name } } }",
        "{ ...F } fragment F on Query { t: __type(name: \"Vehicle\") { name } }",
        "{ vehicles { id } ... { __schema { description } } }",
    ] {
        app.query(query, json!({}))
            .await
            .assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    }
    let response = app
        .query("{ __typename vehicles { __typename } }", json!({}))
        .await;
    assert_eq!(
        response.data(),
        json!({ "__typename": "Query", "vehicles": [] })
    );
    let response = app.query(misspelt, json!({})).await;
    assert!(!response.to_string().contains("modelCode"), "{response}");
    let page = "query ($by: VehicleFilter) { vehiclesConnection(filter: $by) { nodes { id } } }";
    let variables = json!({ "by": { "modelCod": "XC60" } });
    let response = app.query(page, variables).await;
    let message = "$by must not have the field \"modelCod\", VehicleFilter does not have it";
    assert_eq!(response.error()["message"], message, "{response}");
}

/// Queries of less than 2 kB that would be planned with 400,000 fields, and of 10 kB with 1 MB of response keys.
async fn fragments_are_expanded_up_to_the_limits(app: TestApp) {
    let many = |count: usize, field: &str| {
        let fields = (0..count).map(|index| format!("a{index}:{field} "));
        fields.collect::<String>()
    };
    let query = |count: usize, leaf: &str| {
        format!(
            "{{ {} }} fragment A on VehicleConnection {{ {} }} fragment B on VehicleEdge {{ {} }} \
             fragment C on Vehicle {{ {leaf} }}",
            many(count, "vehiclesConnection(first: 0) { ...A }"),
            many(count, "edges { ...B }"),
            many(count, "node { ...C }"),
        )
    };
    let long_key = format!("{}: id", "x".repeat(10_000));
    for (name, query) in [
        ("token-limit", query(25, &many(25, "id"))),
        ("query-limit-bytes", query(5, &long_key)),
    ] {
        let response = app.query(&query, json!({})).await;
        response.assert_not_executed(&["LIMIT_EXCEEDED"]);
        let error = response.error();
        assert_eq!(error["extensions"]["limit"]["name"], name, "{response}");
        let message = format!("the query exceeds {name} with its fragments expanded (");
        let actual = error["message"].as_str();
        assert!(
            actual.is_some_and(|text| text.starts_with(&message)),
            "{response}"
        );
    }
}

/// A query of 900 bytes that selects thousands of fields.
async fn introspection_counts_towards_the_cost_limit(app: TestApp) {
    let mut query = "{__schema{types{...F1}}}".to_owned();
    for level in 1..4 {
        let below = format!("fields{{type{{...F{}}}}}", level + 1);
        let fields: Vec<_> = (0..9).map(|alias| format!("a{alias}:{below}")).collect();
        let fields = fields.join(" ");
        query = format!("{query}fragment F{level} on __Type{{{fields}}}");
    }
    query += "fragment F4 on __Type{name}";
    let app = app.restart_with(&["--cost-limit=5000"]).await;
    let limit = json!({ "name": "cost-limit", "value": 5000, "actual": 5001 });
    let by_get = app.get_request(&[("query", &query)]);
    for response in [
        app.query(&query, json!({})).await,
        app.send("by GET", by_get).await,
    ] {
        response.assert_not_executed(&["LIMIT_EXCEEDED"]);
        assert_eq!(response.error()["extensions"]["limit"], limit, "{response}");
    }
    // The cost of other fields is added.
    let app = app.restart_with(&["--cost-limit=20"]).await;
    let both = |count: u32| {
        format!("{{ __type(name: \"ID\") {{ name }} vehicles(count: {count}) {{ id }} }}")
    };
    app.query(&both(9), json!({})).await.data();
    app.query(&both(10), json!({}))
        .await
        .assert_not_executed(&["LIMIT_EXCEEDED"]);
}

const TEXTS: &str = "type modelCode brandName";

/// Creates vehicles of 750 to 1000 bytes of JSON each.
async fn given_long_vehicles(app: &TestApp, count: usize) {
    for _ in 0..count {
        let text = "x".repeat(255);
        let arguments = json!({ "type": text, "modelCode": text, "brandName": text });
        app.create_vehicle(arguments).await.data();
    }
}

async fn the_response_size_is_limited(app: TestApp) {
    let app = app.restart_with(&["--response-limit-bytes=65536"]).await;
    given_long_vehicles(&app, 20).await;
    let lists = |count: usize| {
        let list = |number| format!("l{number}: vehicles {{ {TEXTS} }} ");
        (0..count).map(list).collect::<String>()
    };
    let fits = app.query(&format!("{{ {} }}", lists(3)), json!({})).await;
    assert_eq!(
        fits.data()["l2"].as_array().map(Vec::len),
        Some(20),
        "{fits}"
    );
    let described = |count: usize| {
        let types = "types { fields { description type { fields { description } } } }";
        let types = (0..count).map(|number| format!("t{number}: {types} "));
        types.collect::<String>()
    };
    let aliases = (0..40).map(|alias| format!("a{alias}: modelCode "));
    let aliases: String = aliases.collect();
    for selections in [
        lists(5),
        format!("vehicles {{ {aliases} }}"),
        format!("__schema {{ {} }} {}", described(6), lists(3)),
        format!("__schema {{ {} }}", described(20)),
    ] {
        let query = format!("{{ {selections} }}");
        let response = app.query(&query, json!({})).await;
        response.assert_not_executed(&["LIMIT_EXCEEDED"]);
        let error = response.error();
        let limit = json!({ "name": "response-limit-bytes", "value": 65_536 });
        assert_eq!(error["extensions"]["limit"], limit, "{response}");
        let message = "the response exceeds response-limit-bytes (65536 bytes); request fewer \
                       items or fields";
        assert_eq!(error["message"], message);
    }
    app.query(&format!("{{ {} }}", lists(3)), json!({}))
        .await
        .data();
}

/// A stored vehicle must not be reported as refused.
async fn a_mutation_whose_response_may_be_too_large_is_not_executed(app: TestApp) {
    let app = app.restart_with(&["--response-limit-bytes=65536"]).await;
    let create = |count: usize| {
        let create = format!("createVehicle(type: \"a\", modelCode: \"b\") {{ {TEXTS} }}");
        let creates: Vec<_> = (0..count)
            .map(|number| format!("c{number}: {create}"))
            .collect();
        format!("mutation {{ {} }}", creates.join(" "))
    };
    let refused = app.query(&create(30), json!({})).await;
    refused.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let limit = &refused.error()["extensions"]["limit"]["name"];
    assert_eq!(limit, "response-limit-bytes", "{refused}");
    let message = "the response could exceed response-limit-bytes (65536 bytes), so the mutation was not executed; \
                   request fewer items or fields";
    assert_eq!(refused.error()["message"], message);
    let create_many = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { KEY: __typename } }";
    let create_many = create_many.replace("KEY", &"x".repeat(1000));
    let vehicle = json!({ "type": "a", "modelCode": "b" });
    let vehicles = |count: usize| json!({ "vehicles": vec![&vehicle; count] });
    let refused = app.query(&create_many, vehicles(100)).await;
    refused.assert_not_executed(&["LIMIT_EXCEEDED"]);
    assert_eq!(app.stored_vehicles().await, 0);
    app.query(&create(10), json!({})).await.data();
    assert_eq!(app.stored_vehicles().await, 10);
}
