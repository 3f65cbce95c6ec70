//! Contract verification against services with the same, an extended, a broken or a hidden contract.

use apollo_compiler::{
    ExecutableDocument, Schema, introspection::partial_execute, request::coerce_variable_values,
    response::JsonMap,
};
use serde_json::{Value, json};
use vehicle_catalogue_client::{
    CatalogueClient, ContractError, ErrorCode, RetryPolicy, SCHEMA, Verified,
};

use crate::support::{Reply, Server};

/// Serves a contract as SDL.
async fn serving_sdl(sdl: String) -> Server {
    Server::with_handler(move |request| match request.split(' ').nth(1) {
        Some("/schema.graphql") => Reply::status(200, &sdl),
        other => panic!("unexpected request for {other:?}"),
    })
    .await
}

/// Serves a contract by introspection alone.
async fn serving_introspection(sdl: String) -> Server {
    Server::with_handler(move |request| match request.split_once("\r\n\r\n") {
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
    // apollo-compiler 1 does not implement `isOneOf`.
    let query = query.replace("isOneOf", "");
    let document = ExecutableDocument::parse_and_validate(&schema, query, "query").unwrap();
    let operation = document.operations.get(None).unwrap();
    let variables = coerce_variable_values(&schema, operation, &JsonMap::new()).unwrap();
    let implementers = schema.implementers_map();
    let response = partial_execute(&schema, &implementers, &document, operation, &variables);
    serde_json::to_value(response.unwrap()).unwrap()
}

/// Hides the contract, and sends these header lines.
async fn hiding_contract(headers: &'static [&'static str]) -> Server {
    Server::with_handler(move |request| {
        if request.starts_with("GET ") {
            return Reply::status(404, "Not found");
        }
        let extensions = json!({ "code": "GRAPHQL_VALIDATION_FAILED" });
        let body = json!({ "errors": [{ "message": "off", "extensions": extensions }] });
        let error = Reply::status(400, body.to_string());
        headers
            .iter()
            .fold(error, |reply, line| reply.header(*line))
    })
    .await
}

fn client(server: &Server) -> CatalogueClient {
    server
        .client()
        .retry_policy(RetryPolicy::none())
        .build()
        .unwrap()
}

/// The contract with the first occurrence of a text replaced.
fn replaced(from: &str, to: &str) -> String {
    assert!(SCHEMA.contains(from), "{from}");
    SCHEMA.replacen(from, to, 1)
}

fn with_colour() -> String {
    replaced(
        "  \"The brand. ",
        "  \"New.\"\n  colour: String\n\n  \"The brand. ",
    )
}

fn without_brand() -> String {
    replaced("  brandName: String", "  brand: String")
}

#[tokio::test]
async fn an_unchanged_contract_is_verified() {
    let server = serving_sdl(SCHEMA.to_owned()).await;
    let verified = client(&server).verify_contract().await.unwrap();
    assert_eq!(verified, Verified::Unchanged);
}

#[tokio::test]
async fn an_addition_is_a_compatible_change() {
    for server in [
        serving_sdl(with_colour()).await,
        serving_introspection(with_colour()).await,
    ] {
        let verified = client(&server).verify_contract().await.unwrap();
        assert_eq!(verified, Verified::Compatible);
    }
}

#[tokio::test]
async fn a_removal_is_a_breaking_change() {
    for server in [
        serving_sdl(without_brand()).await,
        serving_introspection(without_brand()).await,
    ] {
        let error = client(&server).verify_contract().await.unwrap_err();
        let ContractError::Breaking(changes) = error else {
            panic!("{error}")
        };
        assert_eq!(changes, ["field 'Vehicle.brandName' was removed"]);
    }
}

#[tokio::test]
async fn types_that_the_client_cannot_decode_or_send_are_breaking_changes() {
    for (from, to, expected) in [
        ("  brandName: String ", "  brandName: String! ", None),
        (
            "  id: ID!\n",
            "  id: ID\n",
            Some("field 'Vehicle.id' changed its type from 'ID!' to 'ID'"),
        ),
        ("    type: String! ", "    type: String ", None),
        (
            "    brandName: String ",
            "    by: ID!\n    brandName: String ",
            Some("argument 'Mutation.createVehicle(by:)' was added and is required"),
        ),
    ] {
        let server = serving_sdl(replaced(from, to)).await;
        match (client(&server).verify_contract().await, expected) {
            (Ok(verified), None) => assert_eq!(verified, Verified::Compatible),
            (Err(ContractError::Breaking(changes)), Some(expected)) => {
                assert_eq!(changes, [expected]);
            }
            (verified, expected) => panic!("{from}: {verified:?} instead of {expected:?}"),
        }
    }
}

#[tokio::test]
async fn introspection_does_not_state_that_the_contract_is_unchanged() {
    let server = serving_introspection(SCHEMA.to_owned()).await;
    let verified = client(&server).verify_contract().await.unwrap();
    assert_eq!(verified, Verified::Compatible);
}

#[tokio::test]
async fn a_copy_of_the_contract_is_verified() {
    let server = serving_sdl(SCHEMA.to_owned()).await;
    let changes = client(&server).verify_contract_of(&with_colour()).await;
    let error = changes.unwrap_err();
    assert!(error.to_string().contains("Vehicle.colour"), "{error}");
    let error = client(&server)
        .verify_contract_of("type Query {")
        .await
        .unwrap_err();
    assert!(matches!(error, ContractError::Invalid { .. }), "{error}");
}

#[tokio::test]
async fn a_contract_without_sdl_and_introspection_is_verified_by_its_hash() {
    let schema = graphql_sdl::Schema::parse("schema.graphql", SCHEMA).unwrap();
    let line: &'static str = format!("Schema-Hash: {}", schema.hash()).leak();
    let server = hiding_contract(vec![line].leak()).await;
    let verified = client(&server).verify_contract().await.unwrap();
    assert_eq!(verified, Verified::Unchanged);

    let server = hiding_contract(&["Schema-Hash: 5f3a"]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::HashMismatch { served, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(served, "5f3a");
}

#[tokio::test]
async fn a_hidden_contract_without_a_hash_is_unavailable() {
    let server = hiding_contract(&[]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::Unavailable(error) = error else {
        panic!("{error}")
    };
    let response = error.error_response().unwrap();
    assert_eq!(response.code(), &ErrorCode::GraphqlValidationFailed);
}
