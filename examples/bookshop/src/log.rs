//! A line for each request, and the causes of the errors that clients receive masked.

use std::time::Instant;

use async_graphql_strict::ErrorCode;
use poem::{Request, Response};
use poem_graphql::{Ids, Observer, Report};

#[derive(Clone)]
pub(crate) struct Log;

impl Observer for Log {
    type Record = (Ids, Instant);

    fn begin(&self, _: &Request, ids: Ids) -> Self::Record {
        (ids, Instant::now())
    }

    fn end(&self, (ids, started): Self::Record, response: &Response, report: Option<&Report>) {
        let Some(report) = report else { return };
        let request_id = ids.request();
        for (_, cause) in report.causes() {
            let (reference, cause) = (&cause.reference, &cause.chain);
            tracing::error!(request_id, reference, cause, "request failed");
        }
        let code = report.code().map_or("OK", ErrorCode::as_str);
        let (status, elapsed) = (response.status().as_u16(), started.elapsed());
        tracing::info!(request_id, operation = report.name(), code, status, ?elapsed, "request completed");
    }
}
