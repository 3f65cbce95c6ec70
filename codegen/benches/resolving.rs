//! Resolving by a straight loop beside async-graphql's derives: lists of vehicles with five fields,
//! executed and written as JSON. Parsing and validating are included, the same for both.
//!
//! `cargo bench -p codegen`

#![allow(missing_docs, reason = "a benchmark is nobody's library")]

#[path = "../tests/straight_loop/mod.rs"]
mod served;

use divan::{Bencher, black_box};
use futures_util::FutureExt;

const QUERY: &str = "{ catalogue { id type modelCode brandName launchDate } }";
const COUNTS: [usize; 3] = [1, 20, 1000];

fn main() {
    divan::main();
}

#[divan::bench(args = COUNTS)]
fn straight_loop(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::straight(count);
    bencher.bench_local(|| {
        let response = schema.execute(black_box(QUERY)).now_or_never();
        serde_json::to_vec(&response).map(|json| json.len())
    });
}

#[divan::bench(args = COUNTS)]
fn derived(bencher: Bencher<'_, '_>, count: usize) {
    let schema = served::derived(count);
    bencher.bench_local(|| {
        let response = schema.execute(black_box(QUERY)).now_or_never();
        serde_json::to_vec(&response).map(|json| json.len())
    });
}
