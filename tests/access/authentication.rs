//! What a token grants, and what those are told who have none.

use serde_json::{Value, json};

use crate::service::{Answer, Service, token};

const READ: &str = "catalogue:read";

#[tokio::test]
async fn a_request_without_a_token_is_told_that_there_must_be_one() {
    let service = Service::new(&[]).await;
    let query = json!({ "query": "{ vehicles { id } }" });
    let asked = || service.post(&query);
    for (case, request) in [
        ("nothing", asked()),
        ("basic", asked().basic_auth("user", Some("password"))),
        ("no token", asked().header("authorization", "Bearer")),
        ("spaces", asked().header("authorization", "Bearer   ")),
        ("by GET", service.get("/graphql?query={vehicles{id}}")),
        (
            "a token in the URL",
            service.get(&format!(
                "/graphql?query={{vehicles{{id}}}}&access_token={}",
                token(READ)
            )),
        ),
        ("not even GraphQL", service.post(&json!("nonsense"))),
    ] {
        let answer = Answer::of(request).await;
        assert_eq!(answer.status, 401, "{case}: {answer:?}");
        assert_eq!(answer.code(), Some("UNAUTHENTICATED"), "{case}");
        let challenge = "Bearer realm=\"vehicle-catalogue\"".to_owned();
        assert_eq!(answer.challenge, Some(challenge), "{case}");
    }
    let schemes = [
        format!("bearer {}", token(READ)),
        format!("BEARER  {}", token(READ)),
    ];
    for scheme in schemes {
        let answer = Answer::of(asked().header("authorization", scheme)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let twice = asked()
        .bearer_auth(token(READ))
        .header("authorization", "Bearer x");
    let answer = Answer::of(twice).await;
    assert_eq!(
        (answer.status, answer.code()),
        (400, Some("BAD_REQUEST")),
        "{answer:?}"
    );
    assert!(
        answer
            .challenge
            .unwrap()
            .contains("error=\"invalid_request\"")
    );
}

/// What each scope permits, in every form of a request.
#[tokio::test]
async fn a_query_needs_the_scope_to_read_and_a_mutation_that_to_write() {
    let flags = ["--batch-limit=3"];
    let service = Service::new(&flags).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    let read = "{ vehicles { __typename } }";
    let both = format!(
        "query R {read} mutation W {}",
        create.trim_start_matches("mutation")
    );
    for (scopes, may_read, may_write) in [
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
            (
                "introspection",
                post(json!({ "query": "{ __schema { queryType { name } } }" })),
                false,
            ),
            (
                "by GET",
                service
                    .get("/graphql?query={__typename}")
                    .bearer_auth(&token),
                false,
            ),
            ("mutation", post(json!({ "query": create })), true),
            (
                "the query of two",
                post(json!({ "query": both, "operationName": "R" })),
                false,
            ),
            (
                "the mutation of two",
                post(json!({ "query": both, "operationName": "W" })),
                true,
            ),
        ] {
            let answer = Answer::of(request).await;
            let may = if is_write { may_write } else { may_read };
            if may {
                assert_eq!(answer.status, 200, "{scopes:?} {form}: {answer:?}");
                assert!(answer.code().is_none(), "{scopes:?} {form}: {answer:?}");
                continue;
            }
            assert_eq!(answer.status, 403, "{scopes:?} {form}: {answer:?}");
            assert_eq!(answer.code(), Some("FORBIDDEN"), "{scopes:?} {form}");
            let needed = if is_write && may_read {
                "write"
            } else {
                "read"
            };
            let expected = format!("error=\"insufficient_scope\", scope=\"catalogue:{needed}\"");
            assert!(
                answer.challenge.unwrap().ends_with(&expected),
                "{scopes:?} {form}"
            );
        }
    }
    let reader = token(READ);
    let list = json!([{ "query": read }, { "query": create }, { "query": read }]);
    let answer = Answer::of(service.post(&list).bearer_auth(&reader)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        answer.body[1]["errors"][0]["extensions"]["code"],
        "FORBIDDEN"
    );
    assert_eq!(answer.body[0], answer.body[2]);
    assert!(answer.body[0]["errors"].is_null(), "{answer:?}");
    let by_get = service.get(&format!("/graphql?query={}", create.replace(' ', "+")));
    let answer = Answer::of(by_get.bearer_auth(token("catalogue:read catalogue:write"))).await;
    assert_eq!(answer.status, 405, "{answer:?}");
}

#[tokio::test]
async fn a_persisted_query_needs_the_scope_of_what_it_is() {
    let service = Service::new(&[]).await;
    let create = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    let hash = ring::digest::digest(&ring::digest::SHA256, create.as_bytes());
    let hash = hash
        .as_ref()
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let persisted = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } });
    let registering = json!({ "query": create, "extensions": persisted });
    let writer = token("catalogue:write");
    let answer = Answer::of(service.post(&registering).bearer_auth(&writer)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let by_hash = json!({ "extensions": persisted });
    for (token, status) in [(&writer, 200), (&token(READ), 403)] {
        let answer = Answer::of(service.post(&by_hash).bearer_auth(token)).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

#[tokio::test]
async fn what_is_for_everybody_stays_open() {
    let service = Service::new(&["--cors-origins=https://a.example"]).await;
    for path in [
        "/health/live",
        "/health/ready",
        "/metrics",
        "/graphiql",
        "/limits",
        "/schema.graphql",
    ] {
        let response = service.get(path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    // A browser asks before it sends a token, and cannot send one with that.
    let preflight = service
        .running
        .client
        .request(reqwest::Method::OPTIONS, service.url("/graphql"));
    let preflight = preflight
        .header("origin", "https://a.example")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization, content-type",
        );
    let response = preflight.send().await.unwrap();
    assert_eq!(response.status(), 204);
    let permitted = response.headers()["access-control-allow-headers"]
        .to_str()
        .unwrap();
    assert!(permitted.contains("authorization"), "{permitted}");
}

#[tokio::test]
async fn without_keys_nobody_is_asked() {
    let service = Service::without_keys(&[]).await;
    let query = json!({ "query": "{ vehicles { id } }" });
    for request in [
        service.post(&query),
        service.post(&query).bearer_auth("nonsense"),
    ] {
        let answer = Answer::of(request).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert!(service.metric("catalogue_auth_keys").await.abs() < 0.5);
}
