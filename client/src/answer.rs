//! What the service says when it does what it was asked for, and how a response is read.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    error::{Decoding, DecodingCause, Effect, Error, Transport, TransportCause},
    exchange::Received,
    refused::{Code, PathSegment, Reason, Refused, Written},
};

/// How much of a response that can't be read is shown.
const SHOWN_CHARACTERS: usize = 200;

/// An answer without errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// What was asked for.
    pub data: T,
    /// The lists that end at the limit of the server although there is more.
    pub truncated: Vec<Truncated>,
}

/// A list that ends at the limit of the server although there is more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Truncated {
    /// Where the list is in the answer.
    pub path: Vec<PathSegment>,
    /// How many items were answered.
    pub returned: u64,
    /// The limit of the server.
    pub limit: u64,
}

/// Whether an operation may change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Access {
    /// What a failure after the request was sent means.
    pub(crate) fn effect(self) -> Effect {
        match self {
            Self::Read => Effect::Nothing,
            Self::Write => Effect::Unknown,
        }
    }
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    data: Option<Box<RawValue>>,
    #[serde(default)]
    errors: Option<Vec<Written>>,
    #[serde(default)]
    extensions: Option<Extensions>,
}

#[derive(Default, Deserialize)]
struct Extensions {
    #[serde(default)]
    truncated: Option<Vec<Truncated>>,
}

/// Reads a response: a refusal is one whatever its status is.
pub(crate) fn read<T: DeserializeOwned>(
    received: &Received,
    access: Access,
) -> Result<Answer<T>, Error> {
    let (status, body) = (received.status, received.body.as_slice());
    let decoding = |cause| {
        Error::Decoding(Decoding {
            effect: access.effect(),
            cause: DecodingCause::Form(cause),
        })
    };
    let is_success = (200..300).contains(&status);
    let envelope: Envelope = match serde_json::from_slice(body) {
        Ok(envelope) => envelope,
        Err(error) if is_success => return Err(decoding(error)),
        Err(_) => return Err(not_graphql(received, access)),
    };
    let reasons: Vec<Reason> = envelope
        .errors
        .into_iter()
        .flatten()
        .map(Reason::from)
        .collect();
    if !reasons.is_empty() {
        let effect = effect(&reasons, envelope.data.as_deref(), access);
        return Err(Error::Refused(Box::new(Refused {
            status,
            reasons,
            data: envelope.data,
            effect,
        })));
    }
    if !is_success {
        return Err(not_graphql(received, access));
    }
    let data = envelope.data.as_deref().map_or("null", RawValue::get);
    Ok(Answer {
        data: serde_json::from_str(data).map_err(decoding)?,
        truncated: envelope
            .extensions
            .unwrap_or_default()
            .truncated
            .unwrap_or_default(),
    })
}

/// Something that is not the service answered, or the service not by GraphQL.
pub(crate) fn not_graphql(received: &Received, access: Access) -> Error {
    let text = String::from_utf8_lossy(&received.body);
    Error::Transport(Transport {
        attempts: 1,
        effect: access.effect(),
        cause: TransportCause::NotGraphql {
            status: received.status,
            beginning: text.chars().take(SHOWN_CHARACTERS).collect(),
        },
    })
}

/// A refused mutation changed nothing if no field has an answer and every reason is one that is found
/// before anything is stored.
fn effect(reasons: &[Reason], data: Option<&RawValue>, access: Access) -> Effect {
    let answers = data.map(|data| serde_json::from_str(data.get()));
    let nothing_answered = match answers {
        None | Some(Ok(serde_json::Value::Null)) => true,
        Some(Ok(serde_json::Value::Object(fields))) => {
            fields.values().all(serde_json::Value::is_null)
        }
        Some(_) => false,
    };
    if access == Access::Read || nothing_answered && reasons.iter().all(is_before_storing) {
        Effect::Nothing
    } else {
        Effect::Unknown
    }
}

fn is_before_storing(reason: &Reason) -> bool {
    match reason.code {
        Code::BadUserInput
        | Code::GraphqlParseFailed
        | Code::GraphqlValidationFailed
        | Code::OperationResolutionFailure
        | Code::PersistedQueryNotFound
        | Code::BadRequest
        | Code::Unauthenticated
        | Code::Forbidden
        | Code::LimitExceeded => true,
        // A server that has too much to do names the limit; it has not begun then.
        Code::ServiceUnavailable => reason.limit.is_some(),
        Code::InternalServerError | Code::Other(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::operations::FindVehicle;

    fn received(status: u16, body: impl Into<Vec<u8>>) -> Received {
        Received {
            status,
            headers: reqwest::header::HeaderMap::new(),
            body: body.into(),
        }
    }

    fn effect_of(body: &Value, access: Access) -> Effect {
        let read = read::<Value>(&received(200, body.to_string()), access);
        read.expect_err("it has errors").effect()
    }

    fn refusal(code: &str, data: &Value) -> Value {
        json!({ "data": data, "errors": [{ "message": "no", "extensions": { "code": code } }] })
    }

    #[test]
    fn a_mutation_that_breaks_a_rule_changed_nothing() {
        let body = refusal("BAD_USER_INPUT", &json!({ "createVehicle": null }));
        assert_eq!(effect_of(&body, Access::Write), Effect::Nothing);
    }

    #[test]
    fn a_mutation_of_which_a_part_is_answered_changed_something() {
        let body = refusal("BAD_USER_INPUT", &json!({ "a": { "id": "1" }, "b": null }));
        assert_eq!(effect_of(&body, Access::Write), Effect::Unknown);
    }

    #[test]
    fn a_mutation_that_failed_in_the_database_may_have_changed_something() {
        for code in ["SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR", "TEAPOT"] {
            let body = refusal(code, &Value::Null);
            assert_eq!(effect_of(&body, Access::Write), Effect::Unknown, "{code}");
            assert_eq!(effect_of(&body, Access::Read), Effect::Nothing, "{code}");
        }
    }

    #[test]
    fn a_mutation_for_which_the_server_had_no_time_changed_nothing() {
        let limit = json!({ "name": "concurrency-limit", "value": 1 });
        let extensions = json!({ "code": "SERVICE_UNAVAILABLE", "limit": limit });
        let body = json!({ "errors": [{ "message": "busy", "extensions": extensions }] });
        assert_eq!(effect_of(&body, Access::Write), Effect::Nothing);
    }

    #[test]
    fn a_refusal_is_one_whatever_its_status_is() {
        let body = refusal("BAD_REQUEST", &Value::Null).to_string();
        for status in [200, 400, 503] {
            let error = read::<Value>(&received(status, body.as_str()), Access::Read).unwrap_err();
            let refused = error.refused().expect("it is a refusal");
            assert_eq!(
                (refused.status(), refused.code()),
                (status, &Code::BadRequest)
            );
        }
    }

    #[test]
    fn another_answer_is_told_by_its_status_and_its_beginning() {
        let error = read::<Value>(&received(404, "<html>"), Access::Read).unwrap_err();
        let Error::Transport(transport) = error else {
            panic!("{error}")
        };
        let expected = "the response has the status 404 and is not one of GraphQL: \"<html>\"";
        assert_eq!(transport.cause().to_string(), expected);
    }

    #[test]
    fn an_answer_of_another_form_is_not_decoded() {
        for body in ["", "[]", "{}", r#"{"data":{"vehicle":5}}"#] {
            let error = read::<FindVehicle>(&received(200, body), Access::Read);
            let error = error.expect_err(body);
            assert!(matches!(error, Error::Decoding(_)), "{body}: {error}");
        }
    }
}
