//! Values that generated code writes as JSON text are those that `serde_json` writes.

#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "../src/support/mod.rs"]
#[allow(unused_imports, reason = "the test does not use all of it")]
mod support;

use std::{borrow::Cow, marker::PhantomData};

use async_graphql::{
    Context, ContextSelectionSet, EmptyMutation, EmptySubscription, ID, Object, OutputType,
    Positioned, Request, Schema, ServerResult, parser::types::Field, registry::Registry,
};
use futures_util::FutureExt;
use proptest::prelude::*;
use serde_json::{Value, json};

use support::{ResponseBytes, Text, WriteJson, written};

/// A value that is written as JSON text, of the type `D`.
struct Json<T, D = T>(T, PhantomData<fn() -> D>);

impl<T, D> Json<T, D> {
    fn new(value: T) -> Self {
        Self(value, PhantomData)
    }
}

impl<T: WriteJson + Send + Sync, D: OutputType> OutputType for Json<T, D> {
    fn type_name() -> Cow<'static, str> {
        D::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        D::create_type_info(registry)
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        _: &Positioned<Field>,
    ) -> ServerResult<async_graphql::Value> {
        written(&self.0, ctx)
    }
}

/// What the fields return.
#[derive(Clone, Debug)]
struct Values {
    text: String,
    int: i32,
    id: i64,
    float: f64,
    texts: Vec<String>,
}

struct Query;

fn values<'a>(ctx: &Context<'a>) -> &'a Values {
    ctx.data().expect("each request has them")
}

#[Object]
impl Query {
    async fn text<'ctx>(&self, ctx: &Context<'ctx>) -> Json<Text<'ctx>, String> {
        Json::new(values(ctx).text.as_str().into())
    }

    async fn int(&self, ctx: &Context<'_>) -> Json<i32> {
        Json::new(values(ctx).int)
    }

    async fn id(&self, ctx: &Context<'_>) -> Json<Text<'static>, ID> {
        Json::new(Text::Integer(values(ctx).id))
    }

    async fn float(&self, ctx: &Context<'_>) -> Json<f64> {
        Json::new(values(ctx).float)
    }

    async fn texts(&self, ctx: &Context<'_>) -> Json<Vec<String>> {
        Json::new(values(ctx).texts.clone())
    }
}

const QUERY: &str = "{ text int id texts }";

fn execute(request: Request) -> String {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let response = schema.execute(request).now_or_never();
    serde_json::to_string(&response.expect("nothing waits")).expect("a response is JSON")
}

prop_compose! {
    fn any_values()(
        text in any::<String>(),
        int in any::<i32>(),
        id in any::<i64>(),
        float in any::<f64>(),
        texts in prop::collection::vec(".*", 0..4),
    ) -> Values {
        let float = if float.is_finite() { float } else { 0.0 };
        Values { text, int, id, float, texts }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_written_as_by_serde(values in any_values()) {
        let response = execute(Request::new(QUERY).data(values.clone()));
        let response: Value = serde_json::from_str(&response).expect("it is JSON");
        // `serde_json` does not parse every float exactly.
        let float = execute(Request::new("{ float }").data(values.clone()));
        let float = float.replace(r#"{"data":{"float":"#, "").replace('}', "");
        prop_assert_eq!(float.parse(), Ok(values.float));
        let Values { text, int, id, texts, .. } = values;
        let expected = json!({
            "text": text, "int": int, "id": id.to_string(), "texts": texts,
        });
        prop_assert_eq!(&response["data"], &expected);
    }
}

#[test]
fn the_least_and_the_greatest_numbers_are_written() {
    for (int, id) in [
        (i32::MIN, i64::MIN),
        (i32::MAX, i64::MAX),
        (0, 0),
        (-10, 10),
    ] {
        let values = Values {
            text: (0..=0xa0_u8).map(char::from).collect(),
            int,
            id,
            float: f64::MIN_POSITIVE,
            texts: Vec::new(),
        };
        let response = execute(Request::new("{ text int id }").data(values.clone()));
        let text = json!(values.text);
        let expected = format!(r#"{{"data":{{"text":{text},"int":{int},"id":"{id}"}}}}"#);
        assert_eq!(response, expected);
    }
}

#[test]
fn a_list_stops_when_the_response_is_full() {
    let values = Values {
        text: String::new(),
        int: 0,
        id: 0,
        float: 0.0,
        texts: vec!["abc".to_owned(); 3],
    };
    let written = |max_bytes: usize| {
        let request = Request::new("{ texts }").data(values.clone());
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        let response = schema.execute(request.data(ResponseBytes::new(max_bytes)));
        let response = response.now_or_never().expect("nothing waits");
        let json = response.data.to_string();
        let (_, text) = json.split_once("RawValue: ").expect("it is JSON text");
        let text: String = serde_json::from_str(text.trim_end_matches('}')).expect("it is a text");
        text
    };
    let whole = r#"["abc","abc","abc"]"#;
    assert_eq!(written(whole.len()), whole);
    assert_eq!(written(0), r#"["abc""#);
    assert_eq!(written(6), r#"["abc","abc""#);
}
