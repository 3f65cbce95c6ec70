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
    ) -> impl ::std::future::Future< // schema.graphql:4:3
        Output = Result<Option<super::resolvers::Thing>, Self::Error>, // schema.graphql:4:3
    > + Send;
    /// `none`
    fn none( // schema.graphql:5:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:5:3
        Output = Result<Option<super::resolvers::Thing>, Self::Error>, // schema.graphql:5:3
    > + Send;
    /// `requiredItem`
    fn required_item( // schema.graphql:6:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:6:3
        Output = Result<super::resolvers::Thing, Self::Error>, // schema.graphql:6:3
    > + Send;
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
    ) -> impl ::std::future::Future< // schema.graphql:9:3
        Output = Result<Option<Vec<Option<super::resolvers::Thing>>>, Self::Error>, // schema.graphql:9:3
    > + Send;
    /// `requiredItems`
    fn required_items( // schema.graphql:10:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:10:3
        Output = Result<Option<Vec<super::resolvers::Thing>>, Self::Error>, // schema.graphql:10:3
    > + Send;
    /// `matrix`
    fn matrix( // schema.graphql:11:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:11:3
        Output = Result<Vec<Vec<Option<super::resolvers::Thing>>>, Self::Error>, // schema.graphql:11:3
    > + Send;
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
    ) -> impl ::std::future::Future< // schema.graphql:15:3
        Output = Result<Option<super::resolvers::Thing>, Self::Error>, // schema.graphql:15:3
    > + Send;
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
    ) -> impl ::std::future::Future< // schema.graphql:20:3
        Output = Result<async_graphql::ID, Self::Error>, // schema.graphql:20:3
    > + Send;
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
pub struct Query<R>(pub R);

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // schema.graphql:26:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `first`
    fn first( // schema.graphql:27:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:27:3
        Output = Result<Option<super::resolvers::Thing>, Self::Error>, // schema.graphql:27:3
    > + Send;
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
pub struct Mutation<R>(pub R);

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
    ) -> impl ::std::future::Future< // schema.graphql:40:3
        Output = Result<super::resolvers::Thing, Self::Error>, // schema.graphql:40:3
    > + Send;
    /// `child`
    fn child( // schema.graphql:41:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:41:3
        Output = Result<Option<super::resolvers::Thing>, Self::Error>, // schema.graphql:41:3
    > + Send;
    /// `children`
    fn children( // schema.graphql:42:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // schema.graphql:42:3
        Output = Result<Option<Vec<Option<super::resolvers::Thing>>>, Self::Error>, // schema.graphql:42:3
    > + Send;
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

#[async_graphql::Object(name = "Query")]
impl<R: QueryResolver> Query<R> {
    #[graphql(name = "slow")]
    async fn resolve_slow(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<i32>>, <R as QueryResolver>::Error> {
        QueryResolver::slow(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "fast")]
    async fn resolve_fast(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<i32>>, <R as QueryResolver>::Error> {
        QueryResolver::fast(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "item")]
    async fn resolve_item(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::resolvers::Thing>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::item(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "none")]
    async fn resolve_none(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::resolvers::Thing>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::none(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "requiredItem")]
    async fn resolve_requiredItem(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<super::resolvers::Thing>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::required_item(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "fails")]
    async fn resolve_fails(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<i32>>, <R as QueryResolver>::Error> {
        QueryResolver::fails(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredFails")]
    async fn resolve_requiredFails(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <R as QueryResolver>::Error> {
        QueryResolver::required_fails(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "items")]
    async fn resolve_items(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<Vec<Option<super::resolvers::Thing>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::items(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "requiredItems")]
    async fn resolve_requiredItems(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<Vec<super::resolvers::Thing>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::required_items(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "matrix")]
    async fn resolve_matrix(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Vec<Vec<Option<super::resolvers::Thing>>>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::matrix(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "node")]
    async fn resolve_node(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Completed<Option<Node>>, <R as QueryResolver>::Error> {
        QueryResolver::node(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "nodes")]
    async fn resolve_nodes(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Completed<Vec<Node>>, <R as QueryResolver>::Error> {
        QueryResolver::nodes(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "found")]
    async fn resolve_found(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Completed<Vec<Found>>, <R as QueryResolver>::Error> {
        QueryResolver::found(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "counted")]
    async fn resolve_counted(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::resolvers::Thing>>,
        <R as QueryResolver>::Error,
    > {
        QueryResolver::counted(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "echo")]
    async fn resolve_echo(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "first", default_with = "50")]
        argument_0: i32,
    ) -> Result<support::Json<i32>, <R as QueryResolver>::Error> {
        QueryResolver::echo(
                &self.0,
                ctx,
                QueryEchoArguments {
                    first: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoNullableDefault")]
    async fn resolve_echoNullableDefault(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "first", default_with = "Some (7)")]
        argument_0: Option<i32>,
    ) -> Result<support::Json<Option<i32>>, <R as QueryResolver>::Error> {
        QueryResolver::echo_nullable_default(
                &self.0,
                ctx,
                QueryEchoNullableDefaultArguments {
                    first: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoList")]
    async fn resolve_echoList(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "list")]
        argument_0: Vec<i32>,
    ) -> Result<support::Json<Vec<i32>>, <R as QueryResolver>::Error> {
        QueryResolver::echo_list(
                &self.0,
                ctx,
                QueryEchoListArguments {
                    list: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoText")]
    async fn resolve_echoText(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "text")]
        argument_0: String,
    ) -> Result<support::Json<String>, <R as QueryResolver>::Error> {
        QueryResolver::echo_text(
                &self.0,
                ctx,
                QueryEchoTextArguments {
                    text: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoId")]
    async fn resolve_echoId(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "id")]
        argument_0: async_graphql::ID,
    ) -> Result<support::Json<async_graphql::ID>, <R as QueryResolver>::Error> {
        QueryResolver::echo_id(
                &self.0,
                ctx,
                QueryEchoIdArguments {
                    id: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoFloat")]
    async fn resolve_echoFloat(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "value")]
        argument_0: f64,
    ) -> Result<support::Json<f64>, <R as QueryResolver>::Error> {
        QueryResolver::echo_float(
                &self.0,
                ctx,
                QueryEchoFloatArguments {
                    value: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoColor")]
    async fn resolve_echoColor(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "color")]
        argument_0: Color,
    ) -> Result<support::Json<Color>, <R as QueryResolver>::Error> {
        QueryResolver::echo_color(
                &self.0,
                ctx,
                QueryEchoColorArguments {
                    color: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
    #[graphql(name = "echoInput")]
    async fn resolve_echoInput(
        &self,
        ctx: &async_graphql::Context<'_>,
        #[graphql(name = "input")]
        argument_0: Input,
    ) -> Result<support::Json<String>, <R as QueryResolver>::Error> {
        QueryResolver::echo_input(
                &self.0,
                ctx,
                QueryEchoInputArguments {
                    input: argument_0,
                },
            )
            .await
            .map(support::Json::new)
    }
}

#[async_graphql::Object(name = "Mutation")]
impl<R: MutationResolver> Mutation<R> {
    #[graphql(name = "first")]
    async fn resolve_first(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::resolvers::Thing>>,
        <R as MutationResolver>::Error,
    > {
        MutationResolver::first(&self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "second")]
    async fn resolve_second(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <R as MutationResolver>::Error> {
        MutationResolver::second(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredFails")]
    async fn resolve_requiredFails(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <R as MutationResolver>::Error> {
        MutationResolver::required_fails(&self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "fails")]
    async fn resolve_fails(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<Option<i32>>, <R as MutationResolver>::Error> {
        MutationResolver::fails(&self.0, ctx).await.map(support::Json::new)
    }
}

struct __Item<'a>(&'a super::resolvers::Thing);
impl __Item<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Item",
        conditions: &["Item", "Node", "Found"],
        fields: &[
            ("id", false),
            ("name", true),
            ("slow", true),
            ("fast", true),
            ("requiredFails", false),
            ("requiredFailsLate", false),
            ("requiredChild", false),
            ("child", true),
            ("children", true),
            ("half", true),
            ("requiredHalf", false),
        ],
    };
}

#[async_graphql::Object(name = "Item")]
impl<'a> __Item<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::resolvers::Thing as ItemResolver>::Error> {
        ItemResolver::id(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "name")]
    async fn resolve_name(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<String>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::name(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "slow")]
    async fn resolve_slow(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<i32>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::slow(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "fast")]
    async fn resolve_fast(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<i32>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::fast(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredFails")]
    async fn resolve_requiredFails(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::resolvers::Thing as ItemResolver>::Error> {
        ItemResolver::required_fails(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredFailsLate")]
    async fn resolve_requiredFailsLate(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::resolvers::Thing as ItemResolver>::Error> {
        ItemResolver::required_fails_late(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredChild")]
    async fn resolve_requiredChild(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<super::resolvers::Thing>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::required_child(self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "child")]
    async fn resolve_child(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<super::resolvers::Thing>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::child(self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "children")]
    async fn resolve_children(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Completed<Option<Vec<Option<super::resolvers::Thing>>>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::children(self.0, ctx).await.map(support::Completed)
    }
    #[graphql(name = "half")]
    async fn resolve_half(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<
        support::Json<Option<i32>>,
        <super::resolvers::Thing as ItemResolver>::Error,
    > {
        ItemResolver::half(self.0, ctx).await.map(support::Json::new)
    }
    #[graphql(name = "requiredHalf")]
    async fn resolve_requiredHalf(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> Result<support::Json<i32>, <super::resolvers::Thing as ItemResolver>::Error> {
        ItemResolver::required_half(self.0, ctx).await.map(support::Json::new)
    }
}

impl support::Complete for super::resolvers::Thing {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::resolve_object(ctx, &__Item(self), &__Item::INFO).await
    }
}

impl async_graphql::OutputType for super::resolvers::Thing {
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
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::Complete::complete(self, ctx, field).await
    }
}

struct __Other<'a>(&'a Other);
impl __Other<'_> {
    const INFO: support::ObjectInfo = support::ObjectInfo {
        name: "Other",
        conditions: &["Other", "Node", "Found"],
        fields: &[("id", false), ("other", false)],
    };
}

#[async_graphql::Object(name = "Other")]
impl<'a> __Other<'a> {
    #[graphql(name = "id")]
    async fn resolve_id(&self) -> support::Json<&i32> {
        support::Json::new(&self.0.id)
    }
    #[graphql(name = "other")]
    async fn resolve_other(&self) -> support::Json<&String> {
        support::Json::new(&self.0.other)
    }
}

impl async_graphql::OutputType for Other {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Other")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Node<'static> as async_graphql::OutputType>::create_type_info(registry);
        <__Other<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::written(self, ctx)
    }
}

impl support::WriteJson for Other {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Other::INFO, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(
            plan,
            json,
            &__Other::INFO,
            |field, plan, json| match field {
                0usize => WriteJson::write(&self.id, plan, json),
                1usize => WriteJson::write(&self.other, plan, json),
                _ => {}
            },
        );
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

#[derive(async_graphql::Interface)]
#[graphql(
    name = "Node",
    field(name = "id", method = "resolve_id", ty = "support :: Declared < i32 >")
)]
enum __Node<'a> {
    Item(__Item<'a>),
    Other(__Other<'a>),
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

#[derive(async_graphql::Union)]
#[graphql(name = "Found")]
enum __Found<'a> {
    Item(__Item<'a>),
    Other(__Other<'a>),
}

impl async_graphql::OutputType for Found {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Found")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <__Found<'static> as async_graphql::OutputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::Complete::complete(self, ctx, field).await
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
