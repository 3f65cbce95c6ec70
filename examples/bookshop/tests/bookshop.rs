//! The bookshop over HTTP, and the statements that a query executes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{future::pending, sync::Mutex};

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tracing::{Level, subscriber::DefaultGuard};
use tracing_subscriber::{fmt, fmt::MakeWriter};

/// A started bookshop.
struct App {
    url: String,
    log: &'static Mutex<Vec<u8>>,
    /// Logs to `log` while the test runs, which has one thread.
    _logging: DefaultGuard,
}

impl App {
    async fn start() -> Self {
        let log: &'static Mutex<Vec<u8>> = Box::leak(Box::default());
        let subscriber = fmt().with_max_level(Level::DEBUG).with_ansi(false).with_writer(|| log.make_writer());
        let logging = tracing::subscriber::set_default(subscriber.finish());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/graphql", listener.local_addr().unwrap());
        tokio::spawn(async { bookshop::serve(listener, pending()).await.unwrap() });
        Self { url, log, _logging: logging }
    }

    async fn execute(&self, query: &str) -> Value {
        let body = json!({ "query": query });
        let client = testkit::http::client().build().unwrap();
        let request = client.post(&self.url).json(&body);
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn data(&self, query: &str) -> Value {
        let response = self.execute(query).await;
        assert_eq!(response.get("errors"), None, "{query}");
        response["data"].clone()
    }

    /// The statements so far.
    fn statements(&self) -> Vec<String> {
        let log = String::from_utf8(self.log.lock().unwrap().clone()).unwrap();
        let statements = log.lines().filter_map(|line| line.split_once("executing a statement "));
        statements.map(|(_, statement)| statement.to_owned()).collect()
    }
}

#[tokio::test]
async fn a_nested_query_executes_one_statement_per_level() {
    let app = App::start().await;
    let query = "{ books(genre: NOVEL) { title author { name books { title } } } }";
    let (austen, shelley) = ("Jane Austen", "Mary Shelley");
    let book = |title: &str, author: &str, books: &[&str]| {
        let books: Vec<_> = books.iter().map(|title| json!({ "title": title })).collect();
        json!({ "title": title, "author": { "name": author, "books": books } })
    };
    let expected = json!([
        book("Pride and Prejudice", austen, &["Pride and Prejudice", "Emma"]),
        book("Emma", austen, &["Pride and Prejudice", "Emma"]),
        book("Frankenstein", shelley, &["Frankenstein"]),
    ]);
    assert_eq!(app.data(query).await["books"], expected);
    let statements = [
        r#"table="book" column="genre" keys=1"#,
        r#"table="author" column="id" keys=2"#,
        r#"table="book" column="author_id" keys=2"#,
    ];
    assert_eq!(app.statements(), statements);
}

#[tokio::test]
async fn interfaces_and_unions_load_the_relations_of_their_possible_types() {
    let app = App::start().await;
    let query = "{ named(name: \"Emma\") { __typename ... on Author { name books { title } }
        ... on Book { contributors { __typename name ... on Author { books { title } } } } } }";
    let books = json!([{ "title": "Pride and Prejudice" }, { "title": "Emma" }]);
    let expected = json!([
        { "__typename": "Author", "name": "Emma", "books": [] },
        { "__typename": "Book", "contributors": [
            { "__typename": "Author", "name": "Jane Austen", "books": books },
            { "__typename": "Publisher", "name": "Penguin Classics" },
        ] },
    ]);
    assert_eq!(app.data(query).await["named"], expected);
}

#[tokio::test]
async fn a_book_is_found_by_exactly_one_key() {
    let app = App::start().await;
    let query = "{ id: book(by: {id: 3}) { ...B } isbn: book(by: {isbn: \"9780141439495\"}) { ...B }
        none: book(by: {id: \"x\"}) { ...B } } fragment B on Book { id isbn genre }";
    let book = json!({ "id": "3", "isbn": "9780141439495", "genre": "SATIRE" });
    let expected = json!({ "id": book, "isbn": book, "none": null });
    assert_eq!(app.data(query).await, expected);
    for keys in ["", "id: null", "id: 3, isbn: \"9780141439495\""] {
        let response = app.execute(&format!("{{ book(by: {{{keys}}}) {{ id }} }}")).await;
        assert!(response["errors"][0]["message"].is_string(), "{keys}: {response}");
        assert_eq!(app.statements().len(), 2, "{keys}");
    }
}

#[tokio::test]
async fn an_isbn_with_a_wrong_check_digit_is_refused_with_its_location() {
    let app = App::start().await;
    let response = app.execute("{ book(by: {isbn: \"9780141439494\"}) { id } }").await;
    let message = "Failed to parse \"Isbn\": must have 13 digits, the last of which is the check digit, \
        it is \"9780141439494\" (occurred while parsing \"BookKey\")";
    let error = json!({
        "message": message,
        "locations": [{ "line": 1, "column": 12 }],
        "path": ["book"],
        "extensions": { "code": "BAD_USER_INPUT" },
    });
    assert_eq!(response, json!({ "data": { "book": null }, "errors": [error] }));
    assert!(app.statements().is_empty());
}

#[tokio::test]
async fn a_book_is_validated() {
    let app = App::start().await;
    let long = "a".repeat(201);
    for (given, author, expected) in [
        (" ", "Jane Austen", "book.title must not be blank"),
        (&long, "Jane Austen", "book.title must have at most 200 characters, it has 201"),
        ("a", "Nobody", "author: no author in the shop has this name"),
    ] {
        let book = format!(
            "isbn: \"9780140436433\", title: \"{given}\", genre: NOVEL, publisher: \"a\", author: \"{author}\""
        );
        let response = app.execute(&format!("mutation {{ addBook(book: {{{book}}}) {{ id }} }}")).await;
        let message = response["errors"][0]["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test]
async fn graphiql_is_served_with_the_name_of_the_service() {
    let app = App::start().await;
    let page = app.url.replace("/graphql", "/graphiql");
    let client = testkit::http::client().build().unwrap();
    let page = client.get(page).send().await.unwrap().text().await.unwrap();
    assert!(page.contains(r#""title":"Bookshop""#), "{page}");
}
