//! Nested resolvers that take turns, fail, and count their calls.

use std::sync::{Arc, Mutex};

use async_graphql::{Context, Error, ErrorExtensions as _, ID};

use super::contract::*;

/// The names of the resolvers that were called, in order.
pub(crate) type Calls = Arc<Mutex<Vec<&'static str>>>;

pub(crate) struct Resolvers;

#[derive(Clone, Copy)]
pub(crate) struct Thing(i32);

pub(crate) fn fail<T>(message: &str) -> Result<T, Error> {
    let error = Error::new(message);
    Err(error.extend_with(|_, extensions| extensions.set("code", "BAD_USER_INPUT")))
}

/// Lets other fields complete before this one.
pub(crate) async fn after_turns(turns: u32) {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn called(ctx: &Context<'_>, name: &'static str) {
    let calls = ctx.data::<Calls>().expect("each request has it");
    calls.lock().expect("nothing panics").push(name);
}

fn other() -> Other {
    Other { id: 9, other: "other".to_owned() }
}

impl ItemResolver for Thing {
    type Error = Error;

    async fn id(&self, _: &Context<'_>) -> Result<i32, Error> {
        Ok(self.0)
    }

    async fn name(&self, _: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(Some(format!("item {}", self.0)))
    }

    async fn slow(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        after_turns(5).await;
        Ok(Some(1))
    }

    async fn fast(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        Ok(Some(2))
    }

    async fn required_fails(&self, _: &Context<'_>) -> Result<i32, Error> {
        fail("required")
    }

    async fn required_fails_late(&self, _: &Context<'_>) -> Result<i32, Error> {
        after_turns(3).await;
        fail("late")
    }

    async fn required_child(&self, _: &Context<'_>) -> Result<Thing, Error> {
        Ok(Thing(self.0 + 1))
    }

    async fn child(&self, _: &Context<'_>) -> Result<Option<Thing>, Error> {
        Ok(Some(Thing(self.0 + 1)))
    }

    async fn children(&self, _: &Context<'_>) -> Result<Option<Vec<Option<Thing>>>, Error> {
        Ok(Some(vec![Some(Thing(1)), None, Some(Thing(2))]))
    }

    async fn half(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        if self.0 == 1 { Ok(Some(1)) } else { fail("half") }
    }

    async fn required_half(&self, _: &Context<'_>) -> Result<i32, Error> {
        if self.0 == 1 { Ok(1) } else { fail("half") }
    }
}

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn slow(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        after_turns(9).await;
        Ok(Some(1))
    }

    async fn fast(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        Ok(Some(2))
    }

    async fn item(&self, _: &Context<'_>) -> Result<Option<Thing>, Error> {
        Ok(Some(Thing(1)))
    }

    async fn none(&self, _: &Context<'_>) -> Result<Option<Thing>, Error> {
        Ok(None)
    }

    async fn required_item(&self, _: &Context<'_>) -> Result<Thing, Error> {
        Ok(Thing(1))
    }

    async fn fails(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        fail("no")
    }

    async fn required_fails(&self, _: &Context<'_>) -> Result<i32, Error> {
        fail("required")
    }

    async fn items(&self, _: &Context<'_>) -> Result<Option<Vec<Option<Thing>>>, Error> {
        Ok(Some(vec![Some(Thing(1)), Some(Thing(2))]))
    }

    async fn required_items(&self, _: &Context<'_>) -> Result<Option<Vec<Thing>>, Error> {
        Ok(Some(vec![Thing(1), Thing(2)]))
    }

    async fn matrix(&self, _: &Context<'_>) -> Result<Vec<Vec<Option<Thing>>>, Error> {
        Ok(vec![vec![Some(Thing(1)), None], vec![]])
    }

    async fn node(&self, _: &Context<'_>) -> Result<Option<Node>, Error> {
        Ok(Some(Thing(1).into()))
    }

    async fn nodes(&self, _: &Context<'_>) -> Result<Vec<Node>, Error> {
        Ok(vec![Thing(1).into(), other().into()])
    }

    async fn found(&self, _: &Context<'_>) -> Result<Vec<Found>, Error> {
        Ok(vec![Thing(1).into(), other().into()])
    }

    async fn counted(&self, ctx: &Context<'_>) -> Result<Option<Thing>, Error> {
        called(ctx, "counted");
        Ok(Some(Thing(1)))
    }

    async fn echo(&self, _: &Context<'_>, QueryEchoArguments { first }: QueryEchoArguments<i32>) -> Result<i32, Error> {
        Ok(first)
    }

    async fn echo_nullable_default(
        &self,
        _: &Context<'_>,
        arguments: QueryEchoNullableDefaultArguments<Option<i32>>,
    ) -> Result<Option<i32>, Error> {
        Ok(arguments.first)
    }

    async fn echo_list(
        &self,
        _: &Context<'_>,
        QueryEchoListArguments { list }: QueryEchoListArguments<Vec<i32>>,
    ) -> Result<Vec<i32>, Error> {
        Ok(list)
    }

    async fn echo_text(
        &self,
        _: &Context<'_>,
        QueryEchoTextArguments { text }: QueryEchoTextArguments<String>,
    ) -> Result<String, Error> {
        Ok(text)
    }

    async fn echo_id(
        &self,
        _: &Context<'_>,
        QueryEchoIdArguments { id }: QueryEchoIdArguments<ID>,
    ) -> Result<ID, Error> {
        Ok(id)
    }

    async fn echo_float(
        &self,
        _: &Context<'_>,
        QueryEchoFloatArguments { value }: QueryEchoFloatArguments<f64>,
    ) -> Result<f64, Error> {
        Ok(value)
    }

    async fn echo_color(
        &self,
        _: &Context<'_>,
        QueryEchoColorArguments { color }: QueryEchoColorArguments<Color>,
    ) -> Result<Color, Error> {
        Ok(color)
    }

    async fn echo_input(
        &self,
        _: &Context<'_>,
        QueryEchoInputArguments { input }: QueryEchoInputArguments<Input>,
    ) -> Result<String, Error> {
        Ok(format!("{} {:?} {:?}", input.count, input.text.value(), input.more))
    }
}

impl MutationResolver for Resolvers {
    type Error = Error;

    async fn first(&self, ctx: &Context<'_>) -> Result<Option<Thing>, Error> {
        after_turns(5).await;
        called(ctx, "first");
        Ok(Some(Thing(1)))
    }

    async fn second(&self, ctx: &Context<'_>) -> Result<i32, Error> {
        called(ctx, "second");
        Ok(2)
    }

    async fn required_fails(&self, _: &Context<'_>) -> Result<i32, Error> {
        fail("required")
    }

    async fn fails(&self, _: &Context<'_>) -> Result<Option<i32>, Error> {
        fail("no")
    }
}
