//! Executes requests: reads the document, chooses the operation, has its root fields resolved, and
//! sees to it that every error has a code.

use std::{
    future::{Future, ready},
    sync::Arc,
    time::Duration,
};

use apollo_compiler::introspection::partial_execute;
use async_graphql::{
    Data, EmptySubscription, Error, Name, Pos, Request, Response, Schema, ServerError, Value,
    Variables, indexmap::IndexMap,
};
use futures_util::future::Either;
use tokio::time::{error::Elapsed, timeout};

use super::{
    SCHEMA,
    contract::{Mutation, Query, support::Execution},
    cost::Cost,
    document::{
        Document, DocumentFigures, DocumentLimits, Documents, Executable, Known, Profile, Rejected,
    },
    error_code::{self, ErrorCode},
    failure::Failure,
    permitted::{Permitted, Scope},
    persisted::{Persisted, PersistedFigures},
    resolvers::Resolvers,
    settings::{EngineSettings, Introspection},
    text,
    truncation::Truncations,
    variables,
};
use crate::{catalogue::ListLimit, store::Store, trace};

/// Executes GraphQL requests on a store.
pub struct Engine {
    documents: Documents,
    persisted: Persisted,
    list_limit: ListLimit,
    introspection: Introspection,
    execution_timeout: Duration,
    execution: Execution,
    query: Query<Resolvers>,
    mutation: Mutation<Resolvers>,
}

/// A response and what it is the response to.
#[derive(Debug)]
pub struct Answer {
    /// The GraphQL response.
    pub response: Response,
    /// The response as JSON, where it was written at once; its `data` are there alone then.
    pub text: Option<Vec<u8>>,
    /// What became of the request.
    pub outcome: Outcome,
    /// The operation, unless the request names none of a valid document.
    pub operation: Option<Arc<Profile>>,
    /// The name that the request gives where there is no such operation.
    pub asked: Option<String>,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// It was executed; there may be errors beside the data.
    Executed,
    /// It was not executed: it can't be parsed, is not valid, or names no operation.
    Refused,
    /// It was not executed: it is a mutation, and those are not permitted.
    MutationNotPermitted,
    /// It was not executed: the token of the request does not grant this.
    ScopeMissing(Scope),
}

impl Engine {
    /// An engine on this store.
    pub fn new(store: Store, settings: EngineSettings) -> Self {
        let list_limit = settings.list_limit;
        let resolvers = Resolvers { store, list_limit };
        Self {
            documents: Documents::new(SCHEMA, settings.documents, settings.document_cache_bytes),
            persisted: Persisted::new(settings.persisted_queries, settings.trusted_documents),
            list_limit,
            introspection: settings.introspection,
            execution_timeout: settings.execution_timeout,
            // `Documents` has validated strictly what is executed.
            execution: Execution::new(),
            query: Query(resolvers.clone()),
            mutation: Mutation(resolvers),
        }
    }

    /// The SDL of what is served. It says the same as [`SCHEMA`]; a test compares them.
    pub fn served_sdl(&self) -> String {
        let (query, mutation) = (self.query.0.clone(), self.mutation.0.clone());
        Schema::new(Query(query), Mutation(mutation), EmptySubscription).sdl()
    }

    /// The limits of a document.
    pub fn document_limits(&self) -> &DocumentLimits {
        &self.documents.limits
    }

    /// Executes one request. Whatever need not wait is done at once, so that the future is small.
    pub fn execute(
        &self,
        request: Request,
        permitted: Permitted,
    ) -> impl Future<Output = Answer> + Send {
        match self.prepare(request, permitted) {
            Ok(prepared) => Either::Left(self.run(prepared)),
            Err(refused) => Either::Right(ready(*refused)),
        }
    }

    /// Reads the document, chooses the operation, finds out whether it may be executed, and coerces
    /// its variables.
    fn prepare(&self, request: Request, permitted: Permitted) -> Result<Prepared, Box<Answer>> {
        let reading = trace::enter("parse and validate");
        let document = self.document(&request);
        let Request {
            operation_name: name,
            variables,
            ..
        } = request;
        let document = match document {
            Ok(document) => document,
            Err(Rejected { code, errors }) => {
                let refused = refused(code, errors);
                return Err(Box::new(Answer {
                    asked: name,
                    ..refused
                }));
            }
        };
        let Some(known) = document.operation(name.as_deref()) else {
            let error = ServerError::new(no_operation(&document, name.as_deref()), None);
            let refused = refused(ErrorCode::OperationResolutionFailure, vec![error]);
            return Err(Box::new(Answer {
                asked: name,
                ..refused
            }));
        };
        drop(reading);
        let executable = self.check(&document, &known, variables, permitted);
        let (variables, executable) = executable.map_err(|mut refused| {
            refused.operation = Some(Arc::clone(&known.profile));
            refused
        })?;
        Ok(Prepared {
            document,
            known,
            variables,
            executable,
        })
    }

    /// Checks what could not be known before the operation was chosen: what is to be executed, with
    /// coerced variables.
    fn check(
        &self,
        document: &Document,
        known: &Known,
        variables: Variables,
        permitted: Permitted,
    ) -> Result<(Variables, Arc<Executable>), Box<Answer>> {
        let Documents {
            contract, limits, ..
        } = &self.documents;
        let operation = &known.operation;
        if let Some(refused) = permitted.refuse(operation) {
            return Err(refused);
        }
        let variables = variables::coerce(contract, operation, variables)
            .map_err(|error| refused(ErrorCode::BadUserInput, vec![error]))?;
        if self.introspection == Introspection::Off && known.introspects {
            let message = "this server does not answer questions about its schema";
            let errors = vec![ServerError::new(message, None)];
            return Err(refused(ErrorCode::GraphqlValidationFailed, errors).into());
        }
        let cost = Cost {
            document: &document.checked,
            variables: &variables,
            list_limit: self.list_limit.get().into(),
        };
        limits
            .check_cost(cost.of(operation))
            .map_err(|Rejected { code, errors }| refused(code, errors))?;
        let executable = document.executable(contract, known, &variables);
        let executable =
            executable.map_err(|error| executed(Response::from_errors(vec![error])))?;
        Ok((variables, executable))
    }

    fn document(&self, request: &Request) -> Result<Arc<Document>, Rejected> {
        let text = self.persisted.text(request)?;
        let document = self.documents.read(text.as_str())?;
        self.persisted.register(text);
        Ok(document)
    }

    /// The fields and arguments of the contract that are deprecated: `Type.field` and
    /// `Type.field(argument:)`. [`Profile::deprecated`] has places in this list.
    pub fn deprecated_elements(&self) -> &[String] {
        self.documents.deprecations.elements()
    }

    /// How the kept documents were used.
    pub fn document_figures(&self) -> DocumentFigures {
        self.documents.figures()
    }

    /// How persisted queries were used.
    pub fn persisted_figures(&self) -> PersistedFigures {
        self.persisted.figures()
    }

    /// The trusted documents that are not valid under the contract, with what is wrong.
    pub fn wrong_trusted_documents(&self) -> Vec<String> {
        let texts = self.persisted.trusted_texts();
        let wrong = texts.filter_map(|text| {
            let Rejected { errors, .. } = self.documents.read(text).err()?;
            let messages: Vec<_> = errors.into_iter().map(|error| error.message).collect();
            let beginning: String = text.trim().chars().take(60).collect();
            Some(format!("{beginning:?}: {}", messages.join("; ")))
        });
        let mut wrong: Vec<_> = wrong.collect();
        wrong.sort();
        wrong.dedup();
        wrong
    }

    async fn run(&self, prepared: Prepared) -> Answer {
        let operation = Some(Arc::clone(&prepared.known.profile));
        let answer = self.answer(prepared).await;
        Answer {
            operation,
            ..answer
        }
    }

    async fn answer(&self, prepared: Prepared) -> Answer {
        let executable = Arc::clone(&prepared.executable);
        if let Some(constant) = &executable.constant {
            return written(Response::new(constant.clone()));
        }
        let mut introspected = match self.introspect(&prepared) {
            Ok(introspected) => introspected,
            Err(refused) => return *refused,
        };
        let truncations = Truncations::default();
        let limit = self.execution_timeout;
        let mut response = match timeout(limit, self.resolve(prepared, truncations.clone())).await {
            Ok(response) => response,
            Err(elapsed) => return executed(given_up(elapsed)),
        };
        // What resolvers fail with has a code; the rest are arguments that can't be coerced.
        for error in &mut response.errors {
            ErrorCode::BadUserInput.mark(&mut error.extensions);
        }
        if let Value::Object(members) = &mut response.data
            && !introspected.is_empty()
        {
            let mut take = |key| {
                let resolved = members.swap_remove_entry(key);
                resolved.or_else(|| introspected.swap_remove_entry(key))
            };
            *members = executable.keys.iter().filter_map(&mut take).collect();
        }
        truncations.tell(&mut response);
        written(response)
    }

    /// Has the root fields resolved that are not about the schema.
    fn resolve(
        &self,
        prepared: Prepared,
        truncations: Truncations,
    ) -> impl Future<Output = Response> + Send {
        let Prepared {
            known,
            variables,
            executable,
            ..
        } = prepared;
        let mut data = Data::default();
        data.insert(truncations);
        data.insert(Arc::clone(&executable.plans));
        let (operation, fragments) = (executable.operation.clone(), executable.fragments.clone());
        let execution = &self.execution;
        if known.operation.is_mutation() {
            let root = &self.mutation;
            Either::Left(execution.execute(root, operation, fragments, variables, data))
        } else {
            let root = &self.query;
            Either::Right(execution.execute(root, operation, fragments, variables, data))
        }
    }

    /// Answers `__schema` and `__type` out of the contract itself: async-graphql describes it in
    /// words of its own.
    fn introspect(&self, prepared: &Prepared) -> Result<IndexMap<Name, Value>, Box<Answer>> {
        let Known {
            operation,
            introspects: true,
            ..
        } = &*prepared.known
        else {
            return Ok(IndexMap::new());
        };
        let Documents {
            contract,
            implementers,
            ..
        } = &self.documents;
        let variables = variables::to_apollo(contract, operation, &prepared.variables)
            .map_err(|error| refused(ErrorCode::BadUserInput, vec![error]))?;
        let answer = partial_execute(
            contract,
            implementers,
            &prepared.document.checked,
            operation,
            &variables,
        )
        .map_err(|error| {
            let error = ServerError::new(error.message().to_string(), None);
            refused(ErrorCode::GraphqlValidationFailed, vec![error])
        })?;
        let members = answer.data.as_ref().map(variables::from_members);
        Ok(members.unwrap_or_default())
    }
}

/// A request that can be executed.
struct Prepared {
    document: Arc<Document>,
    known: Arc<Known>,
    variables: Variables,
    executable: Arc<Executable>,
}

/// A response to what was executed, as text.
fn written(mut response: Response) -> Answer {
    let text = Some(text::of(&response));
    response.data = Value::Null;
    Answer {
        text,
        ..executed(response)
    }
}

fn executed(response: Response) -> Answer {
    Answer {
        response,
        text: None,
        outcome: Outcome::Executed,
        operation: None,
        asked: None,
    }
}

fn refused(code: ErrorCode, errors: Vec<ServerError>) -> Answer {
    Answer {
        outcome: Outcome::Refused,
        ..executed(error_code::refused(code, errors))
    }
}

/// The response to an operation as a whole: no field of it has a place.
fn given_up(elapsed: Elapsed) -> Response {
    let error = Error::from(Failure::TookTooLong(elapsed));
    let mut error = error.into_server_error(Pos::default());
    error.locations.clear();
    Response::from_errors(vec![error])
}

fn no_operation(document: &Document, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("the document has no operation named {name:?}"),
        None if document.checked.operations.is_empty() => {
            "the document has no operation".to_owned()
        }
        None => "the document has several operations: name one of them in operationName".to_owned(),
    }
}
