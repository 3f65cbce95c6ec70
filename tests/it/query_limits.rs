//! Requests that ask for too much.

use serde_json::json;

use crate::support::{TestApp, tests};

tests![
    every_limit_of_a_query_is_told_with_its_values,
    limits_can_be_logged_without_being_enforced,
    a_costly_query_is_refused_before_it_is_executed,
    introspection_can_be_turned_off,
    fragments_in_fragments_are_answered_at_once,
    what_is_refused_is_refused_without_harm,
];

async fn every_limit_of_a_query_is_told_with_its_values(app: TestApp) {
    let app = app
        .restart_with(&[
            "--query-limit-bytes=200",
            "--token-limit=60",
            "--depth-limit=2",
            "--alias-limit=1",
            "--root-field-limit=2",
            "--directive-limit=1",
            "--fragment-limit=1",
            "--introspection-depth-limit=2",
            "--cost-limit=50",
        ])
        .await;
    for (name, limit, actual, query) in [
        (
            "query-limit-bytes",
            200,
            214,
            format!("{{ __typename }}#{}", "x".repeat(199)),
        ),
        ("token-limit", 60, 61, format!("{{ {} }}", "a ".repeat(80))),
        (
            "depth-limit",
            2,
            3,
            "{ vehicles { a { b { c } } } }".to_owned(),
        ),
        (
            "alias-limit",
            1,
            2,
            "{ a: __typename b: __typename }".to_owned(),
        ),
        (
            "root-field-limit",
            2,
            3,
            "{ __typename __typename __typename }".to_owned(),
        ),
        (
            "directive-limit",
            1,
            2,
            "{ __typename @skip(if: true) @include(if: true) }".to_owned(),
        ),
        (
            "fragment-limit",
            1,
            2,
            "{ ... { __typename } ... { __typename } }".to_owned(),
        ),
        (
            "introspection-depth-limit",
            2,
            3,
            "{ __schema { types { fields { name } } } }".to_owned(),
        ),
        (
            "cost-limit",
            50,
            60,
            "{ vehicles(count: 20) { id type } }".to_owned(),
        ),
    ] {
        let answer = app.ask(&query, json!({})).await;
        answer.assert_not_executed(&["LIMIT_EXCEEDED"]);
        let error = answer.error();
        let told = json!({ "name": name, "value": limit, "actual": actual });
        assert_eq!(error["extensions"]["limit"], told, "{answer}");
        let message = format!("{name} is {limit} at this server, the query has {actual}");
        assert_eq!(error["message"], message, "{answer}");
    }
}

async fn limits_can_be_logged_without_being_enforced(app: TestApp) {
    let app = app
        .restart_with(&["--alias-limit=0", "--cost-limit=1", "--limits=log"])
        .await;
    let answer = app.ask("{ a: vehicles { id } }", json!({})).await;
    assert_eq!(answer.data(), json!({ "a": [] }));
}

async fn a_costly_query_is_refused_before_it_is_executed(app: TestApp) {
    let lists: Vec<String> = (0..50)
        .map(|number| format!("l{number}: vehicles {{ id type }}"))
        .collect();
    let answer = app
        .ask(&format!("{{ {} }}", lists.join(" ")), json!({}))
        .await;
    answer.assert_not_executed(&["LIMIT_EXCEEDED"]);
    let counted = "query ($count: Int) { a: vehicles(count: $count) { id } b: vehicles(count: $count) { id } }";
    let answer = app.ask(counted, json!({ "count": 10 })).await;
    assert_eq!(answer.data(), json!({ "a": [], "b": [] }));
}

async fn introspection_can_be_turned_off(app: TestApp) {
    let app = app.restart_with(&["--introspection=off"]).await;
    for query in [
        "{ __schema { queryType { name } } }",
        "{ ...F } fragment F on Query { t: __type(name: \"Vehicle\") { name } }",
        "{ vehicles { id } ... { __schema { description } } }",
    ] {
        app.ask(query, json!({}))
            .await
            .assert_not_executed(&["GRAPHQL_VALIDATION_FAILED"]);
    }
    let answer = app
        .ask("{ __typename vehicles { __typename } }", json!({}))
        .await;
    assert_eq!(
        answer.data(),
        json!({ "__typename": "Query", "vehicles": [] })
    );
    let misspelt = app.ask("{ vehicle { modelCod } }", json!({})).await;
    assert!(
        !misspelt.to_string().contains("modelCode"),
        "it gives a hint: {misspelt}"
    );
}

/// Written out, this one has 2^60 selections, which cost nothing each.
async fn fragments_in_fragments_are_answered_at_once(app: TestApp) {
    let fragments = (0..60).map(|number| {
        let next = number + 1;
        format!("fragment F{number} on Vehicle {{ ...F{next} ...F{next} }}")
    });
    let fragments: Vec<String> = fragments.collect();
    let fragments = fragments.join(" ") + " fragment F60 on Vehicle { __typename }";
    app.given_vehicle("XC60").await;
    for fields in [
        "vehicles { ...F0 ...F0 }",
        "vehicles { ...F0 } ... { vehicles { ...F1 } }",
    ] {
        let query = format!("{{ {fields} }} {fragments}");
        let answer = app.ask(&query, json!({})).await;
        let expected = json!({ "vehicles": [{ "__typename": "Vehicle" }] });
        assert_eq!(answer.data(), expected);
    }
}

async fn what_is_refused_is_refused_without_harm(app: TestApp) {
    for query in [
        "{a".repeat(10_000),
        format!("{{ {} }}", "a: __typename ".repeat(100_000)),
        format!("{{ vehicles(count: {} }}", "[".repeat(50_000)),
        format!("{{ {} }}", "...F ".repeat(10_000)),
    ] {
        let answer = app.ask(&query, json!({})).await;
        answer.assert_not_executed(&["LIMIT_EXCEEDED", "GRAPHQL_PARSE_FAILED", "BAD_REQUEST"]);
        assert!(answer.to_string().len() < 4000, "the answer is long");
    }
    app.given_vehicle("XC60").await;
}
