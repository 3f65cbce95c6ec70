//! Every input of the corpora, and what comes of them by chance: the numbers 0, 1, 2 … each make one
//! input. `FUZZ_SEED=N` tries that of one number, `FUZZ_SEEDS=N` another number of them.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod dice;
#[expect(unreachable_pub, reason = "it is a library there")]
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;
mod mutation;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dice::Dice;

#[test]
fn http() {
    replay("http", 800, fuzz::http);
}

#[test]
fn codegen() {
    replay("codegen", 800, fuzz::codegen);
}

#[test]
fn diff() {
    replay("diff", 800, fuzz::diff);
}

#[test]
fn values() {
    replay("values", 20_000, fuzz::values);
}

fn replay(target: &str, seeds: u64, check: fn(&[u8])) {
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "{target} has a corpus");
    let inputs: Vec<&[u8]> = corpus.iter().map(|(_, input)| &**input).collect();
    if let Some(seed) = number("FUZZ_SEED") {
        return check(&mutation::of(&inputs, target, &mut Dice::new(seed)));
    }
    for (path, input) in &corpus {
        let kept = catch_unwind(|| check(input)).is_ok();
        assert!(kept, "{} breaks it", path.display());
    }
    for seed in 0..number("FUZZ_SEEDS").unwrap_or(seeds) {
        let input = mutation::of(&inputs, target, &mut Dice::new(seed));
        // A stack that overflows can't be caught: what did it is found here.
        fs::write(last(target), &input).expect("the folder for temporary files can be written");
        let kept = catch_unwind(|| check(&input)).is_ok();
        assert!(
            kept,
            "seed {seed} breaks it: FUZZ_SEED={seed} cargo test --test replay {target}\n{}",
            input.escape_ascii()
        );
    }
}

/// Where the last input is.
fn last(target: &str) -> PathBuf {
    let name = format!("last-{target}");
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The inputs that are checked in, in the order of their names; libFuzzer adds some whose names are
/// hashes, which are not.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let files = fs::read_dir(folder).expect("the corpus is there");
    let mut paths: Vec<_> = files
        .map(|file| file.expect("it can be read").path())
        .collect();
    paths.retain(|path| path.extension().is_some());
    paths.sort();
    let read = |path: PathBuf| {
        let input = fs::read(&path).expect("it can be read");
        (path, input)
    };
    paths.into_iter().map(read).collect()
}

#[expect(clippy::disallowed_methods, reason = "it is no setting of the service")]
fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().expect("it is a number"))
}
