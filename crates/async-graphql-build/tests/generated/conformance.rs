//! The conformance of generated code behind `Strict` with section 6 of the GraphQL specification: the cases that
//! `async-graphql-strict` has of async-graphql's own objects.

#[path = "../../../async-graphql-strict/tests/strict/conformance/cases.rs"]
mod cases;
mod resolvers;

contract!("conformance.rs");

use async_graphql::{
    EmptySubscription, Executor, PathSegment, Request, Schema, ServerError, Variables,
};
use async_graphql_strict::{Settings, SkipValidation, Strict};

use self::{
    cases::{CASES, Case},
    contract::{Mutation, Query},
    resolvers::{Calls, Resolvers},
};

const CONTRACT: &str = include_str!("conformance.graphql");

/// Cases that resolvers of generated code cannot express: an item of a list that is an error, and an argument that is
/// known to be absent.
fn is_expressible(case: &Case) -> bool {
    !["itemResults", "echoMaybe"]
        .iter()
        .any(|field| case.document.contains(field))
}

#[tokio::test]
async fn generated_code_behind_strict_conforms() {
    let schema = Schema::build(Query(Resolvers), Mutation(Resolvers), EmptySubscription);
    let schema = schema.extension(SkipValidation).finish();
    let contract = graphql_sdl::Schema::parse("schema.graphql", CONTRACT).expect("it is valid");
    let executor = Strict::new(schema, &contract, Settings::default());
    let mut deviations = Vec::new();
    for case in CASES.iter().filter(|case| is_expressible(case)) {
        let variables = serde_json::from_str(case.variables).expect("the variables are JSON");
        let calls = Calls::default();
        let request = Request::new(case.document).variables(Variables::from_json(variables));
        let response = Executor::execute(&executor, request.data(Calls::clone(&calls))).await;
        let data = serde_json::to_string(&response.data).expect("values are JSON");
        let called = calls.lock().expect("nothing panics").clone();
        if data != case.data || !are_required(case, &response.errors) || called != case.calls {
            deviations.push(format!(
                "{}: {data} {:?} {called:?}",
                case.name, response.errors
            ));
        }
    }
    assert!(deviations.is_empty(), "{deviations:#?}");
}

fn are_required(case: &Case, errors: &[ServerError]) -> bool {
    let mut errors: Vec<_> = errors
        .iter()
        .map(|error| (&error.message, path(error)))
        .collect();
    errors.sort_by(|one, other| one.1.cmp(&other.1));
    errors.len() == case.errors.len()
        && errors
            .iter()
            .zip(case.errors)
            .all(|((message, path), required)| {
                (required.0 == "*" || *message == required.0) && path == required.1
            })
}

fn path(error: &ServerError) -> String {
    let segments = error.path.iter().map(|segment| match segment {
        PathSegment::Field(key) => key.clone(),
        PathSegment::Index(index) => index.to_string(),
    });
    segments.collect::<Vec<_>>().join(".")
}
