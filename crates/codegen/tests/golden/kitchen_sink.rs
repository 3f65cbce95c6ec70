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
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `greeting`
    fn greeting( // kitchen_sink.graphql:12:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryGreetingArguments<String, Option<bool>>, // kitchen_sink.graphql:12:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:12:3
    /// Everything in one object.
    fn everything( // kitchen_sink.graphql:14:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:14:3
        Output = Result<Option<Everything>, Self::Error>, // kitchen_sink.graphql:14:3
    > + Send;
    /// All kinds of lists.
    fn lists( // kitchen_sink.graphql:16:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Lists, Self::Error>> + Send; // kitchen_sink.graphql:16:3
    /// A union.
    fn search( // kitchen_sink.graphql:18:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QuerySearchArguments<String, Option<Vec<Kind>>>, // kitchen_sink.graphql:18:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:18:3
        Output = Result<Vec<SearchResult>, Self::Error>, // kitchen_sink.graphql:18:3
    > + Send;
    /// An interface.
    fn node( // kitchen_sink.graphql:20:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryNodeArguments<async_graphql::ID>, // kitchen_sink.graphql:20:3
    ) -> impl ::std::future::Future<Output = Result<Option<Node>, Self::Error>> + Send; // kitchen_sink.graphql:20:3
    /// `named`
    fn named( // kitchen_sink.graphql:21:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryNamedArguments<String>, // kitchen_sink.graphql:21:3
    ) -> impl ::std::future::Future<Output = Result<Option<Named>, Self::Error>> + Send; // kitchen_sink.graphql:21:3
    /// Echoes an input object.
    fn echo( // kitchen_sink.graphql:23:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryEchoArguments<Input>, // kitchen_sink.graphql:23:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:23:3
    /// Takes exactly one key.
    fn lookup( // kitchen_sink.graphql:25:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryLookupArguments<LookupKey>, // kitchen_sink.graphql:25:3
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:25:3
    /// `lookups`
    fn lookups( // kitchen_sink.graphql:26:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryLookupsArguments<Vec<LookupKey>>, // kitchen_sink.graphql:26:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:26:3
        Output = Result<Option<Vec<String>>, Self::Error>, // kitchen_sink.graphql:26:3
    > + Send;
    /// `tomorrow`
    fn tomorrow( // kitchen_sink.graphql:27:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryTomorrowArguments<crate::Day>, // kitchen_sink.graphql:27:3
    ) -> impl ::std::future::Future<Output = Result<crate::Day, Self::Error>> + Send; // kitchen_sink.graphql:27:3
    /// `person`
    fn person( // kitchen_sink.graphql:28:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryPersonArguments<String>, // kitchen_sink.graphql:28:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:28:3
        Output = Result<Option<crate::Human>, Self::Error>, // kitchen_sink.graphql:28:3
    > + Send;
    /// `shop`
    fn shop( // kitchen_sink.graphql:29:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:29:3
        Output = Result<Option<crate::Store>, Self::Error>, // kitchen_sink.graphql:29:3
    > + Send;
    /// `fails`
    fn fails( // kitchen_sink.graphql:30:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // kitchen_sink.graphql:30:3
    /// `fails_hard`
    fn fails_hard( // kitchen_sink.graphql:31:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // kitchen_sink.graphql:31:3
    /// `oldest`
    ///
    /// Deprecated: Use `greeting`.
    fn oldest( // kitchen_sink.graphql:32:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:32:3
    /// `self`
    fn self_( // kitchen_sink.graphql:33:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Self_>, Self::Error>> + Send; // kitchen_sink.graphql:33:3
    /// `numbers`
    fn numbers( // kitchen_sink.graphql:34:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryNumbersArguments<Vec<Option<Vec<i32>>>>, // kitchen_sink.graphql:34:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:34:3
        Output = Result<Option<Vec<Vec<Option<i32>>>>, Self::Error>, // kitchen_sink.graphql:34:3
    > + Send;
    /// `optional`
    fn optional( // kitchen_sink.graphql:35:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryOptionalArguments<Option<i32>>, // kitchen_sink.graphql:35:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:35:3
    /// A union whose members are resolved in different ways.
    fn merchant( // kitchen_sink.graphql:37:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: QueryMerchantArguments<String>, // kitchen_sink.graphql:37:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:37:3
        Output = Result<Option<Merchant>, Self::Error>, // kitchen_sink.graphql:37:3
    > + Send;
    /// `holder`
    fn holder( // kitchen_sink.graphql:38:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<crate::Holding, Self::Error>> + Send; // kitchen_sink.graphql:38:3
    /// `measurements`
    fn measurements( // kitchen_sink.graphql:39:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:39:3
        Output = Result<Option<Vec<Option<Measurement>>>, Self::Error>, // kitchen_sink.graphql:39:3
    > + Send;
    /// `ratio`
    fn ratio( // kitchen_sink.graphql:40:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<f64, Self::Error>> + Send; // kitchen_sink.graphql:40:3
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

/// The arguments of `Query.lookups(by: [LookupKey!]!)`.
#[derive(Clone, Debug)]
pub struct QueryLookupsArguments<By> { // kitchen_sink.graphql:26:3
    /// `by`
    pub by: By, // kitchen_sink.graphql:26:11
}

/// The arguments of `Query.tomorrow(of: Date!)`.
#[derive(Clone, Debug)]
pub struct QueryTomorrowArguments<Of> { // kitchen_sink.graphql:27:3
    /// `of`
    pub of: Of, // kitchen_sink.graphql:27:12
}

/// The arguments of `Query.person(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryPersonArguments<Name> { // kitchen_sink.graphql:28:3
    /// `name`
    pub name: Name, // kitchen_sink.graphql:28:10
}

/// The arguments of `Query.numbers(grid: [[Int!]]!)`.
#[derive(Clone, Debug)]
pub struct QueryNumbersArguments<Grid> { // kitchen_sink.graphql:34:3
    /// `grid`
    pub grid: Grid, // kitchen_sink.graphql:34:11
}

/// The arguments of `Query.optional(value: Int)`.
#[derive(Clone, Debug)]
pub struct QueryOptionalArguments<Value> { // kitchen_sink.graphql:35:3
    /// `value`
    pub value: Value, // kitchen_sink.graphql:35:12
}

/// The arguments of `Query.merchant(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryMerchantArguments<Name> { // kitchen_sink.graphql:37:3
    /// `name`
    pub name: Name, // kitchen_sink.graphql:37:12
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
pub trait MutationResolver: Send + Sync { // kitchen_sink.graphql:43:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `add`
    fn add( // kitchen_sink.graphql:44:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationAddArguments<i32>, // kitchen_sink.graphql:44:3
    ) -> impl ::std::future::Future<Output = Result<i32, Self::Error>> + Send; // kitchen_sink.graphql:44:3
    /// `async`
    fn r#async( // kitchen_sink.graphql:45:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationAsyncArguments<Option<bool>, Option<String>>, // kitchen_sink.graphql:45:3
    ) -> impl ::std::future::Future<Output = Result<Option<bool>, Self::Error>> + Send; // kitchen_sink.graphql:45:3
    /// `change`
    fn change( // kitchen_sink.graphql:46:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: MutationChangeArguments<Changes>, // kitchen_sink.graphql:46:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:46:3
}

/// The arguments of `Mutation.add(number: Int!)`.
#[derive(Clone, Debug)]
pub struct MutationAddArguments<Number> { // kitchen_sink.graphql:44:3
    /// `number`
    pub number: Number, // kitchen_sink.graphql:44:7
}

/// The arguments of `Mutation.async(await: Boolean, fn: String)`.
#[derive(Clone, Debug)]
pub struct MutationAsyncArguments<Await, Fn> { // kitchen_sink.graphql:45:3
    /// `await`
    pub r#await: Await, // kitchen_sink.graphql:45:9
    /// `fn`
    pub r#fn: Fn, // kitchen_sink.graphql:45:25
}

/// The arguments of `Mutation.change(changes: Changes!)`.
#[derive(Clone, Debug)]
pub struct MutationChangeArguments<Changes> { // kitchen_sink.graphql:46:3
    /// `changes`
    pub changes: Changes, // kitchen_sink.graphql:46:10
}

/// `Mutation`
pub struct Mutation<R>(pub R);

/// Every scalar, and every kind of null.
#[derive(Clone, Debug)]
pub struct Everything { // kitchen_sink.graphql:50:6
    /// `int`
    pub int: Option<i32>, // kitchen_sink.graphql:51:3
    /// `intRequired`
    pub int_required: i32, // kitchen_sink.graphql:52:3
    /// `float`
    pub float: Option<f64>, // kitchen_sink.graphql:53:3
    /// `string`
    pub string: Option<String>, // kitchen_sink.graphql:54:3
    /// `boolean`
    pub boolean: Option<bool>, // kitchen_sink.graphql:55:3
    /// `id`
    pub id: Option<async_graphql::ID>, // kitchen_sink.graphql:56:3
    /// `date`
    pub date: Option<crate::Day>, // kitchen_sink.graphql:57:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:58:3
    /// Rust keywords as names.
    pub r#type: Option<String>, // kitchen_sink.graphql:60:3
    /// `match`
    pub r#match: Option<i32>, // kitchen_sink.graphql:61:3
    /// `crate`
    pub crate_: Option<bool>, // kitchen_sink.graphql:62:3
    /// `nested`
    pub nested: Option<Box<Everything>>, // kitchen_sink.graphql:63:3
    /// `Upper`
    pub upper: Option<i32>, // kitchen_sink.graphql:64:3
    /// `HTTPStatus`
    pub http_status: Option<i32>, // kitchen_sink.graphql:65:3
}

/// Lists of lists.
#[derive(Clone, Debug)]
pub struct Lists { // kitchen_sink.graphql:69:6
    /// `ints`
    pub ints: Option<Vec<Option<i32>>>, // kitchen_sink.graphql:70:3
    /// `intsRequired`
    pub ints_required: Vec<i32>, // kitchen_sink.graphql:71:3
    /// `grid`
    pub grid: Vec<Vec<i32>>, // kitchen_sink.graphql:72:3
    /// `sparse`
    pub sparse: Option<Vec<Option<Vec<Option<Vec<Option<String>>>>>>>, // kitchen_sink.graphql:73:3
    /// `things`
    pub things: Option<Vec<Option<Vec<Option<Thing>>>>>, // kitchen_sink.graphql:74:3
}

/// `Thing`
#[derive(Clone, Debug)]
pub struct Thing { // kitchen_sink.graphql:77:6
    /// `name`
    pub name: String, // kitchen_sink.graphql:78:3
}

/// A type with a name that Rust reserves.
#[derive(Clone, Debug)]
pub struct Self_ { // kitchen_sink.graphql:82:6
    /// `self`
    pub self_: Option<String>, // kitchen_sink.graphql:83:3
    /// `super`
    pub super_: Option<String>, // kitchen_sink.graphql:84:3
}

/// What may be found.
#[derive(Clone, Debug)]
pub enum SearchResult { // kitchen_sink.graphql:88:7
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// Anything with an id.
#[derive(Clone, Debug)]
pub enum Node { // kitchen_sink.graphql:91:11
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// `Named`
#[derive(Clone, Debug)]
pub enum Named { // kitchen_sink.graphql:95:11
    /// A `Book`.
    Book(Book),
}

/// Numbers that may not be finite.
#[derive(Clone, Debug)]
pub struct Measurement { // kitchen_sink.graphql:102:6
    /// `text`
    pub text: Option<String>, // kitchen_sink.graphql:103:3
    /// `value`
    pub value: f64, // kitchen_sink.graphql:104:3
    /// `margin`
    pub margin: Option<f64>, // kitchen_sink.graphql:105:3
    /// `series`
    pub series: Option<Vec<f64>>, // kitchen_sink.graphql:106:3
    /// `parts`
    pub parts: Option<Vec<Measurement>>, // kitchen_sink.graphql:107:3
}

/// `Book`
#[derive(Clone, Debug)]
pub struct Book { // kitchen_sink.graphql:110:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:111:3
    /// `name`
    pub name: Option<String>, // kitchen_sink.graphql:112:3
    /// `pages`
    pub pages: i32, // kitchen_sink.graphql:113:3
    /// `sequel`
    pub sequel: Option<Box<Node>>, // kitchen_sink.graphql:114:3
    /// `related`
    pub related: Option<Vec<SearchResult>>, // kitchen_sink.graphql:115:3
}

/// `Car`
#[derive(Clone, Debug)]
pub struct Car { // kitchen_sink.graphql:118:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:119:3
    /// `wheels`
    pub wheels: i32, // kitchen_sink.graphql:120:3
    /// `price`
    pub price: Option<f64>, // kitchen_sink.graphql:121:3
}

/// Resolves the type `Person` of the contract.
///
/// A person, resolved by a Rust type of the crate.
pub trait PersonResolver { // kitchen_sink.graphql:125:6
    /// `name`
    fn name(&self) -> ::engine::runtime::Text<'_>; // kitchen_sink.graphql:126:3
    /// `born`
    fn born(&self) -> Option<crate::Day>; // kitchen_sink.graphql:127:3
    /// `friends`
    fn friends(&self) -> Vec<crate::Human>; // kitchen_sink.graphql:128:3
}

/// Resolves the type `Shop` of the contract.
///
/// A shop with resolvers of its own.
pub trait ShopResolver: Send + Sync { // kitchen_sink.graphql:132:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `name`
    fn name( // kitchen_sink.graphql:133:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:133:3
    /// `offers`
    fn offers( // kitchen_sink.graphql:134:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: ShopOffersArguments<i32>, // kitchen_sink.graphql:134:3
    ) -> impl ::std::future::Future< // kitchen_sink.graphql:134:3
        Output = Result<Vec<crate::Bargain>, Self::Error>, // kitchen_sink.graphql:134:3
    > + Send;
    /// `owner`
    fn owner( // kitchen_sink.graphql:135:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<crate::Human, Self::Error>> + Send; // kitchen_sink.graphql:135:3
}

/// The arguments of `Shop.offers(first: Int!)`.
#[derive(Clone, Debug)]
pub struct ShopOffersArguments<First> { // kitchen_sink.graphql:134:3
    /// `first`
    pub first: First, // kitchen_sink.graphql:134:10
}

/// Resolves the type `Offer` of the contract.
pub trait OfferResolver: Send + Sync { // kitchen_sink.graphql:138:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `price`
    fn price( // kitchen_sink.graphql:139:3
        &self,
        ctx: &::engine::Context<'_>,
        arguments: OfferPriceArguments<Currency>, // kitchen_sink.graphql:139:3
    ) -> impl ::std::future::Future<Output = Result<f64, Self::Error>> + Send; // kitchen_sink.graphql:139:3
    /// `product`
    fn product( // kitchen_sink.graphql:140:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Book>, Self::Error>> + Send; // kitchen_sink.graphql:140:3
}

/// The arguments of `Offer.price(currency: Currency!)`.
#[derive(Clone, Debug)]
pub struct OfferPriceArguments<Currency> { // kitchen_sink.graphql:139:3
    /// `currency`
    pub currency: Currency, // kitchen_sink.graphql:139:9
}

/// `Kind`
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind { // kitchen_sink.graphql:143:6
    /// `BOOK`
    Book, // kitchen_sink.graphql:144:3
    /// With wheels.
    CarWithWheels, // kitchen_sink.graphql:146:3
    /// `GONE`
    ///
    /// Deprecated: It is gone.
    Gone, // kitchen_sink.graphql:147:3
}

/// `Currency`
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Currency { // kitchen_sink.graphql:150:6
    /// `EUR`
    Eur, // kitchen_sink.graphql:151:3
    /// `Usd`
    Usd, // kitchen_sink.graphql:152:3
}

/// An input with everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Input { // kitchen_sink.graphql:159:7
    /// `text`
    pub text: String, // kitchen_sink.graphql:160:3
    /// `numbers`
    pub numbers: Option<Vec<i32>>, // kitchen_sink.graphql:161:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:162:3
    /// `factor`
    pub factor: Option<f64>, // kitchen_sink.graphql:163:3
    /// `nested`
    pub nested: Option<Box<Input>>, // kitchen_sink.graphql:164:3
    /// No longer looked at.
    ///
    /// Deprecated: Ignored.
    pub old: Option<i32>, // kitchen_sink.graphql:166:3
    /// `type`
    pub r#type: Option<String>, // kitchen_sink.graphql:167:3
}

/// `LookupKey`
#[derive(Clone, Debug, PartialEq)]
pub enum LookupKey { // kitchen_sink.graphql:170:7
    /// `byId`
    ById(async_graphql::ID), // kitchen_sink.graphql:171:3
    /// `byName`
    ByName(String), // kitchen_sink.graphql:172:3
    /// `byDate`
    ByDate(crate::Day), // kitchen_sink.graphql:173:3
}

/// Who sells: an object with resolvers, or one with getters.
#[derive(Clone)]
pub enum Merchant { // kitchen_sink.graphql:177:7
    /// A `Shop`.
    Shop(crate::Store),
    /// A `Person`.
    Person(crate::Human),
    /// A `Measurement`.
    Measurement(Measurement),
}

/// Resolves the type `Holder` of the contract.
///
/// An object without arguments, whose Rust type has resolvers.
pub trait HolderResolver: Send + Sync { // kitchen_sink.graphql:180:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `merchants`
    fn merchants( // kitchen_sink.graphql:181:3
        &self,
        ctx: &::engine::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<Merchant>, Self::Error>> + Send; // kitchen_sink.graphql:181:3
}

/// Nothing returns it.
#[derive(Clone, Debug)]
pub struct Unused { // kitchen_sink.graphql:185:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:186:3
}

/// `Unreturned`
#[derive(Clone, Debug)]
pub enum Unreturned { // kitchen_sink.graphql:189:11
    /// A `Person`.
    Person(crate::Human),
}

/// Fields that are omitted differ from fields that are null.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes { // kitchen_sink.graphql:203:7
    /// `required`
    pub required: i32, // kitchen_sink.graphql:204:3
    /// `text`
    pub text: async_graphql::MaybeUndefined<String>, // kitchen_sink.graphql:205:3
    /// `numbers`
    pub numbers: async_graphql::MaybeUndefined<Vec<i32>>, // kitchen_sink.graphql:206:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:207:3
    /// `nested`
    pub nested: async_graphql::MaybeUndefined<Box<Changes>>, // kitchen_sink.graphql:208:3
}

impl<R: QueryResolver> ::engine::runtime::Object for Query<R> {
    const NAME: &'static str = "Query";
    const FIELDS: &'static [&'static str] = &[
        "greeting",
        "everything",
        "lists",
        "search",
        "node",
        "named",
        "echo",
        "lookup",
        "lookups",
        "tomorrow",
        "person",
        "shop",
        "fails",
        "fails_hard",
        "oldest",
        "self",
        "numbers",
        "optional",
        "merchant",
        "holder",
        "measurements",
        "ratio",
    ];
    const CONDITIONS: &'static [&'static str] = &["Query"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            1usize => <Everything as ::engine::runtime::Planned>::plan(planner, sets),
            2usize => <Lists as ::engine::runtime::Planned>::plan(planner, sets),
            3usize => <SearchResult as ::engine::runtime::Planned>::plan(planner, sets),
            4usize => <Node as ::engine::runtime::Planned>::plan(planner, sets),
            5usize => <Named as ::engine::runtime::Planned>::plan(planner, sets),
            10usize => <crate::Human as ::engine::runtime::Planned>::plan(planner, sets),
            11usize => <crate::Store as ::engine::runtime::Planned>::plan(planner, sets),
            15usize => <Self_ as ::engine::runtime::Planned>::plan(planner, sets),
            18usize => <Merchant as ::engine::runtime::Planned>::plan(planner, sets),
            19usize => {
                <crate::Holding as ::engine::runtime::Planned>::plan(planner, sets)
            }
            20usize => <Measurement as ::engine::runtime::Planned>::plan(planner, sets),
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
        async fn resolve_greeting<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryGreetingArguments {
                name: ctx.argument("name", Some(|| "you".to_owned()))?,
                shout: ctx.argument("shout", Some(|| Some(false)))?,
            };
            let value = QueryResolver::greeting(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_everything<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::everything(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_lists<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::lists(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_search<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QuerySearchArguments {
                text: ctx.argument("text", None)?,
                kinds: ctx
                    .argument(
                        "kinds",
                        Some(|| Some(vec![Kind::Book, Kind::CarWithWheels])),
                    )?,
            };
            let value = QueryResolver::search(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_node<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryNodeArguments {
                id: ctx.argument("id", None)?,
            };
            let value = QueryResolver::node(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_named<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryNamedArguments {
                name: ctx.argument("name", None)?,
            };
            let value = QueryResolver::named(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_echo<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryEchoArguments {
                input: ctx
                    .argument(
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
            let value = QueryResolver::echo(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_lookup<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryLookupArguments {
                by: ctx.argument("by", None)?,
            };
            let value = QueryResolver::lookup(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_lookups<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryLookupsArguments {
                by: ctx.argument("by", None)?,
            };
            let value = QueryResolver::lookups(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_tomorrow<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryTomorrowArguments {
                of: ctx.argument("of", None)?,
            };
            let value = QueryResolver::tomorrow(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_person<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryPersonArguments {
                name: ctx.argument("name", None)?,
            };
            let value = QueryResolver::person(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_shop<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::shop(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ::engine::runtime::resolve(ctx, &value).await
        }
        async fn resolve_fails<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::fails(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_fails_hard<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::fails_hard(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_oldest<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::oldest(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_self<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::self_(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_numbers<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryNumbersArguments {
                grid: ctx.argument("grid", None)?,
            };
            let value = QueryResolver::numbers(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_optional<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryOptionalArguments {
                value: ctx.argument("value", Some(|| Some(7)))?,
            };
            let value = QueryResolver::optional(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_merchant<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = QueryMerchantArguments {
                name: ctx.argument("name", None)?,
            };
            let value = QueryResolver::merchant(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ::engine::runtime::resolve(ctx, &value).await
        }
        async fn resolve_holder<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::holder(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ::engine::runtime::resolve(ctx, &value).await
        }
        async fn resolve_measurements<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::measurements(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_ratio<R: QueryResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = QueryResolver::ratio(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => resolve_greeting(&self.0, ctx).await,
            1usize => Ok(ctx.nullable(resolve_everything(&self.0, ctx).await)),
            2usize => resolve_lists(&self.0, ctx).await,
            3usize => resolve_search(&self.0, ctx).await,
            4usize => Ok(ctx.nullable(resolve_node(&self.0, ctx).await)),
            5usize => Ok(ctx.nullable(resolve_named(&self.0, ctx).await)),
            6usize => resolve_echo(&self.0, ctx).await,
            7usize => Ok(ctx.nullable(resolve_lookup(&self.0, ctx).await)),
            8usize => Ok(ctx.nullable(resolve_lookups(&self.0, ctx).await)),
            9usize => resolve_tomorrow(&self.0, ctx).await,
            10usize => Ok(ctx.nullable(resolve_person(&self.0, ctx).await)),
            11usize => Ok(ctx.nullable(resolve_shop(&self.0, ctx).await)),
            12usize => Ok(ctx.nullable(resolve_fails(&self.0, ctx).await)),
            13usize => resolve_fails_hard(&self.0, ctx).await,
            14usize => Ok(ctx.nullable(resolve_oldest(&self.0, ctx).await)),
            15usize => Ok(ctx.nullable(resolve_self(&self.0, ctx).await)),
            16usize => Ok(ctx.nullable(resolve_numbers(&self.0, ctx).await)),
            17usize => resolve_optional(&self.0, ctx).await,
            18usize => Ok(ctx.nullable(resolve_merchant(&self.0, ctx).await)),
            19usize => resolve_holder(&self.0, ctx).await,
            20usize => Ok(ctx.nullable(resolve_measurements(&self.0, ctx).await)),
            21usize => resolve_ratio(&self.0, ctx).await,
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl<R: MutationResolver> ::engine::runtime::Object for Mutation<R> {
    const NAME: &'static str = "Mutation";
    const FIELDS: &'static [&'static str] = &["add", "async", "change"];
    const CONDITIONS: &'static [&'static str] = &["Mutation"];
    const HAS_RESOLVERS: bool = true;
}

impl<R: MutationResolver> ::engine::runtime::Resolvers for Mutation<R> {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_add<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationAddArguments {
                number: ctx.argument("number", None)?,
            };
            let value = MutationResolver::add(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_async<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationAsyncArguments {
                r#await: ctx.argument("await", None)?,
                r#fn: ctx.argument("fn", None)?,
            };
            let value = MutationResolver::r#async(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_change<R: MutationResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = MutationChangeArguments {
                changes: ctx.argument("changes", None)?,
            };
            let value = MutationResolver::change(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => resolve_add(&self.0, ctx).await,
            1usize => Ok(ctx.nullable(resolve_async(&self.0, ctx).await)),
            2usize => resolve_change(&self.0, ctx).await,
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Object for Everything {
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
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            11usize => <Everything as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Everything {
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
                0usize => Plain::write(&self.int, plan, json),
                1usize => Plain::write(&self.int_required, plan, json),
                2usize => Plain::write(&self.float, plan, json),
                3usize => Plain::write(&self.string, plan, json),
                4usize => Plain::write(&self.boolean, plan, json),
                5usize => Plain::write(&self.id, plan, json),
                6usize => Plain::write(&self.date, plan, json),
                7usize => Plain::write(&self.kind, plan, json),
                8usize => Plain::write(&self.r#type, plan, json),
                9usize => Plain::write(&self.r#match, plan, json),
                10usize => Plain::write(&self.crate_, plan, json),
                11usize => Plain::write(&self.nested, plan, json),
                12usize => Plain::write(&self.upper, plan, json),
                13usize => Plain::write(&self.http_status, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Lists {
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
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            4usize => <Thing as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Lists {
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
                0usize => Plain::write(&self.ints, plan, json),
                1usize => Plain::write(&self.ints_required, plan, json),
                2usize => Plain::write(&self.grid, plan, json),
                3usize => Plain::write(&self.sparse, plan, json),
                4usize => Plain::write(&self.things, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Thing {
    const NAME: &'static str = "Thing";
    const FIELDS: &'static [&'static str] = &["name"];
    const CONDITIONS: &'static [&'static str] = &["Thing"];
}

impl ::engine::runtime::Plain for Thing {
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
                0usize => Plain::write(&self.name, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Self_ {
    const NAME: &'static str = "Self";
    const FIELDS: &'static [&'static str] = &["self", "super"];
    const CONDITIONS: &'static [&'static str] = &["Self"];
}

impl ::engine::runtime::Plain for Self_ {
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
                0usize => Plain::write(&self.self_, plan, json),
                1usize => Plain::write(&self.super_, plan, json),
                _ => {}
            },
        );
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

impl ::engine::runtime::Planned for SearchResult {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([planner.object::<Book>(sets), planner.object::<Car>(sets)]),
        )
    }
}

impl ::engine::runtime::Plain for SearchResult {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Book(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
            Self::Car(value) => {
                ::engine::runtime::Plain::write(value, plan.member(1usize), json)
            }
        }
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

impl ::engine::runtime::Planned for Node {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([planner.object::<Book>(sets), planner.object::<Car>(sets)]),
        )
    }
}

impl ::engine::runtime::Plain for Node {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Book(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
            Self::Car(value) => {
                ::engine::runtime::Plain::write(value, plan.member(1usize), json)
            }
        }
    }
}

impl From<Book> for Named {
    fn from(value: Book) -> Self {
        Self::Book(value)
    }
}

impl ::engine::runtime::Planned for Named {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(Box::new([planner.object::<Book>(sets)]))
    }
}

impl ::engine::runtime::Plain for Named {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Book(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
        }
    }
}

impl ::engine::runtime::Object for Measurement {
    const NAME: &'static str = "Measurement";
    const FIELDS: &'static [&'static str] = &[
        "text",
        "value",
        "margin",
        "series",
        "parts",
    ];
    const CONDITIONS: &'static [&'static str] = &["Measurement", "Merchant"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            4usize => <Measurement as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Measurement {
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
                0usize => Plain::write(&self.text, plan, json),
                1usize => Plain::write(&self.value, plan, json),
                2usize => Plain::write(&self.margin, plan, json),
                3usize => Plain::write(&self.series, plan, json),
                4usize => Plain::write(&self.parts, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Book {
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
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            3usize => <Node as ::engine::runtime::Planned>::plan(planner, sets),
            4usize => <SearchResult as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for Book {
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
                1usize => Plain::write(&self.name, plan, json),
                2usize => Plain::write(&self.pages, plan, json),
                3usize => Plain::write(&self.sequel, plan, json),
                4usize => Plain::write(&self.related, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for Car {
    const NAME: &'static str = "Car";
    const FIELDS: &'static [&'static str] = &["id", "wheels", "price"];
    const CONDITIONS: &'static [&'static str] = &["Car", "Node", "SearchResult"];
}

impl ::engine::runtime::Plain for Car {
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
                1usize => Plain::write(&self.wheels, plan, json),
                2usize => Plain::write(&self.price, plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for crate::Human {
    const NAME: &'static str = "Person";
    const FIELDS: &'static [&'static str] = &["name", "born", "friends"];
    const CONDITIONS: &'static [&'static str] = &["Person", "Unreturned", "Merchant"];
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            2usize => <crate::Human as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Plain for crate::Human {
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
                0usize => Plain::write(&PersonResolver::name(self), plan, json),
                1usize => Plain::write(&PersonResolver::born(self), plan, json),
                2usize => Plain::write(&PersonResolver::friends(self), plan, json),
                _ => {}
            },
        );
    }
}

impl ::engine::runtime::Object for crate::Store {
    const NAME: &'static str = "Shop";
    const FIELDS: &'static [&'static str] = &["name", "offers", "owner"];
    const CONDITIONS: &'static [&'static str] = &["Shop", "Merchant"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            1usize => <crate::Bargain as ::engine::runtime::Planned>::plan(planner, sets),
            2usize => <crate::Human as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Resolvers for crate::Store {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_name<R: ShopResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = ShopResolver::name(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_offers<R: ShopResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = ShopOffersArguments {
                first: ctx.argument("first", Some(|| 2))?,
            };
            let value = ShopResolver::offers(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ::engine::runtime::resolve(ctx, &value).await
        }
        async fn resolve_owner<R: ShopResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = ShopResolver::owner(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => Ok(ctx.nullable(resolve_name(self, ctx).await)),
            1usize => resolve_offers(self, ctx).await,
            2usize => resolve_owner(self, ctx).await,
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Object for crate::Bargain {
    const NAME: &'static str = "Offer";
    const FIELDS: &'static [&'static str] = &["price", "product"];
    const CONDITIONS: &'static [&'static str] = &["Offer"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            1usize => <Book as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Resolvers for crate::Bargain {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_price<R: OfferResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let arguments = OfferPriceArguments {
                currency: ctx.argument("currency", Some(|| Currency::Eur))?,
            };
            let value = OfferResolver::price(resolver, ctx, arguments)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        async fn resolve_product<R: OfferResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = OfferResolver::product(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ctx.write(&value)
        }
        match field {
            0usize => resolve_price(self, ctx).await,
            1usize => Ok(ctx.nullable(resolve_product(self, ctx).await)),
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Input for Kind {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        ::engine::runtime::enum_value(
            "Kind",
            value,
            &[
                ("BOOK", Self::Book),
                ("CAR_WITH_WHEELS", Self::CarWithWheels),
                ("GONE", Self::Gone),
            ],
        )
    }
}

impl Kind {
    /// The name of the value in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Book => "BOOK",
            Self::CarWithWheels => "CAR_WITH_WHEELS",
            Self::Gone => "GONE",
        }
    }
}

impl ::engine::runtime::Plain for Kind {
    const INFALLIBLE: bool = true;
    fn write(
        &self,
        _: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        json.text(self.as_str());
    }
}

impl ::engine::runtime::Input for Currency {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        ::engine::runtime::enum_value(
            "Currency",
            value,
            &[("EUR", Self::Eur), ("Usd", Self::Usd)],
        )
    }
}

impl Currency {
    /// The name of the value in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "Usd",
        }
    }
}

impl ::engine::runtime::Plain for Currency {
    const INFALLIBLE: bool = true;
    fn write(
        &self,
        _: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        json.text(self.as_str());
    }
}

impl ::engine::runtime::Input for crate::Day {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        ::engine::Scalar::parse(value.unwrap_or_default())
    }
}

impl ::engine::runtime::Plain for crate::Day {
    const INFALLIBLE: bool = true;
    fn write(
        &self,
        _: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        json.value(&::engine::Scalar::to_value(self));
    }
}

impl ::engine::runtime::Input for Input {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("Input", value)?;
        Ok(Self {
            text: ::engine::runtime::member(
                &mut members,
                "text",
                Some(|| "default".to_owned()),
            )?,
            numbers: ::engine::runtime::member(&mut members, "numbers", None)?,
            kind: ::engine::runtime::member(
                &mut members,
                "kind",
                Some(|| Some(Kind::Book)),
            )?,
            factor: ::engine::runtime::member(
                &mut members,
                "factor",
                Some(|| Some(1.5)),
            )?,
            nested: ::engine::runtime::member(&mut members, "nested", None)?,
            old: ::engine::runtime::member(&mut members, "old", None)?,
            r#type: ::engine::runtime::member(&mut members, "type", None)?,
        })
    }
}

impl ::engine::runtime::Input for LookupKey {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let (name, mut members) = ::engine::runtime::only_member("LookupKey", value)?;
        match name.as_str() {
            "byId" => {
                ::engine::runtime::member(&mut members, "byId", None).map(Self::ById)
            }
            "byName" => {
                ::engine::runtime::member(&mut members, "byName", None).map(Self::ByName)
            }
            "byDate" => {
                ::engine::runtime::member(&mut members, "byDate", None).map(Self::ByDate)
            }
            _ => Err(::engine::InputError::new("must have a field of LookupKey")),
        }
    }
}

impl From<crate::Store> for Merchant {
    fn from(value: crate::Store) -> Self {
        Self::Shop(value)
    }
}

impl From<crate::Human> for Merchant {
    fn from(value: crate::Human) -> Self {
        Self::Person(value)
    }
}

impl From<Measurement> for Merchant {
    fn from(value: Measurement) -> Self {
        Self::Measurement(value)
    }
}

impl ::engine::runtime::Planned for Merchant {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([
                planner.object::<crate::Store>(sets),
                planner.object::<crate::Human>(sets),
                planner.object::<Measurement>(sets),
            ]),
        )
    }
}

impl ::engine::runtime::Resolve for Merchant {
    async fn resolve(
        &self,
        at: ::engine::runtime::At<'_>,
        plan: &::engine::runtime::Plan,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        match self {
            Self::Shop(value) => {
                ::engine::runtime::Resolve::resolve(value, at, plan.member(0usize)).await
            }
            Self::Person(value) => at.write(value, plan.member(1usize)),
            Self::Measurement(value) => at.write(value, plan.member(2usize)),
        }
    }
}

impl ::engine::runtime::Object for crate::Holding {
    const NAME: &'static str = "Holder";
    const FIELDS: &'static [&'static str] = &["merchants"];
    const CONDITIONS: &'static [&'static str] = &["Holder"];
    const HAS_RESOLVERS: bool = true;
    fn plan_field(
        planner: &::engine::runtime::Planner<'_>,
        field: usize,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        match field {
            0usize => <Merchant as ::engine::runtime::Planned>::plan(planner, sets),
            _ => ::engine::runtime::Plan::Leaf,
        }
    }
}

impl ::engine::runtime::Resolvers for crate::Holding {
    async fn resolve_field(
        &self,
        field: usize,
        ctx: &::engine::Context<'_>,
    ) -> ::engine::runtime::ServerResult<Vec<u8>> {
        async fn resolve_merchants<R: HolderResolver>(
            resolver: &R,
            ctx: &::engine::Context<'_>,
        ) -> ::engine::runtime::ServerResult<Vec<u8>> {
            let value = HolderResolver::merchants(resolver, ctx)
                .await
                .map_err(|error| ctx.failed(error))?;
            ::engine::runtime::resolve(ctx, &value).await
        }
        match field {
            0usize => resolve_merchants(self, ctx).await,
            _ => Ok(b"null".to_vec()),
        }
    }
}

impl ::engine::runtime::Object for Unused {
    const NAME: &'static str = "Unused";
    const FIELDS: &'static [&'static str] = &["id"];
    const CONDITIONS: &'static [&'static str] = &["Unused"];
}

impl ::engine::runtime::Plain for Unused {
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

impl From<crate::Human> for Unreturned {
    fn from(value: crate::Human) -> Self {
        Self::Person(value)
    }
}

impl ::engine::runtime::Planned for Unreturned {
    fn plan(
        planner: &::engine::runtime::Planner<'_>,
        sets: &[&::engine::runtime::SelectionSet],
    ) -> ::engine::runtime::Plan {
        ::engine::runtime::Plan::Abstract(
            Box::new([planner.object::<crate::Human>(sets)]),
        )
    }
}

impl ::engine::runtime::Plain for Unreturned {
    fn write(
        &self,
        plan: &::engine::runtime::Plan,
        json: &mut ::engine::runtime::JsonWriter,
    ) {
        match self {
            Self::Person(value) => {
                ::engine::runtime::Plain::write(value, plan.member(0usize), json)
            }
        }
    }
}

impl ::engine::runtime::Input for Changes {
    fn parse(
        value: Option<::engine::runtime::Value>,
    ) -> Result<Self, ::engine::InputError> {
        let mut members = ::engine::runtime::members("Changes", value)?;
        Ok(Self {
            required: ::engine::runtime::member(&mut members, "required", None)?,
            text: ::engine::runtime::member(&mut members, "text", None)?,
            numbers: ::engine::runtime::member(&mut members, "numbers", None)?,
            kind: ::engine::runtime::member(
                &mut members,
                "kind",
                Some(|| Some(Kind::Book)),
            )?,
            nested: ::engine::runtime::member(&mut members, "nested", None)?,
        })
    }
}

/// The schema that this code serves.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "\"\"\"\nEverything that a contract can contain.\n\"\"\"\nschema @note(text: \"the schema\") {\n  query: Query\n  mutation: Mutation\n}\n\n\"\"\"A directive of the contract.\"\"\"\ndirective @note(text: String!, on: [Kind!] = [BOOK]) repeatable on FIELD_DEFINITION | OBJECT | SCHEMA\n\n\"\"\"\nThe root of queries.\n\n- a list item\n  - an item below it\n\n```graphql\n{ greeting }\n```\n\"\"\"\ntype Query {\n  greeting(\n    name: String! = \"you\"\n    shout: Boolean = false\n  ): String!\n  \"\"\"\n  Everything in one object.\n  \"\"\"\n  everything: Everything\n  \"\"\"\n  All kinds of lists.\n  \"\"\"\n  lists: Lists!\n  \"\"\"\n  A union.\n  \"\"\"\n  search(\n    text: String!\n    kinds: [Kind!] = [BOOK, CAR_WITH_WHEELS]\n  ): [SearchResult!]!\n  \"\"\"\n  An interface.\n  \"\"\"\n  node(\n    id: ID!\n  ): Node\n  named(\n    name: String!\n  ): Named\n  \"\"\"\n  Echoes an input object.\n  \"\"\"\n  echo(\n    input: Input! = {text: \"given\", nested: {text: \"inner\", numbers: [1, 2]}}\n  ): String!\n  \"\"\"\n  Takes exactly one key.\n  \"\"\"\n  lookup(\n    by: LookupKey!\n  ): String\n  lookups(\n    by: [LookupKey!]!\n  ): [String!]\n  tomorrow(\n    of: Date!\n  ): Date!\n  person(\n    name: String!\n  ): Person\n  shop: Shop\n  fails: Int\n  fails_hard: Int!\n  oldest: String @deprecated(reason: \"Use `greeting`.\")\n  self: Self\n  numbers(\n    grid: [[Int!]]!\n  ): [[Int]!]\n  optional(\n    value: Int = 7\n  ): String!\n  \"\"\"\n  A union whose members are resolved in different ways.\n  \"\"\"\n  merchant(\n    name: String!\n  ): Merchant\n  holder: Holder!\n  measurements: [Measurement]\n  ratio: Float!\n}\n\ntype Mutation {\n  add(\n    number: Int!\n  ): Int!\n  async(\n    await: Boolean\n    fn: String\n  ): Boolean\n  change(\n    changes: Changes!\n  ): String!\n}\n\n\"\"\"\nEvery scalar, and every kind of null.\n\"\"\"\ntype Everything {\n  int: Int\n  intRequired: Int!\n  float: Float\n  string: String\n  boolean: Boolean\n  id: ID\n  date: Date\n  kind: Kind\n  \"\"\"\n  Rust keywords as names.\n  \"\"\"\n  type: String\n  match: Int\n  crate: Boolean\n  nested: Everything\n  Upper: Int\n  HTTPStatus: Int\n}\n\n\"\"\"\nLists of lists.\n\"\"\"\ntype Lists {\n  ints: [Int]\n  intsRequired: [Int!]!\n  grid: [[Int!]!]!\n  sparse: [[[String]]]\n  things: [[Thing]]\n}\n\ntype Thing {\n  name: String!\n}\n\n\"\"\"\nA type with a name that Rust reserves.\n\"\"\"\ntype Self {\n  self: String\n  super: String\n}\n\n\"\"\"\nWhat may be found.\n\"\"\"\nunion SearchResult = Book | Car\n\n\"\"\"\nAnything with an id.\n\"\"\"\ninterface Node {\n  id: ID!\n}\n\ninterface Named implements Node {\n  id: ID!\n  \"\"\"\n  Its name.\n  \"\"\"\n  name: String\n}\n\n\"\"\"\nNumbers that may not be finite.\n\"\"\"\ntype Measurement {\n  text: String\n  value: Float!\n  margin: Float\n  series: [Float!]\n  parts: [Measurement!]\n}\n\ntype Book implements Named & Node {\n  id: ID!\n  name: String\n  pages: Int!\n  sequel: Node\n  related: [SearchResult!]\n}\n\ntype Car implements Node {\n  id: ID!\n  wheels: Int!\n  price: Float\n}\n\n\"\"\"\nA person, resolved by a Rust type of the crate.\n\"\"\"\ntype Person implements Unreturned {\n  name: String!\n  born: Date\n  friends: [Person!]!\n}\n\n\"\"\"\nA shop with resolvers of its own.\n\"\"\"\ntype Shop {\n  name: String\n  offers(\n    first: Int! = 2\n  ): [Offer!]!\n  owner: Person!\n}\n\ntype Offer {\n  price(\n    currency: Currency! = EUR\n  ): Float!\n  product: Book\n}\n\nenum Kind {\n  BOOK\n  \"\"\"\n  With wheels.\n  \"\"\"\n  CAR_WITH_WHEELS\n  GONE @deprecated(reason: \"It is gone.\")\n}\n\nenum Currency {\n  EUR\n  Usd\n}\n\n\"\"\"\nA calendar date, `YYYY-MM-DD`.\n\"\"\"\nscalar Date @specifiedBy(url: \"https://www.rfc-editor.org/rfc/rfc3339\")\n\n\"\"\"\nAn input with everything.\n\"\"\"\ninput Input {\n  text: String! = \"default\"\n  numbers: [Int!]\n  kind: Kind = BOOK\n  factor: Float = 1.5\n  nested: Input\n  \"\"\"\n  No longer looked at.\n  \"\"\"\n  old: Int @deprecated(reason: \"Ignored.\")\n  type: String\n}\n\ninput LookupKey @oneOf {\n  byId: ID\n  byName: String\n  byDate: Date\n}\n\n\"\"\"\nWho sells: an object with resolvers, or one with getters.\n\"\"\"\nunion Merchant = Shop | Person | Measurement\n\n\"\"\"\nAn object without arguments, whose Rust type has resolvers.\n\"\"\"\ntype Holder {\n  merchants: [Merchant!]!\n}\n\n\"\"\"\nNothing returns it.\n\"\"\"\ntype Unused @note(text: \"a type\") {\n  id: ID! @note(text: \"a field\") @note(text: \"again\")\n}\n\ninterface Unreturned {\n  name: String\n}\n\n\"\"\"\nFields that are omitted differ from fields that are null.\n\"\"\"\ninput Changes {\n  required: Int!\n  text: String\n  numbers: [Int!]\n  kind: Kind = BOOK\n  nested: Changes\n}\n";
