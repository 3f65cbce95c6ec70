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
mod refusal;
mod request;
mod response;
mod response_bodies;
mod routes;
mod tls;

pub use self::{
    acceptor::{Connection, ConnectionLimits, LimitedAcceptor, server},
    check::{Check, check_head},
    cors::{Origins, check_origin},
    endpoint::{Caller, GraphQL, GraphQLSettings},
    graphiql::{GraphiqlTab, graphiql, redirect_browsers},
    hosts::AllowedHosts,
    idempotency::IdempotencyKey,
    observe::{Ids, Observe, Observer, TraceParent},
    refusal::{Refusal, catch_panics},
    response::{Report, retry_after, scope_challenge},
    response_bodies::ResponseBodies,
    routes::{Part, fallback, live, metrics, ready, schema_document},
    tls::{Tls, TlsError, TlsFiles},
};
