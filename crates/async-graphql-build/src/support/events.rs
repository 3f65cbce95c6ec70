//! The events of subscriptions.

use std::borrow::Cow;

use async_graphql::{
    ContextSelectionSet, Error, OutputType, Positioned, ServerResult, Value,
    futures_util::{Stream, StreamExt},
    parser::types::Field,
    registry::Registry,
};

use super::{Complete, ResponseBytes, WriteJson, written};

/// The name of an event is that of its value.
macro_rules! type_of {
    ($type:ty) => {
        fn type_name() -> Cow<'static, str> {
            <$type as OutputType>::type_name()
        }

        fn qualified_type_name() -> String {
            <$type as OutputType>::qualified_type_name()
        }

        fn create_type_info(registry: &mut Registry) -> String {
            <$type as OutputType>::create_type_info(registry)
        }
    };
}

/// An event without resolvers, which is written as JSON text.
pub struct Json<T>(pub T);

impl<T: WriteJson + OutputType> OutputType for Json<T> {
    type_of!(T);

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        begin(ctx);
        written(&self.0, ctx)
    }
}

/// An event with resolvers that is completed.
pub struct Completed<T>(pub T);

impl<T: Complete + OutputType> OutputType for Completed<T> {
    type_of!(T);

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        begin(ctx);
        self.0.complete(ctx, field).await
    }
}

/// The response of each event has the maximum size of a response.
fn begin(ctx: &ContextSelectionSet<'_>) {
    if let Some(bytes) = ctx.data_opt::<ResponseBytes>() {
        bytes.reset();
    }
}

/// The events of a resolver as output types.
pub fn events<T, U, E: Into<Error>>(
    events: impl Stream<Item = Result<T, E>>,
    complete: fn(T) -> U,
) -> impl Stream<Item = Result<U, Error>> {
    events.map(move |event| event.map(complete).map_err(Into::into))
}
