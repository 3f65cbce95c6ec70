//! What a client says of services that keep the contract, extend it, break it, or keep it to themselves.

use apollo_compiler::{
    ExecutableDocument, Schema, introspection::partial_execute, request::coerce_variable_values,
    response::JsonMap,
};
use serde_json::{Value, json};
use vehicle_catalogue_client::{
    CatalogueClient, Change, Code, ContractError, Error, Level, Retries, SCHEMA,
};

use crate::support::{Reply, Server};

/// Serves a contract as its text.
async fn serving(sdl: String) -> Server {
    Server::answering(move |request| match request.split(' ').nth(1) {
        Some("/schema.graphql") => Reply::status(200, &sdl),
        other => panic!("nobody asks for {other:?}"),
    })
    .await
}

/// Answers introspection alone.
async fn introspected(sdl: String) -> Server {
    Server::answering(move |request| match request.split_once("\r\n\r\n") {
        Some((head, body)) if head.starts_with("POST /graphql ") => {
            let body: Value = serde_json::from_str(body).unwrap();
            Reply::json(&introspection(&sdl, body["query"].as_str().unwrap()))
        }
        _ => Reply::status(404, "Not found"),
    })
    .await
}

fn introspection(sdl: &str, query: &str) -> Value {
    let schema = Schema::parse_and_validate(sdl, "schema.graphql").unwrap();
    let document = ExecutableDocument::parse_and_validate(&schema, query, "query").unwrap();
    let operation = document.operations.get(None).unwrap();
    let variables = coerce_variable_values(&schema, operation, &JsonMap::new()).unwrap();
    let implementers = schema.implementers_map();
    let answer = partial_execute(&schema, &implementers, &document, operation, &variables);
    serde_json::to_value(answer.unwrap()).unwrap()
}

/// Tells nothing, with these lines in the head of the answer.
async fn silent(lines: &'static [&'static str]) -> Server {
    Server::answering(move |request| {
        if request.starts_with("GET ") {
            return Reply::status(404, "Not found");
        }
        let extensions = json!({ "code": "GRAPHQL_VALIDATION_FAILED" });
        let body = json!({ "errors": [{ "message": "off", "extensions": extensions }] });
        let refusal = Reply::status(400, body.to_string());
        lines
            .iter()
            .fold(refusal, |reply, line| reply.header(*line))
    })
    .await
}

fn client(server: &Server) -> CatalogueClient {
    server.client().retries(Retries::none()).build().unwrap()
}

/// The contract with one place of it changed.
fn altered(from: &str, to: &str) -> String {
    assert!(SCHEMA.contains(from), "{from}");
    SCHEMA.replacen(from, to, 1)
}

fn with_a_colour() -> String {
    altered(
        "  launchDate: String\n}",
        "  launchDate: String\n\n  \"New.\"\n  colour: String\n}",
    )
}

fn without_the_brand() -> String {
    altered("  brandName: String\n", "  brand: String\n")
}

fn coordinates<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Vec<&'a str> {
    let changes = changes.into_iter();
    changes.map(|change| change.coordinate.as_str()).collect()
}

#[tokio::test]
async fn the_same_contract_is_kept() {
    let server = serving(SCHEMA.to_owned()).await;
    assert_eq!(client(&server).verify_contract().await.unwrap(), []);
}

#[tokio::test]
async fn a_contract_that_the_service_knows_by_its_hash_is_not_sent() {
    let schema = ::contract::Schema::parse("schema.graphql", SCHEMA).unwrap();
    let tag = format!("\"{}\"", ::contract::hash(&schema));
    let server = Server::answering(move |request| {
        let lines = request.to_lowercase();
        assert!(
            lines.contains(&format!("if-none-match: {tag}")),
            "{request}"
        );
        Reply::status(304, "")
    });
    let server = server.await;
    assert_eq!(client(&server).verify_contract().await.unwrap(), []);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_addition_is_told_and_does_not_fail() {
    for server in [
        serving(with_a_colour()).await,
        introspected(with_a_colour()).await,
    ] {
        let changes = client(&server).verify_contract().await.unwrap();
        assert_eq!(coordinates(&changes), ["Vehicle.colour"]);
        assert_eq!(changes[0].level, Level::Safe);
    }
}

#[tokio::test]
async fn a_removal_fails_and_is_named() {
    for server in [
        serving(without_the_brand()).await,
        introspected(without_the_brand()).await,
    ] {
        let error = client(&server).verify_contract().await.unwrap_err();
        assert!(error.to_string().contains("Vehicle.brandName"), "{error}");
        let ContractError::Broken(broken) = error else {
            panic!("{error}")
        };
        assert_eq!(coordinates(broken.breaking()), ["Vehicle.brandName"]);
        assert_eq!(
            coordinates(broken.changes()),
            ["Vehicle.brand", "Vehicle.brandName"]
        );
    }
}

#[tokio::test]
async fn an_argument_that_became_required_fails() {
    let server = serving(altered("    count: Int\n", "    count: Int!\n")).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    assert!(
        error.to_string().contains("Query.vehicles(count:)"),
        "{error}"
    );
}

#[tokio::test]
async fn introspection_tells_the_same_contract() {
    let server = introspected(SCHEMA.to_owned()).await;
    assert_eq!(client(&server).verify_contract().await.unwrap(), []);
}

#[tokio::test]
async fn a_copy_of_the_caller_is_verified_like_the_client_s() {
    let server = serving(SCHEMA.to_owned()).await;
    let changes = client(&server).verify_contract_of(&with_a_colour()).await;
    let error = changes.unwrap_err();
    assert!(error.to_string().contains("Vehicle.colour"), "{error}");
    let error = client(&server)
        .verify_contract_of("type Query {")
        .await
        .unwrap_err();
    assert!(matches!(error, ContractError::Invalid { .. }), "{error}");
}

#[tokio::test]
async fn a_service_that_tells_only_a_hash_is_judged_by_it() {
    let schema = ::contract::Schema::parse("schema.graphql", SCHEMA).unwrap();
    let line: &'static str = format!("Schema-Hash: {}", ::contract::hash(&schema)).leak();
    let server = silent(vec![line].leak()).await;
    assert_eq!(client(&server).verify_contract().await.unwrap(), []);

    let server = silent(&["Schema-Hash: 5f3a"]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::Untold { served, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(served, "5f3a");
}

#[tokio::test]
async fn a_service_that_tells_nothing_is_not_known_to_keep_the_contract() {
    let server = silent(&[]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::Unread(Error::Refused(refused)) = error else {
        panic!("{error}")
    };
    assert_eq!(refused.code(), &Code::GraphqlValidationFailed);
}

#[tokio::test]
async fn what_is_not_a_contract_is_not_taken_for_one() {
    let server = serving("<html>".to_owned()).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    assert!(matches!(error, ContractError::Invalid { .. }), "{error}");
}
