//! Order, errors and recursion of objects with asynchronous resolvers, by a contract written by hand.

use apollo_compiler::executable::SelectionSet;
use async_graphql::ServerResult;
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::{runtime::Builder, sync::Notify, task::yield_now};

use super::{Context, InputError, Object, Plan, Planned, Planner, Resolvers, resolve};
use crate::{Contract, Engine, EngineResponse, EngineSettings, Outcome, Permitted, Request};

static CONTRACT: Contract = Contract::new(
    "schema.graphql",
    "type Query { waits: Int! wakes: Int! broken: Int! chain: Link links: [Link] strict: [Link!] }
     type Mutation { wakes: Int! waits: Int! }
     type Link { depth(max: Int = 1): Int! next: Link }",
);

#[derive(Default)]
struct Query(Notify);

impl Object for Query {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] =
        &["waits", "wakes", "broken", "chain", "links", "strict"];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;

    fn plan_field(planner: &Planner<'_>, field: usize, sets: &[&SelectionSet]) -> Plan {
        match field {
            3.. => Link::plan(planner, sets),
            _ => Plan::Leaf,
        }
    }
}

impl Resolvers for Query {
    async fn resolve_field(&self, field: usize, ctx: &Context<'_>) -> ServerResult<Vec<u8>> {
        let links = || (0..3).map(|depth| Some(Link(depth))).collect::<Vec<_>>();
        let strict = || (0..3).map(Link).collect::<Vec<_>>();
        match field {
            0 => {
                self.0.notified().await;
                ctx.write(&0)
            }
            1 => {
                // A serial execution would wait forever, since nothing else wakes the first field.
                self.0.notify_waiters();
                ctx.write(&1)
            }
            2 => Err(ctx.failed("broken")),
            3 => Ok(ctx.nullable(resolve(ctx, &Some(Link(0))).await)),
            4 => Ok(ctx.nullable(resolve(ctx, &Some(links())).await)),
            _ => Ok(ctx.nullable(resolve(ctx, &Some(strict())).await)),
        }
    }
}

#[derive(Default)]
struct Mutation(Notify);

impl Object for Mutation {
    const NAME: &'static str = "Mutation";
    const FIELDS: &'static [&'static str] = &["wakes", "waits"];
    const CONDITIONS: &'static [&'static str] = &["Mutation"];
    const HAS_RESOLVERS: bool = true;
}

impl Resolvers for Mutation {
    async fn resolve_field(&self, field: usize, ctx: &Context<'_>) -> ServerResult<Vec<u8>> {
        if field == 0 {
            yield_now().await;
            self.0.notify_one();
        } else {
            let notified = self.0.notified().now_or_never();
            notified.expect("the field before it is resolved");
        }
        ctx.write(&1)
    }
}

/// A type that contains itself.
struct Link(i32);

impl Object for Link {
    const NAME: &'static str = "Link";
    const FIELDS: &'static [&'static str] = &["depth", "next"];
    const CONDITIONS: &'static [&'static str] = &["Link"];
    const HAS_RESOLVERS: bool = true;

    fn plan_field(planner: &Planner<'_>, field: usize, sets: &[&SelectionSet]) -> Plan {
        match field {
            1 => Self::plan(planner, sets),
            _ => Plan::Leaf,
        }
    }
}

impl Resolvers for Link {
    async fn resolve_field(&self, field: usize, ctx: &Context<'_>) -> ServerResult<Vec<u8>> {
        if field == 1 {
            let next = Some(Self(self.0 + 1));
            return Ok(ctx.nullable(resolve(ctx, &next).await));
        }
        let max: Option<i32> = ctx.argument("max", Some(|| Some(1)))?;
        if max.is_some_and(|max| self.0 > max) {
            return Err(ctx.failed("too deep"));
        }
        ctx.write(&self.0)
    }
}

fn execute(request: impl Into<Request>) -> Value {
    let executed = execute_limited(request, usize::MAX);
    assert_eq!(executed.outcome, Outcome::Executed, "{executed:?}");
    serde_json::from_slice(&executed.json).expect("a response is JSON")
}

fn execute_limited(request: impl Into<Request>, response_bytes: usize) -> EngineResponse {
    let service = (Query::default(), Mutation::default());
    let settings = EngineSettings::default();
    let engine = Engine::new(&CONTRACT, service, settings);
    let runtime = Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("it needs nothing");
    let prepared = engine.prepare(request.into(), Permitted::QUERIES_AND_MUTATIONS);
    runtime.block_on(engine.run(prepared, response_bytes))
}

#[test]
fn the_buffer_of_a_response_without_errors_is_full() {
    for text in [
        "{ __typename }",
        "{ wakes }",
        "{ a: wakes chain { depth } __schema { queryType { name } } b: __typename }",
    ] {
        let executed = execute_limited(text, usize::MAX);
        assert!(executed.errors.is_empty(), "{executed:?}");
        assert_eq!(executed.json.len(), executed.json.capacity(), "{text}");
    }
}

#[test]
fn root_fields_of_queries_are_resolved_concurrently() {
    let data = json!({ "waits": 0, "wakes": 1 });
    assert_eq!(execute("{ waits wakes }"), json!({ "data": data }));
}

#[test]
fn root_fields_of_mutations_are_resolved_serially() {
    let data = json!({ "one": 1, "waits": 1, "kind": "Mutation" });
    let response = execute("mutation { one: wakes waits kind: __typename }");
    assert_eq!(response, json!({ "data": data }));
}

#[test]
fn the_error_of_a_non_null_root_field_makes_the_data_null() {
    let response = execute("{ chain { depth } ok: wakes wrong: broken }");
    assert_eq!(response["data"], Value::Null);
    let errors = response["errors"].as_array().expect("there are errors");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["path"], json!(["wrong"]));
    assert_eq!(errors[0]["locations"], json!([{ "line": 1, "column": 36 }]));
}

#[test]
fn an_error_makes_the_next_nullable_value_null() {
    let response = execute("{ chain { depth next { next { depth } __typename } } }");
    let next = json!({ "next": null, "__typename": "Link" });
    assert_eq!(
        response["data"],
        json!({ "chain": { "depth": 0, "next": next } })
    );
    let path = json!(["chain", "next", "next", "depth"]);
    assert_eq!(response["errors"][0]["path"], path);
    let response = execute("{ links { depth } strict { depth } }");
    let links = json!([{ "depth": 0 }, { "depth": 1 }, null]);
    assert_eq!(response["data"], json!({ "links": links, "strict": null }));
    let paths = [&response["errors"][0], &response["errors"][1]].map(|error| &error["path"]);
    assert_eq!(
        paths,
        [
            &json!(["links", 2, "depth"]),
            &json!(["strict", 2, "depth"])
        ]
    );
}

#[test]
fn merges_fields_of_fragments_and_evaluates_directives() {
    let text = "query ($on: Boolean = true) { chain { next { ...F } ... @skip(if: $on) { depth } } chain { next { d: depth(max: null) } } }
                fragment F on Link { depth @include(if: $on) next @skip(if: true) { depth } }";
    let next = json!({ "depth": 1, "d": 1 });
    assert_eq!(
        execute(text),
        json!({ "data": { "chain": { "next": next } } })
    );
}

#[test]
fn an_error_quotes_the_beginning_of_a_value() {
    let value = async_graphql::Value::from("x".repeat(1_000_000));
    let error = InputError::expected("Isbn", &value).to_string();
    assert!(
        error.starts_with("must be of the type Isbn, it is \"xxx"),
        "{error}"
    );
    assert!(error.len() < 200, "{}", error.len());
}

#[test]
fn errors_keys_and_type_names_count_as_part_of_the_response() {
    let key = "k".repeat(1000);
    for text in [
        format!("{{ strict {{ {key}: __typename }} }}"),
        format!("{{ links {{ {key}: depth(max: 9) }} }}"),
        "{ links { depth(max: -1) } a: links { depth(max: -1) } }".to_owned(),
    ] {
        for (limit, outcome) in [(500, Outcome::Refused), (10_000, Outcome::Executed)] {
            let executed = execute_limited(text.as_str(), limit);
            assert_eq!(executed.outcome, outcome, "{text} with {limit}");
        }
    }
}
