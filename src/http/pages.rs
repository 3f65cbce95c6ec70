//! The page for people: a form to try the schema.

use poem::{IntoResponse, Response, handler, http::header, web::Redirect};

const GRAPHIQL: &str = include_str!("graphiql.html");

/// The page works without any other host, and nothing that it shows can make it ask one.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; \
     script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sends a browser to the page on which GraphQL can be tried.
#[handler]
pub(super) fn to_graphiql() -> Redirect {
    graphiql_redirect()
}

/// A page on which GraphQL can be tried.
#[handler]
pub(super) fn graphiql() -> Response {
    GRAPHIQL
        .with_content_type("text/html; charset=utf-8")
        .with_header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
        .with_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .into_response()
}

/// See Other, since the page is another resource; relative, since a proxy may serve it under a prefix.
pub(super) fn graphiql_redirect() -> Redirect {
    Redirect::see_other("graphiql")
}
