//! What the tests stand on: a harness, databases, and the service with verbs to use it.

mod answer;
mod app;
mod databases;
pub(crate) mod harness;
pub(crate) mod http;

pub(crate) use answer::Answer;
pub(crate) use app::TestApp;
pub(crate) use databases::Backend;
pub(crate) use harness::tests;
