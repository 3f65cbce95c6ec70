//! The way to GraphiQL.

use poem::{handler, web::Redirect};

/// Sends a browser to the page on which GraphQL can be tried.
#[handler]
pub(super) fn to_graphiql() -> Redirect {
    graphiql_redirect()
}

/// See Other, since the page is another resource; relative, since a proxy may serve it under a prefix.
pub(super) fn graphiql_redirect() -> Redirect {
    Redirect::see_other("graphiql")
}
