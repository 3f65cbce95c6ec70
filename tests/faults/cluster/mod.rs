//! Tests of the program on databases with several servers, which the tests start: a primary with
//! replicas, or a cluster. Servers are killed, frozen, promoted and restarted.

pub(crate) mod address;
mod failover;
mod galera;
mod galera_migration;
mod identity;
mod load;
pub(crate) mod nodes;
pub(crate) mod postgres;
mod replica;
mod statements;
mod table_lock;

use testkit::{Concurrency, Harness};

/// Adds the tests. Those on a cluster are started first, since they take longest.
pub(crate) fn add_to(harness: &mut Harness) {
    harness.group("cluster", Concurrency::OneByOne).add_if(
        &nodes::availability(),
        &[
            ("galera", galera::TESTS),
            ("galera_migration", galera_migration::TESTS),
        ],
    );
    harness.beside("cluster", Concurrency::Parallel).add_if(
        &postgres::availability(),
        &[
            ("table_lock", table_lock::TESTS),
            ("failover", failover::TESTS),
            ("identity", identity::TESTS),
            ("replica", replica::TESTS),
            ("statements", statements::TESTS),
        ],
    );
}

/// Stops the cluster that tests have shared.
pub(crate) fn stop() {
    nodes::Nodes::stop_shared();
}
