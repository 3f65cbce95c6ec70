// Generated from kitchen_sink.graphql; do not edit. Each item names its line there.

/// Resolves the type `Query` of the contract.
///
/// The root of queries.
///
/// - a list item
///   - an item below it
///
///
/// ```text
/// { greeting }
/// ```
pub trait QueryResolver: Send + Sync { // kitchen_sink.graphql:11:6
    /// The error of a resolver. Its conversion determines what clients receive.
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
    ) -> impl ::std::future::Future<Output = Result<Option<Everything>, Self::Error>> + Send; // kitchen_sink.graphql:14:3
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
    ) -> impl ::std::future::Future<Output = Result<Vec<SearchResult>, Self::Error>> + Send; // kitchen_sink.graphql:18:3
    /// An interface.
    fn node( // kitchen_sink.graphql:20:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNodeArguments<async_graphql::ID>, // kitchen_sink.graphql:20:3
    ) -> impl ::std::future::Future<Output = Result<Option<Node>, Self::Error>> + Send; // kitchen_sink.graphql:20:3
    /// Echoes an input object.
    fn echo( // kitchen_sink.graphql:22:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryEchoArguments<Input>, // kitchen_sink.graphql:22:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:22:3
    /// Each takes exactly one key.
    fn lookups( // kitchen_sink.graphql:24:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryLookupsArguments<Vec<LookupKey>>, // kitchen_sink.graphql:24:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<String>>, Self::Error>> + Send; // kitchen_sink.graphql:24:3
    /// `person`
    fn person( // kitchen_sink.graphql:25:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryPersonArguments<String>, // kitchen_sink.graphql:25:3
    ) -> impl ::std::future::Future<Output = Result<Option<Person>, Self::Error>> + Send; // kitchen_sink.graphql:25:3
    /// `shop`
    fn shop( // kitchen_sink.graphql:26:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Shop>, Self::Error>> + Send; // kitchen_sink.graphql:26:3
    /// `fails`
    fn fails( // kitchen_sink.graphql:27:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<i32>, Self::Error>> + Send; // kitchen_sink.graphql:27:3
    /// `oldest`
    ///
    /// Deprecated: Use `greeting`.
    fn oldest( // kitchen_sink.graphql:28:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:28:3
    /// `self`
    fn self_( // kitchen_sink.graphql:29:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Self_>, Self::Error>> + Send; // kitchen_sink.graphql:29:3
    /// `numbers`
    fn numbers( // kitchen_sink.graphql:30:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryNumbersArguments<Vec<Option<Vec<i32>>>>, // kitchen_sink.graphql:30:3
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Vec<Option<i32>>>>, Self::Error>> + Send; // kitchen_sink.graphql:30:3
    /// `optional`
    fn optional( // kitchen_sink.graphql:31:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryOptionalArguments<Option<i32>>, // kitchen_sink.graphql:31:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:31:3
    /// Default values of custom scalars, of `@oneOf` types, and of inputs that tell omitted fields from null.
    fn defaults( // kitchen_sink.graphql:33:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryDefaultsArguments<Date, Option<Vec<Option<Date>>>, LookupKey, Changes>, // kitchen_sink.graphql:33:3
    ) -> impl ::std::future::Future<Output = Result<Vec<String>, Self::Error>> + Send; // kitchen_sink.graphql:33:3
    /// A union whose members are resolved in different ways.
    fn merchant( // kitchen_sink.graphql:40:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: QueryMerchantArguments<String>, // kitchen_sink.graphql:40:3
    ) -> impl ::std::future::Future<Output = Result<Option<Merchant>, Self::Error>> + Send; // kitchen_sink.graphql:40:3
    /// `measurements`
    fn measurements( // kitchen_sink.graphql:41:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<Vec<Option<Measurement>>>, Self::Error>> + Send; // kitchen_sink.graphql:41:3
    /// `ratio`
    fn ratio( // kitchen_sink.graphql:42:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<f64, Self::Error>> + Send; // kitchen_sink.graphql:42:3
    /// The contexts of the field.
    fn context( // kitchen_sink.graphql:44:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Vec<String>, Self::Error>> + Send; // kitchen_sink.graphql:44:3
}

/// The arguments of `Query.greeting(name: String!, shout: Boolean)`.
#[derive(Clone, Debug)]
pub struct QueryGreetingArguments<TypeOfName, TypeOfShout> { // kitchen_sink.graphql:12:3
    /// `name`
    pub name: TypeOfName, // kitchen_sink.graphql:12:12
    /// `shout`
    pub shout: TypeOfShout, // kitchen_sink.graphql:12:35
}

/// The arguments of `Query.search(text: String!, kinds: [Kind!])`.
#[derive(Clone, Debug)]
pub struct QuerySearchArguments<TypeOfText, TypeOfKinds> { // kitchen_sink.graphql:18:3
    /// `text`
    pub text: TypeOfText, // kitchen_sink.graphql:18:10
    /// `kinds`
    pub kinds: TypeOfKinds, // kitchen_sink.graphql:18:25
}

/// The arguments of `Query.node(id: ID!)`.
#[derive(Clone, Debug)]
pub struct QueryNodeArguments<TypeOfId> { // kitchen_sink.graphql:20:3
    /// `id`
    pub id: TypeOfId, // kitchen_sink.graphql:20:8
}

/// The arguments of `Query.echo(input: Input!)`.
#[derive(Clone, Debug)]
pub struct QueryEchoArguments<TypeOfInput> { // kitchen_sink.graphql:22:3
    /// `input`
    pub input: TypeOfInput, // kitchen_sink.graphql:22:8
}

/// The arguments of `Query.lookups(by: [LookupKey!]!)`.
#[derive(Clone, Debug)]
pub struct QueryLookupsArguments<TypeOfBy> { // kitchen_sink.graphql:24:3
    /// `by`
    pub by: TypeOfBy, // kitchen_sink.graphql:24:11
}

/// The arguments of `Query.person(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryPersonArguments<TypeOfName> { // kitchen_sink.graphql:25:3
    /// `name`
    pub name: TypeOfName, // kitchen_sink.graphql:25:10
}

/// The arguments of `Query.numbers(grid: [[Int!]]!)`.
#[derive(Clone, Debug)]
pub struct QueryNumbersArguments<TypeOfGrid> { // kitchen_sink.graphql:30:3
    /// `grid`
    pub grid: TypeOfGrid, // kitchen_sink.graphql:30:11
}

/// The arguments of `Query.optional(value: Int)`.
#[derive(Clone, Debug)]
pub struct QueryOptionalArguments<TypeOfValue> { // kitchen_sink.graphql:31:3
    /// `value`
    pub value: TypeOfValue, // kitchen_sink.graphql:31:12
}

/// The arguments of `Query.defaults(on: Date!, days: [Date], by: LookupKey!, changes: Changes!)`.
#[derive(Clone, Debug)]
pub struct QueryDefaultsArguments<TypeOfOn, TypeOfDays, TypeOfBy, TypeOfChanges> { // kitchen_sink.graphql:33:3
    /// `on`
    pub on: TypeOfOn, // kitchen_sink.graphql:34:5
    /// `days`
    pub days: TypeOfDays, // kitchen_sink.graphql:35:5
    /// `by`
    pub by: TypeOfBy, // kitchen_sink.graphql:36:5
    /// `changes`
    pub changes: TypeOfChanges, // kitchen_sink.graphql:37:5
}

/// The arguments of `Query.merchant(name: String!)`.
#[derive(Clone, Debug)]
pub struct QueryMerchantArguments<TypeOfName> { // kitchen_sink.graphql:40:3
    /// `name`
    pub name: TypeOfName, // kitchen_sink.graphql:40:12
}

/// The root of queries.
///
/// - a list item
///   - an item below it
///
///
/// ```text
/// { greeting }
/// ```
pub struct Query<R>(pub R); // kitchen_sink.graphql:11:6

/// Resolves the type `Mutation` of the contract.
pub trait MutationResolver: Send + Sync { // kitchen_sink.graphql:52:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `async`
    fn r#async( // kitchen_sink.graphql:53:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationAsyncArguments<Option<bool>, Option<String>>, // kitchen_sink.graphql:53:3
    ) -> impl ::std::future::Future<Output = Result<Option<bool>, Self::Error>> + Send; // kitchen_sink.graphql:53:3
    /// `change`
    fn change( // kitchen_sink.graphql:54:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: MutationChangeArguments<Changes>, // kitchen_sink.graphql:54:3
    ) -> impl ::std::future::Future<Output = Result<String, Self::Error>> + Send; // kitchen_sink.graphql:54:3
}

/// The arguments of `Mutation.async(await: Boolean, fn: String)`.
#[derive(Clone, Debug)]
pub struct MutationAsyncArguments<TypeOfAwait, TypeOfFn> { // kitchen_sink.graphql:53:3
    /// `await`
    pub r#await: TypeOfAwait, // kitchen_sink.graphql:53:9
    /// `fn`
    pub r#fn: TypeOfFn, // kitchen_sink.graphql:53:25
}

/// The arguments of `Mutation.change(changes: Changes!)`.
#[derive(Clone, Debug)]
pub struct MutationChangeArguments<TypeOfChanges> { // kitchen_sink.graphql:54:3
    /// `changes`
    pub changes: TypeOfChanges, // kitchen_sink.graphql:54:10
}

/// `Mutation`
pub struct Mutation<R>(pub R); // kitchen_sink.graphql:52:6

/// Resolves the type `Subscription` of the contract.
///
/// What happens.
pub trait SubscriptionResolver: Send + Sync { // kitchen_sink.graphql:58:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// Numbers from 1, and an error after `failAfter`.
    fn ticks( // kitchen_sink.graphql:60:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: SubscriptionTicksArguments<i32, Option<i32>>, // kitchen_sink.graphql:60:3
    ) -> impl ::std::future::Future<Output = Result<impl async_graphql::futures_util::Stream<Item = Result<i32, Self::Error>> + Send, Self::Error>> + Send; // kitchen_sink.graphql:60:3
    /// `things`
    fn things( // kitchen_sink.graphql:61:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<impl async_graphql::futures_util::Stream<Item = Result<Option<Thing>, Self::Error>> + Send, Self::Error>> + Send; // kitchen_sink.graphql:61:3
    /// `shops`
    fn shops( // kitchen_sink.graphql:62:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<impl async_graphql::futures_util::Stream<Item = Result<Option<Vec<Shop>>, Self::Error>> + Send, Self::Error>> + Send; // kitchen_sink.graphql:62:3
    /// `refused`
    fn refused( // kitchen_sink.graphql:63:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<impl async_graphql::futures_util::Stream<Item = Result<Option<i32>, Self::Error>> + Send, Self::Error>> + Send; // kitchen_sink.graphql:63:3
}

/// The arguments of `Subscription.ticks(count: Int!, failAfter: Int)`.
#[derive(Clone, Debug)]
pub struct SubscriptionTicksArguments<TypeOfCount, TypeOfFailAfter> { // kitchen_sink.graphql:60:3
    /// `count`
    pub count: TypeOfCount, // kitchen_sink.graphql:60:9
    /// `failAfter`
    pub fail_after: TypeOfFailAfter, // kitchen_sink.graphql:60:26
}

/// What happens.
pub struct Subscription<R>(pub R); // kitchen_sink.graphql:58:6

/// Every scalar, and every kind of null.
#[derive(Clone, Debug)]
pub struct Everything { // kitchen_sink.graphql:67:6
    /// `int`
    pub int: Option<i32>, // kitchen_sink.graphql:68:3
    /// `intRequired`
    pub int_required: i32, // kitchen_sink.graphql:69:3
    /// `float`
    pub float: Option<f64>, // kitchen_sink.graphql:70:3
    /// `string`
    pub string: Option<String>, // kitchen_sink.graphql:71:3
    /// `boolean`
    pub boolean: Option<bool>, // kitchen_sink.graphql:72:3
    /// `id`
    pub id: Option<async_graphql::ID>, // kitchen_sink.graphql:73:3
    /// `date`
    pub date: Option<Date>, // kitchen_sink.graphql:74:3
    /// `kind`
    pub kind: Option<Kind>, // kitchen_sink.graphql:75:3
    /// Rust keywords as names.
    pub r#type: Option<String>, // kitchen_sink.graphql:77:3
    /// `crate`
    pub crate_: Option<bool>, // kitchen_sink.graphql:78:3
    /// `nested`
    pub nested: Option<Box<Everything>>, // kitchen_sink.graphql:79:3
    /// `HTTPStatus`
    pub http_status: Option<i32>, // kitchen_sink.graphql:80:3
    /// Names that differ only in what Rust's names leave out.
    pub aB: Option<i32>, // kitchen_sink.graphql:82:3
    /// `a_b`
    pub a_b: Option<i32>, // kitchen_sink.graphql:83:3
}

/// Lists of lists.
#[derive(Clone, Debug)]
pub struct Lists { // kitchen_sink.graphql:87:6
    /// `grid`
    pub grid: Vec<Vec<i32>>, // kitchen_sink.graphql:88:3
    /// `sparse`
    pub sparse: Option<Vec<Option<Vec<Option<Vec<Option<String>>>>>>>, // kitchen_sink.graphql:89:3
    /// `things`
    pub things: Option<Vec<Option<Vec<Option<Thing>>>>>, // kitchen_sink.graphql:90:3
}

/// `Thing`
#[derive(Clone, Debug)]
pub struct Thing { // kitchen_sink.graphql:93:6
    /// `name`
    pub name: String, // kitchen_sink.graphql:94:3
}

/// A type with a name that Rust reserves.
#[derive(Clone, Debug)]
pub struct Self_ { // kitchen_sink.graphql:98:6
    /// `self`
    pub self_: Option<String>, // kitchen_sink.graphql:99:3
    /// `super`
    pub super_: Option<String>, // kitchen_sink.graphql:100:3
}

/// What may be found.
#[derive(Clone, Debug)]
pub enum SearchResult { // kitchen_sink.graphql:104:7
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// Anything with an id.
#[derive(Clone, Debug)]
pub enum Node { // kitchen_sink.graphql:107:11
    /// A `Book`.
    Book(Book),
    /// A `Car`.
    Car(Car),
}

/// `Named`
#[derive(Clone, Debug)]
pub enum Named { // kitchen_sink.graphql:111:11
    /// A `Book`.
    Book(Book),
}

/// Numbers that may not be finite.
#[derive(Clone, Debug)]
pub struct Measurement { // kitchen_sink.graphql:118:6
    /// `text`
    pub text: Option<String>, // kitchen_sink.graphql:119:3
    /// `value`
    pub value: f64, // kitchen_sink.graphql:120:3
    /// `margin`
    pub margin: Option<f64>, // kitchen_sink.graphql:121:3
    /// `series`
    pub series: Option<Vec<f64>>, // kitchen_sink.graphql:122:3
    /// `parts`
    pub parts: Option<Vec<Measurement>>, // kitchen_sink.graphql:123:3
}

/// `Book`
#[derive(Clone, Debug)]
pub struct Book { // kitchen_sink.graphql:126:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:127:3
    /// `name`
    pub name: Option<String>, // kitchen_sink.graphql:128:3
    /// `pages`
    pub pages: i32, // kitchen_sink.graphql:129:3
    /// `sequel`
    pub sequel: Option<Box<Node>>, // kitchen_sink.graphql:130:3
    /// `related`
    pub related: Option<Vec<SearchResult>>, // kitchen_sink.graphql:131:3
}

/// `Car`
#[derive(Clone, Debug)]
pub struct Car { // kitchen_sink.graphql:134:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:135:3
    /// `wheels`
    pub wheels: i32, // kitchen_sink.graphql:136:3
    /// `price`
    pub price: Option<f64>, // kitchen_sink.graphql:137:3
}

pub(super) use crate::Human as Person; // kitchen_sink.graphql:141:6: define this type and implement PersonResolver for it, because the build script names a type

/// Resolves the type `Person` of the contract.
///
/// A person, resolved by a Rust type of the crate.
pub trait PersonResolver { // kitchen_sink.graphql:141:6
    /// `name`
    fn name(&self) -> support::Text<'_>; // kitchen_sink.graphql:142:3
    /// `born`
    fn born(&self) -> Option<Date>; // kitchen_sink.graphql:143:3
    /// `friends`
    fn friends(&self) -> Vec<Person>; // kitchen_sink.graphql:144:3
}

pub(super) use crate::Store as Shop; // kitchen_sink.graphql:148:6: define this type and implement ShopResolver for it, because offers has arguments

/// Resolves the type `Shop` of the contract.
///
/// A shop with resolvers of its own.
pub trait ShopResolver: Send + Sync { // kitchen_sink.graphql:148:6
    /// The error of a resolver. Its conversion determines what clients receive.
    type Error: Into<async_graphql::Error> + Send;
    /// `name`
    fn name( // kitchen_sink.graphql:149:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Option<String>, Self::Error>> + Send; // kitchen_sink.graphql:149:3
    /// `offers`
    fn offers( // kitchen_sink.graphql:150:3
        &self,
        ctx: &async_graphql::Context<'_>,
        arguments: ShopOffersArguments<i32>, // kitchen_sink.graphql:150:3
    ) -> impl ::std::future::Future<Output = Result<Vec<Book>, Self::Error>> + Send; // kitchen_sink.graphql:150:3
    /// `owner`
    fn owner( // kitchen_sink.graphql:151:3
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> impl ::std::future::Future<Output = Result<Person, Self::Error>> + Send; // kitchen_sink.graphql:151:3
}

/// The arguments of `Shop.offers(first: Int!)`.
#[derive(Clone, Debug)]
pub struct ShopOffersArguments<TypeOfFirst> { // kitchen_sink.graphql:150:3
    /// `first`
    pub first: TypeOfFirst, // kitchen_sink.graphql:150:10
}

/// Kinds:
///
/// - things
///    - with code
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, async_graphql::Enum)]
#[graphql(name = "Kind")]
pub enum Kind { // kitchen_sink.graphql:160:6
    #[graphql(name = "BOOK")]
    Book, // kitchen_sink.graphql:161:3
    ///   With wheels.
    #[graphql(name = "CAR_WITH_WHEELS")]
    CarWithWheels, // kitchen_sink.graphql:163:3
    #[graphql(name = "GONE", deprecation = "It is gone.")]
    Gone, // kitchen_sink.graphql:164:3
}

pub(super) use crate::Day as Date; // kitchen_sink.graphql:168:8: define this type and implement `async_graphql::ScalarType` for it

/// An input with everything.
#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "Input")]
pub struct Input { // kitchen_sink.graphql:171:7
    #[graphql(name = "text", default_with = "\"default\".to_owned()")]
    pub text: String, // kitchen_sink.graphql:172:3
    #[graphql(name = "numbers")]
    pub numbers: Option<Vec<i32>>, // kitchen_sink.graphql:173:3
    #[graphql(name = "kind", default_with = "Some(Kind::Book)")]
    pub kind: Option<Kind>, // kitchen_sink.graphql:174:3
    #[graphql(name = "factor", default_with = "Some(1.5)")]
    pub factor: Option<f64>, // kitchen_sink.graphql:175:3
    #[graphql(name = "nested")]
    pub nested: Option<Box<Input>>, // kitchen_sink.graphql:176:3
    ///  No longer looked at.
    #[graphql(name = "old", deprecation = "Ignored.")]
    pub old: Option<i32>, // kitchen_sink.graphql:178:3
    #[graphql(name = "type")]
    pub r#type: Option<String>, // kitchen_sink.graphql:179:3
}

#[derive(Clone, Debug, PartialEq, async_graphql::OneofObject)]
#[graphql(name = "LookupKey")]
pub enum LookupKey { // kitchen_sink.graphql:182:7
    #[graphql(name = "byId")]
    ById(async_graphql::ID), // kitchen_sink.graphql:183:3
    #[graphql(name = "byName")]
    ByName(String), // kitchen_sink.graphql:184:3
    #[graphql(name = "byDate")]
    ByDate(Date), // kitchen_sink.graphql:185:3
}

/// Who sells: an object with resolvers, or one with getters.
#[derive(Clone)]
pub enum Merchant { // kitchen_sink.graphql:189:7
    /// A `Shop`.
    Shop(Shop),
    /// A `Person`.
    Person(Person),
    /// A `Measurement`.
    Measurement(Measurement),
}

/// Nothing returns it.
#[derive(Clone, Debug)]
pub struct Unused { // kitchen_sink.graphql:192:6
    /// `id`
    pub id: async_graphql::ID, // kitchen_sink.graphql:193:3
}

/// Fields that are omitted differ from fields that are null.
#[derive(Clone, Debug, PartialEq, async_graphql::InputObject)]
#[graphql(name = "Changes")]
pub struct Changes { // kitchen_sink.graphql:207:7
    #[graphql(name = "required")]
    pub required: i32, // kitchen_sink.graphql:208:3
    #[graphql(name = "text")]
    pub text: async_graphql::MaybeUndefined<String>, // kitchen_sink.graphql:209:3
    #[graphql(name = "numbers")]
    pub numbers: async_graphql::MaybeUndefined<Vec<i32>>, // kitchen_sink.graphql:210:3
    #[graphql(name = "kind", default_with = "Some(Kind::Book)")]
    pub kind: Option<Kind>, // kitchen_sink.graphql:211:3
    #[graphql(name = "nested")]
    pub nested: async_graphql::MaybeUndefined<Box<Changes>>, // kitchen_sink.graphql:212:3
}

/// What the resolvers know of the request.
#[derive(Clone, Debug)]
pub struct InContextDirective { // kitchen_sink.graphql:48:12
    /// `kind`
    pub kind: Kind, // kitchen_sink.graphql:48:22
    /// `kinds`
    pub kinds: Option<Vec<Kind>>, // kitchen_sink.graphql:48:42
}

impl InContextDirective {
    /// Those on the field that is resolved, then those on its operation.
    pub fn of(ctx: &async_graphql::Context<'_>) -> Result<Vec<Self>, async_graphql::Error> {
        support::applied(ctx, "inContext").map(|of| Ok(Self {
            kind: of.param_value("kind", Some(|| Kind::Book))?.1,
            kinds: of.param_value("kinds", None)?.1,
        })).collect()
    }
}

/// `traced`
#[derive(Clone, Debug)]
pub struct TracedDirective { // kitchen_sink.graphql:50:12
}

impl TracedDirective {
    /// Those on the field that is resolved, then those on its operation.
    pub fn of(ctx: &async_graphql::Context<'_>) -> Result<Vec<Self>, async_graphql::Error> {
        support::applied(ctx, "traced").map(|of| Ok(Self {
        })).collect()
    }
}

static __Query: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Query",
    description: Some("The root of queries.\n\n- a list item\n  - an item below it\n\n```graphql\n{ greeting }\n```"),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Query"],
    fields: &[
        support::FieldInfo::new("greeting", "String!", <String as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("name", "String!", <String as async_graphql::InputType>::create_type_info)
                    .default("\"you\"", || { let _: String = "you".to_owned(); }),
                support::FieldInfo::new("shout", "Boolean", <bool as async_graphql::InputType>::create_type_info)
                    .default("false", || { let _: Option<bool> = Some(false); }),
            ]),
        support::FieldInfo::new("everything", "Everything", <Everything as async_graphql::OutputType>::create_type_info)
            .description("Everything in one object."),
        support::FieldInfo::new("lists", "Lists!", <Lists as async_graphql::OutputType>::create_type_info)
            .description("All kinds of lists."),
        support::FieldInfo::new("search", "[SearchResult!]!", <SearchResult as async_graphql::OutputType>::create_type_info)
            .description("A union.")
            .arguments(&[
                support::FieldInfo::new("text", "String!", <String as async_graphql::InputType>::create_type_info),
                support::FieldInfo::new("kinds", "[Kind!]", <Kind as async_graphql::InputType>::create_type_info)
                    .default("[BOOK, CAR_WITH_WHEELS]", || { let _: Option<Vec<Kind>> = Some(vec![Kind::Book, Kind::CarWithWheels]); }),
            ]),
        support::FieldInfo::new("node", "Node", <Node as async_graphql::OutputType>::create_type_info)
            .description("An interface.")
            .arguments(&[
                support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("echo", "String!", <String as async_graphql::OutputType>::create_type_info)
            .description("Echoes an input object.")
            .arguments(&[
                support::FieldInfo::new("input", "Input!", <Input as async_graphql::InputType>::create_type_info)
                    .default("{text: \"given\", nested: {text: \"inner\", numbers: [1, 2]}}", || { let _: Input = Input { text: "given".to_owned(), numbers: None, kind: Input::default_kind(), factor: Input::default_factor(), nested: Some(Box::new(Input { text: "inner".to_owned(), numbers: Some(vec![1, 2]), kind: Input::default_kind(), factor: Input::default_factor(), nested: None, old: None, r#type: None })), old: None, r#type: None }; }),
            ]),
        support::FieldInfo::new("lookups", "[String!]", <String as async_graphql::OutputType>::create_type_info)
            .description("Each takes exactly one key.")
            .arguments(&[
                support::FieldInfo::new("by", "[LookupKey!]!", <LookupKey as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("person", "Person", <Person as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("name", "String!", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("shop", "Shop", <Shop as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("fails", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("oldest", "String", <String as async_graphql::OutputType>::create_type_info)
            .deprecated("Use `greeting`."),
        support::FieldInfo::new("self", "Self", <Self_ as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("numbers", "[[Int]!]", <i32 as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("grid", "[[Int!]]!", <i32 as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("optional", "String!", <String as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("value", "Int", <i32 as async_graphql::InputType>::create_type_info)
                    .default("7", || { let _: Option<i32> = Some(7); }),
            ]),
        support::FieldInfo::new("defaults", "[String!]!", <String as async_graphql::OutputType>::create_type_info)
            .description("Default values of custom scalars, of `@oneOf` types, and of inputs that tell omitted fields from null.")
            .arguments(&[
                support::FieldInfo::new("on", "Date!", <Date as async_graphql::InputType>::create_type_info)
                    .default("\"2024-02-29\"", || { let _: Date = support::default_scalar::<Date>(async_graphql::Value::String("2024-02-29".to_owned()), "kitchen_sink.graphql:34:17"); }),
                support::FieldInfo::new("days", "[Date]", <Date as async_graphql::InputType>::create_type_info)
                    .default("[\"2024-03-01\", null]", || { let _: Option<Vec<Option<Date>>> = Some(vec![Some(support::default_scalar::<Date>(async_graphql::Value::String("2024-03-01".to_owned()), "kitchen_sink.graphql:35:21")), None]); }),
                support::FieldInfo::new("by", "LookupKey!", <LookupKey as async_graphql::InputType>::create_type_info)
                    .default("{byDate: \"2024-03-02\"}", || { let _: LookupKey = LookupKey::ByDate(support::default_scalar::<Date>(async_graphql::Value::String("2024-03-02".to_owned()), "kitchen_sink.graphql:36:32")); }),
                support::FieldInfo::new("changes", "Changes!", <Changes as async_graphql::InputType>::create_type_info)
                    .default("{required: 1, text: null, numbers: [2], nested: {required: 3}}", || { let _: Changes = Changes { required: 1, text: async_graphql::MaybeUndefined::Null, numbers: async_graphql::MaybeUndefined::Value(vec![2]), kind: Changes::default_kind(), nested: async_graphql::MaybeUndefined::Value(Box::new(Changes { required: 3, text: async_graphql::MaybeUndefined::Undefined, numbers: async_graphql::MaybeUndefined::Undefined, kind: Changes::default_kind(), nested: async_graphql::MaybeUndefined::Undefined })) }; }),
            ]),
        support::FieldInfo::new("merchant", "Merchant", <Merchant as async_graphql::OutputType>::create_type_info)
            .description("A union whose members are resolved in different ways.")
            .arguments(&[
                support::FieldInfo::new("name", "String!", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("measurements", "[Measurement]", <Measurement as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("ratio", "Float!", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("context", "[String!]!", <String as async_graphql::OutputType>::create_type_info)
            .description("The contexts of the field."),
    ],
};

impl<R: QueryResolver> async_graphql::OutputType for Query<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Query")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Query)
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
        support::nullable(ctx, &__Query, async move {
            let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
                "greeting" => support::written_field(ctx, QueryResolver::greeting(&self.0, ctx, QueryGreetingArguments {
                    name: support::argument(ctx, "name", Some(|| "you".to_owned()))?,
                    shout: support::argument(ctx, "shout", Some(|| Some(false)))?,
                })),
                "everything" => support::written_field(ctx, QueryResolver::everything(&self.0, ctx)),
                "lists" => support::written_field(ctx, QueryResolver::lists(&self.0, ctx)),
                "search" => support::written_field(ctx, QueryResolver::search(&self.0, ctx, QuerySearchArguments {
                    text: support::argument(ctx, "text", None)?,
                    kinds: support::argument(ctx, "kinds", Some(|| Some(vec![Kind::Book, Kind::CarWithWheels])))?,
                })),
                "node" => support::written_field(ctx, QueryResolver::node(&self.0, ctx, QueryNodeArguments {
                    id: support::argument(ctx, "id", None)?,
                })),
                "echo" => support::written_field(ctx, QueryResolver::echo(&self.0, ctx, QueryEchoArguments {
                    input: support::argument(ctx, "input", Some(|| Input { text: "given".to_owned(), numbers: None, kind: Input::default_kind(), factor: Input::default_factor(), nested: Some(Box::new(Input { text: "inner".to_owned(), numbers: Some(vec![1, 2]), kind: Input::default_kind(), factor: Input::default_factor(), nested: None, old: None, r#type: None })), old: None, r#type: None }))?,
                })),
                "lookups" => support::written_field(ctx, QueryResolver::lookups(&self.0, ctx, QueryLookupsArguments {
                    by: support::argument(ctx, "by", None)?,
                })),
                "person" => support::written_field(ctx, QueryResolver::person(&self.0, ctx, QueryPersonArguments {
                    name: support::argument(ctx, "name", None)?,
                })),
                "shop" => support::completed_field(ctx, QueryResolver::shop(&self.0, ctx)),
                "fails" => support::written_field(ctx, QueryResolver::fails(&self.0, ctx)),
                "oldest" => support::written_field(ctx, QueryResolver::oldest(&self.0, ctx)),
                "self" => support::written_field(ctx, QueryResolver::self_(&self.0, ctx)),
                "numbers" => support::written_field(ctx, QueryResolver::numbers(&self.0, ctx, QueryNumbersArguments {
                    grid: support::argument(ctx, "grid", None)?,
                })),
                "optional" => support::written_field(ctx, QueryResolver::optional(&self.0, ctx, QueryOptionalArguments {
                    value: support::argument(ctx, "value", Some(|| Some(7)))?,
                })),
                "defaults" => support::written_field(ctx, QueryResolver::defaults(&self.0, ctx, QueryDefaultsArguments {
                    on: support::argument(ctx, "on", Some(|| support::default_scalar::<Date>(async_graphql::Value::String("2024-02-29".to_owned()), "kitchen_sink.graphql:34:17")))?,
                    days: support::argument(ctx, "days", Some(|| Some(vec![Some(support::default_scalar::<Date>(async_graphql::Value::String("2024-03-01".to_owned()), "kitchen_sink.graphql:35:21")), None])))?,
                    by: support::argument(ctx, "by", Some(|| LookupKey::ByDate(support::default_scalar::<Date>(async_graphql::Value::String("2024-03-02".to_owned()), "kitchen_sink.graphql:36:32"))))?,
                    changes: support::argument(ctx, "changes", Some(|| Changes { required: 1, text: async_graphql::MaybeUndefined::Null, numbers: async_graphql::MaybeUndefined::Value(vec![2]), kind: Changes::default_kind(), nested: async_graphql::MaybeUndefined::Value(Box::new(Changes { required: 3, text: async_graphql::MaybeUndefined::Undefined, numbers: async_graphql::MaybeUndefined::Undefined, kind: Changes::default_kind(), nested: async_graphql::MaybeUndefined::Undefined })) }))?,
                })),
                "merchant" => support::completed_field(ctx, QueryResolver::merchant(&self.0, ctx, QueryMerchantArguments {
                    name: support::argument(ctx, "name", None)?,
                })),
                "measurements" => support::written_field(ctx, QueryResolver::measurements(&self.0, ctx)),
                "ratio" => support::written_field(ctx, QueryResolver::ratio(&self.0, ctx)),
                "context" => support::written_field(ctx, QueryResolver::context(&self.0, ctx)),
                _ => return Ok(None),
            };
            resolving.await.map(Some)
        }).await
    }
}

static __Mutation: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Mutation",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Mutation"],
    fields: &[
        support::FieldInfo::new("async", "Boolean", <bool as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("await", "Boolean", <bool as async_graphql::InputType>::create_type_info),
                support::FieldInfo::new("fn", "String", <String as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("change", "String!", <String as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("changes", "Changes!", <Changes as async_graphql::InputType>::create_type_info),
            ]),
    ],
};

impl<R: MutationResolver> async_graphql::OutputType for Mutation<R> {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Mutation")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Mutation)
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
        support::nullable(ctx, &__Mutation, async move {
            let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
                "async" => support::written_field(ctx, MutationResolver::r#async(&self.0, ctx, MutationAsyncArguments {
                    r#await: support::argument(ctx, "await", None)?,
                    r#fn: support::argument(ctx, "fn", None)?,
                })),
                "change" => support::written_field(ctx, MutationResolver::change(&self.0, ctx, MutationChangeArguments {
                    changes: support::argument(ctx, "changes", None)?,
                })),
                _ => return Ok(None),
            };
            resolving.await.map(Some)
        }).await
    }
}

static __Subscription: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Subscription",
    description: Some("What happens."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Subscription"],
    fields: &[
        support::FieldInfo::new("ticks", "Int!", <i32 as async_graphql::OutputType>::create_type_info)
            .description("Numbers from 1, and an error after `failAfter`.")
            .arguments(&[
                support::FieldInfo::new("count", "Int!", <i32 as async_graphql::InputType>::create_type_info)
                    .default("3", || { let _: i32 = 3; }),
                support::FieldInfo::new("failAfter", "Int", <i32 as async_graphql::InputType>::create_type_info),
            ]),
        support::FieldInfo::new("things", "Thing", <Thing as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("shops", "[Shop!]", <Shop as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("refused", "Int", <i32 as async_graphql::OutputType>::create_type_info),
    ],
};

#[async_graphql::Subscription(name = "Subscription")]
impl<R: SubscriptionResolver> Subscription<R> {
    #[graphql(name = "ticks")]
    async fn field_0<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,
        #[graphql(name = "count", default_with = "3")] argument_0: i32,
        #[graphql(name = "failAfter")] argument_1: Option<i32>,
    ) -> Result<impl async_graphql::futures_util::Stream<Item = Result<support::Json<i32>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {
        let events = SubscriptionResolver::ticks(&self.0, ctx, SubscriptionTicksArguments {
            count: argument_0,
            fail_after: argument_1,
        }).await.map_err(Into::<async_graphql::Error>::into)?;
        Ok(support::events(events, support::Json))
    }
    #[graphql(name = "things")]
    async fn field_1<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,
    ) -> Result<impl async_graphql::futures_util::Stream<Item = Result<support::Json<Option<Thing>>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {
        let events = SubscriptionResolver::things(&self.0, ctx).await.map_err(Into::<async_graphql::Error>::into)?;
        Ok(support::events(events, support::Json))
    }
    #[graphql(name = "shops")]
    async fn field_2<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,
    ) -> Result<impl async_graphql::futures_util::Stream<Item = Result<support::Completed<Option<Vec<Shop>>>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {
        let events = SubscriptionResolver::shops(&self.0, ctx).await.map_err(Into::<async_graphql::Error>::into)?;
        Ok(support::events(events, support::Completed))
    }
    #[graphql(name = "refused")]
    async fn field_3<'a>(
        &'a self,
        ctx: &'a async_graphql::Context<'a>,
    ) -> Result<impl async_graphql::futures_util::Stream<Item = Result<support::Json<Option<i32>>, async_graphql::Error>> + use<'a, R>, async_graphql::Error> {
        let events = SubscriptionResolver::refused(&self.0, ctx).await.map_err(Into::<async_graphql::Error>::into)?;
        Ok(support::events(events, support::Json))
    }
}

static __Everything: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Everything",
    description: Some("Every scalar, and every kind of null."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Everything"],
    fields: &[
        support::FieldInfo::new("int", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("intRequired", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("float", "Float", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("string", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("boolean", "Boolean", <bool as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("id", "ID", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("date", "Date", <Date as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("kind", "Kind", <Kind as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("type", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("Rust keywords as names."),
        support::FieldInfo::new("crate", "Boolean", <bool as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("nested", "Everything", <Everything as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("HTTPStatus", "Int", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("aB", "Int", <i32 as async_graphql::OutputType>::create_type_info)
            .description("Names that differ only in what Rust's names leave out."),
        support::FieldInfo::new("a_b", "Int", <i32 as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Everything {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Everything")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Everything)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Everything {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Everything, |field, selections| match field {
            10 => <Everything as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Everything, |field, plan, json| match field {
            0 => WriteJson::write(&self.int, plan, json),
            1 => WriteJson::write(&self.int_required, plan, json),
            2 => WriteJson::write(&self.float, plan, json),
            3 => WriteJson::write(&self.string, plan, json),
            4 => WriteJson::write(&self.boolean, plan, json),
            5 => WriteJson::write(&self.id, plan, json),
            6 => WriteJson::write(&self.date, plan, json),
            7 => WriteJson::write(&self.kind, plan, json),
            8 => WriteJson::write(&self.r#type, plan, json),
            9 => WriteJson::write(&self.crate_, plan, json),
            10 => WriteJson::write(&self.nested, plan, json),
            11 => WriteJson::write(&self.http_status, plan, json),
            12 => WriteJson::write(&self.aB, plan, json),
            13 => WriteJson::write(&self.a_b, plan, json),
            _ => {}
        });
    }
}

static __Lists: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Lists",
    description: Some("Lists of lists."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Lists"],
    fields: &[
        support::FieldInfo::new("grid", "[[Int!]!]!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("sparse", "[[[String]]]", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("things", "[[Thing]]", <Thing as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Lists {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Lists")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Lists)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Lists {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Lists, |field, selections| match field {
            2 => <Thing as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Lists, |field, plan, json| match field {
            0 => WriteJson::write(&self.grid, plan, json),
            1 => WriteJson::write(&self.sparse, plan, json),
            2 => WriteJson::write(&self.things, plan, json),
            _ => {}
        });
    }
}

static __Thing: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Thing",
    description: None,
    interfaces: &[],
    possible_types: &[],
    conditions: &["Thing"],
    fields: &[
        support::FieldInfo::new("name", "String!", <String as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Thing {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Thing")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Thing)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Thing {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Thing, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Thing, |field, plan, json| match field {
            0 => WriteJson::write(&self.name, plan, json),
            _ => {}
        });
    }
}

static __Self: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Self",
    description: Some("A type with a name that Rust reserves."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Self"],
    fields: &[
        support::FieldInfo::new("self", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("super", "String", <String as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Self_ {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Self")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Self)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Self_ {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Self, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Self, |field, plan, json| match field {
            0 => WriteJson::write(&self.self_, plan, json),
            1 => WriteJson::write(&self.super_, plan, json),
            _ => {}
        });
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

static __SearchResult: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Union,
    name: "SearchResult",
    description: Some("What may be found."),
    interfaces: &[],
    possible_types: &[
        ("Book", <Book as async_graphql::OutputType>::create_type_info),
        ("Car", <Car as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[],
};

impl async_graphql::OutputType for SearchResult {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("SearchResult")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__SearchResult)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for SearchResult {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(vec![
            <Book as support::WriteJson>::plan(selections),
            <Car as support::WriteJson>::plan(selections),
        ])
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Book(value) => support::WriteJson::write(value, plan.member(0), json),
            Self::Car(value) => support::WriteJson::write(value, plan.member(1), json),
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

static __Node: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Interface,
    name: "Node",
    description: Some("Anything with an id."),
    interfaces: &[],
    possible_types: &[
        ("Book", <Book as async_graphql::OutputType>::create_type_info),
        ("Car", <Car as async_graphql::OutputType>::create_type_info),
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
        support::register::<Self>(registry, &__Node)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Node {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(vec![
            <Book as support::WriteJson>::plan(selections),
            <Car as support::WriteJson>::plan(selections),
        ])
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Book(value) => support::WriteJson::write(value, plan.member(0), json),
            Self::Car(value) => support::WriteJson::write(value, plan.member(1), json),
        }
    }
}

impl From<Book> for Named {
    fn from(value: Book) -> Self {
        Self::Book(value)
    }
}

static __Named: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Interface,
    name: "Named",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[
        ("Book", <Book as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("name", "String", <String as async_graphql::OutputType>::create_type_info)
            .description("Its name."),
    ],
};

impl async_graphql::OutputType for Named {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Named")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Named)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Named {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::Plan::Abstract(vec![
            <Book as support::WriteJson>::plan(selections),
        ])
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        match self {
            Self::Book(value) => support::WriteJson::write(value, plan.member(0), json),
        }
    }
}

static __Measurement: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Measurement",
    description: Some("Numbers that may not be finite."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Measurement", "Merchant"],
    fields: &[
        support::FieldInfo::new("text", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("value", "Float!", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("margin", "Float", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("series", "[Float!]", <f64 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("parts", "[Measurement!]", <Measurement as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Measurement {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Measurement")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Measurement)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Measurement {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Measurement, |field, selections| match field {
            4 => <Measurement as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Measurement, |field, plan, json| match field {
            0 => WriteJson::write(&self.text, plan, json),
            1 => WriteJson::write(&self.value, plan, json),
            2 => WriteJson::write(&self.margin, plan, json),
            3 => WriteJson::write(&self.series, plan, json),
            4 => WriteJson::write(&self.parts, plan, json),
            _ => {}
        });
    }
}

static __Book: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Book",
    description: None,
    interfaces: &[
        ("Named", <Named as async_graphql::OutputType>::create_type_info),
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Book", "Named", "Node", "SearchResult"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("name", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("pages", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("sequel", "Node", <Node as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("related", "[SearchResult!]", <SearchResult as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Book {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Book")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Book)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Book {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Book, |field, selections| match field {
            3 => <Node as support::WriteJson>::plan(selections),
            4 => <SearchResult as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Book, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            1 => WriteJson::write(&self.name, plan, json),
            2 => WriteJson::write(&self.pages, plan, json),
            3 => WriteJson::write(&self.sequel, plan, json),
            4 => WriteJson::write(&self.related, plan, json),
            _ => {}
        });
    }
}

static __Car: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Car",
    description: None,
    interfaces: &[
        ("Node", <Node as async_graphql::OutputType>::create_type_info),
    ],
    possible_types: &[],
    conditions: &["Car", "Node", "SearchResult"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("wheels", "Int!", <i32 as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("price", "Float", <f64 as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Car {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Car")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Car)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Car {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Car, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Car, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            1 => WriteJson::write(&self.wheels, plan, json),
            2 => WriteJson::write(&self.price, plan, json),
            _ => {}
        });
    }
}

static __Person: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Person",
    description: Some("A person, resolved by a Rust type of the crate."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Person", "Merchant"],
    fields: &[
        support::FieldInfo::new("name", "String!", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("born", "Date", <Date as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("friends", "[Person!]!", <Person as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Person {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Person")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Person)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Person {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Person, |field, selections| match field {
            2 => <Person as support::WriteJson>::plan(selections),
            _ => support::Plan::Leaf,
        })
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Person, |field, plan, json| match field {
            0 => WriteJson::write(&PersonResolver::name(self), plan, json),
            1 => WriteJson::write(&PersonResolver::born(self), plan, json),
            2 => WriteJson::write(&PersonResolver::friends(self), plan, json),
            _ => {}
        });
    }
}

static __Shop: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Shop",
    description: Some("A shop with resolvers of its own."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Shop", "Merchant"],
    fields: &[
        support::FieldInfo::new("name", "String", <String as async_graphql::OutputType>::create_type_info),
        support::FieldInfo::new("offers", "[Book!]!", <Book as async_graphql::OutputType>::create_type_info)
            .arguments(&[
                support::FieldInfo::new("first", "Int!", <i32 as async_graphql::InputType>::create_type_info)
                    .default("2", || { let _: i32 = 2; }),
            ]),
        support::FieldInfo::new("owner", "Person!", <Person as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Shop {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Shop")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Shop)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl async_graphql::ObjectType for Shop {}

impl support::Complete for Shop {
    fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::resolve_object(ctx, self, &__Shop)
    }
}

impl async_graphql::ContainerType for Shop {
    async fn resolve_field(
        &self,
        ctx: &async_graphql::Context<'_>,
    ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
        support::nullable(ctx, &__Shop, async move {
            let resolving: support::Resolving<'_> = match ctx.item.node.name.node.as_str() {
                "name" => support::written_field(ctx, ShopResolver::name(self, ctx)),
                "offers" => support::written_field(ctx, ShopResolver::offers(self, ctx, ShopOffersArguments {
                    first: support::argument(ctx, "first", Some(|| 2))?,
                })),
                "owner" => support::written_field(ctx, ShopResolver::owner(self, ctx)),
                _ => return Ok(None),
            };
            resolving.await.map(Some)
        }).await
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

impl support::WriteJson for Kind {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.string(self.as_str());
    }
}

impl support::Constrained for Kind {}

impl support::WriteJson for Date {
    fn write(&self, _: &support::Plan, json: &mut support::JsonWriter) {
        json.value(&async_graphql::InputType::to_value(self));
    }
}

impl support::Constrained for Date {}

impl Input {
    fn default_text() -> String {
        "default".to_owned()
    }
    fn default_kind() -> Option<Kind> {
        Some(Kind::Book)
    }
    fn default_factor() -> Option<f64> {
        Some(1.5)
    }
}

impl support::Constrained for Input {}

impl support::Constrained for LookupKey {}

impl From<Shop> for Merchant {
    fn from(value: Shop) -> Self {
        Self::Shop(value)
    }
}

impl From<Person> for Merchant {
    fn from(value: Person) -> Self {
        Self::Person(value)
    }
}

impl From<Measurement> for Merchant {
    fn from(value: Measurement) -> Self {
        Self::Measurement(value)
    }
}

static __Merchant: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Union,
    name: "Merchant",
    description: Some("Who sells: an object with resolvers, or one with getters."),
    interfaces: &[],
    possible_types: &[
        ("Shop", <Shop as async_graphql::OutputType>::create_type_info),
        ("Person", <Person as async_graphql::OutputType>::create_type_info),
        ("Measurement", <Measurement as async_graphql::OutputType>::create_type_info),
    ],
    conditions: &[],
    fields: &[],
};

impl async_graphql::OutputType for Merchant {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Merchant")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Merchant)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        support::Complete::complete(self, ctx, field)
    }
}

impl support::Complete for Merchant {
    async fn complete(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        field: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> async_graphql::ServerResult<async_graphql::Value> {
        match self {
            Self::Shop(value) => support::Complete::complete(value, ctx, field).await,
            Self::Person(value) => support::written(value, ctx),
            Self::Measurement(value) => support::written(value, ctx),
        }
    }
}

static __Unused: support::TypeInfo = support::TypeInfo {
    kind: async_graphql::registry::MetaTypeId::Object,
    name: "Unused",
    description: Some("Nothing returns it."),
    interfaces: &[],
    possible_types: &[],
    conditions: &["Unused"],
    fields: &[
        support::FieldInfo::new("id", "ID!", <async_graphql::ID as async_graphql::OutputType>::create_type_info),
    ],
};

impl async_graphql::OutputType for Unused {
    fn type_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Unused")
    }
    fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
        support::register::<Self>(registry, &__Unused)
    }
    fn resolve(
        &self,
        ctx: &async_graphql::ContextSelectionSet<'_>,
        _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
    ) -> impl ::std::future::Future<Output = async_graphql::ServerResult<async_graphql::Value>> + Send {
        ::std::future::ready(support::written(self, ctx))
    }
}

impl support::WriteJson for Unused {
    fn plan(selections: &support::Selections<'_>) -> support::Plan {
        support::plan_object(selections, &__Unused, |_, _| support::Plan::Leaf)
    }
    fn write(&self, plan: &support::Plan, json: &mut support::JsonWriter) {
        use support::WriteJson;
        support::write_object(plan, json, &__Unused, |field, plan, json| match field {
            0 => WriteJson::write(&self.id, plan, json),
            _ => {}
        });
    }
}

impl Changes {
    fn default_kind() -> Option<Kind> {
        Some(Kind::Book)
    }
}

impl support::Constrained for Changes {}

static SERVED: support::Served = support::Served {
    types: &[
        |registry| support::register_fields(registry, &__Subscription),
        <Everything as async_graphql::OutputType>::create_type_info,
        <Lists as async_graphql::OutputType>::create_type_info,
        <Thing as async_graphql::OutputType>::create_type_info,
        <Self_ as async_graphql::OutputType>::create_type_info,
        <Measurement as async_graphql::OutputType>::create_type_info,
        <Book as async_graphql::OutputType>::create_type_info,
        <Car as async_graphql::OutputType>::create_type_info,
        <Person as async_graphql::OutputType>::create_type_info,
        <Shop as async_graphql::OutputType>::create_type_info,
        <Unused as async_graphql::OutputType>::create_type_info,
        <SearchResult as async_graphql::OutputType>::create_type_info,
        <Node as async_graphql::OutputType>::create_type_info,
        <Named as async_graphql::OutputType>::create_type_info,
        <Kind as async_graphql::InputType>::create_type_info,
        <Date as async_graphql::InputType>::create_type_info,
        <Input as async_graphql::InputType>::create_type_info,
        <LookupKey as async_graphql::InputType>::create_type_info,
        <Merchant as async_graphql::OutputType>::create_type_info,
        <Changes as async_graphql::InputType>::create_type_info,
    ],
    directives: &[
        support::DirectiveInfo {
            name: "inContext",
            description: Some("What the resolvers know of the request."),
            locations: &[async_graphql::registry::__DirectiveLocation::QUERY, async_graphql::registry::__DirectiveLocation::FIELD],
            is_repeatable: false,
            arguments: &[
                support::FieldInfo::new("kind", "Kind!", <Kind as async_graphql::InputType>::create_type_info)
                    .default("BOOK", || { let _: Kind = Kind::Book; }),
                support::FieldInfo::new("kinds", "[Kind!]", <Kind as async_graphql::InputType>::create_type_info),
            ],
        },
        support::DirectiveInfo {
            name: "traced",
            description: None,
            locations: &[async_graphql::registry::__DirectiveLocation::FIELD],
            is_repeatable: false,
            arguments: &[],
        },
        support::DirectiveInfo {
            name: "note",
            description: Some("A directive of the contract."),
            locations: &[async_graphql::registry::__DirectiveLocation::FIELD_DEFINITION, async_graphql::registry::__DirectiveLocation::OBJECT, async_graphql::registry::__DirectiveLocation::SCHEMA],
            is_repeatable: true,
            arguments: &[
                support::FieldInfo::new("text", "String!", <String as async_graphql::InputType>::create_type_info),
                support::FieldInfo::new("on", "[Kind!]", <Kind as async_graphql::InputType>::create_type_info)
                    .default("[BOOK]", || { let _: Option<Vec<Kind>> = Some(vec![Kind::Book]); }),
            ],
        },
    ],
    texts: &[
        support::Described { of: ["Kind", ""], description: Some("Kinds:\n\n- things\n    - with code"), value: None },
        support::Described { of: ["Kind", "CAR_WITH_WHEELS"], description: Some("  With wheels. "), value: None },
        support::Described { of: ["Date", ""], description: Some("A calendar date, `YYYY-MM-DD`."), value: Some("https://www.rfc-editor.org/rfc/rfc3339") },
        support::Described { of: ["Input", "text"], description: None, value: Some("\"default\"") },
        support::Described { of: ["Input", "kind"], description: None, value: Some("BOOK") },
        support::Described { of: ["Input", "factor"], description: None, value: Some("1.5") },
        support::Described { of: ["Input", "old"], description: Some("\tNo longer looked at.\n"), value: None },
        support::Described { of: ["Changes", "kind"], description: None, value: Some("BOOK") },
    ],
};

/// The whole schema as one text.
#[allow(dead_code, reason = "not every crate prints it")]
pub const SDL: &str = "\"\"\"Everything that a contract can contain.\"\"\"\nschema @note(text: \"the schema\") {\n  query: Query\n  mutation: Mutation\n  subscription: Subscription\n}\n\n\"\"\"What the resolvers know of the request.\"\"\"\ndirective @inContext(kind: Kind! = BOOK, kinds: [Kind!]) on QUERY | FIELD\n\ndirective @traced on FIELD\n\n\"\"\"A directive of the contract.\"\"\"\ndirective @note(text: String!, on: [Kind!] = [BOOK]) repeatable on FIELD_DEFINITION | OBJECT | SCHEMA\n\ndirective @oneOf on INPUT_OBJECT\n\n\"\"\"\nThe root of queries.\n\n- a list item\n  - an item below it\n\n```graphql\n{ greeting }\n```\n\"\"\"\ntype Query {\n  greeting(name: String! = \"you\", shout: Boolean = false): String!\n  \"\"\"Everything in one object.\"\"\"\n  everything: Everything\n  \"\"\"All kinds of lists.\"\"\"\n  lists: Lists!\n  \"\"\"A union.\"\"\"\n  search(text: String!, kinds: [Kind!] = [BOOK, CAR_WITH_WHEELS]): [SearchResult!]!\n  \"\"\"An interface.\"\"\"\n  node(id: ID!): Node\n  \"\"\"Echoes an input object.\"\"\"\n  echo(input: Input! = {text: \"given\", nested: {text: \"inner\", numbers: [1, 2]}}): String!\n  \"\"\"Each takes exactly one key.\"\"\"\n  lookups(by: [LookupKey!]!): [String!]\n  person(name: String!): Person\n  shop: Shop\n  fails: Int\n  oldest: String @deprecated(reason: \"Use `greeting`.\")\n  self: Self\n  numbers(grid: [[Int!]]!): [[Int]!]\n  optional(value: Int = 7): String!\n  \"\"\"\n  Default values of custom scalars, of `@oneOf` types, and of inputs that tell omitted fields from null.\n  \"\"\"\n  defaults(on: Date! = \"2024-02-29\", days: [Date] = [\"2024-03-01\", null], by: LookupKey! = {byDate: \"2024-03-02\"}, changes: Changes! = {required: 1, text: null, numbers: [2], nested: {required: 3}}): [String!]!\n  \"\"\"A union whose members are resolved in different ways.\"\"\"\n  merchant(name: String!): Merchant\n  measurements: [Measurement]\n  ratio: Float!\n  \"\"\"The contexts of the field.\"\"\"\n  context: [String!]!\n}\n\ntype Mutation {\n  async(await: Boolean, fn: String): Boolean\n  change(changes: Changes!): String!\n}\n\n\"\"\"What happens.\"\"\"\ntype Subscription {\n  \"\"\"Numbers from 1, and an error after `failAfter`.\"\"\"\n  ticks(count: Int! = 3, failAfter: Int): Int!\n  things: Thing\n  shops: [Shop!]\n  refused: Int\n}\n\n\"\"\"Every scalar, and every kind of null.\"\"\"\ntype Everything {\n  int: Int\n  intRequired: Int!\n  float: Float\n  string: String\n  boolean: Boolean\n  id: ID\n  date: Date\n  kind: Kind\n  \"\"\"Rust keywords as names.\"\"\"\n  type: String\n  crate: Boolean\n  nested: Everything\n  HTTPStatus: Int\n  \"\"\"Names that differ only in what Rust's names leave out.\"\"\"\n  aB: Int\n  a_b: Int\n}\n\n\"\"\"Lists of lists.\"\"\"\ntype Lists {\n  grid: [[Int!]!]!\n  sparse: [[[String]]]\n  things: [[Thing]]\n}\n\ntype Thing {\n  name: String!\n}\n\n\"\"\"A type with a name that Rust reserves.\"\"\"\ntype Self {\n  self: String\n  super: String\n}\n\n\"\"\"What may be found.\"\"\"\nunion SearchResult = Book | Car\n\n\"\"\"Anything with an id.\"\"\"\ninterface Node {\n  id: ID!\n}\n\ninterface Named implements Node {\n  id: ID!\n  \"\"\"Its name.\"\"\"\n  name: String\n}\n\n\"\"\"Numbers that may not be finite.\"\"\"\ntype Measurement {\n  text: String\n  value: Float!\n  margin: Float\n  series: [Float!]\n  parts: [Measurement!]\n}\n\ntype Book implements Named & Node {\n  id: ID!\n  name: String\n  pages: Int!\n  sequel: Node\n  related: [SearchResult!]\n}\n\ntype Car implements Node {\n  id: ID!\n  wheels: Int!\n  price: Float\n}\n\n\"\"\"A person, resolved by a Rust type of the crate.\"\"\"\ntype Person {\n  name: String!\n  born: Date\n  friends: [Person!]!\n}\n\n\"\"\"A shop with resolvers of its own.\"\"\"\ntype Shop {\n  name: String\n  offers(first: Int! = 2): [Book!]!\n  owner: Person!\n}\n\n\"\"\"\nKinds:\n\n- things\n    - with code\n\"\"\"\nenum Kind {\n  BOOK\n  \"  With wheels. \"\n  CAR_WITH_WHEELS\n  GONE @deprecated(reason: \"It is gone.\")\n}\n\n\"\"\"A calendar date, `YYYY-MM-DD`.\"\"\"\nscalar Date @specifiedBy(url: \"https://www.rfc-editor.org/rfc/rfc3339\")\n\n\"\"\"An input with everything.\"\"\"\ninput Input {\n  text: String! = \"default\"\n  numbers: [Int!]\n  kind: Kind = BOOK\n  factor: Float = 1.5\n  nested: Input\n  \"\tNo longer looked at.\\n\"\n  old: Int @deprecated(reason: \"Ignored.\")\n  type: String\n}\n\ninput LookupKey @oneOf {\n  byId: ID\n  byName: String\n  byDate: Date\n}\n\n\"\"\"Who sells: an object with resolvers, or one with getters.\"\"\"\nunion Merchant = Shop | Person | Measurement\n\n\"\"\"Nothing returns it.\"\"\"\ntype Unused @note(text: \"a type\") {\n  id: ID! @note(text: \"a field\") @note(text: \"again\")\n}\n\n\"\"\"Fields that are omitted differ from fields that are null.\"\"\"\ninput Changes {\n  required: Int!\n  text: String\n  numbers: [Int!]\n  kind: Kind = BOOK\n  nested: Changes\n}\n";
