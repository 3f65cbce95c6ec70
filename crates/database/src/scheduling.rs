//! The locks and the task scheduling of the batcher. The crate `model` compiles the batcher with
//! replacements of these to test it under many schedules.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use tokio::{spawn, task::yield_now};
