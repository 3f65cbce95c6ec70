//! The service as the engine sees it: its root types, its scopes, the size of its lists and texts.

use engine::{CostModel, Engine, EngineSettings, ItemsArgument, ScopeNames};
use telemetry::trace;

use super::{
    CONTRACT,
    contract::{Mutation, Query},
    resolvers::Resolvers,
};
use crate::{catalogue::MAX_CHARACTERS, store::Store};

/// The cost of a vehicle of a bulk create beside that of its fields, because a write costs more than a read.
const ITEM_COST: u32 = 10;

/// An engine for this store, which creates at most `bulk_limit` vehicles at once.
pub fn engine(store: Store, bulk_limit: u32, settings: EngineSettings) -> Engine {
    let resolvers = Resolvers {
        store,
        list_limit: settings.cost_model.list_limit,
        bulk_limit,
    };
    let root_types = (Query(resolvers.clone()), Mutation(resolvers));
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
        parse_span: || Some(Box::new(trace::span("parse and validate")?)),
        ..settings
    };
    Engine::new(&CONTRACT, root_types, settings)
}
