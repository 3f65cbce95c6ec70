//! Whether the running service still keeps the contract that a client was compiled with.

use std::fmt;

use contract::{Change, INTROSPECTION, Level, Problems, Schema};
use reqwest::header;
use serde_json::{Value, json};
use tracing::warn;

use crate::{
    SCHEMA,
    answer::{self, Access},
    client::CatalogueClient,
    error::Error,
    exchange::Received,
};

/// The header in which the service says which contract it keeps.
const SCHEMA_HASH: &str = "schema-hash";

/// Why the contract of the running service is not known to be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The service broke the contract.
    #[error(transparent)]
    Broken(Broken),
    /// The service does not answer, or does not tell its contract.
    #[error("the contract of the running service can't be read")]
    Unread(#[source] Error),
    /// The service keeps another contract and does not tell which.
    #[error(
        "the running service keeps another contract ({served}) than the client was compiled with \
         ({compiled}), and does not tell what it says"
    )]
    Untold {
        /// The hash of the contract that the client was compiled with.
        compiled: contract::Hash,
        /// What the service says the hash of its contract is.
        served: String,
    },
    /// What was read is not a contract.
    #[error("{whose} is not a valid schema")]
    Invalid {
        /// Whose contract it is.
        whose: &'static str,
        /// What is wrong with it.
        #[source]
        problems: Problems,
    },
}

/// A contract with at least one breaking change.
#[derive(Debug)]
pub struct Broken {
    changes: Vec<Change>,
}

impl Broken {
    /// All that changed since the client was compiled, whatever it means.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What may break the client.
    pub fn breaking(&self) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter();
        changes.filter(|change| change.level == Level::Breaking)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the running service breaks the contract that the client was compiled with")?;
        for (index, change) in self.breaking().enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            write!(f, "{separator}{}: {}", change.coordinate, change.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Broken {}

/// What the service tells of its contract.
enum Told {
    /// It is the one with the hash that was asked for.
    Same,
    /// Its text.
    Text(String),
    /// The answer to introspection.
    Introspected(Value),
    /// Only what the hash of it is.
    Hash(String),
}

impl CatalogueClient {
    /// Asks the running service whether it keeps the contract that this client was compiled with,
    /// [`SCHEMA`]. Worth doing once, at the start of a program.
    ///
    /// If it does, or changed nothing that can break a client, the answer is a list of what changed,
    /// which is written to the log as warnings too. It is empty while the contract is the same.
    pub async fn verify_contract(&self) -> Result<Vec<Change>, ContractError> {
        self.verify_contract_of(SCHEMA).await
    }

    /// The same for a copy of the contract that you keep yourself, with fragments of your own.
    pub async fn verify_contract_of(&self, sdl: &str) -> Result<Vec<Change>, ContractError> {
        let compiled = Schema::parse("compiled.graphql", sdl);
        let compiled = compiled.map_err(|problems| ContractError::Invalid {
            whose: "the contract that the client was compiled with",
            problems,
        })?;
        let hash = contract::hash(&compiled);
        let told = match self.told_text(hash).await {
            Ok(None) => self.told_by_introspection().await,
            Ok(Some(told)) => Ok(told),
            Err(error) => Err(error),
        };
        let served = match told.map_err(ContractError::Unread)? {
            Told::Same => return Ok(Vec::new()),
            Told::Hash(served) if served == hash.to_string() => return Ok(Vec::new()),
            Told::Hash(served) => {
                let compiled = hash;
                return Err(ContractError::Untold { compiled, served });
            }
            Told::Text(text) => Schema::parse("served.graphql", &text),
            Told::Introspected(answer) => Schema::from_introspection("served.graphql", &answer),
        };
        let served = served.map_err(|problems| ContractError::Invalid {
            whose: "what the running service serves as its contract",
            problems,
        })?;
        judge(contract::diff(&compiled, &served))
    }

    /// What `schema.graphql` beside the endpoint says, if it is served.
    async fn told_text(&self, compiled: contract::Hash) -> Result<Option<Told>, Error> {
        let beside = self.url.join("schema.graphql");
        let url = beside.expect("a URL of HTTP has paths beside its own");
        let request = || {
            let request = self.http_client.get(url.clone());
            request.header(header::IF_NONE_MATCH, format!("\"{compiled}\""))
        };
        let read = |received: Received| match received.status {
            200 => {
                let text = String::from_utf8_lossy(&received.body);
                Ok(Some(Told::Text(text.into_owned())))
            }
            304 => Ok(Some(Told::Same)),
            502..=504 => Err(answer::not_graphql(&received, Access::Read)),
            _ => Ok(None),
        };
        self.exchange(request, Access::Read, read).await
    }

    /// What introspection says; where it is off, the hash that the refusal has in its header.
    async fn told_by_introspection(&self) -> Result<Told, Error> {
        let body = json!({ "query": INTROSPECTION });
        let request = || self.graphql_request(body.to_string().into_bytes());
        let read = |received: Received| {
            let hash = received.headers.get(SCHEMA_HASH);
            let hash = hash.and_then(|hash| hash.to_str().ok().map(str::to_owned));
            match (answer::read::<Value>(&received, Access::Read), hash) {
                (Ok(answer), _) => Ok(Told::Introspected(answer.data)),
                (Err(error), Some(hash)) if !error.is_temporary() => Ok(Told::Hash(hash)),
                (Err(error), _) => Err(error),
            }
        };
        self.exchange(request, Access::Read, read).await
    }
}

/// Breaking changes fail; others are worth a warning.
fn judge(changes: Vec<Change>) -> Result<Vec<Change>, ContractError> {
    if changes.iter().any(|change| change.level == Level::Breaking) {
        return Err(ContractError::Broken(Broken { changes }));
    }
    for change in &changes {
        warn!(
            coordinate = change.coordinate,
            "the contract of the running service has changed: {}", change.message
        );
    }
    Ok(changes)
}
