//! Authentication and authorization: missing tokens, scopes, and endpoints without authentication.

use serde_json::{Value, json};

use super::service::{Service, send, token};

testkit::tests![
    a_request_without_a_token_is_challenged,
    a_query_needs_the_read_scope_and_a_mutation_the_write_scope,
    a_persisted_query_needs_the_scope_of_its_operation,
    public_endpoints_need_no_token,
];

const READ: &str = "catalogue:read";

async fn a_request_without_a_token_is_challenged() {
    let service = Service::new(&[]).await;
    let query = json!({ "query": "{ vehicles { id } }" });
    let post = || service.post(&query);
    for (case, request) in [
        ("nothing", post()),
        ("basic", post().basic_auth("user", Some("password"))),
        ("no token", post().header("authorization", "Bearer")),
        ("spaces", post().header("authorization", "Bearer   ")),
        ("by GET", service.get("/graphql?query={vehicles{id}}")),
        ("a token in the URL", service.get(&format!("/graphql?query={{vehicles{{id}}}}&access_token={}", token(READ)))),
        ("not even GraphQL", service.post(&json!("nonsense"))),
    ] {
        let response = send(request).await;
        assert_eq!(response.status, 401, "{case}: {response:?}");
        assert_eq!(response.code(), Some("UNAUTHENTICATED"), "{case}");
        let challenge = "Bearer realm=\"vehicle-catalogue\"".to_owned();
        assert_eq!(response.challenge, Some(challenge), "{case}");
    }
    // A response to HEAD has no body.
    let head = service.running.client.head(service.url("/graphql?query={vehicles{id}}"));
    assert_eq!(send(head).await.status, 401);
    let schemes = [format!("bearer {}", token(READ)), format!("BEARER  {}", token(READ))];
    for scheme in schemes {
        let response = send(post().header("authorization", scheme)).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
    let twice = post().bearer_auth(token(READ)).header("authorization", "Bearer x");
    let response = send(twice).await;
    assert_eq!((response.status, response.code()), (400, Some("BAD_REQUEST")), "{response:?}");
    assert!(response.challenge.unwrap().contains("error=\"invalid_request\""));
}

/// Checks each scope with every form of a request.
async fn a_query_needs_the_read_scope_and_a_mutation_the_write_scope() {
    let service = Service::new(&[]).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    let read = "{ vehicles { __typename } }";
    let both = format!("query R {read} mutation W {}", create.trim_start_matches("mutation"));
    for (scopes, can_read, can_write) in [
        ("catalogue:read", true, false),
        ("catalogue:write", false, true),
        ("catalogue:read catalogue:write", true, true),
        ("", false, false),
        ("catalogue:reader xcatalogue:write catalogue", false, false),
        ("CATALOGUE:READ", false, false),
    ] {
        let token = token(scopes);
        let post = |body: Value| service.post(&body).bearer_auth(&token);
        for (form, request, is_write) in [
            ("query", post(json!({ "query": read })), false),
            ("introspection", post(json!({ "query": "{ __schema { queryType { name } } }" })), false),
            ("by GET", service.get("/graphql?query={__typename}").bearer_auth(&token), false),
            ("mutation", post(json!({ "query": create })), true),
            ("the query of two", post(json!({ "query": both, "operationName": "R" })), false),
            ("the mutation of two", post(json!({ "query": both, "operationName": "W" })), true),
        ] {
            let response = send(request).await;
            let is_permitted = if is_write { can_write } else { can_read };
            if is_permitted {
                assert_eq!(response.status, 200, "{scopes:?} {form}: {response:?}");
                assert!(response.code().is_none(), "{scopes:?} {form}: {response:?}");
                continue;
            }
            assert_eq!(response.status, 403, "{scopes:?} {form}: {response:?}");
            assert_eq!(response.code(), Some("FORBIDDEN"), "{scopes:?} {form}");
            let needed = if is_write && can_read { "write" } else { "read" };
            let expected = format!("error=\"insufficient_scope\", scope=\"catalogue:{needed}\"");
            assert!(response.challenge.unwrap().ends_with(&expected), "{scopes:?} {form}");
        }
    }
    let by_get = service.get(&format!("/graphql?query={}", create.replace(' ', "+")));
    let response = send(by_get.bearer_auth(token("catalogue:read catalogue:write"))).await;
    assert_eq!(response.status, 405, "{response:?}");
}

async fn a_persisted_query_needs_the_scope_of_its_operation() {
    let service = Service::new(&[]).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    let hash = ring::digest::digest(&ring::digest::SHA256, create.as_bytes());
    let hash = hash.as_ref().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let persisted = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    let registering = json!({ "query": create, "extensions": persisted });
    let writer = token("catalogue:write");
    let response = send(service.post(&registering).bearer_auth(&writer)).await;
    assert_eq!(response.status, 200, "{response:?}");
    let by_hash = json!({ "extensions": persisted });
    for (token, status) in [(&writer, 200), (&token(READ), 403)] {
        let response = send(service.post(&by_hash).bearer_auth(token)).await;
        assert_eq!(response.status, status, "{response:?}");
    }
}

async fn public_endpoints_need_no_token() {
    let service = Service::new(&["--cors-origins=https://a.example"]).await;
    for path in ["/health/live", "/health/ready", "/metrics", "/graphiql", "/schema.graphql"] {
        let response = service.get(path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    // A CORS preflight request cannot carry a token.
    let preflight = service.running.client.request(reqwest::Method::OPTIONS, service.url("/graphql"));
    let preflight = preflight
        .header("origin", "https://a.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization, content-type");
    let response = preflight.send().await.unwrap();
    assert_eq!(response.status(), 204);
    let permitted = response.headers()["access-control-allow-headers"].to_str().unwrap();
    assert!(permitted.contains("authorization"), "{permitted}");
}
