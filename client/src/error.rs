//! Why there is no answer, as one type.

use std::fmt;

use crate::refused::Refused;

/// Why an operation has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The service did not answer, or something that is not the service did.
    #[error(transparent)]
    Transport(Transport),
    /// The service answered with errors.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// The answer does not have the form that was asked for. [`CatalogueClient::verify_contract`] says
    /// whether the contract has changed.
    ///
    /// [`CatalogueClient::verify_contract`]: crate::CatalogueClient::verify_contract
    #[error(transparent)]
    Decoding(Decoding),
    /// The variables can't be written as JSON, so nothing was sent.
    #[error("the variables of the operation can't be written as JSON")]
    Encoding(#[source] serde_json::Error),
}

impl Error {
    /// For a mutation: whether anything was stored.
    pub fn effect(&self) -> Effect {
        match self {
            Self::Transport(transport) => transport.effect,
            Self::Refused(refused) => refused.effect,
            Self::Decoding(decoding) => decoding.effect,
            Self::Encoding(_) => Effect::Nothing,
        }
    }

    /// Whether the same request may succeed later.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Self::Transport(transport) => transport.cause.is_temporary(),
            Self::Refused(refused) => refused.is_temporary(),
            Self::Decoding(_) | Self::Encoding(_) => false,
        }
    }

    /// The refusal, if the service answered with one.
    pub fn refused(&self) -> Option<&Refused> {
        match self {
            Self::Refused(refused) => Some(refused),
            Self::Transport(_) | Self::Decoding(_) | Self::Encoding(_) => None,
        }
    }
}

/// What a failed operation changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing. Queries never change anything.
    Nothing,
    /// It is unknown whether the mutation was executed, or only a part of it was: look before it is
    /// sent again.
    Unknown,
}

/// What is added to the message of an error.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Unknown => f.write_str("; it is unknown whether anything was stored"),
        }
    }
}

/// No answer of the service.
#[derive(Debug, thiserror::Error)]
#[error("the vehicle catalogue did not answer{}{effect}", after(*.attempts))]
pub struct Transport {
    pub(crate) attempts: u32,
    pub(crate) effect: Effect,
    #[source]
    pub(crate) cause: TransportCause,
}

impl Transport {
    /// How often the request was sent.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// For a mutation: whether anything was stored.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// What happened instead of an answer.
    pub fn cause(&self) -> &TransportCause {
        &self.cause
    }
}

fn after(attempts: u32) -> String {
    match attempts {
        0 | 1 => String::new(),
        attempts => format!(" in {attempts} attempts"),
    }
}

/// What happened instead of an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportCause {
    /// There was no connection, no whole response, or none in time.
    #[error("the request failed")]
    Http(#[source] reqwest::Error),
    /// The response is not one of GraphQL over HTTP: perhaps the URL is not that of the endpoint, or a
    /// proxy answered.
    #[error("the response has the status {status} and is not one of GraphQL: {beginning:?}")]
    NotGraphql {
        /// The status of the response.
        status: u16,
        /// How the body begins.
        beginning: String,
    },
}

impl TransportCause {
    fn is_temporary(&self) -> bool {
        match self {
            Self::Http(error) => !error.is_builder(),
            Self::NotGraphql { status, .. } => matches!(status, 502..=504),
        }
    }

    /// Whether the request certainly was not executed.
    pub(crate) fn is_before_sending(&self) -> bool {
        match self {
            Self::Http(error) => error.is_connect() || error.is_builder(),
            Self::NotGraphql { .. } => false,
        }
    }
}

/// An answer of another form.
#[derive(Debug, thiserror::Error)]
#[error("the answer of the vehicle catalogue does not fit what was asked for{effect}")]
pub struct Decoding {
    pub(crate) effect: Effect,
    #[source]
    pub(crate) cause: DecodingCause,
}

impl Decoding {
    /// For a mutation: whether anything was stored.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// What does not fit.
    pub fn cause(&self) -> &DecodingCause {
        &self.cause
    }
}

/// What does not fit in an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodingCause {
    /// It is no JSON, or has other members.
    #[error("it has another form")]
    Form(#[source] serde_json::Error),
    /// Something is null without an error that says why.
    #[error("{0} is null, and no error says why")]
    Null(&'static str),
}

/// Why a client can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The URL can't be asked.
    #[error("{url:?} is not the URL of an endpoint; one is http://127.0.0.1:8000/graphql")]
    Url {
        /// What was given.
        url: String,
    },
    /// The URL has a user name or a password, which would be shown wherever the URL is.
    #[error("the URL has a user name or a password: send them with `header` or `bearer_token`")]
    Credentials,
    /// A header can't be sent.
    #[error(
        "the header {name} can't be sent: names are tokens, values visible characters of ASCII"
    )]
    Header {
        /// Which one. Its value may be secret.
        name: String,
    },
    /// A root certificate can't be read.
    #[error("the root certificate is not one in PEM")]
    Certificate(#[source] rustls::pki_types::pem::Error),
    /// A PEM text has no certificate.
    #[error("the PEM text of the root certificate has no certificate")]
    NoCertificate,
    /// Encryption can't be set up.
    #[error("TLS can't be set up")]
    Tls(#[source] rustls::Error),
    /// The HTTP client can't be made.
    #[error("the HTTP client can't be made")]
    Http(#[source] reqwest::Error),
    /// A setting was given that belongs to the HTTP client, which was given too.
    #[error("{0} belongs to the HTTP client, and one was given that has its own")]
    BelongsToHttpClient(&'static str),
}
