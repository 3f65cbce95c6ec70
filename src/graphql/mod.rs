//! The GraphQL API: the resolvers that implement the contract, and the errors that clients receive.

mod creation;
mod failure;
mod page;
mod resolvers;
mod vehicle;

use std::sync::LazyLock;

use async_graphql::{EmptySubscription, Schema};
use async_graphql_strict::{CostModel, ItemsArgument, ScopeNames, Settings, SkipValidation, Strict};
use poem_graphql::GraphiqlTab;

pub use self::{
    failure::Failure,
    page::{Edge, Page},
    resolvers::Resolvers,
    vehicle::Vehicle,
};
use crate::{
    catalogue::max_characters,
    contract::{self, Mutation, Query, support::ResponseBytes},
};

/// The contract, word for word.
pub const SDL: &str = contract::CONTRACT;

/// The scopes of tokens.
pub const SCOPES: ScopeNames = ScopeNames { read: "catalogue:read", write: "catalogue:write" };

/// The hash of the contract.
pub const HASH: &str = env!("CONTRACT_HASH");

/// The contract, parsed.
pub static CONTRACT: LazyLock<graphql_sdl::Schema> =
    LazyLock::new(|| graphql_sdl::Schema::parse("schema.graphql", SDL).expect("the build has translated it"));

/// The cost of a vehicle of a bulk create beside that of its fields, because a write costs more than a read.
const ITEM_COST: u32 = 10;

/// The schema that async-graphql executes.
pub type VehicleSchema = Schema<Query<Resolvers>, Mutation<Resolvers>, EmptySubscription>;

/// The schema of the contract. Its documents are validated, and their depth is limited, before it executes them.
fn schema(resolvers: Resolvers) -> VehicleSchema {
    let (query, mutation) = (Query(resolvers.clone()), Mutation(resolvers));
    let schema = Schema::build(query, mutation, EmptySubscription);
    // Without federation async-graphql searches all types for entities, for each root field. Documents are validated
    // against the contract, which has none of the fields that this adds.
    schema.limit_recursive_depth(usize::MAX).enable_federation().extension(SkipValidation).finish()
}

/// The vehicles of a store behind the contract and the limits of these settings.
pub fn strict(resolvers: Resolvers, settings: Settings) -> Strict<VehicleSchema> {
    let settings = Settings {
        cost_model: CostModel {
            list_limit: resolvers.list_limit,
            text_characters: max_characters(),
            items: Some(ItemsArgument { name: "vehicles", limit: resolvers.bulk_limit, item_cost: ITEM_COST }),
        },
        scopes: SCOPES,
        response_budget: Some(ResponseBytes::insert),
        ..settings
    };
    Strict::new(schema(resolvers), &CONTRACT, settings)
}

/// The first tabs of GraphiQL.
pub const GRAPHIQL_TABS: &[GraphiqlTab] = &[
    GraphiqlTab { query: include_str!("../examples/first_page.graphql"), variables: "" },
    GraphiqlTab {
        query: include_str!("../examples/next_page.graphql"),
        variables: include_str!("../examples/next_page.json"),
    },
    GraphiqlTab {
        query: include_str!("../examples/create.graphql"),
        variables: include_str!("../examples/create.json"),
    },
    GraphiqlTab {
        query: include_str!("../examples/update.graphql"),
        variables: include_str!("../examples/update.json"),
    },
    GraphiqlTab {
        query: include_str!("../examples/delete.graphql"),
        variables: include_str!("../examples/delete.json"),
    },
];
