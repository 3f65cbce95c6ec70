//! A middleware that records a span for each GraphQL request that is sampled, with the attributes of OpenTelemetry's
//! semantic conventions for HTTP and GraphQL.

use std::sync::Arc;

use auth::TrustedProxies;
use engine::ErrorCode;
use futures_util::FutureExt;
use poem::{
    Endpoint, Request, Response,
    http::{Method, uri::Scheme},
};
use telemetry::trace::{RootSpan, Tracer};

use super::{
    client,
    middleware::{Around, into_response, middleware},
    report::OperationReport,
    request_id::{self, RequestContext},
    routes::GRAPHQL,
};

/// Records the spans of requests.
#[derive(Clone)]
pub struct Traces {
    /// `None` if traces are not recorded.
    tracer: Option<Arc<Tracer>>,
    proxies: TrustedProxies,
    request_id_attribute: &'static str,
}

impl Traces {
    /// Records spans by a tracer, if there is one. The decision of these proxies to sample a trace is respected.
    /// `request_id_attribute` is the name of the attribute with the id of the request.
    pub fn new(
        tracer: Option<Arc<Tracer>>,
        proxies: TrustedProxies,
        request_id_attribute: &'static str,
    ) -> Self {
        Self {
            tracer,
            proxies,
            request_id_attribute,
        }
    }

    fn begin(&self, request: &Request) -> Option<(RootSpan, Arc<RequestContext>)> {
        let tracer = self.tracer.as_ref()?;
        if request.uri().path() != GRAPHQL {
            return None;
        }
        let context = request_id::context(request);
        let parent = context.trace.as_ref().map(|trace| trace.parent);
        let is_trusted = || self.proxies.trusts(client::peer(request));
        let span = tracer.start_request(parent, is_trusted)?;
        Some((span, context))
    }
}

middleware!(Traces);

impl Around for Traces {
    fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let Some((mut span, context)) = self.begin(&request) else {
            let call = endpoint.call(request);
            return call.map(|result| Ok(into_response(result))).left_future();
        };
        let (method, scheme) = (request.method().clone(), request.scheme().clone());
        let call = span.record(endpoint.call(request));
        // Boxed, because few requests are sampled.
        let call = call.map(move |result| {
            let response = into_response(result);
            span.set_attribute(self.request_id_attribute, context.id().to_owned());
            end(span, &method, &scheme, &response);
            Ok(response)
        });
        call.boxed().right_future()
    }
}

/// Sets the attributes of the response and ends the span. A dropped span counts as failed.
fn end(mut span: RootSpan, method: &Method, scheme: &Scheme, response: &Response) {
    let report = response.data::<Arc<OperationReport>>();
    let code = report.and_then(|report| report.code());
    let status = response.status();
    let failed =
        status.is_server_error() || code.is_some_and(|code| code >= ErrorCode::ServiceUnavailable);
    // Clients choose other methods freely.
    let (method, name) = match method.as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "CONNECT" | "OPTIONS" | "TRACE"
        | "PATCH") => (known, known),
        _ => ("_OTHER", "HTTP"),
    };
    span.record_response(format!("{name} {GRAPHQL}"), failed);
    span.set_attribute("http.request.method", method.to_owned());
    span.set_attribute("http.route", GRAPHQL);
    span.set_attribute("url.path", GRAPHQL);
    span.set_attribute("url.scheme", scheme.to_string());
    span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
    if let Some(code) = code {
        span.set_attribute("error.type", code.as_str());
    }
    if let Some(kind) = report.and_then(|report| report.kind()) {
        span.set_attribute("graphql.operation.type", kind);
    }
    if let Some(name) = report.and_then(|report| report.name()) {
        span.set_attribute("graphql.operation.name", name.to_owned());
    }
}
