//! Contract verification against services with the same, an extended, a broken or a hidden contract.

use serde_json::json;
use vehicle_catalogue_client::{CatalogueClient, ContractError, RetryPolicy, SCHEMA, Verified};

use crate::support::{Reply, Server};

/// Serves a contract as SDL.
async fn serving_sdl(sdl: String) -> Server {
    Server::with_handler(move |request| match request.split(' ').nth(1) {
        Some("/schema.graphql") => Reply::status(200, &sdl),
        other => panic!("unexpected request for {other:?}"),
    })
    .await
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
        headers.iter().fold(error, |reply, line| reply.header(*line))
    })
    .await
}

fn client(server: &Server) -> CatalogueClient {
    server.client().retry_policy(RetryPolicy::none()).build().unwrap()
}

/// The contract with the first occurrence of a text replaced.
fn replaced(from: &str, to: &str) -> String {
    assert!(SCHEMA.contains(from), "{from}");
    SCHEMA.replacen(from, to, 1)
}

#[tokio::test]
async fn only_changes_that_stop_the_client_are_breaking() {
    for (from, to, expected) in [
        ("  \"The brand. ", "  \"New.\"\n  colour: String\n\n  \"The brand. ", None),
        ("  brandName: String", "  brand: String", Some("field 'Vehicle.brandName' was removed")),
        // Types that the client cannot decode or send.
        ("  brandName: String ", "  brandName: String! ", None),
        ("  id: ID!\n", "  id: ID\n", Some("field 'Vehicle.id' changed its type from 'ID!' to 'ID'")),
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
            (Err(ContractError::Breaking(changes)), Some(expected)) => assert_eq!(changes, [expected]),
            (verified, expected) => panic!("{from}: {verified:?} instead of {expected:?}"),
        }
    }
}

#[tokio::test]
async fn a_copy_of_the_contract_is_verified() {
    let server = serving_sdl(SCHEMA.to_owned()).await;
    let other = replaced("  brandName: String", "  colour: String\n  brandName: String");
    let error = client(&server).verify_contract_of(&other).await.unwrap_err();
    assert!(error.to_string().contains("Vehicle.colour"), "{error}");
    let error = client(&server).verify_contract_of("type Query {").await.unwrap_err();
    assert!(matches!(error, ContractError::Invalid(_)), "{error}");
}

#[tokio::test]
async fn a_contract_that_is_not_served_has_another_hash() {
    let server = hiding_contract(&["Schema-Hash: 5f3a"]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::HashMismatch { served, .. } = error else { panic!("{error}") };
    assert_eq!(served, "5f3a");
}

#[tokio::test]
async fn a_hidden_contract_without_a_hash_is_unavailable() {
    let server = hiding_contract(&[]).await;
    let error = client(&server).verify_contract().await.unwrap_err();
    let ContractError::Unavailable(error) = error else { panic!("{error}") };
    assert!(error.to_string().contains("status 400"), "{error}");
}
