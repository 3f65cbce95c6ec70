//! The pages for people: the schema, and the way to GraphiQL.

use poem::{IntoResponse, Response, handler, http::header, web::Redirect};

use crate::graphql::SCHEMA;

/// Sends a browser to the page on which GraphQL can be tried.
#[handler]
pub(super) fn to_graphiql() -> Redirect {
    graphiql_redirect()
}

/// The text of `schema.graphql`. There is no registered media type for it.
#[handler]
pub(super) fn schema() -> Response {
    SCHEMA
        .with_content_type("text/plain; charset=utf-8")
        .with_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .into_response()
}

/// See Other, since the page is another resource; relative, since a proxy may serve it under a prefix.
pub(super) fn graphiql_redirect() -> Redirect {
    Redirect::see_other("graphiql")
}
