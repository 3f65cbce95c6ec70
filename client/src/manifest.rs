//! The operations of a client, written out so that an operator can allow them and nothing else.

use std::fmt::Write;

use cynic::{
    Operation, QueryFragment,
    schema::{MutationRoot, QueryRoot},
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::operations::{self, NewVehicle};

/// The operations of a client as a manifest of trusted documents: give its JSON to the service as
/// `--trusted-documents`.
///
/// It has the form of an Apollo persisted query manifest; the identifier of an operation is the SHA-256
/// of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Manifest {
    format: &'static str,
    version: u32,
    operations: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Entry {
    id: String,
    name: String,
    r#type: &'static str,
    body: String,
}

impl Manifest {
    /// The operations that the methods of [`CatalogueClient`] send.
    ///
    /// [`CatalogueClient`]: crate::CatalogueClient
    pub fn of_client() -> Self {
        // The variables are no part of the text.
        Self::empty()
            .mutation(&operations::create_vehicle(NewVehicle::new("", "")))
            .query(&operations::vehicle(""))
            .query(&operations::vehicles(None))
    }

    /// No operations, for a program that sends only its own.
    pub fn empty() -> Self {
        Self {
            format: "apollo-persisted-query-manifest",
            version: 1,
            operations: Vec::new(),
        }
    }

    /// The same with a query of your own. Its variables don't matter.
    #[must_use]
    pub fn query<F, V>(self, operation: &Operation<F, V>) -> Self
    where
        F: QueryFragment<SchemaType: QueryRoot>,
    {
        self.with(operation, "query")
    }

    /// The same with a mutation of your own. Its variables don't matter.
    #[must_use]
    pub fn mutation<F, V>(self, operation: &Operation<F, V>) -> Self
    where
        F: QueryFragment<SchemaType: MutationRoot>,
    {
        self.with(operation, "mutation")
    }

    /// The JSON of the manifest, for people to read too.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON")
    }

    fn with<F, V>(mut self, operation: &Operation<F, V>, r#type: &'static str) -> Self {
        self.operations.push(Entry {
            id: hash(&operation.query),
            name: operation
                .operation_name
                .as_deref()
                .unwrap_or_default()
                .to_owned(),
            r#type,
            body: operation.query.clone(),
        });
        self
    }
}

/// The SHA-256 of a text in hexadecimal, lower case.
fn hash(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .fold(String::new(), |mut hash, byte| {
            write!(hash, "{byte:02x}").expect("a text can grow");
            hash
        })
}
