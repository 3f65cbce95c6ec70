//! Compares synchronous resolution with async-graphql's derives: lists of vehicles with five fields, executed
//! and rendered as JSON, including parsing and validation.
//!
//! `cargo bench -p codegen`

#![allow(missing_docs, reason = "a benchmark has no public API")]

#[path = "../tests/synchronous_resolution/mod.rs"]
mod served;

use async_graphql::Executor;
use divan::{Bencher, black_box};
use futures_util::FutureExt;

const QUERY: &str = "{ catalogue { id type modelCode brandName launchDate } }";
const COUNTS: [usize; 3] = [1, 20, 1000];

fn main() {
    divan::main();
}

#[divan::bench(args = COUNTS)]
fn generated(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::generated(count);
    bencher.bench_local(|| execute(&schema));
}

#[divan::bench(args = COUNTS)]
fn derived(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::derived(count);
    bencher.bench_local(|| execute(&schema));
}

fn execute(schema: &impl Executor) -> usize {
    let response = schema.execute(black_box(QUERY).into()).now_or_never();
    let json = serde_json::to_vec(&response).expect("a response is JSON");
    json.len()
}
