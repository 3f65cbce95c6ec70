//! Prepares a request: parses and validates the document, selects and authorizes the operation, coerces the
//! variables, checks the cost, and plans the operation.

use std::sync::Arc;

use async_graphql::{Name, Value, Variables, indexmap::IndexMap};

use crate::{
    cost::Estimates,
    document::{Document, DocumentCache, Executable, PreparedOperation},
    engine::Engine,
    error_code::ErrorCode,
    error_facts::ExceededLimit,
    idempotency::IdempotencyKey,
    permitted::Permitted,
    response::{Refused, no_operation, refused},
    settings::Introspection,
    usage::FactSet,
    variables,
};

/// The parameters of a request (GraphQL over HTTP, "Request Parameters").
#[derive(Debug, Default)]
pub struct Request {
    /// The document, empty if the request refers to a persisted one.
    pub query: String,
    /// The identifier of a persisted document.
    pub document_id: Option<String>,
    /// The name of the operation to execute.
    pub operation_name: Option<String>,
    /// The values of variables, which are coerced when the request is prepared.
    pub variables: Variables,
    /// Only `persistedQuery` has an effect.
    pub extensions: IndexMap<Name, Value>,
}

/// A request with a document and nothing else.
impl<T: Into<String>> From<T> for Request {
    fn from(query: T) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }
}

/// A request that is ready to be executed.
pub struct PreparedRequest {
    pub(crate) document: Arc<Document>,
    pub(crate) operation: Arc<PreparedOperation>,
    pub(crate) variables: Variables,
    pub(crate) executable: Arc<Executable>,
    pub(crate) estimates: Estimates,
    /// The limits that it exceeds, if they are not enforced.
    pub(crate) exceeded: Vec<ExceededLimit>,
    /// The recorded use in the values of variables.
    pub(crate) used_by_variables: FactSet,
    pub(crate) idempotency_key: Option<Arc<IdempotencyKey>>,
}

impl PreparedRequest {
    /// The number of items that its mutations process one by one.
    pub fn items(&self) -> u64 {
        if self.is_mutation() {
            self.estimates.items
        } else {
            0
        }
    }

    /// Whether it is a mutation.
    pub fn is_mutation(&self) -> bool {
        self.operation.definition.is_mutation()
    }

    /// Sets the key that identifies its effects.
    pub fn set_idempotency_key(&mut self, key: Arc<IdempotencyKey>) {
        self.idempotency_key = Some(key);
    }
}

impl Engine {
    /// Parses and validates the document, selects and authorizes the operation, coerces its variables, checks its cost,
    /// and plans it.
    pub fn prepare(
        &self,
        request: Request,
        permitted: Permitted,
    ) -> Result<PreparedRequest, Refused> {
        let parse_span = (self.parse_span)();
        let (document, operation) = self.operation(&request).map_err(|mut refused| {
            let name = request.operation_name.as_deref();
            let name = name.filter(|name| apollo_compiler::Name::is_valid_syntax(name));
            refused.requested_name = name.map(Into::into);
            refused
        })?;
        drop(parse_span);
        let of_operation = |mut refused: Refused| {
            refused.operation = Some(Arc::clone(&operation.info));
            refused.exceeded.clone_from(&document.exceeded);
            refused
        };
        let DocumentCache {
            contract,
            limits,
            introspection,
            usage,
            ..
        } = &self.documents;
        let definition = &operation.definition;
        permitted
            .check(definition, self.scopes())
            .map_err(of_operation)?;
        // Before coercion, which adds default values.
        let used_by_variables = usage
            .as_ref()
            .map(|usage| usage.variable_facts(&operation.used_variables, &request.variables));
        let variables = variables::coerce(contract, *introspection, definition, request.variables)
            .map_err(|error| of_operation(refused(ErrorCode::BadUserInput, error.to_string())))?;
        if *introspection == Introspection::Off && operation.introspects {
            let code = ErrorCode::GraphqlValidationFailed;
            return Err(of_operation(refused(code, "introspection is disabled")));
        }
        let estimates = document.estimates(&operation, &variables, self.cost_model);
        let mut exceeded = document.exceeded.clone();
        limits
            .check_cost(estimates.cost, &mut exceeded)
            .map_err(of_operation)?;
        let executable = document
            .executable(&*self.service, &self.documents, &operation, &variables)
            .map_err(of_operation)?;
        Ok(PreparedRequest {
            document,
            operation,
            variables,
            executable,
            estimates,
            exceeded,
            used_by_variables: used_by_variables.unwrap_or_default(),
            idempotency_key: None,
        })
    }

    fn operation(
        &self,
        request: &Request,
    ) -> Result<(Arc<Document>, Arc<PreparedOperation>), Refused> {
        let text = self.persisted.text(request)?;
        let document = self.documents.get_or_parse(text.as_str())?;
        self.persisted.register(text);
        let name = request.operation_name.as_deref();
        let operation = document.operation(name).ok_or_else(|| {
            let code = ErrorCode::OperationResolutionFailure;
            refused(code, no_operation(&document, name))
        })?;
        Ok((document, operation))
    }
}
