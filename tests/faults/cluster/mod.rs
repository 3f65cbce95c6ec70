//! Databases with several servers: a primary with a standby, and a cluster, with the tests that need that.

mod galera;
pub(crate) mod nodes;
pub(crate) mod postgres;

use testkit::{Concurrency, Harness};

/// Adds the tests on a cluster.
pub(crate) fn add_to(harness: &mut Harness) {
    harness.group("cluster", Concurrency::OneByOne).add_if(&nodes::availability(), &[("galera", galera::TESTS)]);
}

/// Stops the cluster that tests have shared.
pub(crate) fn stop() {
    nodes::Nodes::stop_shared();
}
