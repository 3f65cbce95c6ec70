// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `id`
    fn id( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:2:3
        Output = Result<async_graphql::ID, Self::Error>, // schema.graphql:2:3
    > + Send;
    /// The root again, as Relay 1 needs it.
    fn relay( // schema.graphql:4:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<super::Root, Self::Error>> + Send; // schema.graphql:4:3
    /// `node`
    fn node( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNodeArguments<async_graphql::ID>, // schema.graphql:5:3
    ) -> impl ::std::future::Future<Output = Result<Option<Node>, Self::Error>> + Send; // schema.graphql:5:3
    /// `total`
    fn total( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:6:3
}

/// The arguments of `Query.node(id: ID!)`.
#[derive(Clone, Debug)]
pub struct QueryNodeArguments<Id> { // schema.graphql:5:3
    /// `id`
    pub id: Id, // schema.graphql:5:8
}

/// `Node`
#[derive(Clone)]
pub enum Node { // schema.graphql:9:11
    /// A `Query`.
    Query(super::Root),
    /// A `Item`.
    Item(Item),
}

/// `Item`
#[derive(Clone, Debug)]
pub struct Item { // schema.graphql:13:6
    /// `id`
    pub id: async_graphql::ID, // schema.graphql:14:3
}

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // schema.graphql:17:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `add`
    fn add( // schema.graphql:18:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationAddArguments<i32>, // schema.graphql:18:3
    ) -> impl ::std::future::Future< // schema.graphql:18:3
        Output = Result<super::Addition, Self::Error>, // schema.graphql:18:3
    > + Send;
}

/// The arguments of `Mutation.add(number: Int!)`.
#[derive(Clone, Debug)]
pub struct MutationAddArguments<Number> { // schema.graphql:18:3
    /// `number`
    pub number: Number, // schema.graphql:18:7
}

/// `Mutation`
pub struct Mutation<R>(pub R);

/// Resolves the type `Added` of the contract.
pub trait AddedResolver: Send + Sync { // schema.graphql:21:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `number`
    fn number( // schema.graphql:22:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:22:3
    /// What can be queried after the change.
    fn query( // schema.graphql:24:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:24:3
        Output = Result<Option<super::Root>, Self::Error>, // schema.graphql:24:3
    > + Send;
}

struct __Query<'a>(&'a super::Root);
impl __Query<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Query",
        conditions: &["Query", "Node"],
        fields: &[("id", false), ("relay", false), ("node", true), ("total", false)],
    };
}

#[async_graphql::Object(name = "Query")]
impl<'a> __Query<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<async_graphql::ID>,
        <super::Root as QueryResolver>::Error,
    > {
        QueryResolver::id(self.0, ctx).await.map(support::Json::new)
    }
    /// The root again, as Relay 1 needs it.
    #[graphql(name = "relay")]
    async fn resolve_relay(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Completed<super::Root>, <super::Root as QueryResolver>::Error> {
        QueryResolver::relay(self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "node")]
    async fn resolve_node(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "id")]
        argument_0: async_graphql::ID,
    ) -> Result<
        support::Completed<Option<Node>>,
        <super::Root as QueryResolver>::Error,
    > {
        QueryResolver::node(
                self.0,
                ctx,
                QueryNodeArguments {
                    id: argument_0,
                },
            )
            .await
            .map(support::Completed)
    }
    #[graphql(name = "total")]
    async fn resolve_total(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::Root as QueryResolver>::Error> {
        QueryResolver::total(self.0, ctx).await.map(support::Json::new)
    }
}

impl support::Complete for super::Root {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::resolve_object(ctx, &__Query(self), &__Query::INFO).await
    }
}

impl async_graphql::OutputType for super::Root {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry);
        <__Query<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::Complete::complete(self, ctx, field).await
    }
}

impl async_graphql::ObjectType for super::Root {}
impl async_graphql::ContainerType for super::Root {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        async_graphql::ContainerType::resolve_field(&__Query(self), ctx).await
    }
}

impl From<super::Root> for Node {
    fn from(value: super::Root) -> Self {
        Self::Query(value)
    }
}

impl From<Item> for Node {
    fn from(value: Item) -> Self {
        Self::Item(value)
    }
}

#[derive(async_graphql::Interface)]
#[graphql(
    name = "Node",
    field(
        name = "id",
        method = "resolve_id",
        ty = "support :: Declared < async_graphql :: ID >"
    )
)]
enum __Node<'a> {
    Query(__Query<'a>),
    Item(__Item<'a>),
}

impl async_graphql::OutputType for Node {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Node")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::Complete::complete(self, ctx, field).await
    }
}

impl support::Complete for Node {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        match self {
            Self::Query(value) => support::Complete::complete(value, ctx, field).await,
            Self::Item(value) => support::written(value, ctx),
        }
    }
}

struct __Item<'a>(&'a Item);
impl __Item<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Item",
        conditions: &["Item", "Node"],
        fields: &[("id", false)],
    };
}

#[async_graphql::Object(name = "Item")]
impl<'a> __Item<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<&async_graphql::ID> {
        support::Json::new(&self.0.id)
    }
}

impl async_graphql::OutputType for Item {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Item")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry);
        <__Item<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Item {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Item::INFO, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Item::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&self.id, plan, json),
                _ => {}
            },
        );
    }
}

#[async_graphql::Object(name = "Mutation")]
impl<R: MutationResolver> Mutation<R> {
    #[graphql(name = "add")]
    async fn resolve_add(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "number")]
        argument_0: i32,
    ) -> Result<support::Completed<super::Addition>, <R as MutationResolver>::Error> {
        MutationResolver::add(
                &self.0,
                ctx,
                MutationAddArguments {
                    number: argument_0,
                },
            )
            .await
            .map(support::Completed)
    }
}

struct __Added<'a>(&'a super::Addition);
impl __Added<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Added",
        conditions: &["Added"],
        fields: &[("number", false), ("query", true)],
    };
}

#[async_graphql::Object(name = "Added")]
impl<'a> __Added<'a> {
    #[graphql(name = "number")]
    async fn resolve_number(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::Addition as AddedResolver>::Error> {
        AddedResolver::number(self.0, ctx).await.map(support::Json::new)
    }
    /// What can be queried after the change.
    #[graphql(name = "query")]
    async fn resolve_query(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::Root>>,
        <super::Addition as AddedResolver>::Error,
    > {
        AddedResolver::query(self.0, ctx).await.map(support::Completed)
    }
}

impl support::Complete for super::Addition {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::resolve_object(ctx, &__Added(self), &__Added::INFO).await
    }
}

impl async_graphql::OutputType for super::Addition {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Added")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Added<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::Complete::complete(self, ctx, field).await
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\ntype Query implements Node {\n  id: ID!\n  \"\"\"\n  The root again, as Relay 1 needs it.\n  \"\"\"\n  relay: Query!\n  node(\n    id: ID!\n  ): Node\n  total: Int!\n}\n\ninterface Node {\n  id: ID!\n}\n\ntype Item implements Node {\n  id: ID!\n}\n\ntype Mutation {\n  add(\n    number: Int!\n  ): Added!\n}\n\ntype Added {\n  number: Int!\n  \"\"\"\n  What can be queried after the change.\n  \"\"\"\n  query: Query\n}\n";
