//! The error of the start of the service.

use std::{io, net::SocketAddr};

use auth::KeysError;
use database::Error as DatabaseError;
use engine::UnreadableDocuments;
use graphql_http::TlsError;
use telemetry::trace::ExporterBuildError;

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another process uses the address.
    #[error("another process already listens on {0}; stop it, or choose another address with {1}")]
    AddressInUse(SocketAddr, &'static str),
    /// The port needs a privilege.
    #[error(
        "{0} has a port below 1024, which needs a privilege: choose another port with {1}, and let a reverse proxy or the \
         image forward the public one; or grant CAP_NET_BIND_SERVICE"
    )]
    PrivilegedPort(SocketAddr, &'static str),
    /// The address cannot be bound.
    #[error("cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The certificate cannot be loaded.
    #[error("cannot use TLS")]
    Tls(#[source] TlsError),
    /// The keys that verify tokens cannot be loaded.
    #[error("cannot load the token verification keys")]
    Keys(#[source] KeysError),
    /// The client of the trace collector cannot be built.
    #[error("cannot create the trace exporter")]
    Traces(#[source] ExporterBuildError),
    /// The database cannot be used.
    #[error("cannot use the database")]
    Database(#[source] DatabaseError),
    /// The trusted documents can't be read.
    #[error("cannot use the trusted documents")]
    TrustedDocuments(#[source] UnreadableDocuments),
    /// Trusted documents are invalid against the contract.
    #[error("invalid trusted documents: {}", .0.join(" | "))]
    InvalidTrustedDocuments(Vec<String>),
    /// The migrations cannot be applied.
    #[error("cannot migrate the database")]
    Migration(#[source] DatabaseError),
}
