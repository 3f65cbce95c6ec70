// Generated from schema.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
pub trait QueryResolver: Send + Sync { // schema.graphql:1:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `slow`
    fn slow( // schema.graphql:2:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:2:3
    /// `fast`
    fn fast( // schema.graphql:3:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:3:3
    /// `item`
    fn item( // schema.graphql:4:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<super::resolvers::Thing>, Self::Error>> + Send; // schema.graphql:4:3
    /// `none`
    fn none( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<super::resolvers::Thing>, Self::Error>> + Send; // schema.graphql:5:3
    /// `requiredItem`
    fn required_item( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<super::resolvers::Thing, Self::Error>> + Send; // schema.graphql:6:3
    /// `fails`
    fn fails( // schema.graphql:7:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:7:3
    /// `requiredFails`
    fn required_fails( // schema.graphql:8:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:8:3
    /// `items`
    fn items( // schema.graphql:9:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<super::resolvers::Thing>>>, Self::Error>> + Send; // schema.graphql:9:3
    /// `requiredItems`
    fn required_items( // schema.graphql:10:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<super::resolvers::Thing>>, Self::Error>> + Send; // schema.graphql:10:3
    /// `matrix`
    fn matrix( // schema.graphql:11:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Vec<Option<super::resolvers::Thing>>>, Self::Error>> + Send; // schema.graphql:11:3
    /// `node`
    fn node( // schema.graphql:12:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Node>, Self::Error>> + Send; // schema.graphql:12:3
    /// `nodes`
    fn nodes( // schema.graphql:13:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Node>, Self::Error>> + Send; // schema.graphql:13:3
    /// `found`
    fn found( // schema.graphql:14:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Found>, Self::Error>> + Send; // schema.graphql:14:3
    /// `counted`
    fn counted( // schema.graphql:15:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<super::resolvers::Thing>, Self::Error>> + Send; // schema.graphql:15:3
    /// `echo`
    fn echo( // schema.graphql:16:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoArguments<i32>, // schema.graphql:16:3
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:16:3
    /// `echoNullableDefault`
    fn echo_nullable_default( // schema.graphql:17:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoNullableDefaultArguments<Option<i32>>, // schema.graphql:17:3
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:17:3
    /// `echoList`
    fn echo_list( // schema.graphql:18:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoListArguments<Vec<i32>>, // schema.graphql:18:3
    ) -> impl ::std::future::Future<Output = Result<Vec<i32>, Self::Error>> + Send; // schema.graphql:18:3
    /// `echoText`
    fn echo_text( // schema.graphql:19:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoTextArguments<String>, // schema.graphql:19:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // schema.graphql:19:3
    /// `echoId`
    fn echo_id( // schema.graphql:20:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoIdArguments<async_graphql::ID>, // schema.graphql:20:3
    ) -> impl ::std::future::Future<Output = Result<async_graphql::ID, Self::Error>> + Send; // schema.graphql:20:3
    /// `echoFloat`
    fn echo_float( // schema.graphql:21:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoFloatArguments<f64>, // schema.graphql:21:3
    ) -> impl ::std::future::Future<Output = Result<f64, Self::Error>> + Send; // schema.graphql:21:3
    /// `echoColor`
    fn echo_color( // schema.graphql:22:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoColorArguments<Color>, // schema.graphql:22:3
    ) -> impl ::std::future::Future<Output = Result<Color, Self::Error>> + Send; // schema.graphql:22:3
    /// `echoInput`
    fn echo_input( // schema.graphql:23:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoInputArguments<Input>, // schema.graphql:23:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // schema.graphql:23:3
}

/// The arguments of `Query.echo(first: Int!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoArguments<First> { // schema.graphql:16:3
    /// `first`
    pub first: First, // schema.graphql:16:8
}

/// The arguments of `Query.echoNullableDefault(first: Int)`.
#[derive(Clone, Debug)]
pub struct QueryEchoNullableDefaultArguments<First> { // schema.graphql:17:3
    /// `first`
    pub first: First, // schema.graphql:17:23
}

/// The arguments of `Query.echoList(list: [Int!]!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoListArguments<List> { // schema.graphql:18:3
    /// `list`
    pub list: List, // schema.graphql:18:12
}

/// The arguments of `Query.echoText(text: String!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoTextArguments<Text> { // schema.graphql:19:3
    /// `text`
    pub text: Text, // schema.graphql:19:12
}

/// The arguments of `Query.echoId(id: ID!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoIdArguments<Id> { // schema.graphql:20:3
    /// `id`
    pub id: Id, // schema.graphql:20:10
}

/// The arguments of `Query.echoFloat(value: Float!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoFloatArguments<Value> { // schema.graphql:21:3
    /// `value`
    pub value: Value, // schema.graphql:21:13
}

/// The arguments of `Query.echoColor(color: Color!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoColorArguments<Color> { // schema.graphql:22:3
    /// `color`
    pub color: Color, // schema.graphql:22:13
}

/// The arguments of `Query.echoInput(input: Input!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoInputArguments<Input> { // schema.graphql:23:3
    /// `input`
    pub input: Input, // schema.graphql:23:13
}

/// `Query`
pub struct Query<R>(pub R); // schema.graphql:1:6

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // schema.graphql:26:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `first`
    fn first( // schema.graphql:27:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<super::resolvers::Thing>, Self::Error>> + Send; // schema.graphql:27:3
    /// `second`
    fn second( // schema.graphql:28:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:28:3
    /// `requiredFails`
    fn required_fails( // schema.graphql:29:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:29:3
    /// `fails`
    fn fails( // schema.graphql:30:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:30:3
}

/// `Mutation`
pub struct Mutation<R>(pub R); // schema.graphql:26:6

/// Resolves the type `Item` of the contract.
pub trait ItemResolver: Send + Sync { // schema.graphql:33:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `id`
    fn id( // schema.graphql:34:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:34:3
    /// `name`
    fn name( // schema.graphql:35:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // schema.graphql:35:3
    /// `slow`
    fn slow( // schema.graphql:36:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:36:3
    /// `fast`
    fn fast( // schema.graphql:37:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:37:3
    /// `requiredFails`
    fn required_fails( // schema.graphql:38:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:38:3
    /// `requiredFailsLate`
    fn required_fails_late( // schema.graphql:39:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:39:3
    /// `requiredChild`
    fn required_child( // schema.graphql:40:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<super::resolvers::Thing, Self::Error>> + Send; // schema.graphql:40:3
    /// `child`
    fn child( // schema.graphql:41:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<super::resolvers::Thing>, Self::Error>> + Send; // schema.graphql:41:3
    /// `children`
    fn children( // schema.graphql:42:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<super::resolvers::Thing>>>, Self::Error>> + Send; // schema.graphql:42:3
    /// `half`
    fn half( // schema.graphql:43:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // schema.graphql:43:3
    /// `requiredHalf`
    fn required_half( // schema.graphql:44:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // schema.graphql:44:3
}

/// `Other`
#[derive(Clone, Debug)]
pub struct Other { // schema.graphql:47:6
    /// `id`
    pub id: i32, // schema.graphql:48:3
    /// `other`
    pub other: String, // schema.graphql:49:3
}

/// `Node`
#[derive(Clone)]
pub enum Node { // schema.graphql:52:11
    /// A `Item`.
    Item(super::resolvers::Thing),
    /// A `Other`.
    Other(Other),
}

/// `Found`
#[derive(Clone)]
pub enum Found { // schema.graphql:56:7
    /// A `Item`.
    Item(super::resolvers::Thing),
    /// A `Other`.
    Other(Other),
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]
#[graphql(name = "Color")]
pub enum Color { // schema.graphql:58:6
    #[graphql(name = "RED")]
    Red, // schema.graphql:59:3
    #[graphql(name = "GREEN")]
    Green, // schema.graphql:60:3
}

#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "Input")]
pub struct Input { // schema.graphql:63:7
    #[graphql(name = "count", default_with = "3")]
    pub count: i32, // schema.graphql:64:3
    #[graphql(name = "text")]
    pub text: async_graphql::MaybeUndefined<String>, // schema.graphql:65:3
    #[graphql(name = "more")]
    pub more: async_graphql::MaybeUndefined<i32>, // schema.graphql:66:3
}

static __Query: support::TypeInfo = support::TypeInfo {
    name: "Query",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("slow", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("fast", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("item", "Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("none", "Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredItem", "Item!", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("fails", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredFails", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("items", "[Item]", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredItems", "[Item!]", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("matrix", "[[Item]!]!", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("node", "Node", <Node as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("nodes", "[Node!]!", <Node as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("found", "[Found!]!", <Found as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("counted", "Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("echo", "Int!", <i32 as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("first", "Int!", <i32 as async_graphql::InputType>::create_type_info)
                    .default("50", || { let _: i32 = 50; }),
            ]),
        support::FieldInfo::new("echoNullableDefault", "Int", <i32 as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("first", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .default("7", || { let _: Option<i32> = Some(7); }),
            ]),
        support::FieldInfo::new("echoList", "[Int!]!", <i32 as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("list", "[Int!]!", <i32 as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echoText", "String!", <String as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("text", "String!", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echoId", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("id", "ID!", <async_graphql::ID as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echoFloat", "Float!", <f64 as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("value", "Float!", <f64 as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echoColor", "Color!", <Color as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("color", "Color!", <Color as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echoInput", "String!", <String as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::InputInfo::new("input", "Input!", <Input as async_graphql::InputType>::create_type_info),
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
            "slow" => support::written_field(ctx, QueryResolver::slow(&self.0, ctx)),
            "fast" => support::written_field(ctx, QueryResolver::fast(&self.0, ctx)),
            "item" => support::completed_field(ctx, QueryResolver::item(&self.0, ctx)),
            "none" => support::completed_field(ctx, QueryResolver::none(&self.0, ctx)),
            "requiredItem" => support::completed_field(ctx, QueryResolver::required_item(&self.0, ctx)),
            "fails" => support::written_field(ctx, QueryResolver::fails(&self.0, ctx)),
            "requiredFails" => support::written_field(ctx, QueryResolver::required_fails(&self.0, ctx)),
            "items" => support::completed_field(ctx, QueryResolver::items(&self.0, ctx)),
            "requiredItems" => support::completed_field(ctx, QueryResolver::required_items(&self.0, ctx)),
            "matrix" => support::completed_field(ctx, QueryResolver::matrix(&self.0, ctx)),
            "node" => support::completed_field(ctx, QueryResolver::node(&self.0, ctx)),
            "nodes" => support::completed_field(ctx, QueryResolver::nodes(&self.0, ctx)),
            "found" => support::completed_field(ctx, QueryResolver::found(&self.0, ctx)),
            "counted" => support::completed_field(ctx, QueryResolver::counted(&self.0, ctx)),
            "echo" => support::written_field(ctx, QueryResolver::echo(&self.0, ctx, QueryEchoArguments {
                first: support::argument(ctx, "first", Some(|| 50))?,
            })),
            "echoNullableDefault" => support::written_field(ctx, QueryResolver::echo_nullable_default(&self.0, ctx, QueryEchoNullableDefaultArguments {
                first: support::argument(ctx, "first", Some(|| Some(7)))?,
            })),
            "echoList" => support::written_field(ctx, QueryResolver::echo_list(&self.0, ctx, QueryEchoListArguments {
                list: support::argument(ctx, "list", None)?,
            })),
            "echoText" => support::written_field(ctx, QueryResolver::echo_text(&self.0, ctx, QueryEchoTextArguments {
                text: support::argument(ctx, "text", None)?,
            })),
            "echoId" => support::written_field(ctx, QueryResolver::echo_id(&self.0, ctx, QueryEchoIdArguments {
                id: support::argument(ctx, "id", None)?,
            })),
            "echoFloat" => support::written_field(ctx, QueryResolver::echo_float(&self.0, ctx, QueryEchoFloatArguments {
                value: support::argument(ctx, "value", None)?,
            })),
            "echoColor" => support::written_field(ctx, QueryResolver::echo_color(&self.0, ctx, QueryEchoColorArguments {
                color: support::argument(ctx, "color", None)?,
            })),
            "echoInput" => support::written_field(ctx, QueryResolver::echo_input(&self.0, ctx, QueryEchoInputArguments {
                input: support::argument(ctx, "input", None)?,
            })),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Mutation: support::TypeInfo = support::TypeInfo {
    name: "Mutation",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Mutation"],
    fields: &[
        support::FieldInfo::new("first", "Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("second", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredFails", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("fails", "Int", <i32 as async_graphql::OutputType>::create_type_info),
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
            "first" => support::completed_field(ctx, MutationResolver::first(&self.0, ctx)),
            "second" => support::written_field(ctx, MutationResolver::second(&self.0, ctx)),
            "requiredFails" => support::written_field(ctx, MutationResolver::required_fails(&self.0, ctx)),
            "fails" => support::written_field(ctx, MutationResolver::fails(&self.0, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Item: support::TypeInfo = support::TypeInfo {
    name: "Item",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Item", "Node", "Found"],
    fields: &[
        support::FieldInfo::new("id", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("name", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("slow", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("fast", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredFails", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredFailsLate", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredChild", "Item!", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("child", "Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("children", "[Item]", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("half", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("requiredHalf", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for super::resolvers::Thing {
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

impl async_graphql::ObjectType for super::resolvers::Thing {}

impl support::Complete for super::resolvers::Thing {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Item)
    }
}

impl async_graphql::ContainerType for super::resolvers::Thing {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
            "id" => support::written_field(ctx, ItemResolver::id(self, ctx)),
            "name" => support::written_field(ctx, ItemResolver::name(self, ctx)),
            "slow" => support::written_field(ctx, ItemResolver::slow(self, ctx)),
            "fast" => support::written_field(ctx, ItemResolver::fast(self, ctx)),
            "requiredFails" => support::written_field(ctx, ItemResolver::required_fails(self, ctx)),
            "requiredFailsLate" => support::written_field(ctx, ItemResolver::required_fails_late(self, ctx)),
            "requiredChild" => support::completed_field(ctx, ItemResolver::required_child(self, ctx)),
            "child" => support::completed_field(ctx, ItemResolver::child(self, ctx)),
            "children" => support::completed_field(ctx, ItemResolver::children(self, ctx)),
            "half" => support::written_field(ctx, ItemResolver::half(self, ctx)),
            "requiredHalf" => support::written_field(ctx, ItemResolver::required_half(self, ctx)),
            _ => return Ok(None),
        };
        resolving.await.map(Some)
    }
}

static __Other: support::TypeInfo = support::TypeInfo {
    name: "Other",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Other", "Node", "Found"],
    fields: &[
        support::FieldInfo::new("id", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("other", "String!", <String as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Other {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Other")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<Self>(registry, &__Other)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Other {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Other, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Other, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            1 => WriteJson::write(&self.other, plan, json),
            _ => {}
        });
    }
}

impl From<super::resolvers::Thing> for Node {
    fn from(value: super::resolvers::Thing) -> Self {
        Self::Item(value)
    }
}

impl From<Other> for Node {
    fn from(value: Other) -> Self {
        Self::Other(value)
    }
}

static __Node: support::TypeInfo = support::TypeInfo {
    name: "Node",
    description: None,
    interfaces: &[],
    possible_types: &[
        ("Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        ("Other", <Other as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[
        support::FieldInfo::new("id", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
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
            Self::Item(value) => support::Complete::complete(value, ctx, field).await,
            Self::Other(value) => support::written(value, ctx),
        }
    }
}

impl From<super::resolvers::Thing> for Found {
    fn from(value: super::resolvers::Thing) -> Self {
        Self::Item(value)
    }
}

impl From<Other> for Found {
    fn from(value: Other) -> Self {
        Self::Other(value)
    }
}

static __Found: support::TypeInfo = support::TypeInfo {
    name: "Found",
    description: None,
    interfaces: &[],
    possible_types: &[
        ("Item", <super::resolvers::Thing as async_graphql::OutputType>::create_type_info),
        ("Other", <Other as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[],
};

impl async_graphql::OutputType for Found {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Found")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_union::<Self>(registry, &__Found)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl support::Complete for Found {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        match self {
            Self::Item(value) => support::Complete::complete(value, ctx, field).await,
            Self::Other(value) => support::written(value, ctx),
        }
    }
}

impl Color {
    /// The name of the value in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Red => "RED",
            Self::Green => "GREEN",
        }
    }
}

impl support::WriteJson for Color {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.string(self.as_str());
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "schema {\n  query: Query\n  mutation: Mutation\n}\n\ntype Query {\n  slow: Int\n  fast: Int\n  item: Item\n  none: Item\n  requiredItem: Item!\n  fails: Int\n  requiredFails: Int!\n  items: [Item]\n  requiredItems: [Item!]\n  matrix: [[Item]!]!\n  node: Node\n  nodes: [Node!]!\n  found: [Found!]!\n  counted: Item\n  echo(\n    first: Int! = 50\n  ): Int!\n  echoNullableDefault(\n    first: Int = 7\n  ): Int\n  echoList(\n    list: [Int!]!\n  ): [Int!]!\n  echoText(\n    text: String!\n  ): String!\n  echoId(\n    id: ID!\n  ): ID!\n  echoFloat(\n    value: Float!\n  ): Float!\n  echoColor(\n    color: Color!\n  ): Color!\n  echoInput(\n    input: Input!\n  ): String!\n}\n\ntype Mutation {\n  first: Item\n  second: Int!\n  requiredFails: Int!\n  fails: Int\n}\n\ntype Item implements Node {\n  id: Int!\n  name: String\n  slow: Int\n  fast: Int\n  requiredFails: Int!\n  requiredFailsLate: Int!\n  requiredChild: Item!\n  child: Item\n  children: [Item]\n  half: Int\n  requiredHalf: Int!\n}\n\ntype Other implements Node {\n  id: Int!\n  other: String!\n}\n\ninterface Node {\n  id: Int!\n}\n\nunion Found = Item | Other\n\nenum Color {\n  RED\n  GREEN\n}\n\ninput Input {\n  count: Int! = 3\n  text: String\n  more: Int\n}\n";
