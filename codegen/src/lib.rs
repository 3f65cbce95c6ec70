//! `schema.graphql` to Rust: the contract as traits that async-graphql resolvers must implement.
//!
//! ```no_run
//! codegen::Contract::new("schema.graphql")
//!     .object("Vehicle", "crate::catalogue::Vehicle")
//!     .generate();
//! ```
//!
//! in a `build.rs` writes `contract.rs` into `OUT_DIR`, to be included by a module of the crate.
//! `README.md` beside this crate says what each construct becomes and what is refused.

mod default_value;
mod lower;
mod model;
mod name;
mod print;
mod problem;
mod reach;
mod read;

#[cfg(test)]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "compiled here to be checked; used as text by `print`"
)]
mod support;

use std::{collections::BTreeMap, env, fs, path::Path, process};

use problem::Problems;
pub use problem::{Place, Problem};

/// A contract to be translated: an SDL file and the Rust types that answer for some of its types.
#[derive(Clone, Debug)]
pub struct Contract {
    file: String,
    bindings: Bindings,
}

/// GraphQL type names and the Rust types, as paths, that stand for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    pub(crate) scalars: BTreeMap<String, String>,
    pub(crate) objects: BTreeMap<String, String>,
}

impl Contract {
    /// The contract in the SDL file at this path, relative to the manifest of the crate.
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            bindings: Bindings::default(),
        }
    }

    /// Maps a custom scalar to a Rust type of the crate that implements `async_graphql::ScalarType`.
    #[must_use]
    pub fn scalar(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.bindings.scalars.insert(name.into(), rust_type.into());
        self
    }

    /// Lets a Rust type of the crate answer for an object type, by implementing the generated
    /// trait `…Resolver`. Without it a struct is generated for the object type.
    #[must_use]
    pub fn object(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.bindings.objects.insert(name.into(), rust_type.into());
        self
    }

    /// Translates SDL text to Rust source, or reports every problem in the order of the file.
    ///
    /// # Errors
    ///
    /// All defects of the SDL, and all constructs that can't be translated whole.
    pub fn translate(&self, sdl: &str) -> Result<String, Vec<Problem>> {
        let mut problems = Problems::new(&self.file);
        let contract = read::read(sdl, &self.file, &mut problems)
            .and_then(|schema| lower::lower(&schema, &self.bindings, &mut problems));
        match contract {
            Some(contract) if problems.is_empty() => Ok(print::print(&contract, &self.file)),
            _ => Err(problems.into_sorted()),
        }
    }

    /// For `build.rs`: writes `OUT_DIR/contract.rs` if it changed, or reports the problems to
    /// cargo and exits with 1.
    pub fn generate(self) {
        println_to_cargo(&format!("rerun-if-changed={}", self.file));
        let problems = match fs::read_to_string(&self.file) {
            Ok(sdl) => match self.translate(&sdl) {
                Ok(source) => return write(&source),
                Err(problems) => problems,
            },
            Err(error) => {
                let message = format!("can't be read: {error}");
                vec![Problem {
                    file: self.file,
                    place: None,
                    message,
                }]
            }
        };
        for problem in problems {
            println_to_cargo(&format!("error={problem}"));
        }
        process::exit(1);
    }
}

/// Writes only what changed: the compiler looks at the time of the file.
fn write(source: &str) {
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let path = Path::new(&folder).join("contract.rs");
    if fs::read_to_string(&path).is_ok_and(|written| written == source) {
        return;
    }
    if let Err(error) = fs::write(&path, source) {
        println_to_cargo(&format!(
            "error={}: can't be written: {error}",
            path.display()
        ));
        process::exit(1);
    }
}

#[expect(clippy::print_stdout, reason = "how a build script talks to cargo")]
fn println_to_cargo(instruction: &str) {
    println!("cargo::{instruction}");
}
