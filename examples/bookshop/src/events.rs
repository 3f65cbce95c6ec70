//! The subscription.

use std::sync::Arc;

use async_graphql::Context;
use futures_util::{Stream, stream};
use tokio::sync::broadcast::error::RecvError;

use crate::{
    contract::{Genre, SubscriptionBookAddedArguments, SubscriptionResolver},
    failure::Failure,
    resolvers::Book,
    store::Store,
};

impl SubscriptionResolver for Arc<Store> {
    type Error = Failure;

    async fn book_added(
        &self,
        _: &Context<'_>,
        SubscriptionBookAddedArguments { genre }: SubscriptionBookAddedArguments<Option<Genre>>,
    ) -> Result<impl Stream<Item = Result<Book, Failure>>, Failure> {
        let (store, added) = (Arc::clone(self), self.added.subscribe());
        Ok(stream::unfold(added, move |mut added| {
            let store = Arc::clone(&store);
            async move {
                loop {
                    let event = match added.recv().await {
                        Ok(row) if genre.is_some_and(|genre| genre != row.genre) => continue,
                        Ok(row) => Ok(Book(store, row)),
                        Err(RecvError::Lagged(books)) => Err(Failure::Missed(books)),
                        Err(RecvError::Closed) => return None,
                    };
                    return Some((event, added));
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_graphql::{Executor, Response, Value};
    use futures_util::{FutureExt as _, StreamExt as _};

    use crate::{
        contract::Genre,
        isbn::Isbn,
        store::{BookRow, KEPT_BOOKS, Store},
    };

    #[tokio::test]
    async fn a_slow_subscriber_learns_how_many_books_it_has_missed() {
        let store = Arc::new(Store::in_memory().await.expect("it is empty"));
        let strict = crate::strict_of(Arc::clone(&store)).expect("the contract is valid");
        let query = "subscription { bookAdded { title } }";
        let mut events = Executor::execute_stream(&strict, query.into(), None);
        assert!(events.next().now_or_never().is_none());
        for number in 0..=KEPT_BOOKS {
            let row = BookRow {
                id: 0,
                isbn: Isbn::new("9780141439518").expect("it is valid"),
                title: number.to_string(),
                genre: Genre::Novel,
                publisher: String::new(),
                author_id: 1,
            };
            assert_eq!(store.added.send(row).ok(), Some(1));
        }
        let Response { data, errors, .. } = events.next().await.expect("an event");
        assert_eq!(data, Value::Null);
        let message = "events were not read in time, so added books are missing here (1); query them";
        assert_eq!(errors[0].message, message);
        let next = events.next().await.expect("an event");
        let next = serde_json::to_string(&next).expect("it is JSON");
        assert_eq!(next, r#"{"data":{"bookAdded":{"title":"1"}}}"#);
    }
}
