//! Compares the contract of the running service with the contract that the client is compiled with.

use graphql_sdl::{Hash, Problems, Schema};
use tracing::warn;

use crate::{
    SCHEMA,
    compatibility::breaking,
    error::Error,
    operation_type::OperationType,
    response,
    transport::{CatalogueClient, HttpResponse},
};

/// The response header with the hash of the served contract.
const SCHEMA_HASH: &str = "schema-hash";

/// Why the contract could not be verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The served contract lacks what the client is compiled with: operations can be refused, or responses cannot be
    /// decoded. The changes, each in a sentence.
    #[error("the contract of the running service has breaking changes: {}", .0.join("; "))]
    Breaking(Vec<String>),
    /// The service is unreachable, or serves neither its contract nor its hash.
    #[error("the contract of the running service cannot be read")]
    Unavailable(#[source] Error),
    /// The service serves only the hash of its contract, which differs.
    #[error(
        "the contract hash of the running service is {served}, the client is compiled with \
         {compiled}; serve `/schema.graphql` to list the changes"
    )]
    HashMismatch {
        /// The hash of the contract that the client is compiled with.
        compiled: Hash,
        /// The served hash.
        served: String,
    },
    /// A contract is not a valid schema.
    #[error("{contract} is not a valid schema")]
    Invalid {
        /// Which contract is invalid.
        contract: &'static str,
        /// The problems of the schema.
        #[source]
        problems: Problems,
    },
}

/// How a served contract differs from that of the client, if it has no breaking changes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verified {
    /// It is the same.
    Unchanged,
    /// It has changes, such as additions, with which the client works.
    Compatible,
}

/// The contract as the service reports it.
enum ServedContract {
    Sdl(String),
    /// Only its hash.
    Hash(String),
}

impl CatalogueClient {
    /// Compares the contract of the running service with [`SCHEMA`], which this client is compiled with.
    /// Call it once at program start.
    ///
    /// Logs a warning if it has changes that are not breaking; breaking changes are an error.
    pub async fn verify_contract(&self) -> Result<Verified, ContractError> {
        self.verify_contract_of(SCHEMA).await
    }

    /// Compares the contract of the running service with your own copy of it.
    pub async fn verify_contract_of(&self, sdl: &str) -> Result<Verified, ContractError> {
        let invalid = |contract| move |problems| ContractError::Invalid { contract, problems };
        let compiled =
            Schema::parse("compiled.graphql", sdl).map_err(invalid("the contract that the client is compiled with"))?;
        let hash = compiled.hash();
        let served = match self.served_contract().await {
            Ok(ServedContract::Sdl(served)) => served,
            Ok(ServedContract::Hash(served)) if served == hash.to_string() => {
                return Ok(Verified::Unchanged);
            }
            Ok(ServedContract::Hash(served)) => {
                let compiled = hash;
                return Err(ContractError::HashMismatch { compiled, served });
            }
            Err(error) => return Err(ContractError::Unavailable(error)),
        };
        let served =
            Schema::parse("served.graphql", &served).map_err(invalid("the contract of the running service"))?;
        let served_hash = served.hash();
        if served_hash == hash {
            return Ok(Verified::Unchanged);
        }
        let changes = breaking(&compiled, &served);
        if !changes.is_empty() {
            return Err(ContractError::Breaking(changes));
        }
        warn!(
            compiled = %hash,
            served = %served_hash,
            "the contract of the running service has compatible changes; schema-review diff lists them"
        );
        Ok(Verified::Compatible)
    }

    /// Requests `schema.graphql` relative to the endpoint. Where that is not served, the endpoint is asked, whose responses
    /// have the hash.
    async fn served_contract(&self) -> Result<ServedContract, Error> {
        let url = self.url.join("schema.graphql");
        let url = url.expect("relative paths are valid for HTTP URLs");
        let request = || self.http_client.get(url.clone());
        let parse = |response: HttpResponse| match response.status {
            200 => {
                let sdl = String::from_utf8_lossy(&response.body).into_owned();
                Ok(Some(ServedContract::Sdl(sdl)))
            }
            502..=504 => Err(response::not_graphql(&response, OperationType::Query)),
            _ => Ok(None),
        };
        let served = self.send_with_retry(request, OperationType::Query, parse);
        if let Some(served) = served.await? {
            return Ok(served);
        }
        let request = || self.graphql_request(br#"{"query":"{__typename}"}"#.to_vec());
        let parse = |response: HttpResponse| {
            let hash = response.headers.get(SCHEMA_HASH);
            match hash.and_then(|hash| hash.to_str().ok()) {
                Some(hash) => Ok(ServedContract::Hash(hash.to_owned())),
                None => Err(response::not_graphql(&response, OperationType::Query)),
            }
        };
        self.send_with_retry(request, OperationType::Query, parse).await
    }
}
