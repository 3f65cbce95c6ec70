//! Coerced and refused values of variables.

use apollo_compiler::{ExecutableDocument, request::coerce_variable_values, response::JsonMap};
use async_graphql::value;
use proptest::{
    collection::{hash_map, vec},
    prelude::*,
    sample::select,
};
use serde_json::{Value as Json, json};

use super::*;

/// Without IDs and default values, which apollo-compiler treats differently.
const COMPARED: &str = "enum Kind { A B } scalar Any type Query { a: Int }
    input In { count: Int! share: Float in: In kinds: [Kind!] any: [Any] text: String yes: Boolean }";

fn json() -> impl Strategy<Value = Json> {
    let leaf = select(vec![
        json!(null),
        json!(true),
        json!(1),
        json!(1.5),
        json!(i64::from(i32::MAX) + 1),
        json!("A"),
        json!("text"),
    ]);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let keys = select(vec![
            "count", "share", "in", "kinds", "any", "text", "yes", "other",
        ]);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::from),
            hash_map(keys.prop_map(str::to_owned), inner, 0..5)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn coerces_like_apollo_compiler(
        ty in select(vec!["In", "In!", "[In]", "[[Int!]!]", "Int", "Float!", "String", "Boolean", "[Kind]!", "Any"]),
        given in json(),
    ) {
        let contract = Schema::parse_and_validate(COMPARED, "schema.graphql").expect("it is valid");
        let text = format!("query ($v: {ty}) {{ a @include(if: true) }}");
        let document = ExecutableDocument::parse(&contract, text, "query").expect("it is GraphQL");
        let operation = document.operations.get(None).expect("there is one");
        let mut values = JsonMap::new();
        values.insert("v", given.clone().into());
        let expected = coerce_variable_values(&contract, operation, &values).ok();
        let expected = expected.map(|values| json!(&*values).to_string());
        let variables = Variables::from_json(json!({ "v": given }));
        let found = coerce(&contract, Introspection::On, operation, variables).ok();
        let found = found.map(|values| json!(values.into_value()).to_string());
        prop_assert_eq!(found, expected);
    }
}

const SDL: &str = "directive @oneOf on INPUT_OBJECT input One @oneOf { a: Int b: String }
    input Some { id: ID ids: [ID!] count: Int share: Float } scalar Any enum Kind { A }
    type Query { a(id: ID ids: [[ID]] some: [Some] text: String any: Any kind: Kind one: One): Int }";

fn coerced_to(ty: &str, value: Value) -> Result<Value, String> {
    let contract = Schema::parse_and_validate(SDL, "schema.graphql").expect("it is valid");
    let text =
        format!("query ($v: {ty}) {{ a @include(if: true) b: __typename @skip(if: false) }}");
    let document = ExecutableDocument::parse(&contract, text, "query").expect("it is GraphQL");
    let operation = document.operations.get(None).expect("there is one");
    let mut variables = Variables::default();
    variables.insert(Name::new("v"), value);
    let mut variables = coerce(&contract, Introspection::On, operation, variables)?;
    Ok(variables.remove("v").expect("it was sent"))
}

#[test]
fn a_one_of_input_has_exactly_one_field() {
    for (value, is_valid) in [
        (value!({ "a": 1.0 }), true),
        (value!({}), false),
        (value!({ "a": null }), false),
        (value!({ "a": null, "b": "text" }), false),
        (value!({ "a": 1, "b": "text" }), false),
    ] {
        let expected = if is_valid {
            Ok(value!([{ "a": 1 }]))
        } else {
            Err("$v must have exactly one field, which is not null".to_owned())
        };
        assert_eq!(coerced_to("[One]", value), expected);
    }
}
