//! The events of subscriptions.

use std::borrow::Cow;

use async_graphql::{
    ContextSelectionSet, Error, OutputType, Positioned, ServerResult, Value,
    futures_util::{Stream, StreamExt},
    parser::types::Field,
    registry::Registry,
};

use super::ResponseBytes;

/// An event, whose response has the maximum size of a response.
pub struct Event<T>(T);

impl<T: OutputType> OutputType for Event<T> {
    type_of!(T);

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        field: &Positioned<Field>,
    ) -> ServerResult<Value> {
        if let Some(bytes) = ctx.data_opt::<ResponseBytes>() {
            bytes.reset();
        }
        self.0.resolve(ctx, field).await
    }
}

/// The events of a resolver as output types.
pub fn events<T, U, E: Into<Error>>(
    events: impl Stream<Item = Result<T, E>>,
    complete: fn(T) -> U,
) -> impl Stream<Item = Result<Event<U>, Error>> {
    events.map(move |event| event.map(complete).map(Event).map_err(Into::into))
}
