//! The contract of the unit tests.

use crate::Contract;

pub(crate) const SCHEMA: &str = r#"
type Query { "A list." books(count: Int): [Book] book(id: ID): Book bookPage(first: Int = 50): BookPage }
type Mutation { addBook(title: String!, author: String!): Book addBooks(books: [NewBook!]!): [Book!] }
input NewBook { title: String! }
type Book { id: ID! title: String author: String tags: [String] }
type BookPage { total: Int edges: [BookEdge!]! nodes: [Book!]! }
type BookEdge { node: Book! }
"#;

pub(crate) static CONTRACT: Contract = Contract::new("schema.graphql", SCHEMA);
