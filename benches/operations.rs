//! Operations without HTTP, on SQLite in memory: preparing a document, resolving vehicles, serializing.
//!
//! `cargo bench --bench operations`

mod operations_fixture;

use divan::{Bencher, black_box};

use operations_fixture::{DOCUMENT_CACHE_BYTES, LIST, LOOKUP, Operations};

fn main() {
    divan::main();
}

/// A cache miss: the document is parsed, validated and lowered each time. No SQL statement is executed.
#[divan::bench]
fn cold_document(bencher: Bencher<'_, '_>) {
    let operations = Operations::new(0, 0);
    bencher.bench_local(|| operations.execute(black_box(LOOKUP)));
}

/// A cache hit of the same document.
#[divan::bench]
fn cached_document(bencher: Bencher<'_, '_>) {
    let operations = Operations::new(0, DOCUMENT_CACHE_BYTES);
    bencher.bench_local(|| operations.execute(black_box(LOOKUP)));
}

/// A list with all fields, including its SQL statement.
#[divan::bench(args = [1, 20, 1000])]
fn resolving(bencher: Bencher<'_, '_>, count: u32) {
    let operations = Operations::new(count, DOCUMENT_CACHE_BYTES);
    let query = LIST.replace("COUNT", &count.to_string());
    bencher.bench_local(|| operations.execute(black_box(&query)));
}
