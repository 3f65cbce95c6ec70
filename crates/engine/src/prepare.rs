//! Prepares a request: parses and validates the document, selects and authorizes the operation, coerces the
//! variables, checks the cost, and merges the selections.

use std::sync::Arc;

use async_graphql::Data;

use crate::{
    document::{Document, DocumentCache, PreparedOperation},
    engine::Engine,
    error_code::ErrorCode,
    introspection::Introspection,
    permitted::Permitted,
    request::{PreparedRequest, Request},
    response::{Refused, refused},
    variables,
};

impl Engine {
    /// Parses and validates the document, selects and authorizes the operation, coerces its variables, checks its cost,
    /// and merges its selections.
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
            refused
        };
        let DocumentCache {
            contract,
            limits,
            introspection,
            ..
        } = &self.documents;
        let definition = &operation.definition;
        permitted
            .check(definition, self.scopes())
            .map_err(of_operation)?;
        let variables = variables::coerce(contract, *introspection, definition, request.variables)
            .map_err(|error| of_operation(refused(ErrorCode::BadUserInput, error)))?;
        if *introspection == Introspection::Off && operation.introspects {
            let code = ErrorCode::GraphqlValidationFailed;
            return Err(of_operation(refused(code, "introspection is disabled")));
        }
        let estimates = document.estimates(&operation, &variables, self.cost_model);
        limits.check_cost(estimates.cost).map_err(of_operation)?;
        let merged = document.merged(&self.documents, &operation, &variables);
        let merged = merged.map_err(of_operation)?;
        let items = if definition.is_mutation() {
            merged.items(self.cost_model.items, &variables)
        } else {
            0
        };
        Ok(PreparedRequest {
            items,
            operation,
            variables,
            merged,
            estimates,
            idempotency_key: None,
            data: Data::default(),
            connection_data: None,
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
        let operation = Arc::clone(document.operation(name)?);
        Ok((document, operation))
    }
}
