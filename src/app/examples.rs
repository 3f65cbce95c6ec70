//! The default tabs of GraphiQL.

use graphql_http::GraphiqlTab;

pub(super) const EXAMPLES: &[GraphiqlTab] = &[
    GraphiqlTab {
        query: include_str!("examples/first_page.graphql"),
        variables: "",
    },
    GraphiqlTab {
        query: include_str!("examples/next_page.graphql"),
        variables: include_str!("examples/next_page.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/create.graphql"),
        variables: include_str!("examples/create.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/update.graphql"),
        variables: include_str!("examples/update.json"),
    },
    GraphiqlTab {
        query: include_str!("examples/delete.graphql"),
        variables: include_str!("examples/delete.json"),
    },
];
