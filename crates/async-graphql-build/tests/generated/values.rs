//! Values that generated code writes as JSON text are those that `serde_json` writes.

use async_graphql::{Context, EmptyMutation, EmptySubscription, Error, Request, Schema};
use futures_util::FutureExt;
use proptest::prelude::*;
use serde_json::{Value, json};

include!(concat!(env!("OUT_DIR"), "/values.rs"));

use self::values::{
    self as contract,
    support::{ResponseBytes, Text},
};

/// What the fields return.
#[derive(Clone, Debug, Default)]
pub struct Given {
    text: String,
    int: i32,
    id: i64,
    float: f64,
    texts: Vec<String>,
}

impl contract::ValuesResolver for Given {
    fn text(&self) -> Text<'_> {
        self.text.as_str().into()
    }

    fn int(&self) -> i32 {
        self.int
    }

    fn id(&self) -> Text<'_> {
        Text::Integer(self.id)
    }

    fn float(&self) -> f64 {
        self.float
    }

    fn texts(&self) -> Vec<Text<'_>> {
        let texts = self.texts.iter();
        texts.map(|text| text.as_str().into()).collect()
    }
}

struct Resolvers;

impl contract::QueryResolver for Resolvers {
    type Error = Error;

    async fn values(&self, ctx: &Context<'_>) -> Result<Given, Error> {
        ctx.data().cloned()
    }
}

/// The JSON text of the selected fields.
fn written(selected: &str, of: Given, max_bytes: usize) -> String {
    let query = contract::Query(Resolvers);
    let schema = Schema::new(query, EmptyMutation, EmptySubscription);
    let request = Request::new(format!("{{ values {{ {selected} }} }}"));
    let request = request.data(of).data(ResponseBytes::new(max_bytes));
    let response = schema.execute(request).now_or_never();
    let json = serde_json::to_string(&response.expect("nothing waits"));
    let json = json.expect("a response is JSON");
    let values = json.strip_prefix(r#"{"data":{"values":"#);
    let values = values.and_then(|json| json.strip_suffix("}}"));
    values.unwrap_or_else(|| panic!("{json}")).to_owned()
}

prop_compose! {
    fn any_values()(
        text in any::<String>(),
        int in any::<i32>(),
        id in any::<i64>(),
        float in any::<f64>(),
        texts in prop::collection::vec(".*", 0..4),
    ) -> Given {
        let float = if float.is_finite() { float } else { 0.0 };
        Given { text, int, id, float, texts }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_written_as_by_serde(values in any_values()) {
        // `serde_json` does not parse every float exactly.
        let float = written("float", values.clone(), usize::MAX);
        let float = float.trim_start_matches(r#"{"float":"#).trim_end_matches('}');
        prop_assert_eq!(float.parse(), Ok(values.float));
        let written = written("text int id texts", values.clone(), usize::MAX);
        let written: Value = serde_json::from_str(&written).expect("it is JSON");
        let Given { text, int, id, texts, .. } = values;
        let expected = json!({ "text": text, "int": int, "id": id.to_string(), "texts": texts });
        prop_assert_eq!(written, expected);
    }
}

#[test]
fn the_least_and_the_greatest_numbers_are_written() {
    for (int, id) in [(i32::MIN, i64::MIN), (i32::MAX, i64::MAX), (0, 0), (-10, 10)] {
        let text: String = (0..=0xa0_u8).map(char::from).collect();
        let expected = format!(r#"{{"text":{},"int":{int},"id":"{id}"}}"#, json!(text));
        let values = Given { text, int, id, ..Given::default() };
        assert_eq!(written("text int id", values, usize::MAX), expected);
    }
}

#[test]
fn a_list_stops_when_the_response_is_full() {
    let values = Given { texts: vec!["abc".to_owned(); 3], ..Given::default() };
    let cut = |max_bytes| written("texts", values.clone(), max_bytes);
    // An incomplete text is not JSON, so it stays marked as one that was written.
    let marked = |text: &str| json!({ "$serde_json::private::RawValue": text }).to_string();
    let whole = r#"{"texts":["abc","abc","abc"]}"#;
    assert_eq!(cut(whole.len()), whole);
    assert_eq!(cut(0), marked(r#"{"texts":["abc""#));
    assert_eq!(cut(16), marked(r#"{"texts":["abc","abc""#));
}
