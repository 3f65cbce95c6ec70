//! Subscriptions behind an engine, whose executor streams their responses.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::{fmt, iter, sync::Arc};

use async_graphql::{
    Context, Data, Error, Executor as _, Object, Request, Response, Schema, Subscription,
};
use engine::{
    Contract, DocumentLimits, Engine, EngineExecutor, EngineSettings, ErrorCode, ErrorFacts,
    Permitted, Scopes, TrustedDocuments, TrustedMode, masked,
};
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};

static CONTRACT: Contract = Contract::new(
    "schema.graphql",
    "type Query { user: String }
    type Mutation { rename(user: String!): String! }
    type Subscription { count(to: Int! = 2): Int! user: String failing: Int text(size: Int!): String! }",
);

struct Resolvers;

#[Object(name = "Query")]
impl Resolvers {
    async fn user(&self, ctx: &Context<'_>) -> Option<String> {
        ctx.data_opt::<&str>().map(ToString::to_string)
    }
}

struct Mutation;

#[Object]
impl Mutation {
    async fn rename(&self, user: String) -> String {
        user
    }
}

#[derive(Debug)]
struct Secret;

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the password is 123")
    }
}

impl std::error::Error for Secret {}

struct Events;

#[Subscription(name = "Subscription")]
impl Events {
    async fn count(&self, #[graphql(default = 2)] to: i32) -> impl Stream<Item = i32> {
        stream::iter(1..=to)
    }

    async fn user(&self, ctx: &Context<'_>) -> impl Stream<Item = Option<String>> {
        let user = ctx.data_opt::<&str>().map(ToString::to_string);
        stream::iter([user])
    }

    async fn failing(&self) -> impl Stream<Item = Result<Option<i32>, Error>> {
        let code = ErrorCode::ServiceUnavailable;
        let failed = masked(code, "retry later", &Secret, None);
        stream::iter([Ok(Some(1)), Err(failed), Ok(None)])
    }

    async fn text(&self, size: i32) -> impl Stream<Item = String> {
        let size = usize::try_from(size).expect("it is positive");
        stream::iter(iter::repeat_n("a".repeat(size), 3))
    }
}

fn executor(settings: EngineSettings) -> EngineExecutor {
    let schema = Schema::new(Resolvers, Mutation, Events);
    EngineExecutor::new(Engine::new(&CONTRACT, schema, settings))
}

async fn responses(executor: &EngineExecutor, request: impl Into<Request>) -> Vec<Response> {
    let data = Data::default();
    let responses = executor.execute_stream(request.into(), Some(Arc::new(data)));
    responses.collect().await
}

async fn streamed(settings: EngineSettings, request: impl Into<Request>) -> Vec<Value> {
    let responses = responses(&executor(settings), request).await.into_iter();
    let json = responses.map(|response| serde_json::to_value(response).expect("it is JSON"));
    json.collect()
}

/// The message of the only response.
async fn refused(settings: EngineSettings, request: impl Into<Request>) -> String {
    let responses = streamed(settings, request).await;
    assert_eq!(responses.len(), 1, "{responses:?}");
    assert_eq!(responses[0]["data"], Value::Null);
    let message = responses[0]["errors"][0]["message"].as_str();
    message.expect("it is an error").to_owned()
}

#[tokio::test]
async fn each_event_is_a_response() {
    let counted = streamed(EngineSettings::default(), "subscription { n: count }").await;
    let expected = [1, 2].map(|number| json!({ "data": { "n": number } }));
    assert_eq!(counted, expected);
    let query = "subscription ($to: Int!) { ...F } fragment F on Subscription { count(to: $to) }";
    let variables = async_graphql::Variables::from_json(json!({ "to": 3 }));
    let request = Request::new(query).variables(variables);
    assert_eq!(streamed(EngineSettings::default(), request).await.len(), 3);
}

#[tokio::test]
async fn a_failed_event_is_masked_and_the_stream_continues() {
    let query = "subscription { failing }";
    let responses = responses(&executor(EngineSettings::default()), query).await;
    let facts = ErrorFacts::of(&responses[1].errors[0]).expect("it has facts");
    let cause = facts.cause.as_ref().expect("the log gets the cause");
    assert_eq!(cause.chain, "the password is 123");
    let json = serde_json::to_value(&responses).expect("it is JSON");
    let error = json!({
        "message": "retry later",
        "locations": [{ "line": 1, "column": 16 }],
        "path": ["failing"],
        "extensions": { "code": "SERVICE_UNAVAILABLE", "reference": cause.reference },
    });
    let expected = json!([
        { "data": { "failing": 1 } },
        { "data": { "failing": null }, "errors": [error] },
        { "data": { "failing": null } },
    ]);
    assert_eq!(json, expected);
}

#[tokio::test]
async fn queries_and_mutations_are_streams_of_one_response() {
    for (query, expected) in [
        ("{ user }", json!({ "user": "Ada" })),
        ("subscription { user }", json!({ "user": "Ada" })),
        (
            "mutation { rename(user: \"Bo\") }",
            json!({ "rename": "Bo" }),
        ),
    ] {
        let mut data = Data::default();
        data.insert("Ada");
        let executor = executor(EngineSettings::default());
        let responses = executor.execute_stream(query.into(), Some(Arc::new(data)));
        let responses: Vec<_> = responses.collect().await;
        let json = serde_json::to_value(&responses).expect("it is JSON");
        assert_eq!(json, json!([{ "data": expected }]), "{query}");
    }
}

#[tokio::test]
async fn a_subscription_is_validated() {
    let long = format!("subscription {{ count {} }}", " ".repeat(200));
    let limits = || EngineSettings {
        documents: DocumentLimits {
            query_bytes: 200,
            cost: 3,
            ..DocumentLimits::default()
        },
        ..EngineSettings::default()
    };
    for (query, expected) in [
        ("subscription { counts }", "did you mean"),
        ("subscription { count user }", "one root field"),
        ("subscription { __typename }", "introspection"),
        ("subscription { count(to: \"2\") }", "Int"),
        ("subscription ($to: Int!) { count(to: $to) }", "$to"),
        ("subscription { count @skip(if: true) }", "skip"),
        (&long, "query-limit-bytes"),
        ("subscription { a: count b: count }", "one root field"),
    ] {
        let message = refused(limits(), query).await;
        assert!(message.contains(expected), "{query}: {message}");
    }
}

#[tokio::test]
async fn each_response_has_the_maximum_size() {
    let settings = || EngineSettings {
        documents: DocumentLimits {
            response_bytes: 1000,
            ..DocumentLimits::default()
        },
        ..EngineSettings::default()
    };
    let small = streamed(settings(), "subscription { text(size: 900) }").await;
    assert!(small.iter().all(|response| response["errors"].is_null()));
    assert_eq!(small.len(), 3);
    let large = streamed(settings(), "subscription { text(size: 1000) }").await;
    assert!(large.iter().all(|response| response["data"].is_null()));
    let message = &large[2]["errors"][0]["message"];
    let expected =
        "the response exceeds response-limit-bytes (1000 bytes); request fewer items or fields";
    assert_eq!(message, expected);
}

#[tokio::test]
async fn subscriptions_are_among_the_trusted_documents() {
    let trusted = [("count".to_owned(), "subscription { count }".to_owned())];
    let settings = || EngineSettings {
        trusted_documents: TrustedDocuments::new(TrustedMode::Enforce, trusted.clone()),
        ..EngineSettings::default()
    };
    assert_eq!(
        streamed(settings(), "subscription { count }").await.len(),
        2
    );
    let message = refused(settings(), "subscription { user }").await;
    assert!(message.contains("not a trusted document"), "{message}");
}

#[tokio::test]
async fn a_subscription_requires_a_stream_and_the_scope_of_queries() {
    let executor = executor(EngineSettings::default());
    let response = executor.execute("subscription { count }".into()).await;
    let message = "a subscription requires a transport that streams responses, such as WebSocket";
    assert_eq!(response.errors[0].message, message);

    let scopes = |read, write| Permitted::QUERIES.within(Some(Scopes { read, write }));
    let reads = executor.clone().permitting(scopes(true, false));
    assert_eq!(responses(&reads, "subscription { count }").await.len(), 2);
    let mutation = responses(&reads, "mutation { rename(user: \"Bo\") }").await;
    assert_eq!(
        mutation[0].errors[0].message,
        "mutations require the method POST"
    );
    let writes = executor.permitting(scopes(false, true));
    let refused = responses(&writes, "subscription { count }").await;
    let message = "a subscription requires a token with the scope read";
    assert_eq!(refused[0].errors[0].message, message);
}
