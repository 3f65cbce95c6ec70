// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `vehicles`
    fn vehicles( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryVehiclesArguments< // schema.graphql:2:3
            Option<i32>,
            Option<f64>,
            Option<String>,
            Option<String>,
        >,
    ) -> impl ::std::future::Future< // schema.graphql:2:3
        Output = Result<Option<Vec<Option<async_graphql::ID>>>, Self::Error>, // schema.graphql:2:3
    > + Send;
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
pub struct Query<R>(pub R);

#[async_graphql::Object(name = "Query")]
impl<R: QueryResolver> Query<R> {
    #[graphql(name = "vehicles")]
    async fn resolve_vehicles(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "count")]
        argument_0: Option<i32>,
        #[graphql(name = "price")]
        argument_1: Option<f64>,
        #[graphql(name = "on")]
        argument_2: Option<String>,
        #[graphql(name = "code")]
        argument_3: Option<String>,
    ) -> Result<
        support::Json<Option<Vec<Option<async_graphql::ID>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::vehicles(
                &self.0,
                ctx,
                QueryVehiclesArguments {
                    count: argument_0,
                    price: argument_1,
                    on: argument_2,
                    code: argument_3,
                },
            )
            .await
            .map(support::Json::new)
    }
}

const _: () = if crate::count::MIN != 0 { // schema.graphql:3:16
    panic!(
        "schema.graphql:3:16: Query.vehicles(count:) has min: 0, but crate::count::MIN is another number; correct one of them"
    )
};

const _: () = if crate::MAX_PRICE != 1.5 { // schema.graphql:4:18
    panic!(
        "schema.graphql:4:18: Query.vehicles(price:) has max: 1.5, but crate::MAX_PRICE is another number; correct one of them"
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
