//! GraphQL over HTTP for poem: an endpoint, middleware, and a server with limits.
#![doc = include_str!("../README.md")]

mod acceptor;
mod allowed_hosts;
mod authorization;
mod body;
mod challenge;
mod chunked_bodies;
mod client;
mod compression;
mod connection;
mod connection_limit;
mod connections;
mod content;
mod cors;
mod documents;
mod graphiql;
mod graphql;
mod head_limits;
mod head_requests;
mod health;
mod hosts;
mod idempotency;
mod limit;
mod media_type;
mod metrics;
mod middleware;
mod origin_check;
mod panics;
mod refusal;
mod refusal_type;
mod report;
mod request;
mod request_id;
mod request_telemetry;
mod response;
mod routes;
mod security_headers;
mod serve;
mod server;
mod settings;
mod stopping;
mod tls;
mod trace_context;
mod traces;
mod unread_bodies;

pub use self::{
    authorization::{Authorize, Authorized},
    chunked_bodies::ChunkedBodies,
    compression::Compression,
    connection_limit::connection_limit,
    cors::Origins,
    documents::schema_document,
    graphiql::{GraphiqlTab, RedirectBrowsers, graphiql},
    graphql::GraphQL,
    head_limits::HeadLimits,
    head_requests::HeadRequests,
    health::{Part, Probe, Ready},
    hosts::AllowedHosts,
    metrics::{MetricsEndpoint, metrics},
    middleware::Inside,
    origin_check::OriginCheck,
    panics::catch_panics,
    refusal_type::RefusalTypes,
    request_id::RequestIds,
    request_telemetry::RequestTelemetry,
    routes::{GRAPHQL, fallback, operations},
    security_headers::SecurityHeaders,
    serve::serve,
    server::Listener,
    settings::{Graphiql, HttpSettings, SchemaDocument},
    stopping::Stopping,
    tls::{Tls, TlsError, TlsFiles},
    traces::Traces,
};
