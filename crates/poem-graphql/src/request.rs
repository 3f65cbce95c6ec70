//! Parses the GraphQL request in a body or in the parameters of a URL.

use std::{borrow::Cow, str};

use async_graphql::{BatchRequest, Extensions, Name, Request as GraphqlRequest, Value, Variables, indexmap::IndexMap};
use async_graphql_poem::GraphQLBatchRequest;
use async_graphql_strict::Request;
use hyper::body::Bytes;
use percent_encoding::percent_decode_str;
use poem::{FromRequest, RequestBody, http::StatusCode};
use serde::{Deserialize, de::IgnoredAny};

use crate::refusal::Refusal;

/// The extension that refers to a persisted document.
const PERSISTED: &str = "persistedQuery";

/// The members of a request. Others are ignored, and null is equivalent to absent.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "a JSON object")]
struct Members {
    query: Value,
    document_id: Value,
    operation_name: Value,
    variables: Value,
    extensions: Value,
}

fn malformed(message: impl Into<Cow<'static, str>>) -> poem::Error {
    Refusal::bad_request(StatusCode::BAD_REQUEST, message).into()
}

/// Parses a complete body whose media type and size are checked, by the extractor of async-graphql-poem. That does not know
/// `documentId`, and its errors have no reason: such a body is parsed here.
pub(crate) async fn from_body(head: &poem::Request, body: Vec<u8>) -> poem::Result<Request> {
    let body = Bytes::from(body);
    let text = str::from_utf8(&body).map_err(|error| {
        let position = error.valid_up_to();
        malformed(format!("the request body is not UTF-8: byte {position} is wrong"))
    })?;
    if !text.contains("\"documentId\"") {
        let mut extracted = RequestBody::new(body.clone().into());
        let extracted = GraphQLBatchRequest::from_request(head, &mut extracted).await;
        if let Ok(GraphQLBatchRequest(BatchRequest::Single(graphql))) = extracted
            && (!graphql.query.is_empty() || is_persisted(graphql.extensions.get(PERSISTED)))
        {
            return Ok(graphql.into());
        }
    }
    let not_json = |error| malformed(format!("the request body cannot be read as JSON: {error}"));
    let first = text.trim_ascii_start().bytes().next();
    if first == Some(b'{') {
        return serde_json::from_str::<Members>(text).map_err(not_json)?.into_request();
    }
    let parsed = serde_json::from_str::<IgnoredAny>(text).map_err(not_json);
    Err(match first {
        None => malformed("the request body is empty; it must be a JSON object with the member `query`"),
        Some(b'[') if parsed.is_ok() => {
            malformed("the request body is a list; send one operation per request, as a JSON object")
        }
        Some(_) => {
            parsed.err().unwrap_or_else(|| malformed("the request body must be a JSON object with the member `query`"))
        }
    })
}

/// Whether a URL has a GraphQL request.
pub(crate) fn has_graphql_parameters(request: &poem::Request) -> bool {
    let is_given = |member: &Value| *member != Value::Null;
    // Parameters that cannot be read are refused as those of a GraphQL request.
    parameters(request)
        .map_or(true, |members| [members.query, members.document_id, members.extensions].iter().any(is_given))
}

/// The decoded parameters of a URL, each a string.
fn parameters(request: &poem::Request) -> poem::Result<Members> {
    let query = request.uri().query().unwrap_or_default();
    // The decoder would replace wrong bytes.
    let is_utf8 = |pair: &str| percent_decode_str(pair).decode_utf8().is_ok();
    if let Some(index) = query.split('&').position(|pair| !is_utf8(pair)) {
        let number = index + 1;
        let message = format!("parameter {number} of the URL is not UTF-8 after percent-decoding");
        return Err(malformed(message));
    }
    request.params().map_err(|error| malformed(format!("the parameters of the URL cannot be read: {error}")))
}

/// Parses the parameters of a URL; `variables` and `extensions` are JSON texts.
pub(crate) fn from_url(request: &poem::Request) -> poem::Result<Request> {
    let mut members = parameters(request)?;
    // GraphQL over HTTP: an empty optional parameter is equivalent to none.
    for member in [&mut members.operation_name, &mut members.variables, &mut members.extensions] {
        if *member == Value::from("") {
            *member = Value::Null;
        }
    }
    for (name, member) in [("variables", &mut members.variables), ("extensions", &mut members.extensions)] {
        if let Value::String(text) = member {
            *member = serde_json::from_str(text)
                .map_err(|error| malformed(format!("the URL parameter `{name}` cannot be read as JSON: {error}")))?;
        }
    }
    members.into_request()
}

impl Members {
    /// The query is optional if the request refers to a persisted document.
    fn into_request(self) -> poem::Result<Request> {
        let document_id = string("documentId", self.document_id)?;
        let extensions = object("extensions", self.extensions)?;
        let query = string("query", self.query)?;
        if query.is_none() && document_id.is_none() && !is_persisted(extensions.get(PERSISTED)) {
            return Err(malformed(
                "`query` is missing; send the GraphQL document to execute in it, as a string, or the \
                 identifier of one in `documentId`",
            ));
        }
        let mut graphql = GraphqlRequest::new(query.unwrap_or_default());
        graphql.operation_name = string("operationName", self.operation_name)?;
        let variables = object("variables", self.variables)?;
        graphql.variables = Variables::from_value(Value::Object(variables));
        let extensions = extensions.into_iter().map(|(name, value)| (name.to_string(), value));
        graphql.extensions = Extensions(extensions.collect());
        let request = Request::from(graphql);
        Ok(Request { document_id, ..request })
    }
}

fn is_persisted(extension: Option<&Value>) -> bool {
    extension.is_some_and(|value| *value != Value::Null)
}

fn string(member: &str, value: Value) -> poem::Result<Option<String>> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(wrong_type(member, "a string", &other)),
    }
}

fn object(member: &str, value: Value) -> poem::Result<IndexMap<Name, Value>> {
    match value {
        Value::Null => Ok(IndexMap::new()),
        Value::Object(members) => Ok(members),
        other => Err(wrong_type(member, "an object", &other)),
    }
}

fn wrong_type(member: &str, expected: &str, value: &Value) -> poem::Error {
    let found = match value {
        Value::Null => "null",
        Value::Number(_) => "a number",
        Value::String(_) | Value::Enum(_) | Value::Binary(_) => "a string",
        Value::Boolean(_) => "a boolean",
        Value::List(_) => "a list",
        Value::Object(_) => "an object",
    };
    malformed(format!("`{member}` must be {expected}, not {found}"))
}
