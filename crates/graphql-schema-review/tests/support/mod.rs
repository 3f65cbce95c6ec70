//! Operations against two schemas.

use graphql_schema_review::{
    diff,
    operations::{Checked, DocumentSource, Documents, check},
};
use graphql_sdl::Schema;

pub(crate) const OLD: &str =
    "type Query { book(id: ID!): Book books(first: Int = 10, filter: Filter): [Book!] search: [Found!] }
type Mutation { rename(id: ID!, title: String): Book }
type Book { id: ID! title: String author: Author pages: Int }
type Author { name: String! size: Int }
union Found = Book | Author
input Filter { text: String kind: Kind ids: [ID!] }
input Key @oneOf { id: ID name: String }
enum Kind { NOVEL POEM }
directive @trace(depth: Int) repeatable on FIELD | QUERY
";

pub(crate) fn schema(name: &str, sdl: &str) -> Schema {
    Schema::parse(name, sdl).unwrap_or_else(|problems| panic!("{problems}"))
}

pub(crate) fn files(files: &[(&str, &str)]) -> DocumentSource {
    let files = files.iter();
    DocumentSource::Files(files.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
}

/// Checks operations against the old schema and an edit of it.
pub(crate) fn checked(from: &str, to: &str, source: DocumentSource) -> Checked {
    assert!(OLD.contains(from), "{from}");
    let (old, new) = (schema("old.graphql", OLD), schema("new.graphql", &OLD.replacen(from, to, 1)));
    let documents = Documents::read([source]).unwrap_or_else(|problems| panic!("{problems}"));
    check(&documents, Some(&old), &new, &diff(&old, &new))
}
