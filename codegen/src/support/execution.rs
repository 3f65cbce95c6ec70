//! Executes operations that are known to be valid. `Schema::execute` would look at each of them again,
//! which takes it longer than executing a small one.

use std::{
    future::Future,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use async_graphql::{
    Context, ContextSelectionSet, Data, EmptyMutation, EmptySubscription, IntrospectionMode, Name,
    OutputType, Positioned, QueryEnv, QueryEnvInner, Response, Schema, SchemaEnv, ServerResult,
    Value, Variables,
    extensions::Extensions,
    futures_util::{FutureExt, future::join_all},
    indexmap::IndexMap,
    parser::types::{Field as SelectedField, OperationDefinition, OperationType, Selection},
    registry::Registry,
    resolver_utils::{ContainerType, resolve_container},
};

use super::{plain::Fragments, registration};

/// Executes operations that are known to be valid, and reduced to root fields that are none of
/// introspection and have different response keys.
pub struct Execution {
    schema: SchemaEnv,
    extensions: Extensions,
}

impl Execution {
    /// Contexts have no data but those of their requests.
    pub fn new() -> Self {
        // async-graphql alone can make what contexts refer to; it does so for a schema of its own.
        let lender = Lender::default();
        let lent = Arc::clone(&lender.0);
        let schema = Schema::new(lender, EmptyMutation, EmptySubscription);
        let asked = schema.execute("{ lend }").now_or_never();
        asked.expect("nothing is waited for");
        let lent = lent.get().expect("the field was resolved");
        Self {
            schema: lent.schema.clone(),
            extensions: lent.extensions.clone(),
        }
    }

    /// Resolves the root fields of an operation: those of a mutation one after the other, others at
    /// once (GraphQL specification, section 6.2). The answers are in the order of the fields.
    pub fn execute<'a, T: ContainerType>(
        &'a self,
        root: &'a T,
        operation: Positioned<OperationDefinition>,
        fragments: Fragments,
        variables: Variables,
        data: Data,
    ) -> impl Future<Output = Response> + Send + 'a {
        let env = QueryEnv::new(QueryEnvInner {
            extensions: self.extensions.clone(),
            variables,
            operation_name: None,
            operation,
            fragments,
            uploads: Vec::new(),
            session_data: Arc::default(),
            query_data: Arc::new(data),
            http_headers: Mutex::default(),
            introspection_mode: IntrospectionMode::Disabled,
            errors: Mutex::default(),
        });
        // The future holds no more of it than a pointer.
        async move { self.resolve(root, &env).await }
    }

    async fn resolve<T: ContainerType>(&self, root: &T, env: &QueryEnv) -> Response {
        let operation = &env.operation.node;
        let selected = &operation.selection_set;
        let ctx = env.create_context(&self.schema, None, selected, None);
        let fields = selected.node.items.iter().filter_map(field);
        let one_by_one = operation.ty == OperationType::Mutation || selected.node.items.len() == 1;
        let members = if one_by_one {
            let mut members = Vec::with_capacity(selected.node.items.len());
            for field in fields {
                members.push(resolve(root, &ctx, field).await);
            }
            members
        } else {
            join_all(fields.map(|field| resolve(root, &ctx, field))).await
        };
        let members: ServerResult<IndexMap<_, _>> = members.into_iter().collect();
        let (data, failed) = match members {
            Ok(members) => (Value::Object(members), None),
            // A field that may not be null ends the whole answer (section 6.4.4).
            Err(error) => (Value::Null, Some(error)),
        };
        let mut response = Response::new(data);
        response.errors.extend(failed);
        let mut told = env.errors.lock().unwrap_or_else(PoisonError::into_inner);
        response.errors.append(&mut told);
        response
    }
}

fn field(selection: &Positioned<Selection>) -> Option<&Positioned<SelectedField>> {
    match &selection.node {
        Selection::Field(field) => Some(field),
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => None,
    }
}

async fn resolve<T: ContainerType>(
    root: &T,
    ctx: &ContextSelectionSet<'_>,
    field: &Positioned<SelectedField>,
) -> ServerResult<(Name, Value)> {
    let key = field.node.response_key().node.clone();
    let value = if field.node.name.node == "__typename" {
        Some(Value::String(root.introspection_type_name().into_owned()))
    } else {
        root.resolve_field(&ctx.with_field(field)).await?
    };
    Ok((key, value.unwrap_or_default()))
}

/// A root type that lends what it is resolved with.
#[derive(Default)]
struct Lender(Arc<OnceLock<Execution>>);

impl ContainerType for Lender {
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        self.0.get_or_init(|| Execution {
            schema: ctx.schema_env.clone(),
            extensions: ctx.query_env.extensions.clone(),
        });
        Ok(None)
    }
}

impl OutputType for Lender {
    fn type_name() -> std::borrow::Cow<'static, str> {
        "Query".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let field = registration::Field {
            name: "lend",
            description: None,
            arguments: &[],
            ty: "Boolean",
            deprecated: None,
        };
        registration::register_object::<Self>(registry, "Query", None, &[], &[field], &[])
    }

    async fn resolve(
        &self,
        ctx: &ContextSelectionSet<'_>,
        _: &Positioned<SelectedField>,
    ) -> ServerResult<Value> {
        resolve_container(ctx, self).await
    }
}

impl async_graphql::ObjectType for Lender {}
