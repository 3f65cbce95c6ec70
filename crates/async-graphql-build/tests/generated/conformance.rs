//! The conformance of generated code and of async-graphql's derives, both behind `Strict`, with section 6 of the GraphQL
//! specification.

mod cases;
mod derived;
mod resolvers;

include!(concat!(env!("OUT_DIR"), "/conformance.rs"));

use std::time::Duration;

use async_graphql::{EmptySubscription, Executor, PathSegment, Request, Schema, ServerError, Variables};
use async_graphql_strict::{Settings, SkipValidation, Strict};
use tokio::time::timeout;

use self::{
    cases::{CASES, Case},
    contract::{CONTRACT, Mutation, Query},
    resolvers::{Calls, Resolvers},
};

/// Cases that resolvers of generated code cannot express: an item of a list that is an error, and an argument that is
/// known to be absent.
fn is_expressible(case: &Case) -> bool {
    !["itemResults", "echoMaybe"].iter().any(|field| case.document.contains(field))
}

#[tokio::test]
async fn generated_code_behind_strict_conforms() {
    let schema = Schema::build(Query(Resolvers), Mutation(Resolvers), EmptySubscription);
    let schema = schema.extension(SkipValidation).finish();
    let found = deviations(behind_strict(schema, CONTRACT), is_expressible).await;
    assert!(found.is_empty(), "{found:#?}");
}

/// async-graphql replaces the path of an error in a list by that of the item.
#[tokio::test]
async fn derives_behind_strict_conform_but_for_one_path() {
    let schema = derived::schema();
    let sdl = schema.sdl();
    let found = deviations(behind_strict(schema, &sdl), |_| true).await;
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    let expected = ["a failed non-null item nulls the list"];
    assert_eq!(names, expected, "{found:#?}");
}

fn behind_strict<S: Executor>(schema: S, sdl: &str) -> Strict<S> {
    let contract = graphql_sdl::Schema::parse("schema.graphql", sdl).expect("it is valid");
    Strict::new(schema, &contract, Settings::default())
}

/// The cases whose response differs from the required one, each with the response.
async fn deviations(executor: impl Executor, is_tried: fn(&Case) -> bool) -> Vec<(&'static str, String)> {
    let mut deviations = Vec::new();
    for case in CASES.iter().filter(|case| is_tried(case)) {
        let variables = serde_json::from_str(case.variables).expect("the variables are JSON");
        let calls = Calls::default();
        let request = Request::new(case.document).variables(Variables::from_json(variables));
        let response = executor.execute(request.data(Calls::clone(&calls)));
        let response = timeout(Duration::from_secs(10), response).await;
        let response = response.expect("it is fast");
        let data = serde_json::to_string(&response.data).expect("values are JSON");
        let called = calls.lock().expect("nothing panics").clone();
        if data != case.data || !are_required(case, &response.errors) || called != case.calls {
            let found = format!("{data} {:?}, called {called:?}", response.errors);
            deviations.push((case.name, found));
        }
    }
    deviations
}

fn are_required(case: &Case, errors: &[ServerError]) -> bool {
    let mut errors: Vec<_> = errors.iter().map(|error| (&error.message, path(error))).collect();
    errors.sort_by(|one, other| one.1.cmp(&other.1));
    errors.len() == case.errors.len()
        && errors
            .iter()
            .zip(case.errors)
            .all(|((message, path), required)| (required.0 == "*" || *message == required.0) && path == required.1)
}

fn path(error: &ServerError) -> String {
    let segments = error.path.iter().map(|segment| match segment {
        PathSegment::Field(key) => key.clone(),
        PathSegment::Index(index) => index.to_string(),
    });
    segments.collect::<Vec<_>>().join(".")
}
