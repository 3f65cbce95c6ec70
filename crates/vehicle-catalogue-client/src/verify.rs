//! Compares the contract of the running service with the contract that the client is compiled with.

use graphql_sdl::{Hash, INTROSPECTION, Problems, Schema};
use serde_json::{Value, json};
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
         {compiled}; serve `/schema.graphql` or introspection to list the changes"
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
    Schema(Box<Result<Schema, Problems>>),
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
        let compiled = Schema::parse("compiled.graphql", sdl)
            .map_err(invalid("the contract that the client is compiled with"))?;
        let hash = compiled.hash();
        let served = match self.fetch_contract(hash).await {
            Ok(ServedContract::Schema(schema)) => *schema,
            Ok(ServedContract::Hash(served)) if served == hash.to_string() => {
                return Ok(Verified::Unchanged);
            }
            Ok(ServedContract::Hash(served)) => {
                let compiled = hash;
                return Err(ContractError::HashMismatch { compiled, served });
            }
            Err(error) => return Err(ContractError::Unavailable(error)),
        };
        let served = served.map_err(invalid("the contract of the running service"))?;
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

    /// Requests `schema.graphql` relative to the endpoint, or introspection if it is not served.
    async fn fetch_contract(&self, compiled: Hash) -> Result<ServedContract, Error> {
        let url = self.url.join("schema.graphql");
        let url = url.expect("relative paths are valid for HTTP URLs");
        let request = || self.http_client.get(url.clone());
        let parse = |response: HttpResponse| match response.status {
            200 => {
                let sdl = String::from_utf8_lossy(&response.body);
                let schema = Schema::parse("served.graphql", &sdl);
                Ok(Some(ServedContract::Schema(schema.into())))
            }
            502..=504 => Err(response::not_graphql(&response, OperationType::Query)),
            _ => Ok(None),
        };
        let served = self.send_with_retry(request, OperationType::Query, parse);
        match served.await? {
            Some(served) => Ok(served),
            None => self.introspect(compiled).await,
        }
    }

    /// Runs the introspection query, whose response does not state applied directives; the response header has the hash
    /// of the whole contract, also if introspection is off.
    async fn introspect(&self, compiled: Hash) -> Result<ServedContract, Error> {
        let body = json!({ "query": INTROSPECTION });
        let request = || self.graphql_request(body.to_string().into_bytes());
        let parse = |http_response: HttpResponse| {
            let hash = http_response.headers.get(SCHEMA_HASH);
            let hash = hash.and_then(|hash| hash.to_str().ok().map(str::to_owned));
            let response = response::parse::<Value>(&http_response, OperationType::Query);
            match (response, hash) {
                (Ok(_), Some(hash)) if hash == compiled.to_string() => {
                    Ok(ServedContract::Hash(hash))
                }
                (Ok(response), _) => {
                    let schema = Schema::from_introspection("served.graphql", &response.data);
                    Ok(ServedContract::Schema(schema.into()))
                }
                (Err(error), Some(hash)) if !error.is_transient() => Ok(ServedContract::Hash(hash)),
                (Err(error), _) => Err(error),
            }
        };
        self.send_with_retry(request, OperationType::Query, parse)
            .await
    }
}
