//! The schema that async-graphql executes, and what the engine knows of it: its scopes, the size of its lists and texts.

use async_graphql::{EmptySubscription, Schema};
use engine::{
    Contract, CostModel, Engine, EngineSettings, ItemsArgument, ScopeNames, SkipValidation,
};
use telemetry::trace;

use super::{
    contract::{self, Mutation, Query, support::ResponseBytes},
    resolvers::Resolvers,
};
use crate::{catalogue::MAX_CHARACTERS, store::Store};

/// The contract.
pub static CONTRACT: Contract = Contract::new("schema.graphql", contract::CONTRACT);

/// The cost of a vehicle of a bulk create beside that of its fields, because a write costs more than a read.
const ITEM_COST: u32 = 10;

/// An engine for this store, which creates at most `bulk_limit` vehicles at once.
pub fn engine(store: Store, bulk_limit: u32, settings: EngineSettings) -> Engine {
    let resolvers = Resolvers {
        store,
        list_limit: settings.cost_model.list_limit,
        bulk_limit,
    };
    let settings = EngineSettings {
        cost_model: CostModel {
            text_characters: MAX_CHARACTERS,
            items: Some(ItemsArgument {
                name: "vehicles",
                limit: bulk_limit,
                item_cost: ITEM_COST,
            }),
            ..settings.cost_model
        },
        scopes: ScopeNames {
            read: "catalogue:read",
            write: "catalogue:write",
        },
        creating_fields: &["createVehicle", "createVehicles"],
        response_bytes: Some(ResponseBytes::insert),
        parse_span: || Some(Box::new(trace::span("parse and validate")?)),
        ..settings
    };
    Engine::new(&CONTRACT, schema(resolvers), settings)
}

/// The schema of the contract, which async-graphql executes.
fn schema(
    resolvers: Resolvers,
) -> Schema<Query<Resolvers>, Mutation<Resolvers>, EmptySubscription> {
    let (query, mutation) = (Query(resolvers.clone()), Mutation(resolvers));
    let schema = Schema::build(query, mutation, EmptySubscription);
    // The engine limits the depth, and has validated what it passes on.
    let schema = schema.limit_recursive_depth(usize::MAX);
    schema.extension(SkipValidation).finish()
}

#[cfg(test)]
#[path = "../../crates/async-graphql-build/tests/served/mod.rs"]
mod served;

#[cfg(test)]
mod tests {
    use database::Database;

    use super::*;
    use crate::store::APPLICATION;

    #[tokio::test]
    async fn async_graphql_serves_the_contract() {
        let resolvers = Resolvers {
            store: Store::new(Database::in_memory(APPLICATION).await),
            list_limit: 1,
            bulk_limit: 1,
        };
        let sdl = schema(resolvers).sdl();
        assert_eq!(served::structure(&sdl), served::structure(CONTRACT.sdl()));
    }
}
