//! The idempotency keys of the mutations of a request, and the response header `Idempotent-Replayed`.

use std::sync::Arc;

use engine::IdempotencyKey;
use poem::{
    Response,
    http::{HeaderName, HeaderValue},
};

pub(super) use super::idempotency_key::HeaderKey;
use super::{refusal::Refusal, request::Prepared};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

impl HeaderKey {
    /// Gives the key to the mutations of a request; other operations ignore it.
    pub(super) fn attach(
        &self,
        subject: Option<&str>,
        prepared: &mut [Prepared],
    ) -> Result<Attached, Refusal> {
        let mut attached = Vec::new();
        for (index, prepared) in prepared.iter_mut().enumerate() {
            let Ok(prepared) = prepared else { continue };
            if !prepared.is_mutation() {
                continue;
            }
            match self {
                Self::Absent => {}
                Self::Invalid => return Err(Refusal::IdempotencyKey),
                Self::Key(key) => {
                    let key = Arc::new(IdempotencyKey::new(subject, key, index));
                    prepared.set_idempotency_key(Arc::clone(&key));
                    attached.push(key);
                }
            }
        }
        Ok(Attached(attached))
    }
}

/// The keys of the mutations of a request.
pub(super) struct Attached(Vec<Arc<IdempotencyKey>>);

impl Attached {
    /// Adds the header `Idempotent-Replayed` if every field that used a key had no effect again.
    pub(super) fn mark(&self, response: &mut Response) {
        let uses = self.0.iter().map(|key| key.uses());
        let sum = uses.fold((0, 0), |sum, uses| (sum.0 + uses.0, sum.1 + uses.1));
        if sum.0 > 0 && sum.0 == sum.1 {
            let value = HeaderValue::from_static("true");
            response.headers_mut().insert(REPLAYED, value);
        }
    }
}
