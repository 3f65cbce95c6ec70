// Generated from pages.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // pages.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `page`
    fn page( // pages.graphql:2:3
        &self,
        ctx: &::engine::Context<'_>,
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

/// `Order`
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Order { // pages.graphql:5:6
    /// `ID_ASC`
    IdAsc, // pages.graphql:6:3
    /// `ID_DESC`
    IdDesc, // pages.graphql:7:3
}

/// `Filter`
#[derive(Clone, Debug, PartialEq)]
pub struct Filter { // pages.graphql:10:7
    /// `brandName`
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

impl<R: QueryResolver> ::engine::runtime::Object for Query<R> {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] = &["page"];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <crate::Page as ::engine::runtime::Planned>::plan(planner, sets),
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
        async fn resolve_page<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryPageArguments {
                order: ctx.argument("order", None)?,
                filter: ctx.argument("filter", None)?,
            };
            let value = QueryResolver::page(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_page(&self.0, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Input for Order {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        ::engine::runtime::enum_value(
            "Order",
            value,
            &[("ID_ASC", Self::IdAsc), ("ID_DESC", Self::IdDesc)],
        )
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

impl ::engine::runtime::Plain for Order {
    const INFALLIBLE: bool = true;
    fn write(
        &self,
        _: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        json.text(self.as_str());
    }
}

impl ::engine::runtime::Input for Filter {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("Filter", value)?;
        Ok(Self {
            brand_name: ::engine::runtime::member(&mut members, "brandName", None)?,
        })
    }
}

impl ::engine::runtime::Object for crate::Page {
    const NAME: &'static str = "Connection";
    const FIELDS: &'static [&'static str] = &["nodes", "pageInfo"];
    const CONDITIONS: &'static [&'static str] = &["Connection"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <Vehicle as ::engine::runtime::Planned>::plan(planner, sets),
            1usize => <PageInfo as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for crate::Page {
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
                0usize => Plain::write(&ConnectionResolver::nodes(self), plan, json),
                1usize => Plain::write(&ConnectionResolver::page_info(self), plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for PageInfo {
    const NAME: &'static str = "PageInfo";
    const FIELDS: &'static [&'static str] = &["hasNextPage", "endCursor"];
    const CONDITIONS: &'static [&'static str] = &["PageInfo"];
}

impl ::engine::runtime::Plain for PageInfo {
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
                0usize => Plain::write(&self.has_next_page, plan, json),
                1usize => Plain::write(&self.end_cursor, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Vehicle {
    const NAME: &'static str = "Vehicle";
    const FIELDS: &'static [&'static str] = &["id"];
    const CONDITIONS: &'static [&'static str] = &["Vehicle"];
}

impl ::engine::runtime::Plain for Vehicle {
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
                0usize => Plain::write(&self.id, plan, json),
                _ => {}
            },
        );
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  page(\n    order: Order\n    filter: Filter\n  ): Connection\n}\n\nenum Order {\n  ID_ASC\n  ID_DESC\n}\n\ninput Filter {\n  brandName: String\n}\n\ntype Connection {\n  nodes: [Vehicle!]!\n  pageInfo: PageInfo!\n}\n\ntype PageInfo {\n  hasNextPage: Boolean!\n  endCursor: String\n}\n\ntype Vehicle {\n  id: ID!\n}\n";
