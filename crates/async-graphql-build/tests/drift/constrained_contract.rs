// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `vehicles`
    fn vehicles( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments<Option<i32>, Option<f64>, Option<String>, Option<String>>, // schema.graphql:2:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<async_graphql::ID>>>, Self::Error>> + Send; // schema.graphql:2:3
}

/// The arguments of `Query.vehicles(count: Int, price: Float, on: String, code: String)`.
#[derive(Clone, Debug)]
pub struct QueryVehiclesArguments<Count, Price, On, Code> { // schema.graphql:2:3
    /// `count`
    pub count: Count, // schema.graphql:3:5
    /// `price`
    pub price: Price, // schema.graphql:4:5
    /// `on`
    pub on: On, // schema.graphql:5:5
    /// `code`
    pub code: Code, // schema.graphql:6:5
}

/// `Query`
pub struct Query<R>(pub R); // schema.graphql:1:6

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("vehicles", "[ID]", <async_graphql::ID as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("count", "Int", <i32 as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("price", "Float", <f64 as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("on", "String", <String as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("code", "String", <String as async_graphql::InputType>::create_type_info),
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
                price: support::argument(ctx, "price", None)?,
                on: support::argument(ctx, "on", None)?,
                code: support::argument(ctx, "code", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

const _: () = if crate::count::MIN != 0 { // schema.graphql:3:16
    support::limit_differs(
        "schema.graphql:3:16: Query.vehicles(count:) has min: 0, but crate::count::MIN is ",
        crate::count::MIN as f64,
    )
};

const _: () = if crate::MAX_PRICE != 1.5 { // schema.graphql:4:18
    support::limit_differs(
        "schema.graphql:4:18: Query.vehicles(price:) has max: 1.5, but crate::MAX_PRICE is ",
        crate::MAX_PRICE as f64,
    )
};

const _: () = {
    let _: fn(&str) -> Result<_, _> = crate::Date::parse; // schema.graphql:5:16
};

const _: () = {
    let _: fn(&str) -> Result<_, _> = crate::Code::parse; // schema.graphql:6:18
};

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ndirective @constraint(min: Float, max: Float, format: String, pattern: String) on ARGUMENT_DEFINITION\n\ntype Query {\n  vehicles(\n    count: Int @constraint(min: 0)\n    price: Float @constraint(max: 1.5)\n    on: String @constraint(format: \"date\")\n    code: String @constraint(pattern: \"^[A-Z]{3}$\")\n  ): [ID]\n}\n";
