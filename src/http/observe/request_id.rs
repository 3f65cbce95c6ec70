//! Names for requests whose clients give none.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use poem::http::HeaderValue;
use uuid::Uuid;

/// What tells the requests of this process from those of any other.
static PROCESS: LazyLock<u64> = LazyLock::new(|| Uuid::new_v4().as_u64_pair().1);

static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// A name that no other request has. It is no secret, so asking the operating system for randomness
/// once for the process is enough.
pub(super) fn new() -> HeaderValue {
    let request = REQUESTS.fetch_add(1, Relaxed);
    let number = u128::from(*PROCESS) << 64 | u128::from(request);
    let digits: [u8; 32] = std::array::from_fn(|place| {
        let digit = (number >> (4 * (31 - place))) as usize & 0xf;
        b"0123456789abcdef"[digit]
    });
    HeaderValue::from_bytes(&digits).expect("digits can stand in a header")
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_requests_have_the_same_name() {
        let (one, other) = (super::new(), super::new());
        assert_ne!(one, other);
        assert_eq!(one.len(), 32);
    }
}
