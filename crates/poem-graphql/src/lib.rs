//! GraphQL over HTTP for poem: an endpoint, middleware, and connections with limits.
#![doc = include_str!("../README.md")]

mod acceptor;
mod body;
mod budget;
mod check;
mod cors;
mod endpoint;
mod graphiql;
mod hosts;
mod idempotency;
mod media_type;
mod observe;
mod panics;
mod refusal;
mod request;
mod response;
mod response_bodies;
mod routes;
mod tls;

use std::borrow::Cow;

use poem::http::{HeaderMap, HeaderName};

pub use self::{
    acceptor::{Connection, ConnectionLimits, LimitedAcceptor, server},
    check::{Check, check_head, check_origin},
    cors::Origins,
    endpoint::{Caller, GraphQL, GraphQLSettings},
    graphiql::{GraphiqlTab, graphiql, redirect_browsers},
    hosts::AllowedHosts,
    idempotency::IdempotencyKey,
    observe::{Ids, Observe, Observer, TraceParent},
    panics::catch_panics,
    refusal::Refusal,
    response::{Report, retry_after, scope_challenge},
    response_bodies::ResponseBodies,
    routes::{Part, fallback, live, metrics, ready, schema_document},
    tls::{Tls, TlsError, TlsFiles},
};

/// All lines of a header, joined by commas. A line that is not text becomes `?`.
fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Cow<'a, str> {
    let lines = headers.get_all(name).into_iter();
    let mut lines = lines.map(|line| line.to_str().unwrap_or("?"));
    let first = lines.next().unwrap_or_default();
    let Some(second) = lines.next() else {
        return Cow::Borrowed(first);
    };
    let all = [first, second].into_iter().chain(lines);
    Cow::Owned(all.collect::<Vec<_>>().join(","))
}
