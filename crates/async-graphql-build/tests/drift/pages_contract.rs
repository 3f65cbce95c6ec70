// Generated from pages.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // pages.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `page`
    fn page( // pages.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryPageArguments<Option<Order>, Option<Filter>>, // pages.graphql:2:3
    ) -> impl ::std::future::Future<Output = Result<Option<crate::Page>, Self::Error>> + Send; // pages.graphql:2:3
}

/// The arguments of `Query.page(order: Order, filter: Filter)`.
#[derive(Clone, Debug)]
pub struct QueryPageArguments<Order, Filter> { // pages.graphql:2:3
    /// `order`
    pub order: Order, // pages.graphql:2:8
    /// `filter`
    pub filter: Filter, // pages.graphql:2:22
}

/// `Query`
pub struct Query<R>(pub R); // pages.graphql:1:6

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]
#[graphql(name = "Order")]
pub enum Order { // pages.graphql:5:6
    #[graphql(name = "ID_ASC")]
    IdAsc, // pages.graphql:6:3
    #[graphql(name = "ID_DESC")]
    IdDesc, // pages.graphql:7:3
}

#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "Filter")]
pub struct Filter { // pages.graphql:10:7
    #[graphql(name = "brandName")]
    pub brand_name: Option<String>, // pages.graphql:11:3
}

/// Resolves the type `Connection` of the contract.
pub trait ConnectionResolver { // pages.graphql:14:6
    /// `nodes`
    fn nodes(&self) -> Vec<Vehicle>; // pages.graphql:15:3
    /// `pageInfo`
    fn page_info(&self) -> PageInfo; // pages.graphql:16:3
}

/// `PageInfo`
#[derive(Clone, Debug)]
pub struct PageInfo { // pages.graphql:19:6
    /// `hasNextPage`
    pub has_next_page: bool, // pages.graphql:20:3
    /// `endCursor`
    pub end_cursor: Option<String>, // pages.graphql:21:3
}

/// `Vehicle`
#[derive(Clone, Debug)]
pub struct Vehicle { // pages.graphql:24:6
    /// `id`
    pub id: async_graphql::ID, // pages.graphql:25:3
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("page", "Connection", <crate::Page as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("order", "Order", <Order as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("filter", "Filter", <Filter as async_graphql::InputType>::create_type_info),
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
            "page" => support::written_field(ctx, QueryResolver::page(&self.0, ctx, QueryPageArguments {
                order: support::argument(ctx, "order", None)?,
                filter: support::argument(ctx, "filter", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

impl Order {
    /// The name of the value in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::IdAsc => "ID_ASC",
            Self::IdDesc => "ID_DESC",
        }
    }
}

impl support::WriteJson for Order {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.string(self.as_str());
    }
}

static __Connection: support::TypeInfo = support::TypeInfo {
    name: "Connection",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Connection"],
    fields: &[
        support::FieldInfo::new("nodes", "[Vehicle!]!", <Vehicle as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("pageInfo", "PageInfo!", <PageInfo as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for crate::Page {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Connection")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Connection)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for crate::Page {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Connection, |field, selections| match field {
            0 => <Vehicle as support::WriteJson>::plan(selections),
            1 => <PageInfo as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Connection, |field, plan, json| match field {
            0 => WriteJson::write(&ConnectionResolver::nodes(self), plan, json),
            1 => WriteJson::write(&ConnectionResolver::page_info(self), plan, json),
            _ => {}
        });
    }
}

static __PageInfo: support::TypeInfo = support::TypeInfo {
    name: "PageInfo",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["PageInfo"],
    fields: &[
        support::FieldInfo::new("hasNextPage", "Boolean!", <bool as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("endCursor", "String", <String as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for PageInfo {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("PageInfo")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__PageInfo)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for PageInfo {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__PageInfo, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__PageInfo, |field, plan, json| match field {
            0 => WriteJson::write(&self.has_next_page, plan, json),
            1 => WriteJson::write(&self.end_cursor, plan, json),
            _ => {}
        });
    }
}

static __Vehicle: support::TypeInfo = support::TypeInfo {
    name: "Vehicle",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Vehicle"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Vehicle {
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

impl support::WriteJson for Vehicle {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Vehicle, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Vehicle, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            _ => {}
        });
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  page(\n    order: Order\n    filter: Filter\n  ): Connection\n}\n\nenum Order {\n  ID_ASC\n  ID_DESC\n}\n\ninput Filter {\n  brandName: String\n}\n\ntype Connection {\n  nodes: [Vehicle!]!\n  pageInfo: PageInfo!\n}\n\ntype PageInfo {\n  hasNextPage: Boolean!\n  endCursor: String\n}\n\ntype Vehicle {\n  id: ID!\n}\n";
