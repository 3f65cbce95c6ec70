//! The manifest of a client's operations, for a service that executes only trusted documents.

use cynic::Operation;
use graphql_sdl::Hash;
use serde_json::{Value, json};

use crate::operations::{self, NewVehicle, PageArguments, VehicleChanges};

/// The operations of a client as a manifest of trusted documents: the service reads its JSON from the
/// file of `--trusted-documents`.
///
/// The format is that of an Apollo persisted query manifest; the id of an operation is the SHA-256 of
/// its document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Manifest {
    operations: Vec<Value>,
}

impl Manifest {
    /// A manifest of the operations that the methods of [`CatalogueClient`](crate::CatalogueClient) send.
    pub fn with_client_operations() -> Self {
        // Variables are not part of the document.
        Self::empty()
            .operation(&operations::create_vehicle(NewVehicle::new("", "")))
            .operation(&operations::update_vehicle("", VehicleChanges::new(), None))
            .operation(&operations::delete_vehicle("", None))
            .operation(&operations::create_vehicles(Vec::new()))
            .operation(&operations::vehicle(""))
            .operation(&operations::vehicles(None))
            .operation(&operations::vehicles_page(PageArguments::default()))
    }

    /// An empty manifest, for a client that sends only operations of its own.
    pub fn empty() -> Self {
        Self { operations: Vec::new() }
    }

    /// Adds a query or a mutation of your own. Its variables are ignored.
    pub fn operation<F, V>(mut self, operation: &Operation<F, V>) -> Self {
        let document = &operation.query;
        self.operations.push(json!({
            "id": Hash::of(document).to_string(),
            "name": operation.operation_name.as_deref().unwrap_or_default(),
            "type": if document.starts_with("mutation") { "mutation" } else { "query" },
            "body": document,
        }));
        self
    }

    /// The manifest as indented JSON.
    pub fn to_json(&self) -> String {
        let manifest = json!({
            "format": "apollo-persisted-query-manifest",
            "version": 1,
            "operations": self.operations,
        });
        format!("{manifest:#}")
    }
}
