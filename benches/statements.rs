//! The store without GraphQL, on each available database: single statements, and batched statements of
//! concurrent callers. The database servers are durable.
//!
//! `cargo bench --bench statements`

mod durable;
mod store_fixture;

use divan::Bencher;

use store_fixture::BenchStore;
use testkit::{Backend, OwnServer};

fn main() {
    divan::main();
}

/// The available databases.
fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|&backend| backend == Backend::Sqlite || OwnServer::availability(backend).is_ok())
}

/// The available databases with numbers of concurrent callers.
fn cases() -> impl Iterator<Item = Case> {
    backends().flat_map(|backend| [1, 32, 256].map(|callers| Case { backend, callers }))
}

#[derive(Clone, Copy, Debug)]
struct Case {
    backend: Backend,
    callers: u64,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:>3}", self.backend.name(), self.callers)
    }
}

/// Concurrent lookups by id, one for each caller; the time is that of all of them.
#[divan::bench(args = cases())]
fn find(bencher: Bencher<'_, '_>, case: Case) {
    let store = BenchStore::shared(case.backend);
    bencher.bench_local(|| store.find(case.callers));
}

/// Concurrent inserts, one for each caller.
#[divan::bench(args = cases())]
fn insert(bencher: Bencher<'_, '_>, case: Case) {
    let store = BenchStore::shared(case.backend);
    bencher.bench_local(|| store.insert(case.callers));
}

/// One caller, 20 vehicles.
#[divan::bench(args = backends())]
fn list_20(bencher: Bencher<'_, '_>, backend: Backend) {
    let store = BenchStore::shared(backend);
    bencher.bench_local(|| store.list(20));
}

/// One caller, 1,000 vehicles.
#[divan::bench(args = backends())]
fn list_1000(bencher: Bencher<'_, '_>, backend: Backend) {
    let store = BenchStore::shared(backend);
    bencher.bench_local(|| store.list(1000));
}
