//! The recorded use of the contract: the callers of requests, and the endpoint for operators.

use std::{sync::Arc, time::SystemTime};

use engine::Engine;
use poem::{
    Endpoint, IntoResponse, Response,
    endpoint::make_sync,
    http::{HeaderMap, HeaderName, StatusCode, header},
};

use super::{authorization::Authorized, client};

/// The headers with the name of a client, in the order of precedence.
static CLIENT_NAMES: [HeaderName; 2] = [
    HeaderName::from_static("graphql-client-name"),
    HeaderName::from_static("apollographql-client-name"),
];

/// The name of the caller of a request, if use is recorded: the subject of its token, else the name of the client,
/// else the kind of client.
pub(super) fn caller(
    engine: &Engine,
    authorized: &Authorized,
    headers: &HeaderMap,
) -> Option<String> {
    if !engine.records_use() {
        return None;
    }
    let client_name = || {
        let name = CLIENT_NAMES.iter().find_map(|name| headers.get(name))?;
        // A name that is not text is invalid, as an empty one.
        Some(name.to_str().unwrap_or_default())
    };
    let name = authorized.subject.as_deref().or_else(client_name);
    let name = name.or_else(|| client::known_source(client::call_source(headers)));
    name.map(str::to_owned)
}

/// The recorded use as JSON. It contains the subjects of tokens, so that only operators may read it.
pub fn recorded_use(engine: Arc<Engine>) -> impl Endpoint<Output = Response> + 'static {
    make_sync(move |_| response(&engine))
}

fn response(engine: &Engine) -> Response {
    let Some(usage) = engine.usage(SystemTime::now()) else {
        let message = "The use of the contract is not recorded; set usage-file.\n";
        return message.with_status(StatusCode::NOT_FOUND).into_response();
    };
    usage
        .to_json()
        .with_content_type("application/json; charset=utf-8")
        .with_header(header::CACHE_CONTROL, "no-store")
        .into_response()
}
