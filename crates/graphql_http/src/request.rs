//! Parses the GraphQL request in a body or in the parameters of a URL. Performs no I/O.

use std::str;

use async_graphql::{Name, Value, Variables};
use indexmap::IndexMap;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, de::IgnoredAny};

use engine::{EngineResponse, PreparedRequest, Request};

/// Why a request is not a well-formed GraphQL over HTTP request. The message is sent to the client.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    #[error("the request body is empty; it must be a JSON object with the member `query`")]
    Empty,
    #[error("the request body is not UTF-8: byte {0} is wrong")]
    NotUtf8(usize),
    #[error("the request body cannot be read as JSON: {0}")]
    NotJson(String),
    #[error("the request body is a list; send one operation per request, as a JSON object")]
    List,
    #[error("the request body must be a JSON object with the member `query`")]
    NotAnObject,
    #[error(
        "`query` is missing; send the GraphQL document to execute in it, as a string, or the \
         identifier of one in `documentId`"
    )]
    NoQuery,
    #[error("`{member}` must be {expected}, not {found}")]
    WrongType {
        member: &'static str,
        expected: &'static str,
        found: &'static str,
    },
    #[error("the URL parameter `{parameter}` cannot be read as JSON: {error}")]
    ParameterNotJson {
        parameter: &'static str,
        error: String,
    },
    #[error("the URL parameter `{0}` is given more than once")]
    RepeatedParameter(&'static str),
    #[error("parameter {0} of the URL is not UTF-8 after percent-decoding")]
    ParameterNotUtf8(usize),
}

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

/// An operation that the engine has prepared or refused.
pub(super) type Prepared = Result<PreparedRequest, EngineResponse>;

/// Parses a JSON body.
pub(super) fn from_body(body: &[u8]) -> Result<Request, Malformed> {
    let text = str::from_utf8(body).map_err(|error| Malformed::NotUtf8(error.valid_up_to()))?;
    let not_json = |error: serde_json::Error| Malformed::NotJson(error.to_string());
    match text.trim_ascii_start().bytes().next() {
        None => Err(Malformed::Empty),
        Some(b'{') => {
            let members: Members = serde_json::from_str(text).map_err(not_json)?;
            members.into_request()
        }
        Some(first) => Err(match serde_json::from_str::<IgnoredAny>(text) {
            Err(error) => not_json(error),
            Ok(_) if first == b'[' => Malformed::List,
            Ok(_) => Malformed::NotAnObject,
        }),
    }
}

/// Whether a URL has a GraphQL request.
pub(super) fn has_graphql_parameters(request: &poem::Request) -> bool {
    let is_graphql = |name: &str| matches!(name, "query" | "documentId" | "extensions");
    // Parameters that cannot be decoded are refused as those of a GraphQL request.
    parameters(request).map_or(true, |all| all.iter().any(|(name, _)| is_graphql(name)))
}

/// The decoded parameters of a URL.
pub(super) fn parameters(request: &poem::Request) -> Result<Vec<(String, String)>, Malformed> {
    let query = request.uri().query().unwrap_or_default();
    // The decoder would replace wrong bytes.
    let is_utf8 = |pair: &str| percent_decode_str(pair).decode_utf8().is_ok();
    if let Some(index) = query.split('&').position(|pair| !is_utf8(pair)) {
        return Err(Malformed::ParameterNotUtf8(index + 1));
    }
    // Any text can be decoded to a list of pairs.
    Ok(request.params().unwrap_or_default())
}

/// Parses the decoded parameters of a URL; `variables` and `extensions` are JSON texts.
pub(super) fn from_parameters(
    parameters: impl IntoIterator<Item = (String, String)>,
) -> Result<Request, Malformed> {
    let (mut query, mut document_id, mut operation_name) = (None, None, None);
    let (mut variables, mut extensions) = (None, None);
    for (name, value) in parameters {
        let (name, parameter) = match name.as_str() {
            "query" => ("query", &mut query),
            "documentId" => ("documentId", &mut document_id),
            "operationName" => ("operationName", &mut operation_name),
            "variables" => ("variables", &mut variables),
            "extensions" => ("extensions", &mut extensions),
            _ => continue,
        };
        if parameter.replace(value).is_some() {
            return Err(Malformed::RepeatedParameter(name));
        }
    }
    // GraphQL over HTTP: an empty optional parameter is equivalent to none.
    for optional in [&mut operation_name, &mut variables, &mut extensions] {
        optional.take_if(|text| text.is_empty());
    }
    let members = Members {
        query: query.map_or(Value::Null, Value::String),
        document_id: document_id.map_or(Value::Null, Value::String),
        operation_name: operation_name.map_or(Value::Null, Value::String),
        variables: json_parameter("variables", variables)?,
        extensions: json_parameter("extensions", extensions)?,
    };
    members.into_request()
}

impl Members {
    /// The query is optional if the request refers to a persisted document.
    fn into_request(self) -> Result<Request, Malformed> {
        let document_id = string("documentId", self.document_id)?;
        let persisted = document_id.is_some()
            || matches!(&self.extensions, Value::Object(extensions)
            if extensions.get("persistedQuery").is_some_and(|value| *value != Value::Null));
        let query = match string("query", self.query)? {
            Some(query) => query,
            None if persisted => String::new(),
            None => return Err(Malformed::NoQuery),
        };
        let variables = Value::Object(object("variables", self.variables)?);
        Ok(Request {
            query,
            document_id,
            operation_name: string("operationName", self.operation_name)?,
            variables: Variables::from_value(variables),
            extensions: object("extensions", self.extensions)?,
        })
    }
}

fn json_parameter(parameter: &'static str, text: Option<String>) -> Result<Value, Malformed> {
    text.map_or(Ok(Value::Null), |text| {
        serde_json::from_str(&text).map_err(|error| Malformed::ParameterNotJson {
            parameter,
            error: error.to_string(),
        })
    })
}

fn string(member: &'static str, value: Value) -> Result<Option<String>, Malformed> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(Malformed::WrongType {
            member,
            expected: "a string",
            found: kind(&other),
        }),
    }
}

fn object(member: &'static str, value: Value) -> Result<IndexMap<Name, Value>, Malformed> {
    match value {
        Value::Null => Ok(IndexMap::new()),
        Value::Object(members) => Ok(members),
        other => Err(Malformed::WrongType {
            member,
            expected: "an object",
            found: kind(&other),
        }),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Number(_) => "a number",
        Value::String(_) | Value::Enum(_) | Value::Binary(_) => "a string",
        Value::Boolean(_) => "a boolean",
        Value::List(_) => "a list",
        Value::Object(_) => "an object",
    }
}
