// Generated from schema.graphql; do not edit. Each item names its line there.

/// Answers for the type `Vehicle` of the contract.
///
/// A vehicle.
pub trait VehicleResolver: Send + Sync { // schema.graphql:2:6
    /// `id`
    fn id(&self) -> async_graphql::ID; // schema.graphql:3:3
    /// `brandName`
    fn brand_name(&self) -> Option<::std::borrow::Cow<'_, str>>; // schema.graphql:4:3
}

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:7:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles.
    fn vehicles( // schema.graphql:9:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>>, // schema.graphql:9:3
    ) -> impl ::std::future::Future< // schema.graphql:9:3
        Output = Result<Option<Vec<Option<crate::Car>>>, Self::Error>, // schema.graphql:9:3
    > + Send;
}

/// The arguments of `Query.vehicles(count: Int)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count> { // schema.graphql:9:3
    /// `count`
    pub count: Count, // schema.graphql:9:12
}

/// `Query`
pub struct Query<R>(pub R);

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // schema.graphql:12:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `create`
    fn create( // schema.graphql:13:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateArguments<String, String>, // schema.graphql:13:3
    ) -> impl ::std::future::Future< // schema.graphql:13:3
        Output = Result<Option<crate::Car>, Self::Error>, // schema.graphql:13:3
    > + Send;
}

/// The arguments of `Mutation.create(type: String!, modelCode: String!)`.
#[derive(Clone, Debug)]
pub struct MutationCreateArguments<Type, ModelCode> { // schema.graphql:13:3
    /// `type`
    pub r#type: Type, // schema.graphql:14:5
    /// `modelCode`
    pub model_code: ModelCode, // schema.graphql:15:5
}

/// `Mutation`
pub struct Mutation<R>(pub R);

impl support::PlainObject for crate::Car {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &["id", "brandName"];
    const CONDITIONS: &'static [&'static str] = &["Vehicle"];
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::into_value(VehicleResolver::id(self), plan),
            1usize => support::Plain::into_value(VehicleResolver::brand_name(self), plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&VehicleResolver::id(self), plan, json),
            1usize => {
                support::Plain::write(&VehicleResolver::brand_name(self), plan, json)
            }
            _ => {}
        }
    }
}

impl support::Plain for crate::Car {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for crate::Car {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Vehicle",
            Some("A vehicle."),
            &[],
            &[
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
                support::Field {
                    name: "brandName",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

async fn resolve_query_vehicles<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryVehiclesArguments {
        count: support::argument(ctx, "count", None)?,
    };
    let answer = QueryResolver::vehicles(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: QueryResolver> async_graphql::ContainerType for Query<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "vehicles" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_query_vehicles(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            _ => Ok(None),
        }
    }
}

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Query",
            None,
            &[],
            &[
                support::Field {
                    name: "vehicles",
                    description: Some("The vehicles."),
                    arguments: &[
                        support::Input {
                            name: "count",
                            description: None,
                            ty: "Int",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "[Vehicle]",
                    deprecated: None,
                },
            ],
            &[<crate::Car as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: QueryResolver> async_graphql::ObjectType for Query<R> {}
impl<R: QueryResolver> support::Root for Query<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "vehicles" => {
                Some(<crate::Car as support::Plain>::plan(fragments, selections))
            }
            _ => None,
        }
    }
}

async fn resolve_mutation_create<R: MutationResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = MutationCreateArguments {
        r#type: support::argument(ctx, "type", None)?,
        model_code: support::argument(ctx, "modelCode", None)?,
    };
    let answer = MutationResolver::create(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: MutationResolver> async_graphql::ContainerType for Mutation<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "create" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_mutation_create(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            _ => Ok(None),
        }
    }
}

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Mutation",
            None,
            &[],
            &[
                support::Field {
                    name: "create",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "type",
                            description: None,
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "modelCode",
                            description: None,
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Vehicle",
                    deprecated: None,
                },
            ],
            &[<crate::Car as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: MutationResolver> async_graphql::ObjectType for Mutation<R> {}
impl<R: MutationResolver> support::Root for Mutation<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "create" => Some(<crate::Car as support::Plain>::plan(fragments, selections)),
            _ => None,
        }
    }
}

#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "not every contract uses all of it"
)]
pub mod support {
    /// What serves a contract: plans of operations, their execution, and the values of their answers as text.
    pub use self::{
        execution::Execution, json::{write_text, write_value},
        plain::Fragments, plans::{Plans, Root},
    };
    pub(super) use self::{arguments::*, plain::*, registration::*, subscription::*};
    mod arguments {
        //! Arguments and input objects: from what a request gives to Rust values.
        use std::convert::Infallible;
        use async_graphql::{
            Context, InputType, InputValueError, InputValueResult, Name, ServerResult,
            Value, indexmap::IndexMap,
        };
        /// The value of an argument, coerced as the GraphQL specification says (`CoerceArgumentValues`,
        /// section 6.4.1): an omitted argument, and one given as a variable that the request omits,
        /// takes the default.
        pub(crate) fn argument<T: InputType>(
            ctx: &Context<'_>,
            name: &str,
            default: Option<fn() -> T>,
        ) -> ServerResult<T> {
            let given = ctx
                .item
                .node
                .arguments
                .iter()
                .find(|(given, _)| given.node.as_str() == name);
            let (pos, value) = match given {
                None => (ctx.item.pos, None),
                Some((_, value)) => {
                    let put_in = |name: Name| Ok(
                        variable(ctx, &name).unwrap_or_else(absent),
                    );
                    let value_with_absent: Result<Value, Infallible> = value
                        .node
                        .clone()
                        .into_const_with(put_in);
                    let Ok(value_with_absent) = value_with_absent;
                    (value.pos, present(value_with_absent))
                }
            };
            match (value, default) {
                (None, Some(default)) => Ok(default()),
                (value, _) => {
                    InputType::parse(value)
                        .map_err(|error| {
                            ctx.set_error_path(error.into_server_error(pos))
                        })
                }
            }
        }
        /// Stands for a variable without a value; no name of a request can be like it.
        fn absent() -> Value {
            Value::Enum(Name::new("(absent)"))
        }
        /// Leaves out what is absent: an argument, a member of an object; in a list it is null.
        fn present(value: Value) -> Option<Value> {
            match value {
                Value::Enum(name) if name == "(absent)" => None,
                Value::List(items) => {
                    let items = items
                        .into_iter()
                        .map(|item| present(item).unwrap_or_default());
                    Some(Value::List(items.collect()))
                }
                Value::Object(members) => {
                    let members = members.into_iter();
                    let present = members
                        .filter_map(|(name, value)| Some((name, present(value)?)));
                    Some(Value::Object(present.collect()))
                }
                value => Some(value),
            }
        }
        fn variable(ctx: &Context<'_>, name: &Name) -> Option<Value> {
            let definitions = &ctx.query_env.operation.node.variable_definitions;
            let definition = definitions
                .iter()
                .find(|definition| definition.node.name.node == *name)?;
            let default = definition
                .node
                .default_value
                .as_ref()
                .map(|value| &value.node);
            ctx.query_env.variables.get(name).or(default).cloned()
        }
        /// Takes the members out of an input object.
        pub(crate) fn members<T: InputType>(
            value: Option<Value>,
        ) -> Result<IndexMap<Name, Value>, InputValueError<T>> {
            match value.unwrap_or_default() {
                Value::Object(members) => Ok(members),
                other => Err(InputValueError::expected_type(other)),
            }
        }
        /// The member of an input object with this name, or its default.
        pub(crate) fn member<T: InputType, M: InputType>(
            members: &mut IndexMap<Name, Value>,
            name: &str,
            default: Option<fn() -> M>,
        ) -> Result<M, InputValueError<T>> {
            match (members.swap_remove(name), default) {
                (None, Some(default)) => Ok(default()),
                (value, _) => M::parse(value).map_err(InputValueError::propagate),
            }
        }
        /// The only member of a `@oneOf` input object, which may not be null.
        pub(crate) fn only_member<T: InputType>(
            value: Option<Value>,
        ) -> Result<(Name, Value), InputValueError<T>> {
            let mut members = members::<T>(value)?.into_iter();
            match (members.next(), members.next()) {
                (Some((name, value)), None) if value != Value::Null => Ok((name, value)),
                _ => {
                    Err(
                        InputValueError::custom(
                            "exactly one member must be given, and it must not be null",
                        ),
                    )
                }
            }
        }
        /// The value of an enum with this name.
        pub(crate) fn enum_value<T: InputType + Copy>(
            value: Option<Value>,
            values: &[(&'static str, T)],
        ) -> InputValueResult<T> {
            let name = match &value {
                Some(Value::Enum(name)) => name.as_str(),
                Some(Value::String(name)) => name.as_str(),
                _ => {
                    return Err(InputValueError::expected_type(value.unwrap_or_default()));
                }
            };
            values
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
                .ok_or_else(|| InputValueError::custom(
                    format_args!("it has no value {name:?}"),
                ))
        }
    }
    mod execution {
        //! Executes operations that are known to be valid. `Schema::execute` would look at each of them again,
        //! which takes it longer than executing a small one.
        use std::{future::Future, sync::{Arc, Mutex, OnceLock, PoisonError}};
        use async_graphql::{
            Context, ContextSelectionSet, Data, EmptyMutation, EmptySubscription,
            IntrospectionMode, Name, OutputType, Positioned, QueryEnv, QueryEnvInner,
            Response, Schema, SchemaEnv, ServerResult, Value, Variables,
            extensions::Extensions, futures_util::{FutureExt, future::join_all},
            indexmap::IndexMap,
            parser::types::{
                Field as SelectedField, OperationDefinition, OperationType, Selection,
            },
            registry::Registry, resolver_utils::{ContainerType, resolve_container},
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
                async move { self.resolve(root, &env).await }
            }
            async fn resolve<T: ContainerType>(
                &self,
                root: &T,
                env: &QueryEnv,
            ) -> Response {
                let operation = &env.operation.node;
                let selected = &operation.selection_set;
                let ctx = env.create_context(&self.schema, None, selected, None);
                let fields = selected.node.items.iter().filter_map(field);
                let one_by_one = operation.ty == OperationType::Mutation
                    || selected.node.items.len() == 1;
                let members = if one_by_one {
                    let mut members = Vec::with_capacity(selected.node.items.len());
                    for field in fields {
                        members.push(resolve(root, &ctx, field).await);
                    }
                    members
                } else {
                    join_all(fields.map(|field| resolve(root, &ctx, field))).await
                };
                let members: ServerResult<IndexMap<_, _>> = members
                    .into_iter()
                    .collect();
                let (data, failed) = match members {
                    Ok(members) => (Value::Object(members), None),
                    Err(error) => (Value::Null, Some(error)),
                };
                let mut response = Response::new(data);
                response.errors.extend(failed);
                let mut told = env.errors.lock().unwrap_or_else(PoisonError::into_inner);
                response.errors.append(&mut told);
                response
            }
        }
        fn field(
            selection: &Positioned<Selection>,
        ) -> Option<&Positioned<SelectedField>> {
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
            async fn resolve_field(
                &self,
                ctx: &Context<'_>,
            ) -> ServerResult<Option<Value>> {
                self.0
                    .get_or_init(|| Execution {
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
                registration::register_object::<
                    Self,
                >(registry, "Query", None, &[], &[field], &[])
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
    }
    mod json {
        //! Values as JSON text (RFC 8259), without a tree in between.
        use std::io::Write;
        use async_graphql::Value;
        /// Writes a value. A binary one is JSON text already and stands as it is: planned answers are.
        pub fn write_value(value: &Value, json: &mut Vec<u8>) {
            match value {
                Value::Null => json.extend_from_slice(b"null"),
                Value::Boolean(true) => json.extend_from_slice(b"true"),
                Value::Boolean(false) => json.extend_from_slice(b"false"),
                Value::Number(number) => {
                    write!(json, "{number}").expect("memory takes every text")
                }
                Value::String(text) => write_text(text, json),
                Value::Enum(name) => write_text(name, json),
                Value::Binary(text) => json.extend_from_slice(text),
                Value::List(items) => write_list(items, json, write_value),
                Value::Object(members) => {
                    json.push(b'{');
                    for (place, (key, value)) in members.iter().enumerate() {
                        if place > 0 {
                            json.push(b',');
                        }
                        write_text(key, json);
                        json.push(b':');
                        write_value(value, json);
                    }
                    json.push(b'}');
                }
            }
        }
        pub(crate) fn write_list<T>(
            items: &[T],
            json: &mut Vec<u8>,
            write: impl Fn(&T, &mut Vec<u8>),
        ) {
            json.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    json.push(b',');
                }
                write(item, json);
            }
            json.push(b']');
        }
        /// The key of an object with the colon behind it and, unless it is the first, the comma before it.
        pub(crate) fn write_key(key: &str, first: bool) -> Box<[u8]> {
            let mut json = Vec::with_capacity(key.len() + 4);
            if !first {
                json.push(b',');
            }
            write_text(key, &mut json);
            json.push(b':');
            json.into_boxed_slice()
        }
        /// Writes a string. Only what must be escaped is (section 7).
        pub fn write_text(text: &str, json: &mut Vec<u8>) {
            json.reserve(text.len() + 2);
            json.push(b'"');
            let mut rest = text.as_bytes();
            if !rest.iter().fold(false, |must, byte| must | must_be_escaped(*byte)) {
                json.extend_from_slice(rest);
                json.push(b'"');
                return;
            }
            while let Some(place) = rest.iter().position(|byte| must_be_escaped(*byte)) {
                json.extend_from_slice(&rest[..place]);
                match rest[place] {
                    byte @ (b'"' | b'\\') => json.extend_from_slice(&[b'\\', byte]),
                    0x08 => json.extend_from_slice(b"\\b"),
                    0x0c => json.extend_from_slice(b"\\f"),
                    b'\n' => json.extend_from_slice(b"\\n"),
                    b'\r' => json.extend_from_slice(b"\\r"),
                    b'\t' => json.extend_from_slice(b"\\t"),
                    byte => {
                        write!(json, "\\u{byte:04x}").expect("memory takes every text")
                    }
                }
                rest = &rest[place + 1..];
            }
            json.extend_from_slice(rest);
            json.push(b'"');
        }
        fn must_be_escaped(byte: u8) -> bool {
            byte < b' ' || byte == b'"' || byte == b'\\'
        }
    }
    mod plain {
        //! Straight-line resolving: a selection set is planned once and applied to each value by a loop,
        //! without futures. A value becomes a tree of async-graphql, or, where the request brings its plans,
        //! JSON text at once.
        use std::{borrow::Cow, collections::{HashMap, HashSet}};
        use async_graphql::{
            Context, ContextSelectionSet, Error, ID, Name, OutputType, Positioned,
            ServerError, ServerResult, Value, indexmap::IndexMap,
            parser::types::{
                Field as SelectedField, FragmentDefinition, Selection, SelectionSet,
            },
        };
        use super::{
            json::{write_key, write_list, write_text, write_value},
            plans::Plans,
        };
        /// The fragments of a document.
        pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;
        /// The error of a resolver, with the place and path of its field.
        pub(crate) fn failed(ctx: &Context<'_>, error: impl Into<Error>) -> ServerError {
            ctx.set_error_path(error.into().into_server_error(ctx.item.pos))
        }
        /// Ends an error at a field that may be null (GraphQL specification, section 6.4.4).
        pub(crate) fn nullable(ctx: &Context<'_>, result: ServerResult<Value>) -> Value {
            result
                .unwrap_or_else(|error| {
                    ctx.add_error(error);
                    Value::Null
                })
        }
        /// Resolves an answer that needs resolvers of its own.
        pub(crate) async fn resolve<T: OutputType>(
            ctx: &Context<'_>,
            answer: &T,
        ) -> ServerResult<Value> {
            let selected = ctx.with_selection_set(&ctx.item.node.selection_set);
            answer.resolve(&selected, ctx.item).await
        }
        /// Resolves an answer that is complete: a straight loop, no futures.
        pub(crate) fn answer<T: Plain>(
            ctx: &Context<'_>,
            answer: T,
        ) -> ServerResult<Value> {
            if let Some(planned) = Plans::find(ctx) {
                return Ok(planned.json(&answer));
            }
            let fragments = &ctx.query_env.fragments;
            let plan = T::plan(fragments, &[&ctx.item.node.selection_set.node])?;
            Ok(answer.into_value(&plan))
        }
        /// `answer`, for a value that async-graphql holds.
        pub(crate) fn answer_borrowed<T: Plain>(
            ctx: &ContextSelectionSet<'_>,
            answer: &T,
        ) -> ServerResult<Value> {
            let plan = T::plan(&ctx.query_env.fragments, &[&ctx.item.node])?;
            Ok(answer.value(&plan))
        }
        /// What a selection set asks of a value, worked out once and then applied to every item of a list.
        pub enum Plan {
            /// A value without fields.
            Leaf,
            /// The fields of an object.
            Object(Vec<Step>),
            /// The fields for each object type that a union or an interface may be, in its order.
            Abstract(Vec<Vec<Step>>),
        }
        /// One field of an object as it was asked for.
        pub struct Step {
            key: Name,
            /// The key as JSON, with the comma before it and the colon behind it.
            json_key: Box<[u8]>,
            /// The position of the field in the type, or none for `__typename`.
            field: Option<usize>,
            plan: Plan,
        }
        /// An output type whose values are complete: resolving them waits for nothing and cannot fail.
        pub(crate) trait Plain: OutputType {
            /// Works out what the selection sets, which are merged, ask of a value of this type.
            fn plan(_: &Fragments, _: &[&SelectionSet]) -> ServerResult<Plan> {
                Ok(Plan::Leaf)
            }
            /// What is asked of this value.
            fn value(&self, plan: &Plan) -> Value;
            /// `value`, without copying what can be moved.
            fn into_value(self, plan: &Plan) -> Value
            where
                Self: Sized,
            {
                self.value(plan)
            }
            /// Writes what is asked of this value as JSON.
            fn write(&self, plan: &Plan, json: &mut Vec<u8>);
        }
        /// A plain object type.
        pub(crate) trait PlainObject: OutputType {
            /// Its name.
            const NAME: &'static str;
            /// The names of its fields.
            const FIELDS: &'static [&'static str];
            /// The type conditions that hold for it: its own name, its interfaces and unions.
            const CONDITIONS: &'static [&'static str];
            /// Plans the field at this position.
            fn plan_field(
                _: &Fragments,
                _field: usize,
                _: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                Ok(Plan::Leaf)
            }
            /// The value of the field at this position.
            fn field(&self, field: usize, plan: &Plan) -> Value;
            /// Writes the field at this position as JSON.
            fn write_field(&self, field: usize, plan: &Plan, json: &mut Vec<u8>);
        }
        /// Plans an object: `CollectFields` and `MergeSelectionSets` of the GraphQL specification
        /// (sections 6.3.2 and 6.4.3). What `@skip` and `@include` leave out is gone already.
        pub(crate) fn steps<T: PlainObject>(
            fragments: &Fragments,
            selections: &[&SelectionSet],
        ) -> ServerResult<Vec<Step>> {
            let mut selected = Selected::default();
            for selection_set in selections {
                selected.collect::<T>(fragments, selection_set)?;
            }
            let mut steps = Vec::with_capacity(selected.fields.len());
            for (key, (field, selections)) in selected.fields {
                let name = field.node.name.node.as_str();
                let (field, plan) = if name == "__typename" {
                    (None, Plan::Leaf)
                } else {
                    let Some(position) = T::FIELDS
                        .iter()
                        .position(|known| *known == name) else {
                        let message = format!(
                            "Cannot query field {name:?} on type {:?}.", T::NAME
                        );
                        return Err(ServerError::new(message, Some(field.pos)));
                    };
                    let plan = T::plan_field(fragments, position, &selections)?;
                    (Some(position), plan)
                };
                steps
                    .push(Step {
                        json_key: write_key(&key, steps.is_empty()),
                        key,
                        field,
                        plan,
                    });
            }
            Ok(steps)
        }
        /// The fields of an object by their response keys, each with everything that is selected of it.
        #[derive(Default)]
        struct Selected<'a> {
            fields: IndexMap<
                Name,
                (&'a Positioned<SelectedField>, Vec<&'a SelectionSet>),
            >,
            /// Each fragment counts once: written out, fragments in fragments grow exponentially.
            visited: HashSet<&'a str>,
        }
        impl<'a> Selected<'a> {
            fn collect<T: PlainObject>(
                &mut self,
                fragments: &'a Fragments,
                selection_set: &'a SelectionSet,
            ) -> ServerResult<()> {
                for selection in &selection_set.items {
                    let (condition, selection_set) = match &selection.node {
                        Selection::Field(field) => {
                            let key = field.node.response_key().node.clone();
                            let (_, selections) = self
                                .fields
                                .entry(key)
                                .or_insert_with(|| (field, Vec::new()));
                            selections.push(&field.node.selection_set.node);
                            continue;
                        }
                        Selection::InlineFragment(fragment) => {
                            (
                                fragment.node.type_condition.as_ref(),
                                &fragment.node.selection_set,
                            )
                        }
                        Selection::FragmentSpread(spread) => {
                            let name = &spread.node.fragment_name.node;
                            let Some(fragment) = fragments.get(name) else {
                                let message = format!(
                                    "Unknown fragment {:?}.", name.as_str()
                                );
                                return Err(ServerError::new(message, Some(spread.pos)));
                            };
                            if !self.visited.insert(name.as_str()) {
                                continue;
                            }
                            (
                                Some(&fragment.node.type_condition),
                                &fragment.node.selection_set,
                            )
                        }
                    };
                    let applies = condition
                        .is_none_or(|condition| {
                            T::CONDITIONS.contains(&condition.node.on.node.as_str())
                        });
                    if applies {
                        self.collect::<T>(fragments, &selection_set.node)?;
                    }
                }
                Ok(())
            }
        }
        /// The value of an object: one entry for each step.
        pub(crate) fn object<T: PlainObject>(object: &T, steps: &[Step]) -> Value {
            let mut members = IndexMap::with_capacity(steps.len());
            for step in steps {
                let value = match step.field {
                    Some(field) => object.field(field, &step.plan),
                    None => Value::String(T::NAME.to_owned()),
                };
                members.insert(step.key.clone(), value);
            }
            Value::Object(members)
        }
        /// `object`, as JSON.
        pub(crate) fn write_object<T: PlainObject>(
            object: &T,
            steps: &[Step],
            json: &mut Vec<u8>,
        ) {
            json.push(b'{');
            for step in steps {
                json.extend_from_slice(&step.json_key);
                match step.field {
                    Some(field) => object.write_field(field, &step.plan, json),
                    None => write_text(T::NAME, json),
                }
            }
            json.push(b'}');
        }
        impl<T: Plain> Plain for Option<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                self.as_ref().map_or(Value::Null, |value| value.value(plan))
            }
            fn into_value(self, plan: &Plan) -> Value {
                self.map_or(Value::Null, |value| value.into_value(plan))
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                match self {
                    Some(value) => value.write(plan, json),
                    None => json.extend_from_slice(b"null"),
                }
            }
        }
        impl<T: Plain> Plain for Vec<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                Value::List(self.iter().map(|value| value.value(plan)).collect())
            }
            fn into_value(self, plan: &Plan) -> Value {
                Value::List(
                    self.into_iter().map(|value| value.into_value(plan)).collect(),
                )
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_list(self, json, |value, json| value.write(plan, json));
            }
        }
        impl<T: Plain> Plain for Box<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                T::value(self, plan)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                T::write(self, plan, json);
            }
        }
        impl Plain for String {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.clone())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self)
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(self, json);
            }
        }
        impl Plain for Cow<'_, str> {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.to_string())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self.into_owned())
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(self, json);
            }
        }
        impl Plain for ID {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.0.clone())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self.0)
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(&self.0, json);
            }
        }
        impl Plain for bool {
            fn value(&self, _: &Plan) -> Value {
                Value::Boolean(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
        impl Plain for i32 {
            fn value(&self, _: &Plan) -> Value {
                Value::from(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
        impl Plain for f64 {
            fn value(&self, _: &Plan) -> Value {
                Value::from(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
    }
    mod plans {
        //! What the root fields of an operation ask for, worked out before it is executed, and once for all
        //! requests that bring the same document.
        use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
        use async_graphql::{
            Context, Name, Positioned, ServerResult, Value,
            parser::types::{Selection, SelectionSet},
        };
        use super::plain::{Fragments, Plain, Plan};
        /// A root type of the contract.
        pub trait Root {
            /// Plans the answer of a field, unless it has resolvers of its own or is not of the contract.
            #[doc(hidden)]
            fn plan(
                field: &str,
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> Option<ServerResult<Plan>>;
        }
        /// The plans of the root fields of an operation.
        ///
        /// A request that has them among its data, as `Arc<Plans>`, is answered with JSON text for these
        /// fields: as binary values, which `write_value` writes as they are.
        #[derive(Default)]
        pub struct Plans(Vec<Planned>);
        /// The plan of one root field.
        pub(crate) struct Planned {
            key: Name,
            plan: Plan,
            /// How many bytes the last answer had: the next one will be much the same.
            bytes: AtomicUsize,
        }
        impl Plans {
            /// Plans what these root fields ask for, of which no two may have the same response key, and takes
            /// the selection sets away that are planned. What `@skip` and `@include` leave out must be gone.
            pub fn take<T: Root>(
                fields: &mut [Positioned<Selection>],
                fragments: &Fragments,
            ) -> ServerResult<Self> {
                let mut plans = Vec::with_capacity(fields.len());
                for selection in fields {
                    let Selection::Field(field) = &mut selection.node else {
                        continue;
                    };
                    let field = &mut field.node;
                    let selections = &mut field.selection_set.node;
                    if let Some(plan) = T::plan(
                        &field.name.node,
                        fragments,
                        &[selections],
                    ) {
                        selections.items.clear();
                        plans
                            .push(Planned {
                                plan: plan?,
                                key: field.response_key().node.clone(),
                                bytes: AtomicUsize::new(0),
                            });
                    }
                }
                Ok(Self(plans))
            }
            /// The plan for this field of this request.
            pub(crate) fn find<'a>(ctx: &Context<'a>) -> Option<&'a Planned> {
                let plans: &'a Arc<Self> = ctx.data_opt()?;
                let key = &ctx.item.node.response_key().node;
                plans.0.iter().find(|planned| planned.key == *key)
            }
        }
        impl Planned {
            /// The answer as JSON text.
            pub(crate) fn json(&self, answer: &impl Plain) -> Value {
                let before = self.bytes.load(Ordering::Relaxed);
                let mut json = Vec::with_capacity(before + before / 8 + 32);
                answer.write(&self.plan, &mut json);
                self.bytes.store(json.len(), Ordering::Relaxed);
                Value::Binary(json.into())
            }
        }
    }
    mod registration {
        //! Tells async-graphql what the contract says: names, descriptions, types, defaults, deprecations.
        use async_graphql::{
            InputType, OutputType, indexmap::{IndexMap, IndexSet},
            registry::{
                Deprecation, MetaEnumValue, MetaField, MetaInputValue, MetaType,
                MetaTypeId, Registry,
            },
        };
        /// A text of the contract.
        pub(crate) type Text = &'static str;
        /// A function that registers a type, for the types that another one refers to.
        pub(crate) type Register = fn(&mut Registry) -> String;
        /// What introspection says of a field.
        pub(crate) struct Field {
            pub name: Text,
            pub description: Option<Text>,
            pub arguments: &'static [Input],
            pub ty: Text,
            pub deprecated: Option<Text>,
        }
        /// What introspection says of an argument or of a field of an input object.
        pub(crate) struct Input {
            pub name: Text,
            pub description: Option<Text>,
            pub ty: Text,
            pub default: Option<Text>,
            pub deprecated: Option<Text>,
        }
        /// What introspection says of a value of an enum.
        pub(crate) struct EnumValue {
            pub name: Text,
            pub description: Option<Text>,
            pub deprecated: Option<Text>,
        }
        fn owned(text: Option<Text>) -> Option<String> {
            text.map(str::to_owned)
        }
        fn deprecation(reason: Option<Text>) -> Deprecation {
            match reason {
                None => Deprecation::NoDeprecated,
                Some(reason) => {
                    Deprecation::Deprecated {
                        reason: Some(reason.to_owned()),
                    }
                }
            }
        }
        fn inputs(inputs: &[Input]) -> IndexMap<String, MetaInputValue> {
            let described = inputs
                .iter()
                .map(|input| {
                    let meta = MetaInputValue {
                        name: input.name.to_owned(),
                        description: owned(input.description),
                        ty: input.ty.to_owned(),
                        deprecation: deprecation(input.deprecated),
                        default_value: owned(input.default),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        is_secret: false,
                        directive_invocations: Vec::new(),
                    };
                    (input.name.to_owned(), meta)
                });
            described.collect()
        }
        fn fields(fields: &[Field]) -> IndexMap<String, MetaField> {
            let described = fields
                .iter()
                .map(|field| {
                    let meta = MetaField {
                        name: field.name.to_owned(),
                        description: owned(field.description),
                        args: inputs(field.arguments),
                        ty: field.ty.to_owned(),
                        deprecation: deprecation(field.deprecated),
                        cache_control: async_graphql::CacheControl::default(),
                        external: false,
                        requires: None,
                        provides: None,
                        visible: None,
                        shareable: false,
                        inaccessible: false,
                        tags: Vec::new(),
                        override_from: None,
                        compute_complexity: None,
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    };
                    (field.name.to_owned(), meta)
                });
            described.collect()
        }
        fn object_type(
            name: Text,
            description: Option<Text>,
            of: &[Field],
            is_subscription: bool,
            rust_typename: Text,
        ) -> MetaType {
            MetaType::Object {
                name: name.to_owned(),
                description: owned(description),
                fields: fields(of),
                cache_control: async_graphql::CacheControl::default(),
                extends: false,
                shareable: false,
                resolvable: true,
                inaccessible: false,
                interface_object: false,
                tags: Vec::new(),
                keys: None,
                visible: None,
                is_subscription,
                rust_typename: Some(rust_typename),
                directive_invocations: Vec::new(),
                requires_scopes: Vec::new(),
            }
        }
        /// Registers an object type and the types it refers to.
        pub(crate) fn register_object<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            interfaces: &[Text],
            of: &[Field],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Object,
                    |registry| {
                        for interface in interfaces {
                            registry.add_implements(name, interface);
                        }
                        for register in referred {
                            register(registry);
                        }
                        object_type(
                            name,
                            description,
                            of,
                            false,
                            std::any::type_name::<T>(),
                        )
                    },
                )
        }
        /// Registers the root type of subscriptions and the types it refers to.
        pub(crate) fn register_subscription<T: async_graphql::SubscriptionType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            of: &[Field],
            referred: &[Register],
        ) -> String {
            registry
                .create_subscription_type::<
                    T,
                    _,
                >(|registry| {
                    for register in referred {
                        register(registry);
                    }
                    object_type(name, description, of, true, std::any::type_name::<T>())
                })
        }
        /// Registers an interface, the types it refers to and those that implement it.
        pub(crate) fn register_interface<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            interfaces: &[Text],
            of: &[Field],
            possible_types: &[Text],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Interface,
                    |registry| {
                        for interface in interfaces {
                            registry.add_implements(name, interface);
                        }
                        for register in referred {
                            register(registry);
                        }
                        MetaType::Interface {
                            name: name.to_owned(),
                            description: owned(description),
                            fields: fields(of),
                            possible_types: possible_types
                                .iter()
                                .map(|&name| name.to_owned())
                                .collect(),
                            extends: false,
                            inaccessible: false,
                            tags: Vec::new(),
                            keys: None,
                            visible: None,
                            rust_typename: Some(std::any::type_name::<T>()),
                            directive_invocations: Vec::new(),
                            requires_scopes: Vec::new(),
                        }
                    },
                )
        }
        /// Registers a union and its members.
        pub(crate) fn register_union<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            members: &[Text],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Union,
                    |registry| {
                        for register in referred {
                            register(registry);
                        }
                        MetaType::Union {
                            name: name.to_owned(),
                            description: owned(description),
                            possible_types: members
                                .iter()
                                .map(|&name| name.to_owned())
                                .collect::<IndexSet<_>>(),
                            visible: None,
                            inaccessible: false,
                            tags: Vec::new(),
                            rust_typename: Some(std::any::type_name::<T>()),
                            directive_invocations: Vec::new(),
                        }
                    },
                )
        }
        /// Registers an enum.
        pub(crate) fn register_enum<T: InputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            values: &[EnumValue],
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Enum,
                    |_| MetaType::Enum {
                        name: name.to_owned(),
                        description: owned(description),
                        enum_values: values
                            .iter()
                            .map(|value| {
                                let meta = MetaEnumValue {
                                    name: value.name.to_owned(),
                                    description: owned(value.description),
                                    deprecation: deprecation(value.deprecated),
                                    visible: None,
                                    inaccessible: false,
                                    tags: Vec::new(),
                                    directive_invocations: Vec::new(),
                                };
                                (value.name.to_owned(), meta)
                            })
                            .collect(),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        rust_typename: Some(std::any::type_name::<T>()),
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    },
                )
        }
        /// Registers an input object and the types it refers to.
        pub(crate) fn register_input_object<T: InputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            of: &[Input],
            oneof: bool,
            referred: &[Register],
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::InputObject,
                    |registry| {
                        for register in referred {
                            register(registry);
                        }
                        MetaType::InputObject {
                            name: name.to_owned(),
                            description: owned(description),
                            input_fields: inputs(of),
                            visible: None,
                            inaccessible: false,
                            tags: Vec::new(),
                            rust_typename: Some(std::any::type_name::<T>()),
                            oneof,
                            directive_invocations: Vec::new(),
                        }
                    },
                )
        }
        /// Registers a custom scalar.
        pub(crate) fn register_scalar<
            T: InputType + async_graphql::ScalarType + 'static,
        >(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            specified_by_url: Option<Text>,
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Scalar,
                    |_| MetaType::Scalar {
                        name: name.to_owned(),
                        description: owned(description),
                        is_valid: Some(
                            std::sync::Arc::new(
                                <T as async_graphql::ScalarType>::is_valid,
                            ),
                        ),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        specified_by_url: owned(specified_by_url),
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    },
                )
        }
    }
    mod subscription {
        //! Streams of values as streams of responses.
        use std::future::Future;
        use async_graphql::{
            Context, Error, OutputType, PathSegment, QueryPathNode, QueryPathSegment,
            Response, ServerResult, Value,
            futures_util::stream::{self, BoxStream, Stream, StreamExt},
            indexmap::IndexMap,
        };
        /// The responses of one field of a subscription.
        pub(crate) fn responses<'a, T, E, S, F>(
            ctx: &'a Context<'_>,
            source: F,
        ) -> BoxStream<'a, Response>
        where
            T: OutputType + 'a,
            E: Into<Error> + Send + 'a,
            S: Stream<Item = Result<T, E>> + Send + 'a,
            F: Future<Output = ServerResult<S>> + Send + 'a,
        {
            let responses = stream::once(source)
                .flat_map(move |source| -> BoxStream<'a, Response> {
                    match source {
                        Err(error) => {
                            stream::once(async move {
                                    Response::from_errors(vec![error])
                                })
                                .boxed()
                        }
                        Ok(source) => {
                            source.then(move |event| event_response(ctx, event)).boxed()
                        }
                    }
                });
            responses.boxed()
        }
        async fn event_response<T: OutputType, E: Into<Error>>(
            ctx: &Context<'_>,
            event: Result<T, E>,
        ) -> Response {
            let key = &ctx.item.node.response_key().node;
            let path = QueryPathNode {
                parent: None,
                segment: QueryPathSegment::Name(key),
            };
            let selected = ctx
                .query_env
                .create_context(
                    ctx.schema_env,
                    Some(path),
                    &ctx.item.node.selection_set,
                    ctx.execute_data,
                );
            let result = match event {
                Ok(answer) => answer.resolve(&selected, ctx.item).await,
                Err(error) => {
                    let path = vec![PathSegment::Field(key.to_string())];
                    Err(error.into().into_server_error(ctx.item.pos).with_path(path))
                }
            };
            let mut response = match result {
                Ok(value) => {
                    Response::new(Value::Object(IndexMap::from([(key.clone(), value)])))
                }
                Err(error) => Response::from_errors(vec![error]),
            };
            let reported = ctx
                .query_env
                .errors
                .lock()
                .map(|mut errors| std::mem::take(&mut *errors));
            response.errors.extend(reported.unwrap_or_default());
            response
        }
    }
}
