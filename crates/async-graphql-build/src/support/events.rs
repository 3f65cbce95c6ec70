//! The events of subscriptions.

use async_graphql::{
    Error,
    futures_util::{Stream, StreamExt},
};

/// The events of a resolver as output types.
pub fn events<T, U, E: Into<Error>>(
    events: impl Stream<Item = Result<T, E>>,
    complete: fn(T) -> U,
) -> impl Stream<Item = Result<U, Error>> {
    events.map(move |event| event.map(complete).map_err(Into::into))
}
