//! The service as the engine sees it: its root types, its scopes, the size of its lists and texts.

use std::any::Any;

use engine::{CostModel, Engine, EngineSettings, ItemsArgument, ScopeNames, Service};
use telemetry::trace;

use super::{
    CONTRACT,
    contract::{Mutation, Query},
    resolvers::Resolvers,
};
use crate::{
    catalogue::{ListLimit, MAX_CHARACTERS},
    store::Store,
};

/// The cost of a vehicle of a bulk create beside that of its fields, because a write costs more than a read.
const ITEM_COST: u32 = 10;

/// The root types of the contract with their resolvers.
struct Catalogue {
    query: Query<Resolvers>,
    mutation: Mutation<Resolvers>,
}

impl Service for Catalogue {
    const SCOPES: ScopeNames = ScopeNames {
        read: "catalogue:read",
        write: "catalogue:write",
    };
    type Query = Query<Resolvers>;
    type Mutation = Mutation<Resolvers>;

    fn query(&self) -> &Self::Query {
        &self.query
    }

    fn mutation(&self) -> &Self::Mutation {
        &self.mutation
    }

    fn parse_span() -> Option<Box<dyn Any>> {
        let span = trace::span("parse and validate")?;
        Some(Box::new(span))
    }
}

/// An engine for this store, whose lists have at most this length, and which creates at most `bulk_limit` vehicles
/// at once.
pub fn engine(
    store: Store,
    list_limit: ListLimit,
    bulk_limit: u32,
    settings: EngineSettings,
) -> Engine {
    let cost_model = CostModel {
        list_size_argument: "count",
        page_size_argument: "first",
        list_limit: list_limit.get(),
        text_characters: MAX_CHARACTERS,
        items: Some(ItemsArgument {
            name: "vehicles",
            limit: bulk_limit,
            item_cost: ITEM_COST,
        }),
    };
    let resolvers = Resolvers {
        store,
        list_limit,
        bulk_limit,
    };
    let service = Catalogue {
        query: Query(resolvers.clone()),
        mutation: Mutation(resolvers),
    };
    Engine::new(&CONTRACT, service, cost_model, settings)
}
