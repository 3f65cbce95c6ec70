//! A schema in several files, whose resolvers are in one module each.

use async_graphql::{EmptySubscription, Schema};
use serde_json::json;

use crate::served::differences;

include!(concat!(env!("OUT_DIR"), "/contract.rs"));

use self::contract::{Mutation, Query};

pub struct Resolvers;

mod authors {
    use async_graphql::{Context, Error};

    use super::{
        Resolvers,
        contract::{
            Author, AuthorsMutationResolver, AuthorsQueryResolver, MutationRenameArguments, QueryAuthorArguments,
        },
    };

    impl AuthorsQueryResolver for Resolvers {
        type Error = Error;

        async fn author(
            &self,
            _: &Context<'_>,
            arguments: QueryAuthorArguments<async_graphql::ID>,
        ) -> Result<Option<Author>, Error> {
            let name = format!("author {}", *arguments.id);
            Ok(Some(Author { name, books: None }))
        }
    }

    impl AuthorsMutationResolver for Resolvers {
        type Error = Error;

        async fn rename(
            &self,
            _: &Context<'_>,
            arguments: MutationRenameArguments<async_graphql::ID, String>,
        ) -> Result<Option<Author>, Error> {
            let name = arguments.name;
            Ok(Some(Author { name, books: None }))
        }
    }
}

mod books {
    use std::convert::Infallible;

    use async_graphql::Context;

    use super::{
        Resolvers,
        contract::{Book, BooksQueryResolver, QueryBooksArguments},
    };

    impl BooksQueryResolver for Resolvers {
        type Error = Infallible;

        async fn books(&self, _: &Context<'_>, arguments: QueryBooksArguments<i32>) -> Result<Vec<Book>, Infallible> {
            let titles = (1..=arguments.first).map(|number| format!("book {number}"));
            Ok(titles.map(|title| Book { title }).collect())
        }
    }
}

fn schema() -> Schema<Query<Resolvers>, Mutation<Resolvers>, EmptySubscription> {
    contract::build(Query(Resolvers), Mutation(Resolvers), EmptySubscription).finish()
}

#[tokio::test]
async fn a_root_type_has_a_trait_for_each_file() {
    let query = "{author(id: 7) {name books {title}} books {title}}";
    let response = schema().execute(query).await;
    let expected = json!({
        "author": {"name": "author 7", "books": null},
        "books": [{"title": "book 1"}, {"title": "book 2"}]});
    let data = serde_json::to_value(&response.data).expect("it is JSON");
    assert_eq!(data, expected, "{:?}", response.errors);
}

#[tokio::test]
async fn the_files_are_one_schema() {
    let served = differences(contract::SDL, &schema()).await;
    assert!(served.is_empty(), "{served:#?}");
    let files = [include_str!("several/authors.graphql"), include_str!("several/books.graphql")];
    assert_eq!(contract::CONTRACT, files.join("\n"));
}
