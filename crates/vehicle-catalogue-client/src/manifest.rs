//! The manifest of a client's operations, for a service that executes only trusted documents.

use cynic::{
    Operation, QueryFragment,
    schema::{MutationRoot, QueryRoot},
};
use graphql_sdl::Hash;
use serde::Serialize;

use crate::operations::{self, NewVehicle, PageArguments, VehicleChanges};

/// The operations of a client as a manifest of trusted documents: the service reads its JSON from the
/// file of `--trusted-documents`.
///
/// The format is that of an Apollo persisted query manifest; the id of an operation is the SHA-256 of
/// its document.
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
    /// A manifest of the operations that the methods of [`CatalogueClient`] send.
    ///
    /// [`CatalogueClient`]: crate::CatalogueClient
    pub fn with_client_operations() -> Self {
        // Variables are not part of the document.
        Self::empty()
            .mutation(&operations::create_vehicle(NewVehicle::new("", "")))
            .mutation(&operations::update_vehicle("", VehicleChanges::new(), None))
            .mutation(&operations::delete_vehicle("", None))
            .mutation(&operations::create_vehicles([]))
            .query(&operations::vehicle(""))
            .query(&operations::vehicles(None))
            .query(&operations::vehicles_page(PageArguments::default()))
    }

    /// An empty manifest, for a client that sends only operations of its own.
    pub fn empty() -> Self {
        Self { format: "apollo-persisted-query-manifest", version: 1, operations: Vec::new() }
    }

    /// Adds a query of your own. Its variables are ignored.
    #[must_use]
    pub fn query<F, V>(self, operation: &Operation<F, V>) -> Self
    where
        F: QueryFragment<SchemaType: QueryRoot>,
    {
        self.add(operation, "query")
    }

    /// Adds a mutation of your own. Its variables are ignored.
    #[must_use]
    pub fn mutation<F, V>(self, operation: &Operation<F, V>) -> Self
    where
        F: QueryFragment<SchemaType: MutationRoot>,
    {
        self.add(operation, "mutation")
    }

    /// The manifest as indented JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers can be serialized")
    }

    fn add<F, V>(mut self, operation: &Operation<F, V>, r#type: &'static str) -> Self {
        self.operations.push(Entry {
            id: Hash::of(&operation.query).to_string(),
            name: operation.operation_name.as_deref().unwrap_or_default().to_owned(),
            r#type,
            body: operation.query.clone(),
        });
        self
    }
}
