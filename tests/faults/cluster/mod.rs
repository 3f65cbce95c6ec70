//! Tests of the program on databases with several servers, which the tests start: a primary with a
//! standby, or a cluster.

pub(crate) mod address;
mod failover;
mod galera;
pub(crate) mod nodes;
pub(crate) mod postgres;

use testkit::{Concurrency, Harness};

/// Adds the tests. Those on a cluster are started first, since they take longest.
pub(crate) fn add_to(harness: &mut Harness) {
    harness
        .group("cluster", Concurrency::OneByOne)
        .add_if(&nodes::availability(), &[("galera", galera::TESTS)]);
    harness
        .beside("cluster", Concurrency::Parallel)
        .add_if(&postgres::availability(), &[("failover", failover::TESTS)]);
}

/// Stops the cluster that tests have shared.
pub(crate) fn stop() {
    nodes::Nodes::stop_shared();
}
