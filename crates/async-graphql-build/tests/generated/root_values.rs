//! A root type that is also the type of a field and implements an interface.

use std::sync::{
    Arc,
    atomic::{AtomicI32, Ordering::Relaxed},
};

use async_graphql::{Context, EmptySubscription, Error, ErrorExtensions as _, ID, Schema};
use async_graphql_strict::{Settings, SkipValidation, Strict};
use serde_json::{Value, json};

use crate::served;

/// A host that denies what it can, which generated code does not break.
#[expect(clippy::blanket_clippy_restriction_lints, reason = "generated code states which of them it allows")]
mod host {
    #![deny(
        clippy::nursery,
        clippy::restriction,
        missing_copy_implementations,
        missing_debug_implementations,
        unused_qualifications,
        unused_results,
        reason = "lints that a crate can turn on"
    )]

    include!(concat!(env!("OUT_DIR"), "/root_values.rs"));
}

use self::host::root_values::{
    AddedResolver, CONTRACT, Item, Mutation, MutationAddArguments, MutationResolver, Node, QueryNodeArguments,
    QueryResolver, build,
};

/// The root of queries: the number that was added up.
#[derive(Clone, Default)]
pub struct Root(Arc<AtomicI32>);

impl QueryResolver for Root {
    type Error = Error;

    async fn id(&self, _: &Context<'_>) -> Result<ID, Error> {
        Ok("root".into())
    }

    async fn relay(&self, _: &Context<'_>) -> Result<Root, Error> {
        Ok(self.clone())
    }

    async fn node(&self, _: &Context<'_>, arguments: QueryNodeArguments<ID>) -> Result<Option<Node>, Error> {
        if *arguments.id == "root" {
            return Ok(Some(self.clone().into()));
        }
        Ok(Some(Item { id: arguments.id }.into()))
    }

    async fn total(&self, _: &Context<'_>) -> Result<i32, Error> {
        match self.0.load(Relaxed) {
            13 => {
                let error = Error::new("no such total");
                Err(error.extend_with(|_, extensions| extensions.set("code", "NOT_FOUND")))
            }
            total => Ok(total),
        }
    }
}

impl MutationResolver for Root {
    type Error = Error;

    async fn add(&self, _: &Context<'_>, arguments: MutationAddArguments<i32>) -> Result<Addition, Error> {
        self.0.fetch_add(arguments.number, Relaxed);
        Ok(Addition(arguments.number, self.clone()))
    }
}

#[derive(Clone)]
pub struct Addition(i32, Root);

impl AddedResolver for Addition {
    type Error = Error;

    async fn number(&self, _: &Context<'_>) -> Result<i32, Error> {
        Ok(self.0)
    }

    async fn query(&self, _: &Context<'_>) -> Result<Option<Root>, Error> {
        Ok(Some(self.1.clone()))
    }
}

fn schema() -> Schema<Root, Mutation<Root>, EmptySubscription> {
    let root = Root::default();
    build(root.clone(), Mutation(root), EmptySubscription).extension(SkipValidation).finish()
}

async fn execute(query: &str) -> Value {
    let contract = graphql_sdl::Schema::parse("root_values.graphql", CONTRACT).expect("it is valid");
    let executor = Strict::new(schema(), &contract, Settings::default());
    let response = async_graphql::Executor::execute(&executor, query.into()).await;
    serde_json::to_value(&response).expect("a response is JSON")
}

#[tokio::test]
async fn a_root_is_the_value_of_its_own_field() {
    let query = "{id total relay {total again: relay {id __typename}}}";
    let expected = json!({"data": {"id": "root", "total": 0,
        "relay": {"total": 0, "again": {"id": "root", "__typename": "Query"}}}});
    assert_eq!(execute(query).await, expected);
}

#[tokio::test]
async fn a_root_is_a_possible_type_of_its_interface() {
    let query = "{root: node(id: \"root\") {__typename id ... on Query {total}} \
                 item: node(id: \"1\") {id ... on Query {total}} ... on Node {of: id}}";
    let expected = json!({"data": {"root": {"__typename": "Query", "id": "root", "total": 0},
        "item": {"id": "1"}, "of": "root"}});
    assert_eq!(execute(query).await, expected);
}

#[tokio::test]
async fn a_mutation_returns_what_can_be_queried_after_it() {
    let expected = json!({"data": {"add": {"number": 4, "query": {"total": 4}}}});
    let query = "mutation {add(number: 4) {number query {total}}}";
    assert_eq!(execute(query).await, expected);
    let failed = execute("mutation {add(number: 13) {number query {total}}}").await;
    assert_eq!(failed["data"], json!({"add": {"number": 13, "query": null}}));
    assert_eq!(failed["errors"][0]["path"], json!(["add", "query", "total"]));
}

#[tokio::test]
async fn introspection_of_a_nested_root_is_refused() {
    let refused = execute("{relay {__schema {queryType {name}}}}").await;
    let message = "__schema is answered at the root of an operation only; select it there";
    assert_eq!(refused["errors"][0]["message"], message);
    assert_eq!(refused["data"], json!(null));
}

#[tokio::test]
async fn the_served_schema_is_the_contract() {
    let served = served::differences(CONTRACT, &schema()).await;
    assert!(served.is_empty(), "{served:#?}");
}
