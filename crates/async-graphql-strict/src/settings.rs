//! The settings and the limits of a request.

use async_graphql::Data;

use crate::{
    operation::{CostModel, ScopeNames},
    persisted::{TrustedDocuments, TrustedMode},
};

/// The settings of a [`Strict`](crate::Strict) executor.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The limits of a request.
    pub limits: Limits,
    /// The size of the lists and texts of the schema.
    pub cost_model: CostModel,
    /// The maximum weight of the document cache in bytes; 0 disables it.
    pub document_cache_bytes: u32,
    /// Whether clients may query `__schema` and `__type`. If not, errors suggest no names either.
    pub introspection: bool,
    /// The documents that the operator allows.
    pub trusted_documents: TrustedDocuments,
    /// The names of the scopes in tokens.
    pub scopes: ScopeNames,
    /// Adds the maximum size of a response in bytes to the data of a request, for a schema of generated code, whose values
    /// are JSON text and are written as they are: `ResponseBytes::insert` of its module `support`. `None` for another schema.
    pub response_budget: Option<fn(&mut Data, usize)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cost_model: CostModel::default(),
            document_cache_bytes: 16 * 1024 * 1024,
            introspection: true,
            trusted_documents: TrustedDocuments::new(TrustedMode::Off, []),
            scopes: ScopeNames { read: "read", write: "write" },
            response_budget: None,
        }
    }
}

/// The limits of one request. They hold for all that it asks, with its fragments expanded.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The size of its document in bytes, also with fragments expanded.
    pub query_bytes: u32,
    /// The number of tokens, including white space, and of selections with fragments expanded.
    pub tokens: u32,
    /// The depth of nested selection sets.
    pub depth: u32,
    /// The number of aliases.
    pub aliases: u32,
    /// The number of root fields of an operation.
    pub root_fields: u32,
    /// The number of directives at one location.
    pub directives: u32,
    /// The number of fragments, named and inline.
    pub fragments: u32,
    /// The cost of an operation: the number of its fields, multiplied by the maximum length of their lists;
    /// introspection fields count as often as they are resolved.
    pub cost: u32,
    /// The size in bytes of the response, or of each response to a subscription.
    pub response_bytes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            query_bytes: 65_536,
            tokens: 4000,
            depth: 20,
            aliases: 100,
            root_fields: 100,
            directives: 10,
            fragments: 100,
            cost: 100_000,
            response_bytes: 8 * 1024 * 1024,
        }
    }
}
