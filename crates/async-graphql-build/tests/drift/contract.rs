// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Vehicle` of the contract.
///
/// A vehicle.
pub trait VehicleResolver { // schema.graphql:2:6
    /// `id`
    fn id(&self) -> support::Text<'_>; // schema.graphql:3:3
    /// `brandName`
    fn brand_name(&self) -> Option<support::Text<'_>>; // schema.graphql:4:3
}

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:7:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles.
    fn vehicles( // schema.graphql:9:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>>, // schema.graphql:9:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<crate::Car>>>, Self::Error>> + Send; // schema.graphql:9:3
}

/// The arguments of `Query.vehicles(count: Int)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count> { // schema.graphql:9:3
    /// `count`
    pub count: Count, // schema.graphql:9:12
}

/// `Query`
pub struct Query<R>(pub R); // schema.graphql:7:6

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // schema.graphql:12:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `create`
    fn create( // schema.graphql:13:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateArguments<String, String>, // schema.graphql:13:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::Car>, Self::Error>> + Send; // schema.graphql:13:3
    /// `update`
    fn update( // schema.graphql:17:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationUpdateArguments<VehicleChanges>, // schema.graphql:17:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::Car>, Self::Error>> + Send; // schema.graphql:17:3
}

/// The arguments of `Mutation.create(type: String!, modelCode: String!)`.
#[derive(Clone, Debug)]
pub struct MutationCreateArguments<Type, ModelCode> { // schema.graphql:13:3
    /// `type`
    pub r#type: Type, // schema.graphql:14:5
    /// `modelCode`
    pub model_code: ModelCode, // schema.graphql:15:5
}

/// The arguments of `Mutation.update(changes: VehicleChanges!)`.
#[derive(Clone, Debug)]
pub struct MutationUpdateArguments<Changes> { // schema.graphql:17:3
    /// `changes`
    pub changes: Changes, // schema.graphql:17:10
}

/// `Mutation`
pub struct Mutation<R>(pub R); // schema.graphql:12:6

#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "VehicleChanges")]
pub struct VehicleChanges { // schema.graphql:20:7
    #[graphql(name = "brandName")]
    pub brand_name: async_graphql::MaybeUndefined<String>, // schema.graphql:21:3
}

static __Vehicle: support::TypeInfo = support::TypeInfo {
    name: "Vehicle",
    description: Some("A vehicle."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Vehicle"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("brandName", "String", <String as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for crate::Car {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Vehicle)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for crate::Car {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Vehicle, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Vehicle, |field, plan, json| match field {
            0 => WriteJson::write(&VehicleResolver::id(self), plan, json),
            1 => WriteJson::write(&VehicleResolver::brand_name(self), plan, json),
            _ => {}
        });
    }
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("vehicles", "[Vehicle]", <crate::Car as async_graphql::OutputType>::create_type_info)
            .description("The vehicles.")
            .arguments(&[
                support::InputInfo::new("count", "Int", <i32 as async_graphql::InputType>::create_type_info),
            ]),
    ],
};

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Query)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl<R: QueryResolver> async_graphql::ObjectType for Query<R> {}

impl<R: QueryResolver> support::Complete for Query<R> {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Query)
    }
}

impl<R: QueryResolver> async_graphql::ContainerType for Query<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "vehicles" => support::written_field(ctx, QueryResolver::vehicles(&self.0, ctx, QueryVehiclesArguments {
                count: support::argument(ctx, "count", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Mutation: support::TypeInfo = support::TypeInfo {
    name: "Mutation",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Mutation"],
    fields: &[
        support::FieldInfo::new("create", "Vehicle", <crate::Car as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("type", "String!", <String as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("modelCode", "String!", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("update", "Vehicle", <crate::Car as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("changes", "VehicleChanges!", <VehicleChanges as async_graphql::InputType>::create_type_info),
            ]),
    ],
};

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Mutation)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl<R: MutationResolver> async_graphql::ObjectType for Mutation<R> {}

impl<R: MutationResolver> support::Complete for Mutation<R> {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Mutation)
    }
}

impl<R: MutationResolver> async_graphql::ContainerType for Mutation<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "create" => support::written_field(ctx, MutationResolver::create(&self.0, ctx, MutationCreateArguments {
                r#type: support::argument(ctx, "type", None)?,
                model_code: support::argument(ctx, "modelCode", None)?,
            })),
            "update" => support::written_field(ctx, MutationResolver::update(&self.0, ctx, MutationUpdateArguments {
                changes: support::argument(ctx, "changes", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"\nA vehicle.\n\"\"\"\ntype Vehicle {\n  id: ID!\n  brandName: String\n}\n\ntype Query {\n  \"\"\"\n  The vehicles.\n  \"\"\"\n  vehicles(\n    count: Int\n  ): [Vehicle]\n}\n\ntype Mutation {\n  create(\n    type: String!\n    modelCode: String!\n  ): Vehicle\n  update(\n    changes: VehicleChanges!\n  ): Vehicle\n}\n\ninput VehicleChanges {\n  brandName: String\n}\n";
