// Generated from kitchen_sink.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
///
/// The root of queries.
///
/// - a list item
///   - an item below it
///
/// ```graphql
/// { greeting }
/// ```
pub trait QueryResolver: Send + Sync { // kitchen_sink.graphql:11:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `greeting`
    fn greeting( // kitchen_sink.graphql:12:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryGreetingArguments<String, Option<bool>>, // kitchen_sink.graphql:12:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:12:3
    /// Everything in one object.
    fn everything( // kitchen_sink.graphql:14:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:14:3
        Output = Result<Option<Everything>, Self::Error>, // kitchen_sink.graphql:14:3
    > + Send;
    /// All kinds of lists.
    fn lists( // kitchen_sink.graphql:16:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Lists, Self::Error>> + Send; // kitchen_sink.graphql:16:3
    /// A union.
    fn search( // kitchen_sink.graphql:18:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QuerySearchArguments<String, Option<Vec<Kind>>>, // kitchen_sink.graphql:18:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:18:3
        Output = Result<Vec<SearchResult>, Self::Error>, // kitchen_sink.graphql:18:3
    > + Send;
    /// An interface.
    fn node( // kitchen_sink.graphql:20:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNodeArguments<async_graphql::ID>, // kitchen_sink.graphql:20:3
    ) -> impl ::std::future::Future<Output = Result<Option<Node>, Self::Error>> + Send; // kitchen_sink.graphql:20:3
    /// `named`
    fn named( // kitchen_sink.graphql:21:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNamedArguments<String>, // kitchen_sink.graphql:21:3
    ) -> impl ::std::future::Future<Output = Result<Option<Named>, Self::Error>> + Send; // kitchen_sink.graphql:21:3
    /// Echoes an input object.
    fn echo( // kitchen_sink.graphql:23:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoArguments<Input>, // kitchen_sink.graphql:23:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:23:3
    /// Takes exactly one key.
    fn lookup( // kitchen_sink.graphql:25:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryLookupArguments<LookupKey>, // kitchen_sink.graphql:25:3
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:25:3
    /// `tomorrow`
    fn tomorrow( // kitchen_sink.graphql:26:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryTomorrowArguments<crate::Day>, // kitchen_sink.graphql:26:3
    ) -> impl ::std::future::Future<Output = Result<crate::Day, Self::Error>> + Send; // kitchen_sink.graphql:26:3
    /// `person`
    fn person( // kitchen_sink.graphql:27:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryPersonArguments<String>, // kitchen_sink.graphql:27:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:27:3
        Output = Result<Option<crate::Human>, Self::Error>, // kitchen_sink.graphql:27:3
    > + Send;
    /// `shop`
    fn shop( // kitchen_sink.graphql:28:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:28:3
        Output = Result<Option<crate::Store>, Self::Error>, // kitchen_sink.graphql:28:3
    > + Send;
    /// `fails`
    fn fails( // kitchen_sink.graphql:29:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // kitchen_sink.graphql:29:3
    /// `fails_hard`
    fn fails_hard( // kitchen_sink.graphql:30:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // kitchen_sink.graphql:30:3
    /// `oldest`
    ///
    /// Deprecated: Use `greeting`.
    fn oldest( // kitchen_sink.graphql:31:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:31:3
    /// `self`
    fn self_( // kitchen_sink.graphql:32:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Self_>, Self::Error>> + Send; // kitchen_sink.graphql:32:3
    /// `numbers`
    fn numbers( // kitchen_sink.graphql:33:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNumbersArguments<Vec<Option<Vec<i32>>>>, // kitchen_sink.graphql:33:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:33:3
        Output = Result<Option<Vec<Vec<Option<i32>>>>, Self::Error>, // kitchen_sink.graphql:33:3
    > + Send;
    /// `optional`
    fn optional( // kitchen_sink.graphql:34:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryOptionalArguments<Option<i32>>, // kitchen_sink.graphql:34:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:34:3
}

/// The arguments of `Query.greeting(name: String!, shout: Boolean)`.
#[derive(Clone, Debug)]
pub struct QueryGreetingArguments<Name, Shout> { // kitchen_sink.graphql:12:3
    /// `name`
    pub name: Name, // kitchen_sink.graphql:12:12
    /// `shout`
    pub shout: Shout, // kitchen_sink.graphql:12:35
}

/// The arguments of `Query.search(text: String!, kinds: [Kind!])`.
#[derive(Clone, Debug)]
pub struct QuerySearchArguments<Text, Kinds> { // kitchen_sink.graphql:18:3
    /// `text`
    pub text: Text, // kitchen_sink.graphql:18:10
    /// `kinds`
    pub kinds: Kinds, // kitchen_sink.graphql:18:25
}

/// The arguments of `Query.node(id: ID!)`.
#[derive(Clone, Debug)]
pub struct QueryNodeArguments<Id> { // kitchen_sink.graphql:20:3
    /// `id`
    pub id: Id, // kitchen_sink.graphql:20:8
}

/// The arguments of `Query.named(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryNamedArguments<Name> { // kitchen_sink.graphql:21:3
    /// `name`
    pub name: Name, // kitchen_sink.graphql:21:9
}

/// The arguments of `Query.echo(input: Input!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoArguments<Input> { // kitchen_sink.graphql:23:3
    /// `input`
    pub input: Input, // kitchen_sink.graphql:23:8
}

/// The arguments of `Query.lookup(by: LookupKey!)`.
#[derive(Clone, Debug)]
pub struct QueryLookupArguments<By> { // kitchen_sink.graphql:25:3
    /// `by`
    pub by: By, // kitchen_sink.graphql:25:10
}

/// The arguments of `Query.tomorrow(of: Date!)`.
#[derive(Clone, Debug)]
pub struct QueryTomorrowArguments<Of> { // kitchen_sink.graphql:26:3
    /// `of`
    pub of: Of, // kitchen_sink.graphql:26:12
}

/// The arguments of `Query.person(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryPersonArguments<Name> { // kitchen_sink.graphql:27:3
    /// `name`
    pub name: Name, // kitchen_sink.graphql:27:10
}

/// The arguments of `Query.numbers(grid: [[Int!]]!)`.
#[derive(Clone, Debug)]
pub struct QueryNumbersArguments<Grid> { // kitchen_sink.graphql:33:3
    /// `grid`
    pub grid: Grid, // kitchen_sink.graphql:33:11
}

/// The arguments of `Query.optional(value: Int)`.
#[derive(Clone, Debug)]
pub struct QueryOptionalArguments<Value> { // kitchen_sink.graphql:34:3
    /// `value`
    pub value: Value, // kitchen_sink.graphql:34:12
}

/// The root of queries.
///
/// - a list item
///   - an item below it
///
/// ```graphql
/// { greeting }
/// ```
pub struct Query<R>(pub R);

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // kitchen_sink.graphql:37:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `add`
    fn add( // kitchen_sink.graphql:38:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationAddArguments<i32>, // kitchen_sink.graphql:38:3
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // kitchen_sink.graphql:38:3
    /// `async`
    fn r#async( // kitchen_sink.graphql:39:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationAsyncArguments<Option<bool>, Option<String>>, // kitchen_sink.graphql:39:3
    ) -> impl ::std::future::Future<Output = Result<Option<bool>, Self::Error>> + Send; // kitchen_sink.graphql:39:3
}

/// The arguments of `Mutation.add(number: Int!)`.
#[derive(Clone, Debug)]
pub struct MutationAddArguments<Number> { // kitchen_sink.graphql:38:3
    /// `number`
    pub number: Number, // kitchen_sink.graphql:38:7
}

/// The arguments of `Mutation.async(await: Boolean, fn: String)`.
#[derive(Clone, Debug)]
pub struct MutationAsyncArguments<Await, Fn> { // kitchen_sink.graphql:39:3
    /// `await`
    pub r#await: Await, // kitchen_sink.graphql:39:9
    /// `fn`
    pub r#fn: Fn, // kitchen_sink.graphql:39:25
}

/// `Mutation`
pub struct Mutation<R>(pub R);

/// Resolves the type `Subscription` of the contract.
pub trait SubscriptionResolver: Send + Sync { // kitchen_sink.graphql:42:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `countdown`
    fn countdown( // kitchen_sink.graphql:43:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: SubscriptionCountdownArguments<i32>, // kitchen_sink.graphql:43:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:43:3
        Output = Result< // kitchen_sink.graphql:43:3
            impl async_graphql::futures_util::Stream<
                Item = Result<i32, Self::Error>,
            > + Send,
            Self::Error,
        >,
    > + Send;
    /// `people`
    fn people( // kitchen_sink.graphql:44:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:44:3
        Output = Result< // kitchen_sink.graphql:44:3
            impl async_graphql::futures_util::Stream<
                Item = Result<Option<crate::Human>, Self::Error>,
            > + Send,
            Self::Error,
        >,
    > + Send;
}

/// The arguments of `Subscription.countdown(from: Int!)`.
#[derive(Clone, Debug)]
pub struct SubscriptionCountdownArguments<From> { // kitchen_sink.graphql:43:3
    /// `from`
    pub from: From, // kitchen_sink.graphql:43:13
}

/// `Subscription`
pub struct Subscription<R>(pub R);

/// Every scalar, and every kind of null.
#[derive(Clone, Debug)]
pub struct Everything { // kitchen_sink.graphql:48:6
    /// `int`
    pub int: Option<i32>, // kitchen_sink.graphql:49:3
    /// `intRequired`
    pub int_required: i32, // kitchen_sink.graphql:50:3
    /// `float`
    pub float: Option<f64>, // kitchen_sink.graphql:51:3
    /// `string`
    pub string: Option<String>, // kitchen_sink.graphql:52:3
    /// `boolean`
    pub boolean: Option<bool>, // kitchen_sink.graphql:53:3
    /// `id`
    pub id: Option<async_graphql::ID>, // kitchen_sink.graphql:54:3
    /// `date`
    pub date: Option<crate::Day>, // kitchen_sink.graphql:55:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:56:3
    /// Rust keywords as names.
    pub r#type: Option<String>, // kitchen_sink.graphql:58:3
    /// `match`
    pub r#match: Option<i32>, // kitchen_sink.graphql:59:3
    /// `crate`
    pub crate_: Option<bool>, // kitchen_sink.graphql:60:3
    /// `nested`
    pub nested: Option<Box<Everything>>, // kitchen_sink.graphql:61:3
    /// `Upper`
    pub upper: Option<i32>, // kitchen_sink.graphql:62:3
    /// `HTTPStatus`
    pub http_status: Option<i32>, // kitchen_sink.graphql:63:3
}

/// Lists of lists.
#[derive(Clone, Debug)]
pub struct Lists { // kitchen_sink.graphql:67:6
    /// `ints`
    pub ints: Option<Vec<Option<i32>>>, // kitchen_sink.graphql:68:3
    /// `intsRequired`
    pub ints_required: Vec<i32>, // kitchen_sink.graphql:69:3
    /// `grid`
    pub grid: Vec<Vec<i32>>, // kitchen_sink.graphql:70:3
    /// `sparse`
    pub sparse: Option<Vec<Option<Vec<Option<Vec<Option<String>>>>>>>, // kitchen_sink.graphql:71:3
    /// `things`
    pub things: Option<Vec<Option<Vec<Option<Thing>>>>>, // kitchen_sink.graphql:72:3
}

/// `Thing`
#[derive(Clone, Debug)]
pub struct Thing { // kitchen_sink.graphql:75:6
    /// `name`
    pub name: String, // kitchen_sink.graphql:76:3
}

/// A type with a name that Rust reserves.
#[derive(Clone, Debug)]
pub struct Self_ { // kitchen_sink.graphql:80:6
    /// `self`
    pub self_: Option<String>, // kitchen_sink.graphql:81:3
    /// `super`
    pub super_: Option<String>, // kitchen_sink.graphql:82:3
}

/// What may be found.
#[derive(Clone, Debug)]
pub enum SearchResult { // kitchen_sink.graphql:86:7
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// Anything with an id.
#[derive(Clone, Debug)]
pub enum Node { // kitchen_sink.graphql:89:11
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// `Named`
#[derive(Clone, Debug)]
pub enum Named { // kitchen_sink.graphql:93:11
    /// A `Book`.
    Book(Book),
}

/// `Book`
#[derive(Clone, Debug)]
pub struct Book { // kitchen_sink.graphql:99:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:100:3
    /// `name`
    pub name: Option<String>, // kitchen_sink.graphql:101:3
    /// `pages`
    pub pages: i32, // kitchen_sink.graphql:102:3
    /// `sequel`
    pub sequel: Option<Box<Node>>, // kitchen_sink.graphql:103:3
    /// `related`
    pub related: Option<Vec<SearchResult>>, // kitchen_sink.graphql:104:3
}

/// `Car`
#[derive(Clone, Debug)]
pub struct Car { // kitchen_sink.graphql:107:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:108:3
    /// `wheels`
    pub wheels: i32, // kitchen_sink.graphql:109:3
    /// `price`
    pub price: Option<f64>, // kitchen_sink.graphql:110:3
}

/// Answers for the type `Person` of the contract.
///
/// A person, resolved by a Rust type of the crate.
pub trait PersonResolver: Send + Sync { // kitchen_sink.graphql:114:6
    /// `name`
    fn name(&self) -> ::std::borrow::Cow<'_, str>; // kitchen_sink.graphql:115:3
    /// `born`
    fn born(&self) -> Option<crate::Day>; // kitchen_sink.graphql:116:3
    /// `friends`
    fn friends(&self) -> Vec<crate::Human>; // kitchen_sink.graphql:117:3
}

/// Resolves the type `Shop` of the contract.
///
/// A shop with resolvers of its own.
pub trait ShopResolver: Send + Sync { // kitchen_sink.graphql:121:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `name`
    fn name( // kitchen_sink.graphql:122:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:122:3
    /// `offers`
    fn offers( // kitchen_sink.graphql:123:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: ShopOffersArguments<i32>, // kitchen_sink.graphql:123:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:123:3
        Output = Result<Vec<crate::Bargain>, Self::Error>, // kitchen_sink.graphql:123:3
    > + Send;
    /// `owner`
    fn owner( // kitchen_sink.graphql:124:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<crate::Human, Self::Error>> + Send; // kitchen_sink.graphql:124:3
}

/// The arguments of `Shop.offers(first: Int!)`.
#[derive(Clone, Debug)]
pub struct ShopOffersArguments<First> { // kitchen_sink.graphql:123:3
    /// `first`
    pub first: First, // kitchen_sink.graphql:123:10
}

/// Resolves the type `Offer` of the contract.
pub trait OfferResolver: Send + Sync { // kitchen_sink.graphql:127:6
    /// What a resolver fails with. Its conversion decides what clients are told.
    type Error: Into<async_graphql::Error> + Send;
    /// `price`
    fn price( // kitchen_sink.graphql:128:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: OfferPriceArguments<Currency>, // kitchen_sink.graphql:128:3
    ) -> impl ::std::future::Future<Output = Result<f64, Self::Error>> + Send; // kitchen_sink.graphql:128:3
    /// `product`
    fn product( // kitchen_sink.graphql:129:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Book>, Self::Error>> + Send; // kitchen_sink.graphql:129:3
}

/// The arguments of `Offer.price(currency: Currency!)`.
#[derive(Clone, Debug)]
pub struct OfferPriceArguments<Currency> { // kitchen_sink.graphql:128:3
    /// `currency`
    pub currency: Currency, // kitchen_sink.graphql:128:9
}

/// `Kind`
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind { // kitchen_sink.graphql:132:6
    /// `BOOK`
    Book, // kitchen_sink.graphql:133:3
    /// With wheels.
    CarWithWheels, // kitchen_sink.graphql:135:3
    /// `GONE`
    ///
    /// Deprecated: It is gone.
    Gone, // kitchen_sink.graphql:136:3
}

/// `Currency`
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Currency { // kitchen_sink.graphql:139:6
    /// `EUR`
    Eur, // kitchen_sink.graphql:140:3
    /// `Usd`
    Usd, // kitchen_sink.graphql:141:3
}

/// An input with everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Input { // kitchen_sink.graphql:148:7
    /// `text`
    pub text: String, // kitchen_sink.graphql:149:3
    /// `numbers`
    pub numbers: Option<Vec<i32>>, // kitchen_sink.graphql:150:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:151:3
    /// `factor`
    pub factor: Option<f64>, // kitchen_sink.graphql:152:3
    /// `nested`
    pub nested: Option<Box<Input>>, // kitchen_sink.graphql:153:3
    /// No longer looked at.
    ///
    /// Deprecated: Ignored.
    pub old: Option<i32>, // kitchen_sink.graphql:155:3
    /// `type`
    pub r#type: Option<String>, // kitchen_sink.graphql:156:3
}

/// `LookupKey`
#[derive(Clone, Debug, PartialEq)]
pub enum LookupKey { // kitchen_sink.graphql:159:7
    /// `byId`
    ById(async_graphql::ID), // kitchen_sink.graphql:160:3
    /// `byName`
    ByName(String), // kitchen_sink.graphql:161:3
    /// `byDate`
    ByDate(crate::Day), // kitchen_sink.graphql:162:3
}

async fn resolve_query_greeting<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryGreetingArguments {
        name: support::argument(ctx, "name", Some(|| "you".to_owned()))?,
        shout: support::argument(ctx, "shout", Some(|| Some(false)))?,
    };
    let answer = QueryResolver::greeting(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_everything<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::everything(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_lists<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::lists(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_search<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QuerySearchArguments {
        text: support::argument(ctx, "text", None)?,
        kinds: support::argument(
            ctx,
            "kinds",
            Some(|| Some(vec![Kind::Book, Kind::CarWithWheels])),
        )?,
    };
    let answer = QueryResolver::search(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_node<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryNodeArguments {
        id: support::argument(ctx, "id", None)?,
    };
    let answer = QueryResolver::node(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_named<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryNamedArguments {
        name: support::argument(ctx, "name", None)?,
    };
    let answer = QueryResolver::named(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_echo<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryEchoArguments {
        input: support::argument(
            ctx,
            "input",
            Some(|| Input {
                text: "given".to_owned(),
                numbers: None,
                kind: Some(Kind::Book),
                factor: Some(1.5),
                nested: Some(
                    Box::new(Input {
                        text: "inner".to_owned(),
                        numbers: Some(vec![1, 2]),
                        kind: Some(Kind::Book),
                        factor: Some(1.5),
                        nested: None,
                        old: None,
                        r#type: None,
                    }),
                ),
                old: None,
                r#type: None,
            }),
        )?,
    };
    let answer = QueryResolver::echo(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_lookup<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryLookupArguments {
        by: support::argument(ctx, "by", None)?,
    };
    let answer = QueryResolver::lookup(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_tomorrow<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryTomorrowArguments {
        of: support::argument(ctx, "of", None)?,
    };
    let answer = QueryResolver::tomorrow(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_person<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryPersonArguments {
        name: support::argument(ctx, "name", None)?,
    };
    let answer = QueryResolver::person(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_shop<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::shop(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::resolve(ctx, &answer).await
}

async fn resolve_query_fails<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::fails(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_fails_hard<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::fails_hard(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_oldest<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::oldest(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_self<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = QueryResolver::self_(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_numbers<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryNumbersArguments {
        grid: support::argument(ctx, "grid", None)?,
    };
    let answer = QueryResolver::numbers(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_query_optional<R: QueryResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = QueryOptionalArguments {
        value: support::argument(ctx, "value", Some(|| Some(7)))?,
    };
    let answer = QueryResolver::optional(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: QueryResolver> async_graphql::ContainerType for Query<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "greeting" => resolve_query_greeting(&self.0, ctx).await.map(Some),
            "everything" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_query_everything(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            "lists" => resolve_query_lists(&self.0, ctx).await.map(Some),
            "search" => resolve_query_search(&self.0, ctx).await.map(Some),
            "node" => {
                Ok(Some(support::nullable(ctx, resolve_query_node(&self.0, ctx).await)))
            }
            "named" => {
                Ok(Some(support::nullable(ctx, resolve_query_named(&self.0, ctx).await)))
            }
            "echo" => resolve_query_echo(&self.0, ctx).await.map(Some),
            "lookup" => {
                Ok(
                    Some(
                        support::nullable(ctx, resolve_query_lookup(&self.0, ctx).await),
                    ),
                )
            }
            "tomorrow" => resolve_query_tomorrow(&self.0, ctx).await.map(Some),
            "person" => {
                Ok(
                    Some(
                        support::nullable(ctx, resolve_query_person(&self.0, ctx).await),
                    ),
                )
            }
            "shop" => {
                Ok(Some(support::nullable(ctx, resolve_query_shop(&self.0, ctx).await)))
            }
            "fails" => {
                Ok(Some(support::nullable(ctx, resolve_query_fails(&self.0, ctx).await)))
            }
            "fails_hard" => resolve_query_fails_hard(&self.0, ctx).await.map(Some),
            "oldest" => {
                Ok(
                    Some(
                        support::nullable(ctx, resolve_query_oldest(&self.0, ctx).await),
                    ),
                )
            }
            "self" => {
                Ok(Some(support::nullable(ctx, resolve_query_self(&self.0, ctx).await)))
            }
            "numbers" => {
                Ok(
                    Some(
                        support::nullable(ctx, resolve_query_numbers(&self.0, ctx).await),
                    ),
                )
            }
            "optional" => resolve_query_optional(&self.0, ctx).await.map(Some),
            _ => Ok(None),
        }
    }
}

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Query",
            Some(
                "The root of queries.\n\n- a list item\n  - an item below it\n\n```graphql\n{ greeting }\n```",
            ),
            &[],
            &[
                support::Field {
                    name: "greeting",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "name",
                            description: None,
                            ty: "String!",
                            default: Some("\"you\""),
                            deprecated: None,
                        },
                        support::Input {
                            name: "shout",
                            description: None,
                            ty: "Boolean",
                            default: Some("false"),
                            deprecated: None,
                        },
                    ],
                    ty: "String!",
                    deprecated: None,
                },
                support::Field {
                    name: "everything",
                    description: Some("Everything in one object."),
                    arguments: &[],
                    ty: "Everything",
                    deprecated: None,
                },
                support::Field {
                    name: "lists",
                    description: Some("All kinds of lists."),
                    arguments: &[],
                    ty: "Lists!",
                    deprecated: None,
                },
                support::Field {
                    name: "search",
                    description: Some("A union."),
                    arguments: &[
                        support::Input {
                            name: "text",
                            description: None,
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "kinds",
                            description: None,
                            ty: "[Kind!]",
                            default: Some("[BOOK, CAR_WITH_WHEELS]"),
                            deprecated: None,
                        },
                    ],
                    ty: "[SearchResult!]!",
                    deprecated: None,
                },
                support::Field {
                    name: "node",
                    description: Some("An interface."),
                    arguments: &[
                        support::Input {
                            name: "id",
                            description: None,
                            ty: "ID!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Node",
                    deprecated: None,
                },
                support::Field {
                    name: "named",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "name",
                            description: None,
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Named",
                    deprecated: None,
                },
                support::Field {
                    name: "echo",
                    description: Some("Echoes an input object."),
                    arguments: &[
                        support::Input {
                            name: "input",
                            description: None,
                            ty: "Input!",
                            default: Some(
                                "{text: \"given\", nested: {text: \"inner\", numbers: [1, 2]}}",
                            ),
                            deprecated: None,
                        },
                    ],
                    ty: "String!",
                    deprecated: None,
                },
                support::Field {
                    name: "lookup",
                    description: Some("Takes exactly one key."),
                    arguments: &[
                        support::Input {
                            name: "by",
                            description: None,
                            ty: "LookupKey!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "tomorrow",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "of",
                            description: None,
                            ty: "Date!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Date!",
                    deprecated: None,
                },
                support::Field {
                    name: "person",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "name",
                            description: None,
                            ty: "String!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Person",
                    deprecated: None,
                },
                support::Field {
                    name: "shop",
                    description: None,
                    arguments: &[],
                    ty: "Shop",
                    deprecated: None,
                },
                support::Field {
                    name: "fails",
                    description: None,
                    arguments: &[],
                    ty: "Int",
                    deprecated: None,
                },
                support::Field {
                    name: "fails_hard",
                    description: None,
                    arguments: &[],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "oldest",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: Some("Use `greeting`."),
                },
                support::Field {
                    name: "self",
                    description: None,
                    arguments: &[],
                    ty: "Self",
                    deprecated: None,
                },
                support::Field {
                    name: "numbers",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "grid",
                            description: None,
                            ty: "[[Int!]]!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "[[Int]!]",
                    deprecated: None,
                },
                support::Field {
                    name: "optional",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "value",
                            description: None,
                            ty: "Int",
                            default: Some("7"),
                            deprecated: None,
                        },
                    ],
                    ty: "String!",
                    deprecated: None,
                },
            ],
            &[
                <Everything as async_graphql::OutputType>::create_type_info,
                <Lists as async_graphql::OutputType>::create_type_info,
                <SearchResult as async_graphql::OutputType>::create_type_info,
                <Node as async_graphql::OutputType>::create_type_info,
                <Named as async_graphql::OutputType>::create_type_info,
                <crate::Day as async_graphql::OutputType>::create_type_info,
                <crate::Human as async_graphql::OutputType>::create_type_info,
                <crate::Store as async_graphql::OutputType>::create_type_info,
                <Self_ as async_graphql::OutputType>::create_type_info,
                <Kind as async_graphql::InputType>::create_type_info,
                <Input as async_graphql::InputType>::create_type_info,
                <LookupKey as async_graphql::InputType>::create_type_info,
                <crate::Day as async_graphql::InputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: QueryResolver> async_graphql::ObjectType for Query<R> {}
impl<R: QueryResolver> support::Root for Query<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "greeting" => Some(<String as support::Plain>::plan(fragments, selections)),
            "everything" => {
                Some(<Everything as support::Plain>::plan(fragments, selections))
            }
            "lists" => Some(<Lists as support::Plain>::plan(fragments, selections)),
            "search" => {
                Some(<SearchResult as support::Plain>::plan(fragments, selections))
            }
            "node" => Some(<Node as support::Plain>::plan(fragments, selections)),
            "named" => Some(<Named as support::Plain>::plan(fragments, selections)),
            "echo" => Some(<String as support::Plain>::plan(fragments, selections)),
            "lookup" => Some(<String as support::Plain>::plan(fragments, selections)),
            "tomorrow" => {
                Some(<crate::Day as support::Plain>::plan(fragments, selections))
            }
            "person" => {
                Some(<crate::Human as support::Plain>::plan(fragments, selections))
            }
            "fails" => Some(<i32 as support::Plain>::plan(fragments, selections)),
            "fails_hard" => Some(<i32 as support::Plain>::plan(fragments, selections)),
            "oldest" => Some(<String as support::Plain>::plan(fragments, selections)),
            "self" => Some(<Self_ as support::Plain>::plan(fragments, selections)),
            "numbers" => Some(<i32 as support::Plain>::plan(fragments, selections)),
            "optional" => Some(<String as support::Plain>::plan(fragments, selections)),
            _ => None,
        }
    }
}

async fn resolve_mutation_add<R: MutationResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = MutationAddArguments {
        number: support::argument(ctx, "number", None)?,
    };
    let answer = MutationResolver::add(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_mutation_async<R: MutationResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = MutationAsyncArguments {
        r#await: support::argument(ctx, "await", None)?,
        r#fn: support::argument(ctx, "fn", None)?,
    };
    let answer = MutationResolver::r#async(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl<R: MutationResolver> async_graphql::ContainerType for Mutation<R> {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "add" => resolve_mutation_add(&self.0, ctx).await.map(Some),
            "async" => {
                Ok(
                    Some(
                        support::nullable(
                            ctx,
                            resolve_mutation_async(&self.0, ctx).await,
                        ),
                    ),
                )
            }
            _ => Ok(None),
        }
    }
}

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Mutation",
            None,
            &[],
            &[
                support::Field {
                    name: "add",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "number",
                            description: None,
                            ty: "Int!",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "async",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "await",
                            description: None,
                            ty: "Boolean",
                            default: None,
                            deprecated: None,
                        },
                        support::Input {
                            name: "fn",
                            description: None,
                            ty: "String",
                            default: None,
                            deprecated: None,
                        },
                    ],
                    ty: "Boolean",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl<R: MutationResolver> async_graphql::ObjectType for Mutation<R> {}
impl<R: MutationResolver> support::Root for Mutation<R> {
    fn plan(
        field: &str,
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> Option<async_graphql::ServerResult<support::Plan>> {
        match field {
            "add" => Some(<i32 as support::Plain>::plan(fragments, selections)),
            "async" => Some(<bool as support::Plain>::plan(fragments, selections)),
            _ => None,
        }
    }
}

impl<R: SubscriptionResolver> async_graphql::SubscriptionType for Subscription<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Subscription")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_subscription::<
            Self,
        >(
            registry,
            "Subscription",
            None,
            &[
                support::Field {
                    name: "countdown",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "from",
                            description: None,
                            ty: "Int!",
                            default: Some("3"),
                            deprecated: None,
                        },
                    ],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "people",
                    description: None,
                    arguments: &[],
                    ty: "Person",
                    deprecated: None,
                },
            ],
            &[<crate::Human as async_graphql::OutputType>::create_type_info],
        )
    }
    fn create_field_stream<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'_>,
    ) -> Option<
        async_graphql::futures_util::stream::BoxStream<'a, async_graphql::Response>,
    > {
        match ctx.item.node.name.node.as_str() {
            "countdown" => {
                Some(
                    support::responses::<
                        i32,
                        _,
                        _,
                        _,
                    >(
                        ctx,
                        async move {
                            let arguments = SubscriptionCountdownArguments {
                                from: support::argument(ctx, "from", Some(|| 3))?,
                            };
                            self.0
                                .countdown(ctx, arguments)
                                .await
                                .map_err(|error| support::failed(ctx, error))
                        },
                    ),
                )
            }
            "people" => {
                Some(
                    support::responses::<
                        Option<crate::Human>,
                        _,
                        _,
                        _,
                    >(
                        ctx,
                        async move {
                            self.0
                                .people(ctx)
                                .await
                                .map_err(|error| support::failed(ctx, error))
                        },
                    ),
                )
            }
            _ => None,
        }
    }
}

impl support::PlainObject for Everything {
    const NAME: &'static str = "Everything";
    const FIELDS: &'static [&'static str] = &[
        "int",
        "intRequired",
        "float",
        "string",
        "boolean",
        "id",
        "date",
        "kind",
        "type",
        "match",
        "crate",
        "nested",
        "Upper",
        "HTTPStatus",
    ];
    const CONDITIONS: &'static [&'static str] = &["Everything"];
    fn plan_field(
        fragments: &support::Fragments,
        field: usize,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        match field {
            11usize => <Everything as support::Plain>::plan(fragments, selections),
            _ => Ok(support::Plan::Leaf),
        }
    }
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.int, plan),
            1usize => support::Plain::value(&self.int_required, plan),
            2usize => support::Plain::value(&self.float, plan),
            3usize => support::Plain::value(&self.string, plan),
            4usize => support::Plain::value(&self.boolean, plan),
            5usize => support::Plain::value(&self.id, plan),
            6usize => support::Plain::value(&self.date, plan),
            7usize => support::Plain::value(&self.kind, plan),
            8usize => support::Plain::value(&self.r#type, plan),
            9usize => support::Plain::value(&self.r#match, plan),
            10usize => support::Plain::value(&self.crate_, plan),
            11usize => support::Plain::value(&self.nested, plan),
            12usize => support::Plain::value(&self.upper, plan),
            13usize => support::Plain::value(&self.http_status, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.int, plan, json),
            1usize => support::Plain::write(&self.int_required, plan, json),
            2usize => support::Plain::write(&self.float, plan, json),
            3usize => support::Plain::write(&self.string, plan, json),
            4usize => support::Plain::write(&self.boolean, plan, json),
            5usize => support::Plain::write(&self.id, plan, json),
            6usize => support::Plain::write(&self.date, plan, json),
            7usize => support::Plain::write(&self.kind, plan, json),
            8usize => support::Plain::write(&self.r#type, plan, json),
            9usize => support::Plain::write(&self.r#match, plan, json),
            10usize => support::Plain::write(&self.crate_, plan, json),
            11usize => support::Plain::write(&self.nested, plan, json),
            12usize => support::Plain::write(&self.upper, plan, json),
            13usize => support::Plain::write(&self.http_status, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Everything {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Everything {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Everything")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Everything",
            Some("Every scalar, and every kind of null."),
            &[],
            &[
                support::Field {
                    name: "int",
                    description: None,
                    arguments: &[],
                    ty: "Int",
                    deprecated: None,
                },
                support::Field {
                    name: "intRequired",
                    description: None,
                    arguments: &[],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "float",
                    description: None,
                    arguments: &[],
                    ty: "Float",
                    deprecated: None,
                },
                support::Field {
                    name: "string",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "boolean",
                    description: None,
                    arguments: &[],
                    ty: "Boolean",
                    deprecated: None,
                },
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID",
                    deprecated: None,
                },
                support::Field {
                    name: "date",
                    description: None,
                    arguments: &[],
                    ty: "Date",
                    deprecated: None,
                },
                support::Field {
                    name: "kind",
                    description: None,
                    arguments: &[],
                    ty: "Kind",
                    deprecated: None,
                },
                support::Field {
                    name: "type",
                    description: Some("Rust keywords as names."),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "match",
                    description: None,
                    arguments: &[],
                    ty: "Int",
                    deprecated: None,
                },
                support::Field {
                    name: "crate",
                    description: None,
                    arguments: &[],
                    ty: "Boolean",
                    deprecated: None,
                },
                support::Field {
                    name: "nested",
                    description: None,
                    arguments: &[],
                    ty: "Everything",
                    deprecated: None,
                },
                support::Field {
                    name: "Upper",
                    description: None,
                    arguments: &[],
                    ty: "Int",
                    deprecated: None,
                },
                support::Field {
                    name: "HTTPStatus",
                    description: None,
                    arguments: &[],
                    ty: "Int",
                    deprecated: None,
                },
            ],
            &[
                <crate::Day as async_graphql::OutputType>::create_type_info,
                <Kind as async_graphql::OutputType>::create_type_info,
                <Everything as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for Lists {
    const NAME: &'static str = "Lists";
    const FIELDS: &'static [&'static str] = &[
        "ints",
        "intsRequired",
        "grid",
        "sparse",
        "things",
    ];
    const CONDITIONS: &'static [&'static str] = &["Lists"];
    fn plan_field(
        fragments: &support::Fragments,
        field: usize,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        match field {
            4usize => <Thing as support::Plain>::plan(fragments, selections),
            _ => Ok(support::Plan::Leaf),
        }
    }
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.ints, plan),
            1usize => support::Plain::value(&self.ints_required, plan),
            2usize => support::Plain::value(&self.grid, plan),
            3usize => support::Plain::value(&self.sparse, plan),
            4usize => support::Plain::value(&self.things, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.ints, plan, json),
            1usize => support::Plain::write(&self.ints_required, plan, json),
            2usize => support::Plain::write(&self.grid, plan, json),
            3usize => support::Plain::write(&self.sparse, plan, json),
            4usize => support::Plain::write(&self.things, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Lists {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Lists {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Lists")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Lists",
            Some("Lists of lists."),
            &[],
            &[
                support::Field {
                    name: "ints",
                    description: None,
                    arguments: &[],
                    ty: "[Int]",
                    deprecated: None,
                },
                support::Field {
                    name: "intsRequired",
                    description: None,
                    arguments: &[],
                    ty: "[Int!]!",
                    deprecated: None,
                },
                support::Field {
                    name: "grid",
                    description: None,
                    arguments: &[],
                    ty: "[[Int!]!]!",
                    deprecated: None,
                },
                support::Field {
                    name: "sparse",
                    description: None,
                    arguments: &[],
                    ty: "[[[String]]]",
                    deprecated: None,
                },
                support::Field {
                    name: "things",
                    description: None,
                    arguments: &[],
                    ty: "[[Thing]]",
                    deprecated: None,
                },
            ],
            &[<Thing as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for Thing {
    const NAME: &'static str = "Thing";
    const FIELDS: &'static [&'static str] = &["name"];
    const CONDITIONS: &'static [&'static str] = &["Thing"];
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.name, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.name, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Thing {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Thing {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Thing")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Thing",
            None,
            &[],
            &[
                support::Field {
                    name: "name",
                    description: None,
                    arguments: &[],
                    ty: "String!",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for Self_ {
    const NAME: &'static str = "Self";
    const FIELDS: &'static [&'static str] = &["self", "super"];
    const CONDITIONS: &'static [&'static str] = &["Self"];
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.self_, plan),
            1usize => support::Plain::value(&self.super_, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.self_, plan, json),
            1usize => support::Plain::write(&self.super_, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Self_ {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Self_ {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Self")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Self",
            Some("A type with a name that Rust reserves."),
            &[],
            &[
                support::Field {
                    name: "self",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "super",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl From<Book> for SearchResult {
    fn from(value: Book) -> Self {
        Self::Book(value)
    }
}

impl From<Car> for SearchResult {
    fn from(value: Car) -> Self {
        Self::Car(value)
    }
}

impl support::Plain for SearchResult {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(
            support::Plan::Abstract(
                vec![
                    support::steps:: < Book > (fragments, selections) ?, support::steps::
                    < Car > (fragments, selections) ?
                ],
            ),
        )
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Abstract(plans) = plan else {
            return async_graphql::Value::Null
        };
        match self {
            Self::Book(value) => support::object(value, &plans[0usize]),
            Self::Car(value) => support::object(value, &plans[1usize]),
        }
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Abstract(plans) = plan else { return };
        match self {
            Self::Book(value) => support::write_object(value, &plans[0usize], json),
            Self::Car(value) => support::write_object(value, &plans[1usize], json),
        }
    }
}

impl async_graphql::OutputType for SearchResult {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("SearchResult")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_union::<
            Self,
        >(
            registry,
            "SearchResult",
            Some("What may be found."),
            &["Book", "Car"],
            &[
                <Book as async_graphql::OutputType>::create_type_info,
                <Car as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl From<Book> for Node {
    fn from(value: Book) -> Self {
        Self::Book(value)
    }
}

impl From<Car> for Node {
    fn from(value: Car) -> Self {
        Self::Car(value)
    }
}

impl support::Plain for Node {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(
            support::Plan::Abstract(
                vec![
                    support::steps:: < Book > (fragments, selections) ?, support::steps::
                    < Car > (fragments, selections) ?
                ],
            ),
        )
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Abstract(plans) = plan else {
            return async_graphql::Value::Null
        };
        match self {
            Self::Book(value) => support::object(value, &plans[0usize]),
            Self::Car(value) => support::object(value, &plans[1usize]),
        }
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Abstract(plans) = plan else { return };
        match self {
            Self::Book(value) => support::write_object(value, &plans[0usize], json),
            Self::Car(value) => support::write_object(value, &plans[1usize], json),
        }
    }
}

impl async_graphql::OutputType for Node {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Node")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_interface::<
            Self,
        >(
            registry,
            "Node",
            Some("Anything with an id."),
            &[],
            &[
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
            ],
            &["Book", "Car"],
            &[
                <Book as async_graphql::OutputType>::create_type_info,
                <Car as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl From<Book> for Named {
    fn from(value: Book) -> Self {
        Self::Book(value)
    }
}

impl support::Plain for Named {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(
            support::Plan::Abstract(
                vec![support::steps:: < Book > (fragments, selections) ?],
            ),
        )
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Abstract(plans) = plan else {
            return async_graphql::Value::Null
        };
        match self {
            Self::Book(value) => support::object(value, &plans[0usize]),
        }
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Abstract(plans) = plan else { return };
        match self {
            Self::Book(value) => support::write_object(value, &plans[0usize], json),
        }
    }
}

impl async_graphql::OutputType for Named {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Named")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_interface::<
            Self,
        >(
            registry,
            "Named",
            None,
            &["Node"],
            &[
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
                support::Field {
                    name: "name",
                    description: Some("Its name."),
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
            ],
            &["Book"],
            &[<Book as async_graphql::OutputType>::create_type_info],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for Book {
    const NAME: &'static str = "Book";
    const FIELDS: &'static [&'static str] = &[
        "id",
        "name",
        "pages",
        "sequel",
        "related",
    ];
    const CONDITIONS: &'static [&'static str] = &[
        "Book",
        "Named",
        "Node",
        "SearchResult",
    ];
    fn plan_field(
        fragments: &support::Fragments,
        field: usize,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        match field {
            3usize => <Node as support::Plain>::plan(fragments, selections),
            4usize => <SearchResult as support::Plain>::plan(fragments, selections),
            _ => Ok(support::Plan::Leaf),
        }
    }
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.id, plan),
            1usize => support::Plain::value(&self.name, plan),
            2usize => support::Plain::value(&self.pages, plan),
            3usize => support::Plain::value(&self.sequel, plan),
            4usize => support::Plain::value(&self.related, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.id, plan, json),
            1usize => support::Plain::write(&self.name, plan, json),
            2usize => support::Plain::write(&self.pages, plan, json),
            3usize => support::Plain::write(&self.sequel, plan, json),
            4usize => support::Plain::write(&self.related, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Book {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Book {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Book")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Book",
            None,
            &["Named", "Node"],
            &[
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
                support::Field {
                    name: "name",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "pages",
                    description: None,
                    arguments: &[],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "sequel",
                    description: None,
                    arguments: &[],
                    ty: "Node",
                    deprecated: None,
                },
                support::Field {
                    name: "related",
                    description: None,
                    arguments: &[],
                    ty: "[SearchResult!]",
                    deprecated: None,
                },
            ],
            &[
                <Node as async_graphql::OutputType>::create_type_info,
                <SearchResult as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for Car {
    const NAME: &'static str = "Car";
    const FIELDS: &'static [&'static str] = &["id", "wheels", "price"];
    const CONDITIONS: &'static [&'static str] = &["Car", "Node", "SearchResult"];
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::value(&self.id, plan),
            1usize => support::Plain::value(&self.wheels, plan),
            2usize => support::Plain::value(&self.price, plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&self.id, plan, json),
            1usize => support::Plain::write(&self.wheels, plan, json),
            2usize => support::Plain::write(&self.price, plan, json),
            _ => {}
        }
    }
}

impl support::Plain for Car {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for Car {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Car")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Car",
            None,
            &["Node"],
            &[
                support::Field {
                    name: "id",
                    description: None,
                    arguments: &[],
                    ty: "ID!",
                    deprecated: None,
                },
                support::Field {
                    name: "wheels",
                    description: None,
                    arguments: &[],
                    ty: "Int!",
                    deprecated: None,
                },
                support::Field {
                    name: "price",
                    description: None,
                    arguments: &[],
                    ty: "Float",
                    deprecated: None,
                },
            ],
            &[],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

impl support::PlainObject for crate::Human {
    const NAME: &'static str = "Person";
    const FIELDS: &'static [&'static str] = &["name", "born", "friends"];
    const CONDITIONS: &'static [&'static str] = &["Person"];
    fn plan_field(
        fragments: &support::Fragments,
        field: usize,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        match field {
            2usize => <crate::Human as support::Plain>::plan(fragments, selections),
            _ => Ok(support::Plan::Leaf),
        }
    }
    fn field(&self, field: usize, plan: &support::Plan) -> async_graphql::Value {
        match field {
            0usize => support::Plain::into_value(PersonResolver::name(self), plan),
            1usize => support::Plain::into_value(PersonResolver::born(self), plan),
            2usize => support::Plain::into_value(PersonResolver::friends(self), plan),
            _ => async_graphql::Value::Null,
        }
    }
    fn write_field(&self, field: usize, plan: &support::Plan, json: &mut Vec<u8>) {
        match field {
            0usize => support::Plain::write(&PersonResolver::name(self), plan, json),
            1usize => support::Plain::write(&PersonResolver::born(self), plan, json),
            2usize => support::Plain::write(&PersonResolver::friends(self), plan, json),
            _ => {}
        }
    }
}

impl support::Plain for crate::Human {
    fn plan(
        fragments: &support::Fragments,
        selections: &[&async_graphql::parser::types::SelectionSet],
    ) -> async_graphql::ServerResult<support::Plan> {
        Ok(support::Plan::Object(support::steps::<Self>(fragments, selections)?))
    }
    fn value(&self, plan: &support::Plan) -> async_graphql::Value {
        let support::Plan::Object(steps) = plan else {
            return async_graphql::Value::Null
        };
        support::object(self, steps)
    }
    fn write(&self, plan: &support::Plan, json: &mut Vec<u8>) {
        let support::Plan::Object(steps) = plan else { return };
        support::write_object(self, steps, json);
    }
}

impl async_graphql::OutputType for crate::Human {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Person")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Person",
            Some("A person, resolved by a Rust type of the crate."),
            &[],
            &[
                support::Field {
                    name: "name",
                    description: None,
                    arguments: &[],
                    ty: "String!",
                    deprecated: None,
                },
                support::Field {
                    name: "born",
                    description: None,
                    arguments: &[],
                    ty: "Date",
                    deprecated: None,
                },
                support::Field {
                    name: "friends",
                    description: None,
                    arguments: &[],
                    ty: "[Person!]!",
                    deprecated: None,
                },
            ],
            &[
                <crate::Day as async_graphql::OutputType>::create_type_info,
                <crate::Human as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        support::answer_borrowed(ctx, self)
    }
}

async fn resolve_shop_name<R: ShopResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = ShopResolver::name(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_shop_offers<R: ShopResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = ShopOffersArguments {
        first: support::argument(ctx, "first", Some(|| 2))?,
    };
    let answer = ShopResolver::offers(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::resolve(ctx, &answer).await
}

async fn resolve_shop_owner<R: ShopResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = ShopResolver::owner(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl async_graphql::ContainerType for crate::Store {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "name" => {
                Ok(Some(support::nullable(ctx, resolve_shop_name(self, ctx).await)))
            }
            "offers" => resolve_shop_offers(self, ctx).await.map(Some),
            "owner" => resolve_shop_owner(self, ctx).await.map(Some),
            _ => Ok(None),
        }
    }
}

impl async_graphql::OutputType for crate::Store {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Shop")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Shop",
            Some("A shop with resolvers of its own."),
            &[],
            &[
                support::Field {
                    name: "name",
                    description: None,
                    arguments: &[],
                    ty: "String",
                    deprecated: None,
                },
                support::Field {
                    name: "offers",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "first",
                            description: None,
                            ty: "Int!",
                            default: Some("2"),
                            deprecated: None,
                        },
                    ],
                    ty: "[Offer!]!",
                    deprecated: None,
                },
                support::Field {
                    name: "owner",
                    description: None,
                    arguments: &[],
                    ty: "Person!",
                    deprecated: None,
                },
            ],
            &[
                <crate::Bargain as async_graphql::OutputType>::create_type_info,
                <crate::Human as async_graphql::OutputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl async_graphql::ObjectType for crate::Store {}
async fn resolve_offer_price<R: OfferResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let arguments = OfferPriceArguments {
        currency: support::argument(ctx, "currency", Some(|| Currency::Eur))?,
    };
    let answer = OfferResolver::price(resolver, ctx, arguments)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

async fn resolve_offer_product<R: OfferResolver>(
    resolver: &R,
    ctx: &async_graphql::Context<'_>,
) -> async_graphql::ServerResult<async_graphql::Value> {
    let answer = OfferResolver::product(resolver, ctx)
        .await
        .map_err(|error| support::failed(ctx, error))?;
    support::answer(ctx, answer)
}

impl async_graphql::ContainerType for crate::Bargain {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        match ctx.item.node.name.node.as_str() {
            "price" => resolve_offer_price(self, ctx).await.map(Some),
            "product" => {
                Ok(Some(support::nullable(ctx, resolve_offer_product(self, ctx).await)))
            }
            _ => Ok(None),
        }
    }
}

impl async_graphql::OutputType for crate::Bargain {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Offer")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_object::<
            Self,
        >(
            registry,
            "Offer",
            None,
            &[],
            &[
                support::Field {
                    name: "price",
                    description: None,
                    arguments: &[
                        support::Input {
                            name: "currency",
                            description: None,
                            ty: "Currency!",
                            default: Some("EUR"),
                            deprecated: None,
                        },
                    ],
                    ty: "Float!",
                    deprecated: None,
                },
                support::Field {
                    name: "product",
                    description: None,
                    arguments: &[],
                    ty: "Book",
                    deprecated: None,
                },
            ],
            &[
                <Book as async_graphql::OutputType>::create_type_info,
                <Currency as async_graphql::InputType>::create_type_info,
            ],
        )
    }
    async fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        async_graphql::resolver_utils::resolve_container(ctx, self).await
    }
}

impl async_graphql::ObjectType for crate::Bargain {}
impl async_graphql::InputType for Kind {
    type RawValueType = Self;
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Kind")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_enum::<
            Self,
        >(
            registry,
            "Kind",
            None,
            &[
                support::EnumValue {
                    name: "BOOK",
                    description: None,
                    deprecated: None,
                },
                support::EnumValue {
                    name: "CAR_WITH_WHEELS",
                    description: Some("With wheels."),
                    deprecated: None,
                },
                support::EnumValue {
                    name: "GONE",
                    description: None,
                    deprecated: Some("It is gone."),
                },
            ],
        )
    }
    fn parse(
        value: Option<async_graphql::Value>,
    ) -> async_graphql::InputValueResult<Self> {
        support::enum_value(
            value,
            &[
                ("BOOK", Self::Book),
                ("CAR_WITH_WHEELS", Self::CarWithWheels),
                ("GONE", Self::Gone),
            ],
        )
    }
    fn to_value(&self) -> async_graphql::Value {
        async_graphql::Value::Enum(
            async_graphql::Name::new(
                match self {
                    Self::Book => "BOOK",
                    Self::CarWithWheels => "CAR_WITH_WHEELS",
                    Self::Gone => "GONE",
                },
            ),
        )
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl async_graphql::OutputType for Kind {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Kind")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <Self as async_graphql::InputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        _: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        Ok(async_graphql::InputType::to_value(self))
    }
}

impl support::Plain for Kind {
    fn value(&self, _: &support::Plan) -> async_graphql::Value {
        async_graphql::InputType::to_value(self)
    }
    fn write(&self, _: &support::Plan, json: &mut Vec<u8>) {
        support::write_value(&async_graphql::InputType::to_value(self), json);
    }
}

impl async_graphql::InputType for Currency {
    type RawValueType = Self;
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Currency")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_enum::<
            Self,
        >(
            registry,
            "Currency",
            None,
            &[
                support::EnumValue {
                    name: "EUR",
                    description: None,
                    deprecated: None,
                },
                support::EnumValue {
                    name: "Usd",
                    description: None,
                    deprecated: None,
                },
            ],
        )
    }
    fn parse(
        value: Option<async_graphql::Value>,
    ) -> async_graphql::InputValueResult<Self> {
        support::enum_value(value, &[("EUR", Self::Eur), ("Usd", Self::Usd)])
    }
    fn to_value(&self) -> async_graphql::Value {
        async_graphql::Value::Enum(
            async_graphql::Name::new(
                match self {
                    Self::Eur => "EUR",
                    Self::Usd => "Usd",
                },
            ),
        )
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl async_graphql::OutputType for Currency {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Currency")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <Self as async_graphql::InputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        _: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        Ok(async_graphql::InputType::to_value(self))
    }
}

impl support::Plain for Currency {
    fn value(&self, _: &support::Plan) -> async_graphql::Value {
        async_graphql::InputType::to_value(self)
    }
    fn write(&self, _: &support::Plan, json: &mut Vec<u8>) {
        support::write_value(&async_graphql::InputType::to_value(self), json);
    }
}

impl async_graphql::InputType for crate::Day {
    type RawValueType = Self;
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Date")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_scalar::<
            Self,
        >(
            registry,
            "Date",
            Some("A calendar date, `YYYY-MM-DD`."),
            Some("https://www.rfc-editor.org/rfc/rfc3339"),
        )
    }
    fn parse(
        value: Option<async_graphql::Value>,
    ) -> async_graphql::InputValueResult<Self> {
        async_graphql::ScalarType::parse(value.unwrap_or_default())
    }
    fn to_value(&self) -> async_graphql::Value {
        async_graphql::ScalarType::to_value(self)
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl async_graphql::OutputType for crate::Day {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Date")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        <Self as async_graphql::InputType>::create_type_info(registry)
    }
    async fn resolve(
        &self,
        _: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        Ok(async_graphql::InputType::to_value(self))
    }
}

impl support::Plain for crate::Day {
    fn value(&self, _: &support::Plan) -> async_graphql::Value {
        async_graphql::InputType::to_value(self)
    }
    fn write(&self, _: &support::Plan, json: &mut Vec<u8>) {
        support::write_value(&async_graphql::InputType::to_value(self), json);
    }
}

impl async_graphql::InputType for Input {
    type RawValueType = Self;
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Input")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_input_object::<
            Self,
        >(
            registry,
            "Input",
            Some("An input with everything."),
            &[
                support::Input {
                    name: "text",
                    description: None,
                    ty: "String!",
                    default: Some("\"default\""),
                    deprecated: None,
                },
                support::Input {
                    name: "numbers",
                    description: None,
                    ty: "[Int!]",
                    default: None,
                    deprecated: None,
                },
                support::Input {
                    name: "kind",
                    description: None,
                    ty: "Kind",
                    default: Some("BOOK"),
                    deprecated: None,
                },
                support::Input {
                    name: "factor",
                    description: None,
                    ty: "Float",
                    default: Some("1.5"),
                    deprecated: None,
                },
                support::Input {
                    name: "nested",
                    description: None,
                    ty: "Input",
                    default: None,
                    deprecated: None,
                },
                support::Input {
                    name: "old",
                    description: Some("No longer looked at."),
                    ty: "Int",
                    default: None,
                    deprecated: Some("Ignored."),
                },
                support::Input {
                    name: "type",
                    description: None,
                    ty: "String",
                    default: None,
                    deprecated: None,
                },
            ],
            false,
            &[
                <Kind as async_graphql::InputType>::create_type_info,
                <Input as async_graphql::InputType>::create_type_info,
            ],
        )
    }
    fn parse(
        value: Option<async_graphql::Value>,
    ) -> async_graphql::InputValueResult<Self> {
        let mut members = support::members::<Self>(value)?;
        Ok(Self {
            text: support::member(&mut members, "text", Some(|| "default".to_owned()))?,
            numbers: support::member(&mut members, "numbers", None)?,
            kind: support::member(&mut members, "kind", Some(|| Some(Kind::Book)))?,
            factor: support::member(&mut members, "factor", Some(|| Some(1.5)))?,
            nested: support::member(&mut members, "nested", None)?,
            old: support::member(&mut members, "old", None)?,
            r#type: support::member(&mut members, "type", None)?,
        })
    }
    fn to_value(&self) -> async_graphql::Value {
        async_graphql::Value::Object(
            async_graphql::indexmap::IndexMap::from([
                (
                    async_graphql::Name::new("text"),
                    async_graphql::InputType::to_value(&self.text),
                ),
                (
                    async_graphql::Name::new("numbers"),
                    async_graphql::InputType::to_value(&self.numbers),
                ),
                (
                    async_graphql::Name::new("kind"),
                    async_graphql::InputType::to_value(&self.kind),
                ),
                (
                    async_graphql::Name::new("factor"),
                    async_graphql::InputType::to_value(&self.factor),
                ),
                (
                    async_graphql::Name::new("nested"),
                    async_graphql::InputType::to_value(&self.nested),
                ),
                (
                    async_graphql::Name::new("old"),
                    async_graphql::InputType::to_value(&self.old),
                ),
                (
                    async_graphql::Name::new("type"),
                    async_graphql::InputType::to_value(&self.r#type),
                ),
            ]),
        )
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl async_graphql::InputType for LookupKey {
    type RawValueType = Self;
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("LookupKey")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register_input_object::<
            Self,
        >(
            registry,
            "LookupKey",
            None,
            &[
                support::Input {
                    name: "byId",
                    description: None,
                    ty: "ID",
                    default: None,
                    deprecated: None,
                },
                support::Input {
                    name: "byName",
                    description: None,
                    ty: "String",
                    default: None,
                    deprecated: None,
                },
                support::Input {
                    name: "byDate",
                    description: None,
                    ty: "Date",
                    default: None,
                    deprecated: None,
                },
            ],
            true,
            &[<crate::Day as async_graphql::InputType>::create_type_info],
        )
    }
    fn parse(
        value: Option<async_graphql::Value>,
    ) -> async_graphql::InputValueResult<Self> {
        let (name, value) = support::only_member::<Self>(value)?;
        match name.as_str() {
            "byId" => {
                async_graphql::InputType::parse(Some(value))
                    .map(Self::ById)
                    .map_err(async_graphql::InputValueError::propagate)
            }
            "byName" => {
                async_graphql::InputType::parse(Some(value))
                    .map(Self::ByName)
                    .map_err(async_graphql::InputValueError::propagate)
            }
            "byDate" => {
                async_graphql::InputType::parse(Some(value))
                    .map(Self::ByDate)
                    .map_err(async_graphql::InputValueError::propagate)
            }
            unknown => {
                Err(
                    async_graphql::InputValueError::custom(
                        format_args!("it has no field {unknown:?}"),
                    ),
                )
            }
        }
    }
    fn to_value(&self) -> async_graphql::Value {
        let (name, value) = match self {
            Self::ById(value) => ("byId", async_graphql::InputType::to_value(value)),
            Self::ByName(value) => ("byName", async_graphql::InputType::to_value(value)),
            Self::ByDate(value) => ("byDate", async_graphql::InputType::to_value(value)),
        };
        async_graphql::Value::Object(
            async_graphql::indexmap::IndexMap::from([
                (async_graphql::Name::new(name), value),
            ]),
        )
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "not every contract uses all of it"
)]
pub mod support {
    /// What serves a contract: plans of operations, their execution, and the values of their answers as text.
    pub use self::{
        execution::Execution, json::{write_text, write_value},
        plain::Fragments, plans::{Plans, Root},
    };
    pub(super) use self::{arguments::*, plain::*, registration::*, subscription::*};
    mod arguments {
        //! Arguments and input objects: from what a request gives to Rust values.
        use std::convert::Infallible;
        use async_graphql::{
            Context, InputType, InputValueError, InputValueResult, Name, ServerResult,
            Value, indexmap::IndexMap,
        };
        /// The value of an argument, coerced as the GraphQL specification says (`CoerceArgumentValues`,
        /// section 6.4.1): an omitted argument, and one given as a variable that the request omits,
        /// takes the default.
        pub(crate) fn argument<T: InputType>(
            ctx: &Context<'_>,
            name: &str,
            default: Option<fn() -> T>,
        ) -> ServerResult<T> {
            let given = ctx
                .item
                .node
                .arguments
                .iter()
                .find(|(given, _)| given.node.as_str() == name);
            let (pos, value) = match given {
                None => (ctx.item.pos, None),
                Some((_, value)) => {
                    let put_in = |name: Name| Ok(
                        variable(ctx, &name).unwrap_or_else(absent),
                    );
                    let value_with_absent: Result<Value, Infallible> = value
                        .node
                        .clone()
                        .into_const_with(put_in);
                    let Ok(value_with_absent) = value_with_absent;
                    (value.pos, present(value_with_absent))
                }
            };
            match (value, default) {
                (None, Some(default)) => Ok(default()),
                (value, _) => {
                    InputType::parse(value)
                        .map_err(|error| {
                            ctx.set_error_path(error.into_server_error(pos))
                        })
                }
            }
        }
        /// Stands for a variable without a value; no name of a request can be like it.
        fn absent() -> Value {
            Value::Enum(Name::new("(absent)"))
        }
        /// Leaves out what is absent: an argument, a member of an object; in a list it is null.
        fn present(value: Value) -> Option<Value> {
            match value {
                Value::Enum(name) if name == "(absent)" => None,
                Value::List(items) => {
                    let items = items
                        .into_iter()
                        .map(|item| present(item).unwrap_or_default());
                    Some(Value::List(items.collect()))
                }
                Value::Object(members) => {
                    let members = members.into_iter();
                    let present = members
                        .filter_map(|(name, value)| Some((name, present(value)?)));
                    Some(Value::Object(present.collect()))
                }
                value => Some(value),
            }
        }
        fn variable(ctx: &Context<'_>, name: &Name) -> Option<Value> {
            let definitions = &ctx.query_env.operation.node.variable_definitions;
            let definition = definitions
                .iter()
                .find(|definition| definition.node.name.node == *name)?;
            let default = definition
                .node
                .default_value
                .as_ref()
                .map(|value| &value.node);
            ctx.query_env.variables.get(name).or(default).cloned()
        }
        /// Takes the members out of an input object.
        pub(crate) fn members<T: InputType>(
            value: Option<Value>,
        ) -> Result<IndexMap<Name, Value>, InputValueError<T>> {
            match value.unwrap_or_default() {
                Value::Object(members) => Ok(members),
                other => Err(InputValueError::expected_type(other)),
            }
        }
        /// The member of an input object with this name, or its default.
        pub(crate) fn member<T: InputType, M: InputType>(
            members: &mut IndexMap<Name, Value>,
            name: &str,
            default: Option<fn() -> M>,
        ) -> Result<M, InputValueError<T>> {
            match (members.swap_remove(name), default) {
                (None, Some(default)) => Ok(default()),
                (value, _) => M::parse(value).map_err(InputValueError::propagate),
            }
        }
        /// The only member of a `@oneOf` input object, which may not be null.
        pub(crate) fn only_member<T: InputType>(
            value: Option<Value>,
        ) -> Result<(Name, Value), InputValueError<T>> {
            let mut members = members::<T>(value)?.into_iter();
            match (members.next(), members.next()) {
                (Some((name, value)), None) if value != Value::Null => Ok((name, value)),
                _ => {
                    Err(
                        InputValueError::custom(
                            "exactly one member must be given, and it must not be null",
                        ),
                    )
                }
            }
        }
        /// The value of an enum with this name.
        pub(crate) fn enum_value<T: InputType + Copy>(
            value: Option<Value>,
            values: &[(&'static str, T)],
        ) -> InputValueResult<T> {
            let name = match &value {
                Some(Value::Enum(name)) => name.as_str(),
                Some(Value::String(name)) => name.as_str(),
                _ => {
                    return Err(InputValueError::expected_type(value.unwrap_or_default()));
                }
            };
            values
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
                .ok_or_else(|| InputValueError::custom(
                    format_args!("it has no value {name:?}"),
                ))
        }
    }
    mod execution {
        //! Executes operations that are known to be valid. `Schema::execute` would look at each of them again,
        //! which takes it longer than executing a small one.
        use std::{future::Future, sync::{Arc, Mutex, OnceLock, PoisonError}};
        use async_graphql::{
            Context, ContextSelectionSet, Data, EmptyMutation, EmptySubscription,
            IntrospectionMode, Name, OutputType, Positioned, QueryEnv, QueryEnvInner,
            Response, Schema, SchemaEnv, ServerResult, Value, Variables,
            extensions::Extensions, futures_util::{FutureExt, future::join_all},
            indexmap::IndexMap,
            parser::types::{
                Field as SelectedField, OperationDefinition, OperationType, Selection,
            },
            registry::Registry, resolver_utils::{ContainerType, resolve_container},
        };
        use super::{plain::Fragments, registration};
        /// Executes operations that are known to be valid, and reduced to root fields that are none of
        /// introspection and have different response keys.
        pub struct Execution {
            schema: SchemaEnv,
            extensions: Extensions,
        }
        impl Execution {
            /// Contexts have no data but those of their requests.
            pub fn new() -> Self {
                let lender = Lender::default();
                let lent = Arc::clone(&lender.0);
                let schema = Schema::new(lender, EmptyMutation, EmptySubscription);
                let asked = schema.execute("{ lend }").now_or_never();
                asked.expect("nothing is waited for");
                let lent = lent.get().expect("the field was resolved");
                Self {
                    schema: lent.schema.clone(),
                    extensions: lent.extensions.clone(),
                }
            }
            /// Resolves the root fields of an operation: those of a mutation one after the other, others at
            /// once (GraphQL specification, section 6.2). The answers are in the order of the fields.
            pub fn execute<'a, T: ContainerType>(
                &'a self,
                root: &'a T,
                operation: Positioned<OperationDefinition>,
                fragments: Fragments,
                variables: Variables,
                data: Data,
            ) -> impl Future<Output = Response> + Send + 'a {
                let env = QueryEnv::new(QueryEnvInner {
                    extensions: self.extensions.clone(),
                    variables,
                    operation_name: None,
                    operation,
                    fragments,
                    uploads: Vec::new(),
                    session_data: Arc::default(),
                    query_data: Arc::new(data),
                    http_headers: Mutex::default(),
                    introspection_mode: IntrospectionMode::Disabled,
                    errors: Mutex::default(),
                });
                async move { self.resolve(root, &env).await }
            }
            async fn resolve<T: ContainerType>(
                &self,
                root: &T,
                env: &QueryEnv,
            ) -> Response {
                let operation = &env.operation.node;
                let selected = &operation.selection_set;
                let ctx = env.create_context(&self.schema, None, selected, None);
                let fields = selected.node.items.iter().filter_map(field);
                let one_by_one = operation.ty == OperationType::Mutation
                    || selected.node.items.len() == 1;
                let members = if one_by_one {
                    let mut members = Vec::with_capacity(selected.node.items.len());
                    for field in fields {
                        members.push(resolve(root, &ctx, field).await);
                    }
                    members
                } else {
                    join_all(fields.map(|field| resolve(root, &ctx, field))).await
                };
                let members: ServerResult<IndexMap<_, _>> = members
                    .into_iter()
                    .collect();
                let (data, failed) = match members {
                    Ok(members) => (Value::Object(members), None),
                    Err(error) => (Value::Null, Some(error)),
                };
                let mut response = Response::new(data);
                response.errors.extend(failed);
                let mut told = env.errors.lock().unwrap_or_else(PoisonError::into_inner);
                response.errors.append(&mut told);
                response
            }
        }
        fn field(
            selection: &Positioned<Selection>,
        ) -> Option<&Positioned<SelectedField>> {
            match &selection.node {
                Selection::Field(field) => Some(field),
                Selection::FragmentSpread(_) | Selection::InlineFragment(_) => None,
            }
        }
        async fn resolve<T: ContainerType>(
            root: &T,
            ctx: &ContextSelectionSet<'_>,
            field: &Positioned<SelectedField>,
        ) -> ServerResult<(Name, Value)> {
            let key = field.node.response_key().node.clone();
            let value = if field.node.name.node == "__typename" {
                Some(Value::String(root.introspection_type_name().into_owned()))
            } else {
                root.resolve_field(&ctx.with_field(field)).await?
            };
            Ok((key, value.unwrap_or_default()))
        }
        /// A root type that lends what it is resolved with.
        #[derive(Default)]
        struct Lender(Arc<OnceLock<Execution>>);
        impl ContainerType for Lender {
            async fn resolve_field(
                &self,
                ctx: &Context<'_>,
            ) -> ServerResult<Option<Value>> {
                self.0
                    .get_or_init(|| Execution {
                        schema: ctx.schema_env.clone(),
                        extensions: ctx.query_env.extensions.clone(),
                    });
                Ok(None)
            }
        }
        impl OutputType for Lender {
            fn type_name() -> std::borrow::Cow<'static, str> {
                "Query".into()
            }
            fn create_type_info(registry: &mut Registry) -> String {
                let field = registration::Field {
                    name: "lend",
                    description: None,
                    arguments: &[],
                    ty: "Boolean",
                    deprecated: None,
                };
                registration::register_object::<
                    Self,
                >(registry, "Query", None, &[], &[field], &[])
            }
            async fn resolve(
                &self,
                ctx: &ContextSelectionSet<'_>,
                _: &Positioned<SelectedField>,
            ) -> ServerResult<Value> {
                resolve_container(ctx, self).await
            }
        }
        impl async_graphql::ObjectType for Lender {}
    }
    mod json {
        //! Values as JSON text (RFC 8259), without a tree in between.
        use std::io::Write;
        use async_graphql::Value;
        /// Writes a value. A binary one is JSON text already and stands as it is: planned answers are.
        pub fn write_value(value: &Value, json: &mut Vec<u8>) {
            match value {
                Value::Null => json.extend_from_slice(b"null"),
                Value::Boolean(true) => json.extend_from_slice(b"true"),
                Value::Boolean(false) => json.extend_from_slice(b"false"),
                Value::Number(number) => {
                    write!(json, "{number}").expect("memory takes every text")
                }
                Value::String(text) => write_text(text, json),
                Value::Enum(name) => write_text(name, json),
                Value::Binary(text) => json.extend_from_slice(text),
                Value::List(items) => write_list(items, json, write_value),
                Value::Object(members) => {
                    json.push(b'{');
                    for (place, (key, value)) in members.iter().enumerate() {
                        if place > 0 {
                            json.push(b',');
                        }
                        write_text(key, json);
                        json.push(b':');
                        write_value(value, json);
                    }
                    json.push(b'}');
                }
            }
        }
        pub(crate) fn write_list<T>(
            items: &[T],
            json: &mut Vec<u8>,
            write: impl Fn(&T, &mut Vec<u8>),
        ) {
            json.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    json.push(b',');
                }
                write(item, json);
            }
            json.push(b']');
        }
        /// The key of an object with the colon behind it and, unless it is the first, the comma before it.
        pub(crate) fn write_key(key: &str, first: bool) -> Box<[u8]> {
            let mut json = Vec::with_capacity(key.len() + 4);
            if !first {
                json.push(b',');
            }
            write_text(key, &mut json);
            json.push(b':');
            json.into_boxed_slice()
        }
        /// Writes a string. Only what must be escaped is (section 7).
        pub fn write_text(text: &str, json: &mut Vec<u8>) {
            json.reserve(text.len() + 2);
            json.push(b'"');
            let mut rest = text.as_bytes();
            if !rest.iter().fold(false, |must, byte| must | must_be_escaped(*byte)) {
                json.extend_from_slice(rest);
                json.push(b'"');
                return;
            }
            while let Some(place) = rest.iter().position(|byte| must_be_escaped(*byte)) {
                json.extend_from_slice(&rest[..place]);
                match rest[place] {
                    byte @ (b'"' | b'\\') => json.extend_from_slice(&[b'\\', byte]),
                    0x08 => json.extend_from_slice(b"\\b"),
                    0x0c => json.extend_from_slice(b"\\f"),
                    b'\n' => json.extend_from_slice(b"\\n"),
                    b'\r' => json.extend_from_slice(b"\\r"),
                    b'\t' => json.extend_from_slice(b"\\t"),
                    byte => {
                        write!(json, "\\u{byte:04x}").expect("memory takes every text")
                    }
                }
                rest = &rest[place + 1..];
            }
            json.extend_from_slice(rest);
            json.push(b'"');
        }
        fn must_be_escaped(byte: u8) -> bool {
            byte < b' ' || byte == b'"' || byte == b'\\'
        }
    }
    mod plain {
        //! Straight-line resolving: a selection set is planned once and applied to each value by a loop,
        //! without futures. A value becomes a tree of async-graphql, or, where the request brings its plans,
        //! JSON text at once.
        use std::{borrow::Cow, collections::{HashMap, HashSet}};
        use async_graphql::{
            Context, ContextSelectionSet, Error, ID, Name, OutputType, Positioned,
            ServerError, ServerResult, Value, indexmap::IndexMap,
            parser::types::{
                Field as SelectedField, FragmentDefinition, Selection, SelectionSet,
            },
        };
        use super::{
            json::{write_key, write_list, write_text, write_value},
            plans::Plans,
        };
        /// The fragments of a document.
        pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;
        /// The error of a resolver, with the place and path of its field.
        pub(crate) fn failed(ctx: &Context<'_>, error: impl Into<Error>) -> ServerError {
            ctx.set_error_path(error.into().into_server_error(ctx.item.pos))
        }
        /// Ends an error at a field that may be null (GraphQL specification, section 6.4.4).
        pub(crate) fn nullable(ctx: &Context<'_>, result: ServerResult<Value>) -> Value {
            result
                .unwrap_or_else(|error| {
                    ctx.add_error(error);
                    Value::Null
                })
        }
        /// Resolves an answer that needs resolvers of its own.
        pub(crate) async fn resolve<T: OutputType>(
            ctx: &Context<'_>,
            answer: &T,
        ) -> ServerResult<Value> {
            let selected = ctx.with_selection_set(&ctx.item.node.selection_set);
            answer.resolve(&selected, ctx.item).await
        }
        /// Resolves an answer that is complete: a straight loop, no futures.
        pub(crate) fn answer<T: Plain>(
            ctx: &Context<'_>,
            answer: T,
        ) -> ServerResult<Value> {
            if let Some(planned) = Plans::find(ctx) {
                return Ok(planned.json(&answer));
            }
            let fragments = &ctx.query_env.fragments;
            let plan = T::plan(fragments, &[&ctx.item.node.selection_set.node])?;
            Ok(answer.into_value(&plan))
        }
        /// `answer`, for a value that async-graphql holds.
        pub(crate) fn answer_borrowed<T: Plain>(
            ctx: &ContextSelectionSet<'_>,
            answer: &T,
        ) -> ServerResult<Value> {
            let plan = T::plan(&ctx.query_env.fragments, &[&ctx.item.node])?;
            Ok(answer.value(&plan))
        }
        /// What a selection set asks of a value, worked out once and then applied to every item of a list.
        pub enum Plan {
            /// A value without fields.
            Leaf,
            /// The fields of an object.
            Object(Vec<Step>),
            /// The fields for each object type that a union or an interface may be, in its order.
            Abstract(Vec<Vec<Step>>),
        }
        /// One field of an object as it was asked for.
        pub struct Step {
            key: Name,
            /// The key as JSON, with the comma before it and the colon behind it.
            json_key: Box<[u8]>,
            /// The position of the field in the type, or none for `__typename`.
            field: Option<usize>,
            plan: Plan,
        }
        /// An output type whose values are complete: resolving them waits for nothing and cannot fail.
        pub(crate) trait Plain: OutputType {
            /// Works out what the selection sets, which are merged, ask of a value of this type.
            fn plan(_: &Fragments, _: &[&SelectionSet]) -> ServerResult<Plan> {
                Ok(Plan::Leaf)
            }
            /// What is asked of this value.
            fn value(&self, plan: &Plan) -> Value;
            /// `value`, without copying what can be moved.
            fn into_value(self, plan: &Plan) -> Value
            where
                Self: Sized,
            {
                self.value(plan)
            }
            /// Writes what is asked of this value as JSON.
            fn write(&self, plan: &Plan, json: &mut Vec<u8>);
        }
        /// A plain object type.
        pub(crate) trait PlainObject: OutputType {
            /// Its name.
            const NAME: &'static str;
            /// The names of its fields.
            const FIELDS: &'static [&'static str];
            /// The type conditions that hold for it: its own name, its interfaces and unions.
            const CONDITIONS: &'static [&'static str];
            /// Plans the field at this position.
            fn plan_field(
                _: &Fragments,
                _field: usize,
                _: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                Ok(Plan::Leaf)
            }
            /// The value of the field at this position.
            fn field(&self, field: usize, plan: &Plan) -> Value;
            /// Writes the field at this position as JSON.
            fn write_field(&self, field: usize, plan: &Plan, json: &mut Vec<u8>);
        }
        /// Plans an object: `CollectFields` and `MergeSelectionSets` of the GraphQL specification
        /// (sections 6.3.2 and 6.4.3). What `@skip` and `@include` leave out is gone already.
        pub(crate) fn steps<T: PlainObject>(
            fragments: &Fragments,
            selections: &[&SelectionSet],
        ) -> ServerResult<Vec<Step>> {
            let mut selected = Selected::default();
            for selection_set in selections {
                selected.collect::<T>(fragments, selection_set)?;
            }
            let mut steps = Vec::with_capacity(selected.fields.len());
            for (key, (field, selections)) in selected.fields {
                let name = field.node.name.node.as_str();
                let (field, plan) = if name == "__typename" {
                    (None, Plan::Leaf)
                } else {
                    let Some(position) = T::FIELDS
                        .iter()
                        .position(|known| *known == name) else {
                        let message = format!(
                            "Cannot query field {name:?} on type {:?}.", T::NAME
                        );
                        return Err(ServerError::new(message, Some(field.pos)));
                    };
                    let plan = T::plan_field(fragments, position, &selections)?;
                    (Some(position), plan)
                };
                steps
                    .push(Step {
                        json_key: write_key(&key, steps.is_empty()),
                        key,
                        field,
                        plan,
                    });
            }
            Ok(steps)
        }
        /// The fields of an object by their response keys, each with everything that is selected of it.
        #[derive(Default)]
        struct Selected<'a> {
            fields: IndexMap<
                Name,
                (&'a Positioned<SelectedField>, Vec<&'a SelectionSet>),
            >,
            /// Each fragment counts once: written out, fragments in fragments grow exponentially.
            visited: HashSet<&'a str>,
        }
        impl<'a> Selected<'a> {
            fn collect<T: PlainObject>(
                &mut self,
                fragments: &'a Fragments,
                selection_set: &'a SelectionSet,
            ) -> ServerResult<()> {
                for selection in &selection_set.items {
                    let (condition, selection_set) = match &selection.node {
                        Selection::Field(field) => {
                            let key = field.node.response_key().node.clone();
                            let (_, selections) = self
                                .fields
                                .entry(key)
                                .or_insert_with(|| (field, Vec::new()));
                            selections.push(&field.node.selection_set.node);
                            continue;
                        }
                        Selection::InlineFragment(fragment) => {
                            (
                                fragment.node.type_condition.as_ref(),
                                &fragment.node.selection_set,
                            )
                        }
                        Selection::FragmentSpread(spread) => {
                            let name = &spread.node.fragment_name.node;
                            let Some(fragment) = fragments.get(name) else {
                                let message = format!(
                                    "Unknown fragment {:?}.", name.as_str()
                                );
                                return Err(ServerError::new(message, Some(spread.pos)));
                            };
                            if !self.visited.insert(name.as_str()) {
                                continue;
                            }
                            (
                                Some(&fragment.node.type_condition),
                                &fragment.node.selection_set,
                            )
                        }
                    };
                    let applies = condition
                        .is_none_or(|condition| {
                            T::CONDITIONS.contains(&condition.node.on.node.as_str())
                        });
                    if applies {
                        self.collect::<T>(fragments, &selection_set.node)?;
                    }
                }
                Ok(())
            }
        }
        /// The value of an object: one entry for each step.
        pub(crate) fn object<T: PlainObject>(object: &T, steps: &[Step]) -> Value {
            let mut members = IndexMap::with_capacity(steps.len());
            for step in steps {
                let value = match step.field {
                    Some(field) => object.field(field, &step.plan),
                    None => Value::String(T::NAME.to_owned()),
                };
                members.insert(step.key.clone(), value);
            }
            Value::Object(members)
        }
        /// `object`, as JSON.
        pub(crate) fn write_object<T: PlainObject>(
            object: &T,
            steps: &[Step],
            json: &mut Vec<u8>,
        ) {
            json.push(b'{');
            for step in steps {
                json.extend_from_slice(&step.json_key);
                match step.field {
                    Some(field) => object.write_field(field, &step.plan, json),
                    None => write_text(T::NAME, json),
                }
            }
            json.push(b'}');
        }
        impl<T: Plain> Plain for Option<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                self.as_ref().map_or(Value::Null, |value| value.value(plan))
            }
            fn into_value(self, plan: &Plan) -> Value {
                self.map_or(Value::Null, |value| value.into_value(plan))
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                match self {
                    Some(value) => value.write(plan, json),
                    None => json.extend_from_slice(b"null"),
                }
            }
        }
        impl<T: Plain> Plain for Vec<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                Value::List(self.iter().map(|value| value.value(plan)).collect())
            }
            fn into_value(self, plan: &Plan) -> Value {
                Value::List(
                    self.into_iter().map(|value| value.into_value(plan)).collect(),
                )
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_list(self, json, |value, json| value.write(plan, json));
            }
        }
        impl<T: Plain> Plain for Box<T> {
            fn plan(
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> ServerResult<Plan> {
                T::plan(fragments, selections)
            }
            fn value(&self, plan: &Plan) -> Value {
                T::value(self, plan)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                T::write(self, plan, json);
            }
        }
        impl Plain for String {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.clone())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self)
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(self, json);
            }
        }
        impl Plain for Cow<'_, str> {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.to_string())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self.into_owned())
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(self, json);
            }
        }
        impl Plain for ID {
            fn value(&self, _: &Plan) -> Value {
                Value::String(self.0.clone())
            }
            fn into_value(self, _: &Plan) -> Value {
                Value::String(self.0)
            }
            fn write(&self, _: &Plan, json: &mut Vec<u8>) {
                write_text(&self.0, json);
            }
        }
        impl Plain for bool {
            fn value(&self, _: &Plan) -> Value {
                Value::Boolean(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
        impl Plain for i32 {
            fn value(&self, _: &Plan) -> Value {
                Value::from(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
        impl Plain for f64 {
            fn value(&self, _: &Plan) -> Value {
                Value::from(*self)
            }
            fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
                write_value(&self.value(plan), json);
            }
        }
    }
    mod plans {
        //! What the root fields of an operation ask for, worked out before it is executed, and once for all
        //! requests that bring the same document.
        use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
        use async_graphql::{
            Context, Name, Positioned, ServerResult, Value,
            parser::types::{Selection, SelectionSet},
        };
        use super::plain::{Fragments, Plain, Plan};
        /// A root type of the contract.
        pub trait Root {
            /// Plans the answer of a field, unless it has resolvers of its own or is not of the contract.
            #[doc(hidden)]
            fn plan(
                field: &str,
                fragments: &Fragments,
                selections: &[&SelectionSet],
            ) -> Option<ServerResult<Plan>>;
        }
        /// The plans of the root fields of an operation.
        ///
        /// A request that has them among its data, as `Arc<Plans>`, is answered with JSON text for these
        /// fields: as binary values, which `write_value` writes as they are.
        #[derive(Default)]
        pub struct Plans(Vec<Planned>);
        /// The plan of one root field.
        pub(crate) struct Planned {
            key: Name,
            plan: Plan,
            /// How many bytes the last answer had: the next one will be much the same.
            bytes: AtomicUsize,
        }
        impl Plans {
            /// Plans what these root fields ask for, of which no two may have the same response key, and takes
            /// the selection sets away that are planned. What `@skip` and `@include` leave out must be gone.
            pub fn take<T: Root>(
                fields: &mut [Positioned<Selection>],
                fragments: &Fragments,
            ) -> ServerResult<Self> {
                let mut plans = Vec::with_capacity(fields.len());
                for selection in fields {
                    let Selection::Field(field) = &mut selection.node else {
                        continue;
                    };
                    let field = &mut field.node;
                    let selections = &mut field.selection_set.node;
                    if let Some(plan) = T::plan(
                        &field.name.node,
                        fragments,
                        &[selections],
                    ) {
                        selections.items.clear();
                        plans
                            .push(Planned {
                                plan: plan?,
                                key: field.response_key().node.clone(),
                                bytes: AtomicUsize::new(0),
                            });
                    }
                }
                Ok(Self(plans))
            }
            /// The plan for this field of this request.
            pub(crate) fn find<'a>(ctx: &Context<'a>) -> Option<&'a Planned> {
                let plans: &'a Arc<Self> = ctx.data_opt()?;
                let key = &ctx.item.node.response_key().node;
                plans.0.iter().find(|planned| planned.key == *key)
            }
        }
        impl Planned {
            /// The answer as JSON text.
            pub(crate) fn json(&self, answer: &impl Plain) -> Value {
                let before = self.bytes.load(Ordering::Relaxed);
                let mut json = Vec::with_capacity(before + before / 8 + 32);
                answer.write(&self.plan, &mut json);
                self.bytes.store(json.len(), Ordering::Relaxed);
                Value::Binary(json.into())
            }
        }
    }
    mod registration {
        //! Tells async-graphql what the contract says: names, descriptions, types, defaults, deprecations.
        use async_graphql::{
            InputType, OutputType, indexmap::{IndexMap, IndexSet},
            registry::{
                Deprecation, MetaEnumValue, MetaField, MetaInputValue, MetaType,
                MetaTypeId, Registry,
            },
        };
        /// A text of the contract.
        pub(crate) type Text = &'static str;
        /// A function that registers a type, for the types that another one refers to.
        pub(crate) type Register = fn(&mut Registry) -> String;
        /// What introspection says of a field.
        pub(crate) struct Field {
            pub name: Text,
            pub description: Option<Text>,
            pub arguments: &'static [Input],
            pub ty: Text,
            pub deprecated: Option<Text>,
        }
        /// What introspection says of an argument or of a field of an input object.
        pub(crate) struct Input {
            pub name: Text,
            pub description: Option<Text>,
            pub ty: Text,
            pub default: Option<Text>,
            pub deprecated: Option<Text>,
        }
        /// What introspection says of a value of an enum.
        pub(crate) struct EnumValue {
            pub name: Text,
            pub description: Option<Text>,
            pub deprecated: Option<Text>,
        }
        fn owned(text: Option<Text>) -> Option<String> {
            text.map(str::to_owned)
        }
        fn deprecation(reason: Option<Text>) -> Deprecation {
            match reason {
                None => Deprecation::NoDeprecated,
                Some(reason) => {
                    Deprecation::Deprecated {
                        reason: Some(reason.to_owned()),
                    }
                }
            }
        }
        fn inputs(inputs: &[Input]) -> IndexMap<String, MetaInputValue> {
            let described = inputs
                .iter()
                .map(|input| {
                    let meta = MetaInputValue {
                        name: input.name.to_owned(),
                        description: owned(input.description),
                        ty: input.ty.to_owned(),
                        deprecation: deprecation(input.deprecated),
                        default_value: owned(input.default),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        is_secret: false,
                        directive_invocations: Vec::new(),
                    };
                    (input.name.to_owned(), meta)
                });
            described.collect()
        }
        fn fields(fields: &[Field]) -> IndexMap<String, MetaField> {
            let described = fields
                .iter()
                .map(|field| {
                    let meta = MetaField {
                        name: field.name.to_owned(),
                        description: owned(field.description),
                        args: inputs(field.arguments),
                        ty: field.ty.to_owned(),
                        deprecation: deprecation(field.deprecated),
                        cache_control: async_graphql::CacheControl::default(),
                        external: false,
                        requires: None,
                        provides: None,
                        visible: None,
                        shareable: false,
                        inaccessible: false,
                        tags: Vec::new(),
                        override_from: None,
                        compute_complexity: None,
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    };
                    (field.name.to_owned(), meta)
                });
            described.collect()
        }
        fn object_type(
            name: Text,
            description: Option<Text>,
            of: &[Field],
            is_subscription: bool,
            rust_typename: Text,
        ) -> MetaType {
            MetaType::Object {
                name: name.to_owned(),
                description: owned(description),
                fields: fields(of),
                cache_control: async_graphql::CacheControl::default(),
                extends: false,
                shareable: false,
                resolvable: true,
                inaccessible: false,
                interface_object: false,
                tags: Vec::new(),
                keys: None,
                visible: None,
                is_subscription,
                rust_typename: Some(rust_typename),
                directive_invocations: Vec::new(),
                requires_scopes: Vec::new(),
            }
        }
        /// Registers an object type and the types it refers to.
        pub(crate) fn register_object<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            interfaces: &[Text],
            of: &[Field],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Object,
                    |registry| {
                        for interface in interfaces {
                            registry.add_implements(name, interface);
                        }
                        for register in referred {
                            register(registry);
                        }
                        object_type(
                            name,
                            description,
                            of,
                            false,
                            std::any::type_name::<T>(),
                        )
                    },
                )
        }
        /// Registers the root type of subscriptions and the types it refers to.
        pub(crate) fn register_subscription<T: async_graphql::SubscriptionType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            of: &[Field],
            referred: &[Register],
        ) -> String {
            registry
                .create_subscription_type::<
                    T,
                    _,
                >(|registry| {
                    for register in referred {
                        register(registry);
                    }
                    object_type(name, description, of, true, std::any::type_name::<T>())
                })
        }
        /// Registers an interface, the types it refers to and those that implement it.
        pub(crate) fn register_interface<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            interfaces: &[Text],
            of: &[Field],
            possible_types: &[Text],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Interface,
                    |registry| {
                        for interface in interfaces {
                            registry.add_implements(name, interface);
                        }
                        for register in referred {
                            register(registry);
                        }
                        MetaType::Interface {
                            name: name.to_owned(),
                            description: owned(description),
                            fields: fields(of),
                            possible_types: possible_types
                                .iter()
                                .map(|&name| name.to_owned())
                                .collect(),
                            extends: false,
                            inaccessible: false,
                            tags: Vec::new(),
                            keys: None,
                            visible: None,
                            rust_typename: Some(std::any::type_name::<T>()),
                            directive_invocations: Vec::new(),
                            requires_scopes: Vec::new(),
                        }
                    },
                )
        }
        /// Registers a union and its members.
        pub(crate) fn register_union<T: OutputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            members: &[Text],
            referred: &[Register],
        ) -> String {
            registry
                .create_output_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Union,
                    |registry| {
                        for register in referred {
                            register(registry);
                        }
                        MetaType::Union {
                            name: name.to_owned(),
                            description: owned(description),
                            possible_types: members
                                .iter()
                                .map(|&name| name.to_owned())
                                .collect::<IndexSet<_>>(),
                            visible: None,
                            inaccessible: false,
                            tags: Vec::new(),
                            rust_typename: Some(std::any::type_name::<T>()),
                            directive_invocations: Vec::new(),
                        }
                    },
                )
        }
        /// Registers an enum.
        pub(crate) fn register_enum<T: InputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            values: &[EnumValue],
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Enum,
                    |_| MetaType::Enum {
                        name: name.to_owned(),
                        description: owned(description),
                        enum_values: values
                            .iter()
                            .map(|value| {
                                let meta = MetaEnumValue {
                                    name: value.name.to_owned(),
                                    description: owned(value.description),
                                    deprecation: deprecation(value.deprecated),
                                    visible: None,
                                    inaccessible: false,
                                    tags: Vec::new(),
                                    directive_invocations: Vec::new(),
                                };
                                (value.name.to_owned(), meta)
                            })
                            .collect(),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        rust_typename: Some(std::any::type_name::<T>()),
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    },
                )
        }
        /// Registers an input object and the types it refers to.
        pub(crate) fn register_input_object<T: InputType>(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            of: &[Input],
            oneof: bool,
            referred: &[Register],
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::InputObject,
                    |registry| {
                        for register in referred {
                            register(registry);
                        }
                        MetaType::InputObject {
                            name: name.to_owned(),
                            description: owned(description),
                            input_fields: inputs(of),
                            visible: None,
                            inaccessible: false,
                            tags: Vec::new(),
                            rust_typename: Some(std::any::type_name::<T>()),
                            oneof,
                            directive_invocations: Vec::new(),
                        }
                    },
                )
        }
        /// Registers a custom scalar.
        pub(crate) fn register_scalar<
            T: InputType + async_graphql::ScalarType + 'static,
        >(
            registry: &mut Registry,
            name: Text,
            description: Option<Text>,
            specified_by_url: Option<Text>,
        ) -> String {
            registry
                .create_input_type::<
                    T,
                    _,
                >(
                    MetaTypeId::Scalar,
                    |_| MetaType::Scalar {
                        name: name.to_owned(),
                        description: owned(description),
                        is_valid: Some(
                            std::sync::Arc::new(
                                <T as async_graphql::ScalarType>::is_valid,
                            ),
                        ),
                        visible: None,
                        inaccessible: false,
                        tags: Vec::new(),
                        specified_by_url: owned(specified_by_url),
                        directive_invocations: Vec::new(),
                        requires_scopes: Vec::new(),
                    },
                )
        }
    }
    mod subscription {
        //! Streams of values as streams of responses.
        use std::future::Future;
        use async_graphql::{
            Context, Error, OutputType, PathSegment, QueryPathNode, QueryPathSegment,
            Response, ServerResult, Value,
            futures_util::stream::{self, BoxStream, Stream, StreamExt},
            indexmap::IndexMap,
        };
        /// The responses of one field of a subscription.
        pub(crate) fn responses<'a, T, E, S, F>(
            ctx: &'a Context<'_>,
            source: F,
        ) -> BoxStream<'a, Response>
        where
            T: OutputType + 'a,
            E: Into<Error> + Send + 'a,
            S: Stream<Item = Result<T, E>> + Send + 'a,
            F: Future<Output = ServerResult<S>> + Send + 'a,
        {
            let responses = stream::once(source)
                .flat_map(move |source| -> BoxStream<'a, Response> {
                    match source {
                        Err(error) => {
                            stream::once(async move {
                                    Response::from_errors(vec![error])
                                })
                                .boxed()
                        }
                        Ok(source) => {
                            source.then(move |event| event_response(ctx, event)).boxed()
                        }
                    }
                });
            responses.boxed()
        }
        async fn event_response<T: OutputType, E: Into<Error>>(
            ctx: &Context<'_>,
            event: Result<T, E>,
        ) -> Response {
            let key = &ctx.item.node.response_key().node;
            let path = QueryPathNode {
                parent: None,
                segment: QueryPathSegment::Name(key),
            };
            let selected = ctx
                .query_env
                .create_context(
                    ctx.schema_env,
                    Some(path),
                    &ctx.item.node.selection_set,
                    ctx.execute_data,
                );
            let result = match event {
                Ok(answer) => answer.resolve(&selected, ctx.item).await,
                Err(error) => {
                    let path = vec![PathSegment::Field(key.to_string())];
                    Err(error.into().into_server_error(ctx.item.pos).with_path(path))
                }
            };
            let mut response = match result {
                Ok(value) => {
                    Response::new(Value::Object(IndexMap::from([(key.clone(), value)])))
                }
                Err(error) => Response::from_errors(vec![error]),
            };
            let reported = ctx
                .query_env
                .errors
                .lock()
                .map(|mut errors| std::mem::take(&mut *errors));
            response.errors.extend(reported.unwrap_or_default());
            response
        }
    }
}
