//! Compares synchronous resolution with async-graphql's derives: lists of vehicles with five fields, executed
//! and rendered as JSON, including parsing and validation.
//!
//! `cargo bench -p generated-code`

#![allow(missing_docs, reason = "a benchmark has no public API")]

#[path = "../synchronous_resolution/served.rs"]
mod served;

use async_graphql::Executor;
use divan::{Bencher, black_box};

const QUERY: &str = "{ catalogue { id type modelCode brandName launchDate } }";
const COUNTS: [usize; 3] = [1, 20, 1000];

fn main() {
    divan::main();
}

#[divan::bench(args = COUNTS)]
fn generated(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::generated(count);
    let runtime = served::runtime();
    bencher.bench_local(|| runtime.block_on(execute(&schema)));
}

#[divan::bench(args = COUNTS)]
fn derived(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::derived(count);
    let runtime = served::runtime();
    bencher.bench_local(|| runtime.block_on(execute(&schema)));
}

async fn execute(schema: &impl Executor) -> usize {
    let response = schema.execute(black_box(QUERY).into()).await;
    let json = serde_json::to_vec(&response).expect("a response is JSON");
    json.len()
}
