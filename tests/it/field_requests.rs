//! The counter of what documents name in the contract, by client.

use serde_json::{Value, json};

use super::metrics::{assert_equals, values};
use crate::support::{TestApp, tests};

tests![
    documents_are_counted_by_what_they_name_in_the_contract,
    clients_beyond_the_limit_and_with_invalid_names_share_a_label,
];

const FIELD_REQUESTS: &str = "catalogue_field_requests_total";

async fn documents_are_counted_by_what_they_name_in_the_contract(app: TestApp) {
    let cases: [(&str, Value, &[&str]); 7] = [
        ("{ __typename __schema { types { name } } }", json!({}), &[]),
        // A document counts once, however often it names a field.
        (
            "{ a: vehicle(id: 1) { id } b: vehicle(id: 2) { id } }",
            json!({}),
            &["Query.vehicle", "Query.vehicle(id:)", "Vehicle.id"],
        ),
        (
            "{ vehicles { ...F ... on Vehicle { type @skip(if: true) } } } fragment F on Vehicle { modelCode }",
            json!({}),
            &["Query.vehicles", "Vehicle.modelCode", "Vehicle.type"],
        ),
        (
            "{ vehiclesConnection(first: 1, orderBy: LAUNCH_DATE_DESC, filter: {type: \"SUV\"}) { nodes { id } } }",
            json!({}),
            &[
                "Query.vehiclesConnection",
                "Query.vehiclesConnection(filter:)",
                "Query.vehiclesConnection(first:)",
                "Query.vehiclesConnection(orderBy:)",
                "Vehicle.id",
                "VehicleConnection.nodes",
                "VehicleFilter.type",
                "VehicleOrder.LAUNCH_DATE_DESC",
            ],
        ),
        // The values of variables are not counted, but their types are.
        (
            "query ($f: VehicleFilter) { vehiclesConnection(filter: $f) { nodes { id } } }",
            json!({ "f": { "type": "SUV" } }),
            &[
                "Query.vehiclesConnection",
                "Query.vehiclesConnection(filter:)",
                "Vehicle.id",
                "VehicleConnection.nodes",
                "VehicleFilter",
            ],
        ),
        // Each operation is part of the document.
        (
            "query A { __typename } query B { vehicle(id: 1) { id } }",
            json!({}),
            &["Query.vehicle", "Query.vehicle(id:)", "Vehicle.id"],
        ),
        ("{ wheels }", json!({}), &[]),
    ];
    for (number, (document, variables, expected)) in cases.into_iter().enumerate() {
        let client = format!("client {number}");
        let body = json!({ "query": document, "variables": variables, "operationName": document.contains(" A ").then_some("A") });
        for _ in 0..2 {
            let request = app.post_request(&body.to_string());
            app.send(document, request.header("graphql-client-name", &client)).await;
        }
        let label = format!(",client=\"{client}\"}}");
        let samples = values(&app, FIELD_REQUESTS).await.into_iter();
        let named = samples.filter_map(|(labels, count)| {
            let coordinate = labels.strip_suffix(&label)?.strip_prefix("{coordinate=\"")?;
            assert_equals(count, 2.0);
            Some(coordinate.trim_end_matches('"').to_owned())
        });
        let named: Vec<_> = named.collect();
        assert_eq!(named, expected, "{document}");
    }
}

async fn clients_beyond_the_limit_and_with_invalid_names_share_a_label(app: TestApp) {
    let send = async |headers: &[(&str, &str)]| {
        let body = r#"{"query":"{ vehicle(id: 1) { id } }"}"#;
        let request =
            headers.iter().fold(app.post_request(body), |request, (name, value)| request.header(*name, *value));
        app.send(body, request).await;
    };
    let long = "x".repeat(65);
    send(&[]).await;
    send(&[("graphql-client-name", "web"), ("apollographql-client-name", "old")]).await;
    send(&[("apollographql-client-name", "app"), ("call-source", "IOS")]).await;
    send(&[("call-source", "IOS")]).await;
    for name in ["", "(anonymous)", "a\tb", "\u{e9}", &long] {
        send(&[("graphql-client-name", name)]).await;
    }
    for number in 0..40 {
        send(&[("graphql-client-name", &format!("client {number}"))]).await;
    }
    let samples = values(&app, FIELD_REQUESTS).await.into_iter();
    let clients: Vec<_> = samples.filter(|(labels, _)| labels.contains("Vehicle.id")).collect();
    let count = |client: &str| {
        let label = format!("client=\"{client}\"");
        let mut found = clients.iter().filter(|(labels, _)| labels.contains(&label));
        found.next().map(|(_, count)| *count)
    };
    for client in ["(anonymous)", "web", "app", "IOS", "client 27"] {
        assert_equals(count(client).unwrap(), 1.0);
    }
    assert_eq!((count("client 28"), count("old"), clients.len()), (None, None, 33));
    assert_equals(count("(other)").unwrap(), 5.0 + 12.0);
}
