//! The store without GraphQL, on each database that can be had: what a statement takes, and what the
//! shared statements of many callers take. Servers are throwaway ones that forget nothing in a crash.
//!
//! `cargo bench --bench statements`

#[allow(dead_code, reason = "made for tests, which need more of it")]
#[path = "../tests/it/support/databases/mod.rs"]
mod databases;
mod stored;

use divan::Bencher;

use databases::{Backend, OwnServer};
use stored::Stored;

fn main() {
    divan::main();
}

/// Databases that can be had here.
fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL
        .into_iter()
        .filter(|&backend| backend == Backend::Sqlite || OwnServer::availability(backend).is_ok())
}

/// Databases and numbers of callers.
fn crowds() -> impl Iterator<Item = Crowd> {
    backends().flat_map(|backend| [1, 32, 256].map(|callers| Crowd { backend, callers }))
}

#[derive(Clone, Copy, Debug)]
struct Crowd {
    backend: Backend,
    callers: u64,
}

impl std::fmt::Display for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:>3}", self.backend.name(), self.callers)
    }
}

/// So many callers look for a vehicle each, all at once; the time is that of all of them.
#[divan::bench(args = crowds())]
fn find(bencher: Bencher<'_, '_>, crowd: Crowd) {
    let stored = Stored::on(crowd.backend);
    bencher.bench_local(|| stored.find(crowd.callers));
}

/// So many callers create a vehicle each, all at once.
#[divan::bench(args = crowds())]
fn insert(bencher: Bencher<'_, '_>, crowd: Crowd) {
    let stored = Stored::on(crowd.backend);
    bencher.bench_local(|| stored.insert(crowd.callers));
}

/// One caller, 20 vehicles.
#[divan::bench(args = backends())]
fn list_20(bencher: Bencher<'_, '_>, backend: Backend) {
    let stored = Stored::on(backend);
    bencher.bench_local(|| stored.list(20));
}

/// One caller, 1,000 vehicles.
#[divan::bench(args = backends())]
fn list_1000(bencher: Bencher<'_, '_>, backend: Backend) {
    let stored = Stored::on(backend);
    bencher.bench_local(|| stored.list(1000));
}
