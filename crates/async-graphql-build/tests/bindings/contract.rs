// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `public`
    fn public( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:2:3
    /// `secret`
    fn secret( // schema.graphql:3:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:3:3
    /// `items`
    fn items( // schema.graphql:4:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryItemsArguments<i32>, // schema.graphql:4:3
    ) -> impl ::std::future::Future<Output = Result<Vec<crate::Number>, Self::Error>> + Send; // schema.graphql:4:3
    /// `resolve`
    fn resolve( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryResolveArguments<String>, // schema.graphql:5:3
    ) -> impl ::std::future::Future<Output = Result<Option<IpAddress>, Self::Error>> + Send; // schema.graphql:5:3
    /// `same`
    fn same( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QuerySameArguments<IpAddress, Option<JSON>>, // schema.graphql:6:3
    ) -> impl ::std::future::Future<Output = Result<Option<JSON>, Self::Error>> + Send; // schema.graphql:6:3
}

/// The arguments of `Query.items(first: Int!)`.
#[derive(Clone, Debug)]
pub struct QueryItemsArguments<First> { // schema.graphql:4:3
    /// `first`
    pub first: First, // schema.graphql:4:9
}

/// The arguments of `Query.resolve(host: String!)`.
#[derive(Clone, Debug)]
pub struct QueryResolveArguments<Host> { // schema.graphql:5:3
    /// `host`
    pub host: Host, // schema.graphql:5:11
}

/// The arguments of `Query.same(address: IpAddress!, json: JSON)`.
#[derive(Clone, Debug)]
pub struct QuerySameArguments<Address, Json> { // schema.graphql:6:3
    /// `address`
    pub address: Address, // schema.graphql:6:8
    /// `json`
    pub json: Json, // schema.graphql:6:29
}

/// `Query`
pub struct Query<R>(pub R); // schema.graphql:1:6

/// Resolves the type `Item` of the contract.
pub trait ItemResolver: Send + Sync { // schema.graphql:9:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `number`
    fn number( // schema.graphql:10:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:10:3
    /// `square`
    fn square( // schema.graphql:11:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:11:3
}

/// `IpAddress`
#[derive(Clone, Debug, PartialEq)]
pub struct IpAddress(pub std::net::IpAddr); // schema.graphql:14:8

#[async_graphql::Scalar(name = "IpAddress", specified_by_url = "https://www.rfc-editor.org/rfc/rfc4291")]
impl async_graphql::ScalarType for IpAddress {
    fn parse(value: async_graphql::Value) -> async_graphql::InputValueResult<Self> {
        let parsed = async_graphql::from_value(value);
        parsed.map(Self).map_err(async_graphql::InputValueError::custom)
    }
    fn to_value(&self) -> async_graphql::Value {
        let value = async_graphql::to_value(&self.0);
        value.expect("serde represents the scalar as a GraphQL value")
    }
}

/// Any JSON value.
#[derive(Clone, Debug, PartialEq)]
pub struct JSON(pub serde_json::Value); // schema.graphql:17:8

/// Any JSON value.
#[async_graphql::Scalar(name = "JSON")]
impl async_graphql::ScalarType for JSON {
    fn parse(value: async_graphql::Value) -> async_graphql::InputValueResult<Self> {
        let parsed = async_graphql::from_value(value);
        parsed.map(Self).map_err(async_graphql::InputValueError::custom)
    }
    fn to_value(&self) -> async_graphql::Value {
        let value = async_graphql::to_value(&self.0);
        value.expect("serde represents the scalar as a GraphQL value")
    }
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("public", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("secret", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("items", "[Item!]!", <crate::Number as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("first", "Int!", <i32 as async_graphql::InputType>::create_type_info)
                    .default("10", || { let _: i32 = 10; }),
            ])
            .complexity(|ctx, variables, field, child_complexity| {
                let first: i32 = ctx.param_value(variables, field, "first", Some(|| 10))?;
                Ok(first.unsigned_abs() as usize * child_complexity)
            }),
        support::FieldInfo::new("resolve", "IpAddress", <IpAddress as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("host", "String!", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("same", "JSON", <JSON as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("address", "IpAddress!", <IpAddress as async_graphql::InputType>::create_type_info),
                support::InputInfo::new("json", "JSON", <JSON as async_graphql::InputType>::create_type_info)
                    .default("{list: [1, null]}", || { let _: Option<JSON> = Some(support::default_scalar::<JSON>(async_graphql::Value::Object([(async_graphql::Name::new("list"), async_graphql::Value::List(vec![async_graphql::Value::from(1i64), async_graphql::Value::Null]))].into_iter().collect()), "schema.graphql:6:42")); }),
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
            "public" => support::written_field(ctx, QueryResolver::public(&self.0, ctx)),
            "secret" => support::written_field(ctx, support::guarded(ctx, crate::Permitted("staff"), QueryResolver::secret(&self.0, ctx))),
            "items" => support::completed_field(ctx, QueryResolver::items(&self.0, ctx, QueryItemsArguments {
                first: support::argument(ctx, "first", Some(|| 10))?,
            })),
            "resolve" => support::written_field(ctx, QueryResolver::resolve(&self.0, ctx, QueryResolveArguments {
                host: support::argument(ctx, "host", None)?,
            })),
            "same" => support::written_field(ctx, QueryResolver::same(&self.0, ctx, QuerySameArguments {
                address: support::argument(ctx, "address", None)?,
                json: support::argument(ctx, "json", Some(|| Some(support::default_scalar::<JSON>(async_graphql::Value::Object([(async_graphql::Name::new("list"), async_graphql::Value::List(vec![async_graphql::Value::from(1i64), async_graphql::Value::Null]))].into_iter().collect()), "schema.graphql:6:42"))))?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Item: support::TypeInfo = support::TypeInfo {
    name: "Item",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Item"],
    fields: &[
        support::FieldInfo::new("number", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("square", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for crate::Number {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Item")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Item)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl async_graphql::ObjectType for crate::Number {}

impl support::Complete for crate::Number {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Item)
    }
}

impl async_graphql::ContainerType for crate::Number {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "number" => support::written_field(ctx, ItemResolver::number(self, ctx)),
            "square" => support::written_field(ctx, ItemResolver::square(self, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

impl support::WriteJson for IpAddress {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.value(&async_graphql::ScalarType::to_value(self));
    }
}

impl support::WriteJson for JSON {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.value(&async_graphql::ScalarType::to_value(self));
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n}\n\ntype Query {\n  public: Int!\n  secret: Int!\n  items(\n    first: Int! = 10\n  ): [Item!]!\n  resolve(\n    host: String!\n  ): IpAddress\n  same(\n    address: IpAddress!\n    json: JSON = {list: [1, null]}\n  ): JSON\n}\n\ntype Item {\n  number: Int!\n  square: Int!\n}\n\nscalar IpAddress @specifiedBy(url: \"https://www.rfc-editor.org/rfc/rfc4291\")\n\n\"\"\"\nAny JSON value.\n\"\"\"\nscalar JSON\n";
