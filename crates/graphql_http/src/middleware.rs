//! The middleware whose endpoint is [`Handled`].

use poem::{Endpoint, Middleware};

use super::{
    access_log::AccessLog, authorization::Authorize, compression::Compression,
    connections::CountRequests, cors::Origins, entity_tags::EntityTags, graphiql::RedirectBrowsers,
    handled::Handled, head_limits::HeadLimits, head_requests::HeadRequests, hosts::AllowedHosts,
    paced_refusals::PacedRefusals, refusal_type::RefusalTypes, request_id::RequestIds,
    request_metrics::RequestMetrics, response_memory::ResponseMemory,
    security_headers::SecurityHeaders, traces::Traces, unread_bodies::UnreadBodies,
};

/// Implements poem's trait, which can be implemented only for single types.
macro_rules! middleware {
    ($($name:ty),+ $(,)?) => {$(
        impl<E: Endpoint> Middleware<E> for $name {
            type Output = Handled<Self, E>;

            fn transform(&self, endpoint: E) -> Self::Output {
                let middleware = self.clone();
                Handled { middleware, endpoint }
            }
        }
    )+};
}

middleware![
    AccessLog,
    AllowedHosts,
    Authorize,
    Compression,
    CountRequests,
    Origins,
    EntityTags,
    RedirectBrowsers,
    HeadLimits,
    HeadRequests,
    PacedRefusals,
    RefusalTypes,
    RequestIds,
    RequestMetrics,
    ResponseMemory,
    SecurityHeaders,
    Traces,
    UnreadBodies
];
