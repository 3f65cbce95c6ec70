//! What the build script binds to fields and scalars, and async-graphql's own extensions and loaders.

use std::{
    collections::HashMap,
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use async_graphql::{
    Context, EmptyMutation, EmptySubscription, Error, Executor, Guard, MergedObject, Object, Request, Schema,
    SchemaBuilder, Upload, UploadValue,
    dataloader::{DataLoader, Loader},
    extensions::{
        Analyzer, Tracing,
        apollo_persisted_queries::{ApolloPersistedQueries, LruCacheStorage},
    },
};
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};

use crate::served;

include!(concat!(env!("OUT_DIR"), "/bindings.rs"));

use self::contract::{
    AuthDirective, AuthorBooksArguments, AuthorResolver, IpAddress, ItemResolver, JSON, Later, Mutation,
    MutationResolver, MutationSizeArguments, Query, QueryItemsArguments, QueryResolveArguments, QueryResolver,
    QuerySameArguments, Role, Subscription, SubscriptionResolver,
};

/// Permits a field to requests with its role.
pub struct HasRole(pub AuthDirective);

impl Guard for HasRole {
    async fn check(&self, ctx: &Context<'_>) -> Result<(), Error> {
        match ctx.data_opt::<Role>() {
            Some(role) if *role == self.0.role => Ok(()),
            _ => Err(Error::new(format!("only for {}", self.0.role.as_str()))),
        }
    }
}

/// A struct with more than the fields of the type.
pub struct Author {
    id: i32,
    name: String,
    pseudonyms: Option<Vec<String>>,
    born: Option<Place>,
}

pub struct Place {
    city: String,
    country: Option<String>,
}

impl AuthorResolver for Author {
    type Error = Infallible;

    async fn books(&self, _: &Context<'_>, arguments: AuthorBooksArguments<i32>) -> Result<Vec<i32>, Infallible> {
        Ok(vec![self.id; usize::try_from(arguments.first).unwrap_or(0)])
    }

    async fn address(&self, _: &Context<'_>) -> Result<String, Infallible> {
        Ok("1 High Street".to_owned())
    }
}

/// Permits a field to requests with this datum.
pub struct Permitted(pub &'static str);

impl Guard for Permitted {
    async fn check(&self, ctx: &Context<'_>) -> Result<(), Error> {
        match ctx.data_opt::<&str>() {
            Some(role) if *role == self.0 => Ok(()),
            _ => Err(Error::new(format!("only for {}", self.0))),
        }
    }
}

/// Squares, loaded for all items of a list at once.
#[derive(Default)]
struct Squares(AtomicUsize);

impl Loader<i32> for Squares {
    type Value = i32;
    type Error = Infallible;

    async fn load(&self, keys: &[i32]) -> Result<HashMap<i32, i32>, Infallible> {
        self.0.fetch_add(1, Relaxed);
        Ok(keys.iter().map(|key| (*key, key * key)).collect())
    }
}

#[derive(Clone)]
pub struct Number(i32, Arc<DataLoader<Squares>>);

impl ItemResolver for Number {
    type Error = Infallible;

    async fn number(&self, _: &Context<'_>) -> Result<i32, Infallible> {
        Ok(self.0)
    }

    async fn square(&self, _: &Context<'_>) -> Result<i32, Infallible> {
        Ok(self.1.load_one(self.0).await?.unwrap_or_default())
    }
}

struct Resolvers(Arc<DataLoader<Squares>>);

impl QueryResolver for Resolvers {
    type Error = Error;

    async fn public(&self, _: &Context<'_>) -> Result<i32, Error> {
        Ok(1)
    }

    async fn secret(&self, _: &Context<'_>) -> Result<i32, Error> {
        Ok(2)
    }

    async fn items(&self, _: &Context<'_>, arguments: QueryItemsArguments<i32>) -> Result<Vec<Number>, Error> {
        let numbers = 1..=arguments.first;
        Ok(numbers.map(|number| Number(number, Arc::clone(&self.0))).collect())
    }

    async fn resolve(
        &self,
        _: &Context<'_>,
        arguments: QueryResolveArguments<String>,
    ) -> Result<Option<IpAddress>, Error> {
        let localhost = arguments.host == "localhost";
        Ok(localhost.then_some(IpAddress(IpAddr::V4(Ipv4Addr::LOCALHOST))))
    }

    async fn same(
        &self,
        _: &Context<'_>,
        arguments: QuerySameArguments<IpAddress, Option<JSON>>,
    ) -> Result<Option<JSON>, Error> {
        let json = arguments.json.map(|JSON(json)| json);
        Ok(Some(JSON(json!({ arguments.address.0.to_string(): json }))))
    }

    async fn salary(&self, _: &Context<'_>) -> Result<i32, Error> {
        Ok(100)
    }

    async fn author(&self, _: &Context<'_>) -> Result<Author, Error> {
        let born = Place { city: "Chelsea".to_owned(), country: None };
        Ok(Author {
            id: 7,
            name: "P. L. Travers".to_owned(),
            pseudonyms: Some(vec!["Pamela".to_owned()]),
            born: Some(born),
        })
    }

    async fn later(&self, _: &Context<'_>) -> Result<Option<Later>, Error> {
        Ok(None)
    }
}

impl MutationResolver for Resolvers {
    type Error = Error;

    async fn size(&self, ctx: &Context<'_>, arguments: MutationSizeArguments<Upload>) -> Result<i32, Error> {
        let size = arguments.file.value(ctx)?.size()?;
        Ok(i32::try_from(size)?)
    }
}

impl SubscriptionResolver for Resolvers {
    type Error = Error;

    async fn salaries(&self, _: &Context<'_>) -> Result<impl Stream<Item = Result<i32, Error>> + Send, Error> {
        Ok(stream::iter([Ok(100)]))
    }
}

type Bound = Schema<Query<Resolvers>, Mutation<Resolvers>, Subscription<Resolvers>>;

/// All of the contract.
fn begun() -> SchemaBuilder<Query<Resolvers>, Mutation<Resolvers>, Subscription<Resolvers>> {
    let resolvers = || Resolvers(loader());
    let (mutation, subscription) = (Mutation(resolvers()), Subscription(resolvers()));
    contract::build(Query(resolvers()), mutation, subscription)
}

fn loader() -> Arc<DataLoader<Squares>> {
    Arc::new(DataLoader::new(Squares::default(), tokio::spawn))
}

fn schema() -> Bound {
    begun().limit_complexity(50).finish()
}

async fn execute(schema: &impl Executor, request: impl Into<Request>) -> Value {
    let response = schema.execute(request.into()).await;
    serde_json::to_value(&response).expect("a response is JSON")
}

#[tokio::test]
async fn a_guard_permits_or_refuses_the_field_that_it_is_attached_to() {
    let refused = execute(&schema(), "{public secret}").await;
    assert_eq!(refused["data"]["secret"], json!(null));
    assert_eq!(refused["errors"][0]["message"], "only for staff");
    assert_eq!(refused["errors"][0]["path"], json!(["secret"]));
    let permitted = Request::new("{public secret}").data("staff");
    let permitted = execute(&schema(), permitted).await;
    assert_eq!(permitted, json!({"data": {"public": 1, "secret": 2}}));
}

#[tokio::test]
async fn a_guard_of_a_directive_gets_its_arguments_and_runs_before_the_resolver() {
    let query = "{public salary author {name address}}";
    let refused = execute(&schema(), Request::new(query).data(Role::Staff)).await;
    assert_eq!(refused["errors"][0]["message"], "only for OWNER");
    assert_eq!(refused["errors"][0]["path"], json!(["salary"]));
    let refused = execute(&schema(), Request::new(query).data(Role::Owner)).await;
    assert_eq!(refused["errors"][0]["message"], "only for STAFF");
    assert_eq!(refused["errors"][0]["path"], json!(["author", "address"]));
    let permitted = Request::new("{author {address}}").data(Role::Staff);
    let permitted = execute(&schema(), permitted).await;
    assert_eq!(permitted["data"]["author"]["address"], "1 High Street");
    for (role, expected) in [(Role::Staff, json!({"data": {"salaries": 100}})), (Role::Owner, json!("only for STAFF"))]
    {
        let request = Request::new("subscription {salaries}").data(role);
        let responses: Vec<_> = schema().execute_stream(request).collect().await;
        let response = serde_json::to_value(&responses[0]).expect("a response is JSON");
        let message = &response["errors"][0]["message"];
        assert_eq!(if message.is_null() { &response } else { message }, &expected);
    }
}

#[tokio::test]
async fn fields_of_a_struct_are_read_and_others_resolved() {
    let query = "{author {name pseudonyms born {city country} books one: books(first: 1)} later {id}}";
    let expected = json!({
        "author": {"name": "P. L. Travers", "pseudonyms": ["Pamela"],
            "born": {"city": "Chelsea", "country": null}, "books": [7, 7], "one": [7]},
        "later": null});
    assert_eq!(execute(&schema(), query).await, json!({ "data": expected }));
}

#[tokio::test]
async fn a_type_that_is_only_an_input_is_bound() {
    let mut request = Request::new("mutation ($file: Upload!) {size(file: $file)}");
    let upload = UploadValue { filename: "a.txt".to_owned(), content_type: None, content: "four".into() };
    request.variables = async_graphql::Variables::from_json(json!({ "file": null }));
    request.set_upload("variables.file", upload);
    assert_eq!(execute(&schema(), request).await, json!({"data": {"size": 4}}));
}

#[tokio::test]
async fn a_complexity_counts_arguments_and_the_selection_set() {
    let few = execute(&schema(), "{items {number square}}").await;
    assert_eq!(few["data"]["items"].as_array().map(Vec::len), Some(10));
    let many = Request::new("query ($first: Int!) {items(first: $first) {number square}}");
    let many = many.variables(async_graphql::Variables::from_json(json!({"first": 26})));
    let refused = execute(&schema(), many).await;
    assert_eq!(refused["errors"][0]["message"], "Query is too complex.");
    let cheap = begun().limit_complexity(39).finish();
    let refused = cheap.execute_stream("subscription {salaries}").next().await.expect("there is a response");
    assert_eq!(refused.errors[0].message, "Query is too complex.");
}

#[tokio::test]
async fn scalars_are_those_of_a_type_that_serde_knows() {
    let query = "{local: resolve(host: \"localhost\") other: resolve(host: \"x\") \
                 same(address: \"::1\") given: same(address: \"10.0.0.1\", json: {a: [true, 0.5]})}";
    let expected = json!({"data": {"local": "127.0.0.1", "other": null,
        "same": {"::1": {"list": [1, null]}}, "given": {"10.0.0.1": {"a": [true, 0.5]}}}});
    assert_eq!(execute(&schema(), query).await, expected);
    let refused = execute(&schema(), "{same(address: \"10.0.0\")}").await;
    let message = refused["errors"][0]["message"].as_str().expect("a text");
    assert!(message.starts_with("Failed to parse \"IpAddress\": invalid IP address"), "{message}");
}

#[tokio::test]
async fn the_served_schema_is_the_contract() {
    let schema = begun().finish();
    let served = served::differences(contract::CONTRACT, &schema).await;
    assert!(served.is_empty(), "{served:#?}");
}

#[tokio::test]
async fn extensions_and_loaders_of_async_graphql_work() {
    let loader = loader();
    let query = Query(Resolvers(Arc::clone(&loader)));
    let schema = Schema::build(query, EmptyMutation, EmptySubscription)
        .extension(Analyzer)
        .extension(Tracing)
        .extension(ApolloPersistedQueries::new(LruCacheStorage::new(8)))
        .finish();
    let text = "{items(first: 3) {square}}";
    // SHA-256 of the text.
    let hash = "6388afe614425eb7341425a95aa62cc07dfd6bdcd4784044af1cce400403606b";
    let persisted = |query: &str| {
        let extensions = json!({"persistedQuery": {"version": 1, "sha256Hash": hash}});
        let mut request = Request::new(query);
        request.extensions = serde_json::from_value(extensions).expect("they are extensions");
        request
    };
    let expected = json!({"items": [{"square": 1}, {"square": 4}, {"square": 9}]});
    let registered = execute(&schema, persisted(text)).await;
    assert_eq!(registered["data"], expected, "{registered}");
    let found = execute(&schema, persisted("")).await;
    assert_eq!(found["data"], expected, "{found}");
    assert_eq!(found["extensions"]["analyzer"]["complexity"], 3);
    assert_eq!(loader.loader().0.load(Relaxed), 2, "one load for each request");
}

/// Fields that are not in the file yet.
struct CodeFirst;

#[Object]
impl CodeFirst {
    /// A generated type as the value of a resolver with async-graphql's macros.
    async fn first(&self, ctx: &Context<'_>) -> Number {
        let loader = ctx.data_unchecked::<Arc<DataLoader<Squares>>>();
        Number(7, Arc::clone(loader))
    }
}

#[derive(MergedObject)]
#[graphql(name = "Root")]
struct Both(Query<Resolvers>, CodeFirst);

#[tokio::test]
async fn generated_types_and_those_with_macros_are_in_one_schema() {
    let loader = loader();
    let query = Both(Query(Resolvers(Arc::clone(&loader))), CodeFirst);
    let schema = Schema::build(query, EmptyMutation, EmptySubscription).data(loader).finish();
    let query = "{public first {square} items(first: 1) {number}}";
    let response = schema.execute(query).await;
    let data = serde_json::to_value(&response.data).expect("it is JSON");
    let expected = json!({"public": 1, "first": {"square": 49}, "items": [{"number": 1}]});
    assert_eq!(data, expected, "{:?}", response.errors);
}
