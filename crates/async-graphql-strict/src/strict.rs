//! The executor: what happens to a request, from its document to its response.

use std::{
    future::ready,
    sync::{Arc, OnceLock},
};

use async_graphql::{Data, Executor, Response};
use futures_util::{
    FutureExt as _,
    future::Either,
    stream::{self, BoxStream, StreamExt as _},
};
use graphql_sdl::excerpt;

use crate::{
    contract::Contract,
    document::{Document, DocumentStats, Documents},
    error::{ErrorCode, ErrorDetails, RequestError, exceeded, limit_exceeded},
    introspection::{Description, Exceeded, Introspected, introspect},
    json,
    operation::{AllowedOperations, Lowered, Operation, coerce, lower},
    persisted::RegisteredDocuments,
    request::{Prepared, Request},
    resolver_context::OperationRecord,
    response::{self, Completion},
    settings::{Limits, Settings},
};

/// An executor in front of another one, usually a [`Schema`](async_graphql::Schema) with the extension
/// [`SkipValidation`](crate::SkipValidation). It is one for the hosts of async-graphql, such as
/// `async_graphql_poem::GraphQL::new(strict)`, whose responses cannot be without `data`: it is null.
pub struct Strict<E> {
    inner: Arc<Inner<E>>,
    allowed: AllowedOperations,
}

struct Inner<E> {
    executor: E,
    contract: Contract,
    description: OnceLock<Description>,
    documents: Documents,
    registered: RegisteredDocuments,
    settings: Settings,
}

impl<E> Clone for Strict<E> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), allowed: self.allowed }
    }
}

impl<E: Executor> Strict<E> {
    /// An executor of requests to a schema that serves this contract.
    pub fn new(executor: E, contract: &graphql_sdl::Schema, settings: Settings) -> Self {
        Self {
            inner: Arc::new(Inner {
                executor,
                contract: Contract::new(contract, settings.introspection),
                description: OnceLock::new(),
                documents: Documents::new(settings.document_cache_bytes),
                registered: RegisteredDocuments::new(),
                settings,
            }),
            allowed: AllowedOperations::ALL,
        }
    }

    /// The same for a host of async-graphql's that executes only these operations.
    #[must_use]
    pub fn allowing(self, allowed: AllowedOperations) -> Self {
        Self { allowed, ..self }
    }

    /// Prepares a request: parses and validates the document, selects and authorizes the operation, coerces its variables,
    /// lowers it, checks its cost, and answers introspection. Nothing is executed.
    pub fn prepare(&self, request: impl Into<Request>) -> Result<Prepared, RequestError> {
        let request = request.into();
        let found = self.operation(&request);
        let (document, operation) =
            found.map_err(|error| RequestError { requested_name: requested_name(&request.graphql), ..error })?;
        let prepared = self.prepare_operation(request, document, Arc::clone(&operation));
        prepared.map_err(|error| RequestError { operation: Some(operation), ..error })
    }

    fn operation(&self, request: &Request) -> Result<(Arc<Document>, Arc<Operation>), RequestError> {
        let (inner, graphql) = (&*self.inner, &request.graphql);
        let (id, trusted) = (request.document_id.as_deref(), &inner.settings.trusted_documents);
        let (text, hash) = inner.registered.text(graphql, id, trusted)?;
        let document = self.document(&text)?;
        if let Some(hash) = hash {
            inner.registered.insert(hash, &text);
        }
        let operation = Arc::clone(document.operation(graphql.operation_name.as_deref())?);
        Ok((document, operation))
    }

    fn document(&self, text: &str) -> Result<Arc<Document>, RequestError> {
        let (documents, contract) = (&self.inner.documents, &self.inner.contract);
        documents.get_or_parse(text, contract, self.limits())
    }

    fn prepare_operation(
        &self,
        request: Request,
        document: Arc<Document>,
        operation: Arc<Operation>,
    ) -> Result<Prepared, RequestError> {
        let (contract, settings) = (&self.inner.contract, &self.inner.settings);
        let definition = &operation.definition;
        let mut graphql = request.graphql;
        request.allowed.check(operation.kind, settings.scopes)?;
        let given = std::mem::take(&mut graphql.variables);
        let variables = coerce(contract, definition, given)?;
        let limits = (&settings.limits, &settings.cost_model);
        let lowered = lower(contract, &document, definition, &variables, limits)?;
        let introspected = self.checked(&lowered, definition.is_mutation())?;
        graphql.query.clear();
        graphql.operation_name = None;
        Ok(Prepared { request: graphql, document, operation, lowered, introspected })
    }

    /// Checks the cost and the size of the response of an operation, and answers introspection within them.
    fn checked(&self, lowered: &Lowered, is_mutation: bool) -> Result<Introspected, RequestError> {
        let limits = self.limits();
        let cost = lowered.estimate.cost;
        exceeded("cost-limit", limits.cost, cost)?;
        // A mutation must not lose its response after it was executed, so its size is checked before.
        if is_mutation && lowered.estimate.bytes > limits.response_bytes.into() {
            return Err(self.response_too_large("could exceed", ", so the mutation was not executed"));
        }
        if lowered.root_fields.iter().all(|(_, introspection)| introspection.is_none()) {
            return Ok(Introspected::new());
        }
        if !self.inner.contract.is_public {
            let code = ErrorCode::GraphqlValidationFailed;
            return Err(RequestError::new(code, "introspection is disabled; the setting introspection enables it"));
        }
        let describe = || Description::new(&self.inner.contract);
        let description = self.inner.description.get_or_init(describe);
        let (max_cost, max_bytes) = (u64::from(limits.cost), limits.response_bytes as usize);
        let found = introspect(description, &lowered.root_fields, max_cost - cost, max_bytes);
        found.or_else(|reached| match reached {
            Exceeded::Cost => exceeded("cost-limit", limits.cost, max_cost + 1).map(|()| Introspected::new()),
            Exceeded::Bytes => Err(self.response_too_large("exceeds", "")),
        })
    }

    /// Executes a request. An error is that of a response without data: a subscription requires a stream of responses, and
    /// the response of a query can be too large.
    pub fn execute(&self, prepared: Prepared) -> impl Future<Output = Result<Response, RequestError>> + Send {
        if prepared.is_subscription() {
            let message = "a subscription requires a transport that streams responses, such as WebSocket";
            return Either::Left(ready(Err(RequestError::new(ErrorCode::BadRequest, message))));
        }
        let (request, mut completion) = self.split(prepared);
        let response = match request {
            Some(request) => Either::Left(self.inner.executor.execute(request)),
            None => Either::Right(ready(response::empty())),
        };
        let complete = move |response| self.bounded(completion.complete(response), completion.max_bytes);
        Either::Right(response.map(complete))
    }

    /// Executes a request, of which a subscription has many responses. Resolvers also find the data of the connection.
    pub fn execute_stream(
        &self,
        prepared: Prepared,
        connection_data: Option<Arc<Data>>,
    ) -> BoxStream<'static, Response> {
        let (request, mut completion) = self.split(prepared);
        let responses = match request {
            Some(request) => self.inner.executor.execute_stream(request, connection_data),
            None => stream::iter([response::empty()]).boxed(),
        };
        let this = self.clone();
        let complete =
            move |response| response_or_errors(this.bounded(completion.complete(response), completion.max_bytes));
        responses.map(complete).boxed()
    }

    /// The request to the schema, unless it has nothing to execute, and what completes its responses.
    fn split(&self, prepared: Prepared) -> (Option<async_graphql::Request>, Completion) {
        let max_bytes = if prepared.is_mutation() { usize::MAX } else { self.limits().response_bytes as usize };
        let root_fields = prepared.lowered.root_fields.into_iter();
        let completion = Completion {
            document: prepared.document,
            introspected: prepared.introspected,
            record: Arc::new(OperationRecord::new(root_fields.map(|(key, _)| key).collect())),
            max_bytes,
        };
        let mut request = prepared.request;
        let request = prepared.lowered.document.map(|lowered| {
            request.set_parsed_query(lowered);
            request.data.insert(Arc::clone(&completion.record));
            if let Some(insert) = self.inner.settings.response_budget {
                let introspected = completion.introspected.values().map(Vec::len);
                insert(&mut request.data, max_bytes.saturating_sub(introspected.sum()));
            }
            request
        });
        (request, completion)
    }

    /// The response, unless it exceeds this size.
    fn bounded(&self, response: Response, max_bytes: usize) -> Result<Response, RequestError> {
        if json::size(&response.data) > max_bytes {
            return Err(self.response_too_large("exceeds", ""));
        }
        Ok(response)
    }

    fn response_too_large(&self, exceeds: &str, effect: &str) -> RequestError {
        let (name, limit) = ("response-limit-bytes", self.limits().response_bytes);
        let message = format!("the response {exceeds} {name} ({limit} bytes){effect}; request fewer items or fields");
        limit_exceeded(message, name, limit, None)
    }

    /// The response as JSON, with the JSON text of generated code as it is.
    pub fn to_json(&self, response: Response) -> Vec<u8> {
        json::to_json(response, self.inner.settings.response_budget.is_some())
    }

    /// The limits of a request.
    pub fn limits(&self) -> &Limits {
        &self.inner.settings.limits
    }

    /// The statistics of the document cache.
    pub fn document_stats(&self) -> DocumentStats {
        self.inner.documents.stats()
    }

    /// The number of registered documents.
    pub fn registered_documents(&self) -> usize {
        self.inner.registered.len()
    }

    /// The trusted documents that are not valid under the contract, with their identifiers and errors.
    pub fn invalid_trusted_documents(&self) -> Vec<String> {
        let trusted = self.inner.settings.trusted_documents.documents.iter();
        let invalid = trusted.filter_map(|(id, text)| {
            let errors = self.document(text).err()?.errors.into_iter();
            let messages: Vec<_> = errors.map(|error| error.message).collect();
            let (id, text) = (excerpt(id), excerpt(text.trim()));
            Some(format!("{id:?} ({text:?}): {}", messages.join("; ")))
        });
        invalid.collect()
    }

    fn request(&self, request: async_graphql::Request) -> Request {
        Request { allowed: self.allowed, ..request.into() }
    }
}

fn requested_name(request: &async_graphql::Request) -> Option<String> {
    let name = request.operation_name.as_deref();
    let name = name.filter(|name| apollo_compiler::Name::is_valid_syntax(name))?;
    Some(excerpt(name).into_owned())
}

/// The response for a host that knows no request errors. Such a host does not log the causes of errors either.
fn response_or_errors(response: Result<Response, RequestError>) -> Response {
    let response = response.unwrap_or_else(|error| Response::from_errors(error.errors));
    for details in response.errors.iter().filter_map(ErrorDetails::of) {
        if let Some(cause) = &details.cause {
            let (code, reference) = (details.code.as_str(), &cause.reference);
            tracing::error!(code, reference, error = cause.chain, "an operation failed");
        }
    }
    response
}

impl<E: Executor> Executor for Strict<E> {
    async fn execute(&self, request: async_graphql::Request) -> Response {
        response_or_errors(match self.prepare(self.request(request)) {
            Ok(prepared) => Self::execute(self, prepared).await,
            Err(error) => Err(error),
        })
    }

    fn execute_stream(
        &self,
        request: async_graphql::Request,
        connection_data: Option<Arc<Data>>,
    ) -> BoxStream<'static, Response> {
        match self.prepare(self.request(request)) {
            Ok(prepared) => Self::execute_stream(self, prepared, connection_data),
            Err(error) => stream::iter([response_or_errors(Err(error))]).boxed(),
        }
    }
}
