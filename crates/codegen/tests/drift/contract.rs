// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Vehicle` of the contract.
///
/// A vehicle.
pub trait VehicleResolver { // schema.graphql:2:6
    /// `id`
    fn id(&self) -> ::engine::runtime::Id; // schema.graphql:3:3
    /// `brandName`
    fn brand_name(&self) -> Option<::engine::runtime::Text<'_>>; // schema.graphql:4:3
}

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:7:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// The vehicles.
    fn vehicles( // schema.graphql:9:3
        &self,
        ctx: &::engine::Context<'_>,
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
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `create`
    fn create( // schema.graphql:13:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationCreateArguments<String, String>, // schema.graphql:13:3
    ) -> impl ::std::future::Future< // schema.graphql:13:3
        Output = Result<Option<crate::Car>, Self::Error>, // schema.graphql:13:3
    > + Send;
    /// `update`
    fn update( // schema.graphql:17:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationUpdateArguments<VehicleChanges>, // schema.graphql:17:3
    ) -> impl ::std::future::Future< // schema.graphql:17:3
        Output = Result<Option<crate::Car>, Self::Error>, // schema.graphql:17:3
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

/// The arguments of `Mutation.update(changes: VehicleChanges!)`.
#[derive(Clone, Debug)]
pub struct MutationUpdateArguments<Changes> { // schema.graphql:17:3
    /// `changes`
    pub changes: Changes, // schema.graphql:17:10
}

/// `Mutation`
pub struct Mutation<R>(pub R);

/// `VehicleChanges`
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleChanges { // schema.graphql:20:7
    /// `brandName`
    pub brand_name: async_graphql::MaybeUndefined<String>, // schema.graphql:21:3
}

impl ::engine::runtime::Object for crate::Car {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &["id", "brandName"];
    const CONDITIONS: &'static [&'static str] = &["Vehicle"];
}

impl ::engine::runtime::Plain for crate::Car {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        use ::engine::runtime::Plain;
        ::engine::runtime::write_object::<
            Self,
        >(
            plan,
            json,
            |field, plan, json| match field {
                0usize => Plain::write(&VehicleResolver::id(self), plan, json),
                1usize => Plain::write(&VehicleResolver::brand_name(self), plan, json),
                _ => {}
            },
        );
    }
}

impl<R: QueryResolver> ::engine::runtime::Object for Query<R> {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] = &["vehicles"];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <crate::Car as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl<R: QueryResolver> ::engine::runtime::Resolvers for Query<R> {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_vehicles<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryVehiclesArguments {
                count: ctx.argument("count", None)?,
            };
            let value = QueryResolver::vehicles(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_vehicles(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl<R: MutationResolver> ::engine::runtime::Object for Mutation<R> {
    const NAME: &'static str = "Mutation";
    const FIELDS: &'static [&'static str] = &["create", "update"];
    const CONDITIONS: &'static [&'static str] = &["Mutation"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <crate::Car as ::engine::runtime::Planned>::plan(planner, sets),
            1usize => <crate::Car as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl<R: MutationResolver> ::engine::runtime::Resolvers for Mutation<R> {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_create<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationCreateArguments {
                r#type: ctx.argument("type", None)?,
                model_code: ctx.argument("modelCode", None)?,
            };
            let value = MutationResolver::create(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_update<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationUpdateArguments {
                changes: ctx.argument("changes", None)?,
            };
            let value = MutationResolver::update(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_create(&self.0, ctx).await)),
            1usize => Ok(ctx.nullable(resolve_update(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Input for VehicleChanges {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("VehicleChanges", value)?;
        Ok(Self {
            brand_name: ::engine::runtime::member(&mut members, "brandName", None)?,
        })
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"\nA vehicle.\n\"\"\"\ntype Vehicle {\n  id: ID!\n  brandName: String\n}\n\ntype Query {\n  \"\"\"\n  The vehicles.\n  \"\"\"\n  vehicles(\n    count: Int\n  ): [Vehicle]\n}\n\ntype Mutation {\n  create(\n    type: String!\n    modelCode: String!\n  ): Vehicle\n  update(\n    changes: VehicleChanges!\n  ): Vehicle\n}\n\ninput VehicleChanges {\n  brandName: String\n}\n";
