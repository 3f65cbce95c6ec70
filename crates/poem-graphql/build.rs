//! Embeds the assets of the GraphiQL page.

use std::{env, fmt::Write, fs, path::Path};

/// The output of `npm run build` in `graphiql/`.
const GRAPHIQL_ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/graphiql/dist/assets");

/// Writes `graphiql.rs`: an array of asset names and their compressed bytes.
#[expect(
    clippy::disallowed_methods,
    reason = "Cargo passes the output folder to build scripts as an environment variable"
)]
fn main() {
    println!("cargo::rerun-if-changed={GRAPHIQL_ASSETS}");
    let entries = fs::read_dir(GRAPHIQL_ASSETS).expect("graphiql/dist/assets is committed");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("the folder is readable").file_name()).collect();
    names.sort();
    let mut list = "[\n".to_owned();
    for name in names {
        let file = name.to_str().expect("asset names are ASCII");
        let name = file.trim_end_matches(".gz");
        let path = format!("{GRAPHIQL_ASSETS}/{file}");
        writeln!(list, "    ({name:?}, include_bytes!({path:?}).as_slice()),")
            .expect("writing to a string cannot fail");
    }
    list.push_str("]\n");
    let out_dir = env::var("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&out_dir).join("graphiql.rs"), list).expect("OUT_DIR is writable");
}
