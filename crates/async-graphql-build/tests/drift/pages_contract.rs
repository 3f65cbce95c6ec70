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
    ) -> impl ::std::future::Future< // pages.graphql:2:3
        Output = Result<Option<crate::Page>, Self::Error>, // pages.graphql:2:3
    > + Send;
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
pub struct Query<R>(pub R);

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

#[async_graphql::Object(name = "Query")]
impl<R: QueryResolver> Query<R> {
    #[graphql(name = "page")]
    async fn resolve_page(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "order")]
        argument_0: Option<Order>,
        #[graphql(name = "filter")]
        argument_1: Option<Filter>,
    ) -> Result<support::Json<Option<crate::Page>>, <R as QueryResolver>::Error> {
        QueryResolver::page(
                &self.0,
                ctx,
                QueryPageArguments {
                    order: argument_0,
                    filter: argument_1,
                },
            )
            .await
            .map(support::Json::new)
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

struct __Connection<'a>(&'a crate::Page);
impl __Connection<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Connection",
        conditions: &["Connection"],
        fields: &[("nodes", false), ("pageInfo", false)],
    };
}

#[async_graphql::Object(name = "Connection")]
impl<'a> __Connection<'a> {
    #[graphql(name = "nodes")]
    async fn resolve_nodes(&self) -> support::Json<Vec<Vehicle>, Vec<Vehicle>> {
        support::Json::new(ConnectionResolver::nodes(self.0))
    }
    #[graphql(name = "pageInfo")]
    async fn resolve_pageInfo(&self) -> support::Json<PageInfo, PageInfo> {
        support::Json::new(ConnectionResolver::page_info(self.0))
    }
}

impl async_graphql::OutputType for crate::Page {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Connection")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Connection<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for crate::Page {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(
            selections,
            &__Connection::INFO,
            |field, selections| match field {
                0usize => <Vehicle as support::WriteJson>::plan(selections),
                1usize => <PageInfo as support::WriteJson>::plan(selections),
                _ => support::Plan::Leaf,
            },
        )
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Connection::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&ConnectionResolver::nodes(self), plan, json),
                1usize => {
                    WriteJson::write(&ConnectionResolver::page_info(self), plan, json)
                }
                _ => {}
            },
        );
    }
}

struct __PageInfo<'a>(&'a PageInfo);
impl __PageInfo<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "PageInfo",
        conditions: &["PageInfo"],
        fields: &[("hasNextPage", false), ("endCursor", true)],
    };
}

#[async_graphql::Object(name = "PageInfo")]
impl<'a> __PageInfo<'a> {
    #[graphql(name = "hasNextPage")]
    async fn resolve_hasNextPage(&self) -> support::Json<&bool> {
        support::Json::new(&self.0.has_next_page)
    }
    #[graphql(name = "endCursor")]
    async fn resolve_endCursor(&self) -> support::Json<&Option<String>> {
        support::Json::new(&self.0.end_cursor)
    }
}

impl async_graphql::OutputType for PageInfo {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("PageInfo")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__PageInfo<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for PageInfo {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__PageInfo::INFO, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__PageInfo::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&self.has_next_page, plan, json),
                1usize => WriteJson::write(&self.end_cursor, plan, json),
                _ => {}
            },
        );
    }
}

struct __Vehicle<'a>(&'a Vehicle);
impl __Vehicle<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Vehicle",
        conditions: &["Vehicle"],
        fields: &[("id", false)],
    };
}

#[async_graphql::Object(name = "Vehicle")]
impl<'a> __Vehicle<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<&async_graphql::ID> {
        support::Json::new(&self.0.id)
    }
}

impl async_graphql::OutputType for Vehicle {
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

impl support::WriteJson for Vehicle {
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
                0usize => WriteJson::write(&self.id, plan, json),
                _ => {}
            },
        );
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  page(\n    order: Order\n    filter: Filter\n  ): Connection\n}\n\nenum Order {\n  ID_ASC\n  ID_DESC\n}\n\ninput Filter {\n  brandName: String\n}\n\ntype Connection {\n  nodes: [Vehicle!]!\n  pageInfo: PageInfo!\n}\n\ntype PageInfo {\n  hasNextPage: Boolean!\n  endCursor: String\n}\n\ntype Vehicle {\n  id: ID!\n}\n";
