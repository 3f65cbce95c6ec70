//! A schema for the tests, and the responses to requests.

use std::{fmt, iter};

use async_graphql::{
    Context, Data, Enum, Error, ID, InputObject, Object, OneofObject, Result, Schema, SimpleObject, Subscription,
};
use async_graphql_strict::{
    ErrorCode, Request, ResolverContext as _, Settings, SkipValidation, Strict, errors_to_json, internal_error,
};
use futures_util::{Stream, stream};
use serde_json::{Value, json};

pub(crate) type TestSchema = Schema<Query, Mutation, Events>;

pub(crate) fn strict(settings: Settings) -> Strict<TestSchema> {
    let schema = Schema::build(Query, Mutation, Events).extension(SkipValidation).finish();
    let contract = graphql_sdl::Schema::parse("schema.graphql", &schema.sdl()).expect("it is valid");
    Strict::new(schema, &contract, settings)
}

/// The response as JSON.
pub(crate) async fn answer(strict: &Strict<TestSchema>, request: impl Into<Request>) -> Value {
    let answer = match strict.prepare(request) {
        Ok(prepared) => strict.execute(prepared).await,
        Err(error) => Err(error),
    };
    let json = match answer {
        Ok(response) => strict.to_json(response),
        Err(error) => errors_to_json(&error.errors),
    };
    serde_json::from_slice(&json).expect("it is JSON")
}

pub(crate) async fn data(strict: &Strict<TestSchema>, request: impl Into<Request>) -> Value {
    let mut answer = answer(strict, request).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"].take()
}

/// The messages of a request that is not executed.
pub(crate) async fn refused(strict: &Strict<TestSchema>, request: impl Into<Request>) -> String {
    let answer = answer(strict, request).await;
    assert!(answer.get("data").is_none(), "{answer}");
    let errors = answer["errors"].as_array().expect("there are errors").iter();
    let messages = errors.map(|error| error["message"].as_str().expect("it is a text"));
    messages.collect::<Vec<_>>().join("; ")
}

pub(crate) fn with_variables(query: &str, variables: Value) -> async_graphql::Request {
    async_graphql::Request::new(query).variables(async_graphql::Variables::from_json(variables))
}

#[derive(SimpleObject)]
pub(crate) struct Book {
    id: ID,
    title: String,
    tags: Vec<String>,
}

#[derive(SimpleObject)]
pub(crate) struct BookPage {
    total: i32,
    nodes: Vec<Book>,
}

#[derive(InputObject)]
pub(crate) struct NewBook {
    title: String,
}

#[derive(Debug, InputObject)]
pub(crate) struct Details {
    id: Option<ID>,
    ids: Option<Vec<ID>>,
    count: Option<i32>,
    share: Option<f64>,
    inner: Option<Box<Details>>,
}

#[derive(Debug, OneofObject)]
pub(crate) enum One {
    A(i32),
    B(String),
}

#[derive(Clone, Copy, Debug, Enum, Eq, PartialEq)]
pub(crate) enum Kind {
    Paper,
    Audio,
}

fn book(id: i32) -> Book {
    Book { id: id.into(), title: format!("Book {id}"), tags: Vec::new() }
}

/// An error whose text must not be published.
#[derive(Debug)]
pub(crate) struct Secret;

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the password is 123")
    }
}

impl std::error::Error for Secret {}

pub(crate) struct Query;

#[Object]
impl Query {
    async fn books(&self, ctx: &Context<'_>, count: Option<i32>) -> Vec<Book> {
        if count.is_none() {
            ctx.note_truncated(2);
        }
        (1..=count.unwrap_or(2)).map(book).collect()
    }

    async fn book(&self, id: Option<ID>) -> Option<Book> {
        Some(book(id?.parse().ok()?))
    }

    async fn book_page(&self, #[graphql(default = 50)] first: Option<i32>) -> BookPage {
        let nodes: Vec<_> = (1..=first.unwrap_or(50)).map(book).collect();
        BookPage { total: 7, nodes }
    }

    async fn text(&self, size: usize) -> String {
        "a".repeat(size)
    }

    /// Fails in different ways.
    async fn fails(&self, how: String) -> Option<Result<i32>> {
        Some(Err(match how.as_str() {
            "internally" => internal_error(ErrorCode::ServiceUnavailable, "later", &Secret, None),
            "with a code" => {
                let error = Error::new("a\u{1b}b");
                let extend = |_: &Error, values: &mut async_graphql::ErrorExtensionValues| {
                    values.set("code", "SOLD_OUT");
                };
                async_graphql::ErrorExtensions::extend_with(error, extend)
            }
            "by conversion" => Secret.into(),
            _ => Error::new("the password is 123"),
        }))
    }

    async fn positions(&self, ctx: &Context<'_>) -> usize {
        ctx.root_position(&["positions"])
    }

    async fn id(&self, v: Option<ID>) -> Option<ID> {
        v
    }

    async fn ids(&self, v: Option<Vec<Option<Vec<Option<ID>>>>>) -> Option<Vec<Option<Vec<Option<ID>>>>> {
        v
    }

    async fn int(&self, v: Option<i32>) -> Option<i32> {
        v
    }

    async fn string(&self, v: Option<String>) -> Option<String> {
        v
    }

    async fn required(&self, #[graphql(default = 5)] v: i32) -> i32 {
        v
    }

    async fn float(&self, v: Option<f64>) -> Option<f64> {
        v
    }

    async fn some(&self, v: Option<Details>) -> String {
        format!("{v:?}")
    }

    async fn one(&self, v: Option<Vec<One>>) -> String {
        format!("{v:?}")
    }

    async fn kind(&self, v: Option<Kind>) -> Option<Kind> {
        v
    }
}

pub(crate) struct Mutation;

#[Object]
impl Mutation {
    async fn add_book(&self, title: String) -> Option<Book> {
        Some(Book { title, ..book(1) })
    }

    async fn add_books(&self, books: Vec<NewBook>) -> Option<Vec<Book>> {
        let books = books.into_iter().zip(1..);
        let added = books.map(|(NewBook { title }, id)| Book { title, ..book(id) });
        Some(added.collect())
    }
}

pub(crate) struct Events;

#[Subscription(name = "Subscription")]
impl Events {
    async fn count(&self, #[graphql(default = 2)] to: i32) -> impl Stream<Item = i32> {
        stream::iter(1..=to)
    }

    async fn user(&self, ctx: &Context<'_>) -> impl Stream<Item = Option<String>> {
        let user = ctx.data_opt::<&str>().map(ToString::to_string);
        stream::iter([user])
    }

    async fn failing(&self) -> impl Stream<Item = Option<Result<i32, Error>>> {
        let failed = internal_error(ErrorCode::ServiceUnavailable, "retry later", &Secret, None);
        stream::iter([Some(Ok(1)), Some(Err(failed)), None])
    }

    async fn text(&self, size: usize) -> impl Stream<Item = String> {
        stream::iter(iter::repeat_n("a".repeat(size), 3))
    }
}

/// The data of a connection with a user.
pub(crate) fn connection_of(user: &'static str) -> Data {
    let mut data = Data::default();
    data.insert(user);
    data
}

pub(crate) fn error_code(answer: &Value) -> &str {
    let code = &answer["errors"][0]["extensions"]["code"];
    code.as_str().unwrap_or_else(|| panic!("{answer}"))
}

pub(crate) fn limit(name: &str, value: u64, actual: u64) -> Value {
    json!({ "name": name, "value": value, "actual": actual })
}
