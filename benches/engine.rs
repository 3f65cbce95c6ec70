//! The engine without HTTP, on SQLite in memory: reading a document, resolving vehicles, answering.
//!
//! `cargo bench --bench engine`

mod asked;

use divan::{Bencher, black_box};

use asked::{Asked, KEPT_BYTES, LIST, LOOKUP_OF_NOBODY};

fn main() {
    divan::main();
}

/// A document that is not kept: parsed, validated and lowered each time. The database is not asked.
#[divan::bench]
fn cold_document(bencher: Bencher<'_, '_>) {
    let asked = Asked::new(0, 0);
    bencher.bench_local(|| asked.ask(black_box(LOOKUP_OF_NOBODY)));
}

/// The same document, kept.
#[divan::bench]
fn cached_document(bencher: Bencher<'_, '_>) {
    let asked = Asked::new(0, KEPT_BYTES);
    bencher.bench_local(|| asked.ask(black_box(LOOKUP_OF_NOBODY)));
}

/// A list with every field, its statement included.
#[divan::bench(args = [1, 20, 1000])]
fn resolving(bencher: Bencher<'_, '_>, count: u32) {
    let asked = Asked::new(count, KEPT_BYTES);
    let query = LIST.replace("COUNT", &count.to_string());
    bencher.bench_local(|| asked.ask(black_box(&query)));
}
