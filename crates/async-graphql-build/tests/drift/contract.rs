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
        ctx: &async_graphql::Context<'_>,
        arguments: MutationCreateArguments<String, String>, // schema.graphql:13:3
    ) -> impl ::std::future::Future< // schema.graphql:13:3
        Output = Result<Option<crate::Car>, Self::Error>, // schema.graphql:13:3
    > + Send;
    /// `update`
    fn update( // schema.graphql:17:3
        &self,
        ctx: &async_graphql::Context<'_>,
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

#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "VehicleChanges")]
pub struct VehicleChanges { // schema.graphql:20:7
    #[graphql(name = "brandName")]
    pub brand_name: async_graphql::MaybeUndefined<String>, // schema.graphql:21:3
}

struct __Vehicle<'a>(&'a crate::Car);
impl __Vehicle<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Vehicle",
        conditions: &["Vehicle"],
        fields: &[("id", false), ("brandName", true)],
    };
}

/// A vehicle.
#[async_graphql::Object(name = "Vehicle")]
impl<'a> __Vehicle<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<support::Text<'_>, async_graphql::ID> {
        support::Json::new(VehicleResolver::id(self.0))
    }
    #[graphql(name = "brandName")]
    async fn resolve_brandName(
        &self,
    ) -> support::Json<Option<support::Text<'_>>, Option<String>> {
        support::Json::new(VehicleResolver::brand_name(self.0))
    }
}

impl async_graphql::OutputType for crate::Car {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Vehicle")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Vehicle<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for crate::Car {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Vehicle::INFO, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Vehicle::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&VehicleResolver::id(self), plan, json),
                1usize => {
                    WriteJson::write(&VehicleResolver::brand_name(self), plan, json)
                }
                _ => {}
            },
        );
    }
}

#[async_graphql::Object(name = "Query")]
impl<R: QueryResolver> Query<R> {
    /// The vehicles.
    #[graphql(name = "vehicles")]
    async fn resolve_vehicles(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "count")]
        argument_0: Option<i32>,
    ) -> Result<
        support::Json<Option<Vec<Option<crate::Car>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::vehicles(
                &self.0,
                ctx,
                QueryVehiclesArguments {
                    count: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
}

#[async_graphql::Object(name = "Mutation")]
impl<R: MutationResolver> Mutation<R> {
    #[graphql(name = "create")]
    async fn resolve_create(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "type")]
        argument_0: String,
        #[graphql(name = "modelCode")]
        argument_1: String,
    ) -> Result<support::Json<Option<crate::Car>>, <R as MutationResolver>::Error> {
        MutationResolver::create(
                &self.0,
                ctx,
                MutationCreateArguments {
                    r#type: argument_0,
                    model_code: argument_1,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "update")]
    async fn resolve_update(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "changes")]
        argument_0: VehicleChanges,
    ) -> Result<support::Json<Option<crate::Car>>, <R as MutationResolver>::Error> {
        MutationResolver::update(
                &self.0,
                ctx,
                MutationUpdateArguments {
                    changes: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"\nA vehicle.\n\"\"\"\ntype Vehicle {\n  id: ID!\n  brandName: String\n}\n\ntype Query {\n  \"\"\"\n  The vehicles.\n  \"\"\"\n  vehicles(\n    count: Int\n  ): [Vehicle]\n}\n\ntype Mutation {\n  create(\n    type: String!\n    modelCode: String!\n  ): Vehicle\n  update(\n    changes: VehicleChanges!\n  ): Vehicle\n}\n\ninput VehicleChanges {\n  brandName: String\n}\n";
