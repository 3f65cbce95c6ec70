//! The operation of a request: what is known of it, its authorization, its variables, its cost, and its form for
//! async-graphql.

mod allowed;
mod coordinates;
mod cost;
mod lowering;
mod variables;

use std::sync::Arc;

use apollo_compiler::{
    Node,
    executable::{self, OperationType},
};
use async_graphql::{Name, parser::types};
use graphql_sdl::excerpt;

pub use self::{
    allowed::{AllowedOperations, ScopeNames, Scopes},
    cost::{CostModel, ItemsArgument},
};
pub(crate) use self::{
    coordinates::of_document,
    lowering::{FIELD_LINE, lower},
    variables::coerce,
};

/// What is known of an operation of a valid document, for logs and metrics.
#[derive(Debug)]
pub struct Operation {
    /// Its kind.
    pub kind: OperationType,
    /// Its name, if any, shortened to the length of a quote.
    pub name: Option<String>,
    /// The coordinates of the contract that its document names, sorted: fields, arguments, input fields, enum values, and the
    /// input objects and enums of variables.
    pub coordinates: Arc<[String]>,
    pub(crate) definition: Node<executable::Operation>,
}

impl Operation {
    pub(crate) fn new(definition: &Node<executable::Operation>, coordinates: Arc<[String]>) -> Self {
        let name = definition.name.as_ref();
        Self {
            kind: definition.operation_type,
            name: name.map(|name| excerpt(name).into_owned()),
            coordinates,
            definition: definition.clone(),
        }
    }
}

/// A lowered operation.
pub(crate) struct Lowered {
    /// The document for async-graphql, if it has fields to execute.
    pub(crate) document: Option<types::ExecutableDocument>,
    /// The response keys of the root fields, and the selections of `__schema` and `__type`, which are not executed.
    pub(crate) root_fields: Vec<(Name, Option<types::Field>)>,
    pub(crate) estimate: cost::Estimate,
}
