//! Creates vehicles with the idempotency key of the request.

use engine::FieldKey;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use crate::{
    catalogue::NewVehicle,
    store::{Create, Created, CreationKey},
};

/// Gives the vehicle of a field its creation key, if the request has an idempotency key.
pub(super) fn create(key: Option<FieldKey<'_>>, field: &str, vehicle: NewVehicle) -> Create {
    creates(key, field, vec![vehicle]).swap_remove(0)
}

/// Gives each vehicle of a field its creation key, if the request has an idempotency key.
pub(super) fn creates(
    key: Option<FieldKey<'_>>,
    field: &str,
    vehicles: Vec<NewVehicle>,
) -> Vec<Create> {
    let key = key.map(|key| (key, digest(field, &vehicles)));
    let creates = vehicles.into_iter().enumerate();
    let creates = creates.map(|(index, vehicle)| {
        let key = key.map(|(key, digest)| CreationKey {
            key: key.item(index),
            digest,
        });
        Create { vehicle, key }
    });
    creates.collect()
}

/// The created vehicles; records whether they had been created before.
pub(super) fn created<T>(key: Option<FieldKey<'_>>, created: Created<T>) -> Result<T, Failure> {
    match created {
        Created::New(created) => Ok(created),
        Created::Before(created) => {
            if let Some(key) = key {
                key.record_replay();
            }
            Ok(created)
        }
        Created::KeyReused => Err(Failure::KeyReused),
    }
}

/// The first 8 bytes of SHA-256 over the field and the arguments that were given.
fn digest(field: &str, vehicles: &[NewVehicle]) -> [u8; 8] {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    add(field);
    for vehicle in vehicles {
        for (name, text) in vehicle.given() {
            add(name);
            add(&text);
        }
    }
    let hash: [u8; 32] = hash.finalize().into();
    std::array::from_fn(|byte| hash[byte])
}
