//! The same resolvers with async-graphql's derives.

#![allow(clippy::unused_async, reason = "async-graphql resolves fields by asynchronous methods")]

use async_graphql::{
    Context, EmptySubscription, Enum, ID, InputObject, Interface, MaybeUndefined, Object, Result, Schema, Union,
};
use async_graphql_strict::SkipValidation;

use super::resolvers::{after_turns, called, fail};

/// The schema of all cases.
pub(crate) type TestSchema = Schema<Query, Mutation, EmptySubscription>;

pub(crate) fn schema() -> TestSchema {
    Schema::build(Query, Mutation, EmptySubscription).extension(SkipValidation).finish()
}

#[derive(Interface)]
#[graphql(field(name = "id", ty = "i32"))]
pub(crate) enum Node {
    Item(Item),
    Other(Other),
}

#[derive(Union)]
pub(crate) enum Found {
    Item(Item),
    Other(Other),
}

#[derive(InputObject)]
pub(crate) struct Input {
    #[graphql(default = 3)]
    count: i32,
    text: Option<String>,
    more: MaybeUndefined<i32>,
}

#[derive(Enum, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Color {
    Red,
    Green,
}

#[derive(Clone, Copy)]
pub(crate) struct Other;

#[Object]
impl Other {
    async fn id(&self) -> i32 {
        9
    }

    async fn other(&self) -> &str {
        "other"
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Item(i32);

#[Object]
impl Item {
    async fn id(&self) -> i32 {
        self.0
    }

    async fn name(&self) -> Option<String> {
        Some(format!("item {}", self.0))
    }

    async fn slow(&self) -> Option<i32> {
        after_turns(5).await;
        Some(1)
    }

    async fn fast(&self) -> Option<i32> {
        Some(2)
    }

    async fn required_fails(&self) -> Result<i32> {
        fail("required")
    }

    async fn required_fails_late(&self) -> Result<i32> {
        after_turns(3).await;
        fail("late")
    }

    async fn required_child(&self) -> Item {
        Item(self.0 + 1)
    }

    async fn child(&self) -> Option<Item> {
        Some(Item(self.0 + 1))
    }

    async fn children(&self) -> Option<Vec<Option<Item>>> {
        Some(vec![Some(Item(1)), None, Some(Item(2))])
    }

    async fn half(&self) -> Option<Result<i32>> {
        if self.0 == 1 { Some(Ok(1)) } else { Some(fail("half")) }
    }

    async fn required_half(&self) -> Result<i32> {
        if self.0 == 1 { Ok(1) } else { fail("half") }
    }
}

pub(crate) struct Query;

#[Object]
impl Query {
    async fn slow(&self) -> Option<i32> {
        after_turns(9).await;
        Some(1)
    }

    async fn fast(&self) -> Option<i32> {
        Some(2)
    }

    async fn item(&self) -> Option<Item> {
        Some(Item(1))
    }

    async fn none(&self) -> Option<Item> {
        None
    }

    async fn required_item(&self) -> Item {
        Item(1)
    }

    async fn fails(&self) -> Option<Result<i32>> {
        Some(fail("no"))
    }

    async fn required_fails(&self) -> Result<i32> {
        fail("required")
    }

    async fn items(&self) -> Option<Vec<Option<Item>>> {
        Some(vec![Some(Item(1)), Some(Item(2))])
    }

    async fn required_items(&self) -> Option<Vec<Item>> {
        Some(vec![Item(1), Item(2)])
    }

    async fn item_results(&self) -> Option<Vec<Result<Item>>> {
        Some(vec![Ok(Item(1)), fail("second")])
    }

    async fn matrix(&self) -> Vec<Vec<Option<Item>>> {
        vec![vec![Some(Item(1)), None], vec![]]
    }

    async fn node(&self) -> Option<Node> {
        Some(Node::Item(Item(1)))
    }

    async fn nodes(&self) -> Vec<Node> {
        vec![Node::Item(Item(1)), Node::Other(Other)]
    }

    async fn found(&self) -> Vec<Found> {
        vec![Found::Item(Item(1)), Found::Other(Other)]
    }

    async fn counted(&self, ctx: &Context<'_>) -> Option<Item> {
        called(ctx, "counted");
        Some(Item(1))
    }

    async fn echo(&self, #[graphql(default = 50)] first: i32) -> i32 {
        first
    }

    async fn echo_maybe(&self, first: MaybeUndefined<i32>) -> &str {
        match first {
            MaybeUndefined::Undefined => "absent",
            MaybeUndefined::Null => "null",
            MaybeUndefined::Value(_) => "value",
        }
    }

    async fn echo_nullable_default(&self, #[graphql(default_with = "Some(7)")] first: Option<i32>) -> Option<i32> {
        first
    }

    async fn echo_list(&self, list: Vec<i32>) -> Vec<i32> {
        list
    }

    async fn echo_text(&self, text: String) -> String {
        text
    }

    async fn echo_id(&self, id: ID) -> ID {
        id
    }

    async fn echo_float(&self, value: f64) -> f64 {
        value
    }

    async fn echo_color(&self, color: Color) -> Color {
        color
    }

    async fn echo_input(&self, input: Input) -> String {
        format!("{} {:?} {:?}", input.count, input.text, input.more)
    }
}

pub(crate) struct Mutation;

#[Object]
impl Mutation {
    async fn first(&self, ctx: &Context<'_>) -> Option<Item> {
        after_turns(5).await;
        called(ctx, "first");
        Some(Item(1))
    }

    async fn second(&self, ctx: &Context<'_>) -> i32 {
        called(ctx, "second");
        2
    }

    async fn required_fails(&self) -> Result<i32> {
        fail("required")
    }

    async fn fails(&self) -> Option<Result<i32>> {
        Some(fail("no"))
    }
}
