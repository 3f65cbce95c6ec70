//! What a lane leaves to others: who goes on when, and who has to wait for whom. The crate `model`
//! compiles the lane with another choice, to try it in every order.

pub(super) use std::sync::{Mutex, MutexGuard};
pub(super) use tokio::{spawn, task::yield_now};
