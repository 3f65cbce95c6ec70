// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `id`
    fn id( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<async_graphql::ID, Self::Error>> + Send; // schema.graphql:2:3
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
    ) -> impl ::std::future::Future<Output = Result<super::Addition, Self::Error>> + Send; // schema.graphql:18:3
}

/// The arguments of `Mutation.add(number: Int!)`.
#[derive(Clone, Debug)]
pub struct MutationAddArguments<Number> { // schema.graphql:18:3
    /// `number`
    pub number: Number, // schema.graphql:18:7
}

/// `Mutation`
pub struct Mutation<R>(pub R); // schema.graphql:17:6

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
    ) -> impl ::std::future::Future<Output = Result<Option<super::Root>, Self::Error>> + Send; // schema.graphql:24:3
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Query", "Node"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("relay", "Query!", <super::Root as async_graphql::OutputType>::create_type_info)
            .description("The root again, as Relay 1 needs it."),
        support::FieldInfo::new("node", "Node", <Node as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("id", "ID!", <async_graphql::ID as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("total", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for super::Root {
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

impl async_graphql::ObjectType for super::Root {}

impl support::Complete for super::Root {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Query)
    }
}

impl async_graphql::ContainerType for super::Root {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "id" => support::written_field(ctx, QueryResolver::id(self, ctx)),
            "relay" => support::completed_field(ctx, QueryResolver::relay(self, ctx)),
            "node" => support::completed_field(ctx, QueryResolver::node(self, ctx, QueryNodeArguments {
                id: support::argument(ctx, "id", None)?,
            })),
            "total" => support::written_field(ctx, QueryResolver::total(self, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
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

static __Node: support::TypeInfo = support::TypeInfo {
    name: "Node",
    description: None,
    interfaces: &[],
    possible_types: &[
        ("Query", <super::Root as async_graphql::OutputType>::create_type_info),
        ("Item", <Item as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Node {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Node")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_interface::<Self>(registry, &__Node)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
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

static __Item: support::TypeInfo = support::TypeInfo {
    name: "Item",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Item", "Node"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Item {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Item")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Item)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Item {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Item, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Item, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            _ => {}
        });
    }
}

static __Mutation: support::TypeInfo = support::TypeInfo {
    name: "Mutation",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Mutation"],
    fields: &[
        support::FieldInfo::new("add", "Added!", <super::Addition as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("number", "Int!", <i32 as async_graphql::InputType>::create_type_info),
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
            "add" => support::completed_field(ctx, MutationResolver::add(&self.0, ctx, MutationAddArguments {
                number: support::argument(ctx, "number", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Added: support::TypeInfo = support::TypeInfo {
    name: "Added",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Added"],
    fields: &[
        support::FieldInfo::new("number", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("query", "Query", <super::Root as async_graphql::OutputType>::create_type_info)
            .description("What can be queried after the change."),
    ],
};

impl async_graphql::OutputType for super::Addition {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Added")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Added)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl async_graphql::ObjectType for super::Addition {}

impl support::Complete for super::Addition {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Added)
    }
}

impl async_graphql::ContainerType for super::Addition {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "number" => support::written_field(ctx, AddedResolver::number(self, ctx)),
            "query" => support::completed_field(ctx, AddedResolver::query(self, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\ntype Query implements Node {\n  id: ID!\n  \"\"\"\n  The root again, as Relay 1 needs it.\n  \"\"\"\n  relay: Query!\n  node(\n    id: ID!\n  ): Node\n  total: Int!\n}\n\ninterface Node {\n  id: ID!\n}\n\ntype Item implements Node {\n  id: ID!\n}\n\ntype Mutation {\n  add(\n    number: Int!\n  ): Added!\n}\n\ntype Added {\n  number: Int!\n  \"\"\"\n  What can be queried after the change.\n  \"\"\"\n  query: Query\n}\n";
