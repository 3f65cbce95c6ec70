//! The keys of creates: derived from the idempotency key of the request, so that a repeated request creates nothing again.

use std::sync::Arc;

use async_graphql::Context;
use async_graphql_strict::ResolverContext;
use poem_graphql::IdempotencyKey;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use crate::{
    catalogue::{Checked, vehicle::Model},
    store::{Created, Store},
};

/// The root fields that create something.
const CREATES: &[&str] = &["createVehicle", "createVehicles"];

/// Stores the vehicles of a root field, with an idempotency key at most once: its position among the creates is a part of
/// the key.
pub(super) async fn create(
    ctx: &Context<'_>,
    store: &Store,
    field: &str,
    vehicles: Vec<Checked>,
) -> Result<Vec<Model>, Failure> {
    let key = ctx.data_opt::<Option<Arc<IdempotencyKey>>>().and_then(Option::as_ref);
    let vehicles = match key {
        None => vehicles,
        Some(key) => {
            let (digest, position) = (digest(field, &vehicles), ctx.root_position(CREATES));
            let vehicles = vehicles.into_iter().enumerate();
            vehicles.map(|(index, it)| it.with_key(key.item(position, index), Some(digest))).collect()
        }
    };
    let created = store.create(vehicles).await;
    if let Some(key) = key {
        key.record(matches!(created, Ok(Created::Before(_))));
    }
    match created? {
        Created::New(created) | Created::Before(created) => Ok(created),
        Created::KeyReused => Err(Failure::KeyReused),
    }
}

/// The first 8 bytes of SHA-256 over the field and the arguments that were given.
fn digest(field: &str, vehicles: &[Checked]) -> [u8; 8] {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    add(field);
    for (name, text) in vehicles.iter().flat_map(Checked::given) {
        add(&name);
        add(&text);
    }
    let hash: [u8; 32] = hash.finalize().into();
    std::array::from_fn(|byte| hash[byte])
}
