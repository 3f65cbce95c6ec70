//! The GraphQL request in a body or in the parameters of a URL. Pure: bytes in, request or sentence out.

use std::str;

use async_graphql::{Name, Request, Value, Variables, indexmap::IndexMap};
use serde::{Deserialize, de::IgnoredAny};

/// Why bytes are no well-formed GraphQL over HTTP request, as a sentence for the client.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    #[error("the request body is empty; it must be a JSON object with the member `query`")]
    Empty,
    #[error("the request body is not UTF-8: byte {0} is wrong")]
    NotUtf8(usize),
    #[error("the request body is not valid JSON: {0}")]
    NotJson(String),
    #[error(
        "the request body is a list; send one operation per request, as a JSON object: batches are not supported"
    )]
    Batch,
    #[error("the request body must be a JSON object with the member `query`")]
    NotAnObject,
    #[error("the request body is an empty list; it must have at least one operation")]
    EmptyBatch,
    #[error("operation {number} of the list: {malformed}")]
    InBatch {
        number: usize,
        malformed: Box<Malformed>,
    },
    #[error("it must be a JSON object with the member `query`")]
    OperationNotAnObject,
    #[error("`query` is missing; it must be a string, the GraphQL document to execute")]
    NoQuery,
    #[error("`{member}` must be {expected}, not {found}")]
    WrongType {
        member: &'static str,
        expected: &'static str,
        found: &'static str,
    },
    #[error("the URL parameter `{parameter}` is not valid JSON: {error}")]
    ParameterNotJson {
        parameter: &'static str,
        error: String,
    },
    #[error("the URL parameter `{0}` is given more than once")]
    RepeatedParameter(&'static str),
}

/// The members of a request; others are ignored. Null is as good as absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Members {
    query: Value,
    operation_name: Value,
    variables: Value,
    extensions: Value,
}

/// What a body holds.
#[derive(Debug)]
pub(super) enum Posted {
    /// One operation.
    One(Box<Request>),
    /// A list of operations, each to be answered.
    Batch(Vec<Request>),
}

/// Whether a body may be a list of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Batches {
    Permitted,
    Refused,
}

/// Reads a JSON body.
pub(super) fn from_body(body: &[u8], batches: Batches) -> Result<Posted, Malformed> {
    let text = str::from_utf8(body).map_err(|error| Malformed::NotUtf8(error.valid_up_to()))?;
    match text.trim_ascii_start().bytes().next() {
        None => Err(Malformed::Empty),
        Some(b'{') => {
            let members: Members = serde_json::from_str(text)
                .map_err(|error| Malformed::NotJson(error.to_string()))?;
            members.into_request().map(Box::new).map(Posted::One)
        }
        Some(b'[') if batches == Batches::Permitted => from_list(text).map(Posted::Batch),
        Some(first) => Err(match serde_json::from_str::<IgnoredAny>(text) {
            Err(error) => Malformed::NotJson(error.to_string()),
            Ok(_) if first == b'[' => Malformed::Batch,
            Ok(_) => Malformed::NotAnObject,
        }),
    }
}

fn from_list(text: &str) -> Result<Vec<Request>, Malformed> {
    let operations: Vec<Value> =
        serde_json::from_str(text).map_err(|error| Malformed::NotJson(error.to_string()))?;
    if operations.is_empty() {
        return Err(Malformed::EmptyBatch);
    }
    let numbered = (1..).zip(operations);
    numbered
        .map(|(number, operation)| {
            Members::from_operation(operation)
                .and_then(Members::into_request)
                .map_err(|malformed| Malformed::InBatch {
                    number,
                    malformed: Box::new(malformed),
                })
        })
        .collect()
}

/// Reads the decoded parameters of a URL; `variables` and `extensions` are JSON texts.
pub(super) fn from_parameters(
    parameters: impl IntoIterator<Item = (String, String)>,
) -> Result<Request, Malformed> {
    let (mut query, mut operation_name, mut variables, mut extensions) = (None, None, None, None);
    for (name, value) in parameters {
        let (name, seat) = match name.as_str() {
            "query" => ("query", &mut query),
            "operationName" => ("operationName", &mut operation_name),
            "variables" => ("variables", &mut variables),
            "extensions" => ("extensions", &mut extensions),
            _ => continue,
        };
        if seat.replace(value).is_some() {
            return Err(Malformed::RepeatedParameter(name));
        }
    }
    let members = Members {
        query: query.map_or(Value::Null, Value::String),
        // The specification says so for URLs: an empty name is no name.
        operation_name: operation_name
            .filter(|name| !name.is_empty())
            .map_or(Value::Null, Value::String),
        variables: json_parameter("variables", variables)?,
        extensions: json_parameter("extensions", extensions)?,
    };
    members.into_request()
}

impl Members {
    fn from_operation(operation: Value) -> Result<Self, Malformed> {
        let Value::Object(mut members) = operation else {
            return Err(Malformed::OperationNotAnObject);
        };
        let mut take = |name: &str| members.swap_remove(name).unwrap_or_default();
        Ok(Self {
            query: take("query"),
            operation_name: take("operationName"),
            variables: take("variables"),
            extensions: take("extensions"),
        })
    }

    /// The document may be left out where a persisted one is named: the engine knows it then.
    fn into_request(self) -> Result<Request, Malformed> {
        let persisted = matches!(&self.extensions, Value::Object(extensions)
            if extensions.get("persistedQuery").is_some_and(|value| *value != Value::Null));
        let query = match string("query", self.query)? {
            Some(query) => query,
            None if persisted => String::new(),
            None => return Err(Malformed::NoQuery),
        };
        let mut request = Request::new(query);
        request.operation_name = string("operationName", self.operation_name)?;
        if let Some(variables) = object("variables", self.variables)? {
            request.variables = Variables::from_value(Value::Object(variables));
        }
        if let Some(extensions) = object("extensions", self.extensions)? {
            let extensions = extensions.into_iter();
            let extensions = extensions.map(|(name, value)| (name.to_string(), value));
            request.extensions.0 = extensions.collect();
        }
        Ok(request)
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

fn object(member: &'static str, value: Value) -> Result<Option<IndexMap<Name, Value>>, Malformed> {
    match value {
        Value::Null => Ok(None),
        Value::Object(members) => Ok(Some(members)),
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

#[cfg(test)]
mod tests;
