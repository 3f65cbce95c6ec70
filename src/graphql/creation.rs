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

/// The idempotency key of a root field, if the request has one.
#[derive(Clone)]
pub(super) struct FieldKey(Option<(Arc<IdempotencyKey>, usize)>);

impl FieldKey {
    /// The key of this field: its position among the creates is a part of it.
    pub(super) fn of(ctx: &Context<'_>) -> Self {
        let key = ctx.data_opt::<Option<Arc<IdempotencyKey>>>();
        let key = key.and_then(Option::as_ref);
        Self(key.map(|key| (Arc::clone(key), ctx.root_position(CREATES))))
    }

    /// Stores the vehicles of a field, at most once.
    pub(super) async fn create(
        self,
        store: &Store,
        field: &str,
        vehicles: Vec<Checked>,
    ) -> Result<Vec<Model>, Failure> {
        let vehicles = match &self.0 {
            None => vehicles,
            Some((key, position)) => {
                let digest = Some(digest(field, &vehicles));
                let vehicles = vehicles.into_iter().enumerate();
                let keyed = vehicles.map(|(index, it)| it.with_key(key.item(*position, index), digest));
                keyed.collect()
            }
        };
        let created = store.create(vehicles).await;
        if let Some((key, _)) = &self.0 {
            key.record(matches!(created, Ok(Created::Before(_))));
        }
        match created? {
            Created::New(created) | Created::Before(created) => Ok(created),
            Created::KeyReused => Err(Failure::KeyReused),
        }
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
    first_bytes(hash)
}

fn first_bytes<const N: usize>(hash: Sha256) -> [u8; N] {
    let hash: [u8; 32] = hash.finalize().into();
    std::array::from_fn(|byte| hash[byte])
}
