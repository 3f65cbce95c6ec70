//! Compares the contract of the running service with the contract that the client is compiled with.

use std::collections::BTreeMap;

use graphql_sdl::{Element, Hash, Problems, Schema};
use tracing::warn;

use crate::{
    SCHEMA,
    error::Error,
    response,
    transport::{CatalogueClient, HttpResponse, OperationType},
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
    Unavailable(#[from] Error),
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
    /// A contract is not a valid schema. The problems name it: `compiled.graphql` or `served.graphql`.
    #[error("the contract is not a valid schema")]
    Invalid(#[from] Problems),
}

/// How a served contract differs from that of the client, if it has no breaking changes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verified {
    /// It is the same.
    Unchanged,
    /// It has changes, such as additions, with which the client works.
    Compatible,
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
        let compiled_schema = Schema::parse("compiled.graphql", sdl)?;
        let compiled = compiled_schema.hash();
        let Some(served_sdl) = self.served_sdl().await? else {
            let served = self.served_hash().await?;
            if served == compiled.to_string() {
                return Ok(Verified::Unchanged);
            }
            return Err(ContractError::HashMismatch { compiled, served });
        };
        let served_schema = Schema::parse("served.graphql", &served_sdl)?;
        let served = served_schema.hash();
        if served == compiled {
            return Ok(Verified::Unchanged);
        }
        let changes = breaking_changes(&compiled_schema, &served_schema);
        if !changes.is_empty() {
            return Err(ContractError::Breaking(changes));
        }
        warn!(
            %compiled,
            %served,
            "the contract of the running service has compatible changes; schema-review diff lists them"
        );
        Ok(Verified::Compatible)
    }

    /// Requests `schema.graphql` relative to the endpoint; `None` if it is not served.
    async fn served_sdl(&self) -> Result<Option<String>, Error> {
        let url = self.url.join("schema.graphql").expect("relative paths are valid for HTTP URLs");
        let request = || self.http_client.get(url.clone());
        let parse = |response: HttpResponse| match response.status {
            200 => Ok(Some(String::from_utf8_lossy(&response.body).into_owned())),
            502..=504 => Err(response::not_graphql(&response, OperationType::Query)),
            _ => Ok(None),
        };
        self.send_with_retry(request, OperationType::Query, parse).await
    }

    /// Requests the hash, which every response of the endpoint has.
    async fn served_hash(&self) -> Result<String, Error> {
        let request = || self.graphql_request(br#"{"query":"{__typename}"}"#.to_vec());
        let parse = |response: HttpResponse| {
            let hash = response.headers.get(SCHEMA_HASH).and_then(|hash| hash.to_str().ok());
            hash.map(str::to_owned).ok_or_else(|| response::not_graphql(&response, OperationType::Query))
        };
        self.send_with_retry(request, OperationType::Query, parse).await
    }
}

/// The changes because of which operations can be refused, or responses cannot be decoded: each in a sentence.
fn breaking_changes(compiled: &Schema, served: &Schema) -> Vec<String> {
    let (ours, theirs) = (by_coordinate(compiled), by_coordinate(served));
    let mut changes = Vec::new();
    for (coordinate, element) in &ours {
        match theirs.get(coordinate) {
            None => changes.push(format!("{element} was removed")),
            Some(other) if element.kind() != other.kind() => {
                changes.push(format!("{element} is of another kind: {}", other.kind()));
            }
            Some(other) => {
                let (Some(ours), Some(theirs)) = (element.ty(), other.ty()) else { continue };
                // The client sends values of inputs, and receives those of fields.
                let (sent, expected) = if element.input().is_some() { (ours, theirs) } else { (theirs, ours) };
                if !sent.is_assignable_to(expected) {
                    changes.push(format!("{element} changed its type from '{ours}' to '{theirs}'"));
                }
            }
        }
    }
    for (coordinate, element) in theirs.iter().filter(|(coordinate, _)| !ours.contains_key(*coordinate)) {
        let is_required = element.input().is_some_and(|input| input.is_required());
        let owner = coordinate.rsplit_once(['.', '(']).map(|(owner, _)| owner);
        if is_required && owner.is_some_and(|owner| ours.contains_key(owner)) {
            changes.push(format!("{element} was added and is required"));
        }
    }
    changes
}

/// The elements by coordinate, without directives: those of the type system occur in no operation.
fn by_coordinate(schema: &Schema) -> BTreeMap<String, Element<'_>> {
    let is_directive = |element: &Element| matches!(element, Element::Directive(_) | Element::DirectiveArgument(..));
    let elements = schema.elements().into_iter().filter(|element| !is_directive(element));
    elements.map(|element| (element.coordinate(), element)).collect()
}
