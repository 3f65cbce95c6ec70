//! Generates Rust from `schema.graphql`: traits that resolvers must implement, and the async-graphql types that call
//! them.
//!
//! ```no_run
//! async_graphql_build::Contract::new("schema.graphql")
//!     .object("Book", "crate::Book")
//!     .generate();
//! ```
//!
//! in a build script writes `contract.rs` into `OUT_DIR`, whose module `contract` a module of the crate includes. The
//! README of this crate describes the generated code and the constructs that are refused. Knows nothing of the service.

mod bindings;
mod lower;
mod model;
mod name;
mod names;
mod print;
mod reachability;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::Mutex,
};

use graphql_sdl::{Problems, Schema, is_graphql_file};

use self::bindings::Bindings;

/// A contract to be translated: SDL and the Rust types that implement some of its types.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Files, folders and patterns.
    sources: Vec<String>,
    module: String,
    bindings: Bindings,
}

impl Contract {
    /// The contract in the SDL file at this path, in all SDL files (`.graphql`, `.graphqls`, `.gql`) of this folder, or in
    /// the files of a pattern such as `schema/*.graphql`. The path is absolute or relative to the manifest of the crate.
    pub fn new(source: impl Into<String>) -> Self {
        Self { sources: vec![source.into()], module: "contract".to_owned(), bindings: Bindings::default() }
    }

    /// Adds another file, folder or pattern. Any of several files can extend a type, also `Query`, that none defines.
    #[must_use]
    pub fn and(mut self, source: impl Into<String>) -> Self {
        self.sources.push(source.into());
        self
    }

    /// Names the generated module and its file in `OUT_DIR`: `contract` and `contract.rs` by default. Each contract of a build
    /// script needs a name of its own.
    #[must_use]
    pub fn module_name(mut self, name: impl Into<String>) -> Self {
        self.module = name.into();
        self
    }

    /// Gives each root type a trait for each file that has fields of it: those of `Query` in `books.graphql` are in
    /// `BooksQueryResolver`, which a module of its own can implement.
    #[must_use]
    pub fn resolvers_by_file(mut self) -> Self {
        self.bindings.resolvers_by_file = true;
        self
    }

    /// Maps a custom scalar to a Rust type that implements `async_graphql::ScalarType`.
    #[must_use]
    pub fn scalar(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.bindings.scalars.insert(name.into(), rust_type.into());
        self
    }

    /// Generates a type for a custom scalar: a struct around a Rust type that serde serializes and deserializes, such as
    /// `chrono::DateTime<chrono::Utc>`, `uuid::Uuid`, `url::Url`, `rust_decimal::Decimal` or `serde_json::Value`. It needs
    /// `Clone`, `Debug` and `PartialEq`, and the serde support of its crate.
    #[must_use]
    pub fn serde_scalar(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.bindings.serde_scalars.insert(name.into(), rust_type.into());
        self
    }

    /// Maps each custom scalar that [`Self::scalar`] and [`Self::serde_scalar`] do not name to the Rust type of the same name in this module, such
    /// as `crate::scalars`.
    #[must_use]
    pub fn scalars_in(mut self, module: impl Into<String>) -> Self {
        self.bindings.scalars_in = Some(module.into());
        self
    }

    /// Maps an object type to a Rust type of the crate that implements the generated trait `…Resolver`.
    /// Without a mapping, a struct is generated.
    #[must_use]
    pub fn object(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        self.bindings.objects.insert(name.into(), rust_type.into());
        self
    }

    /// Maps each object type that must have a Rust type, since its fields have arguments or return such a type, and that
    /// [`Self::object`] does not name, to the Rust type of the same name in this module, such as `crate::types`.
    #[must_use]
    pub fn objects_in(mut self, module: impl Into<String>) -> Self {
        self.bindings.objects_in = Some(module.into());
        self
    }

    /// Like [`Self::object`], but the fields of the trait are asynchronous and can fail, even if none has arguments:
    /// for an object that loads some of its fields when they are selected.
    #[must_use]
    pub fn resolved_object(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        let name = name.into();
        self.bindings.resolved.insert(name.clone());
        self.object(name, rust_type)
    }

    /// Maps an object type to a struct of the crate, whose fields have the names and types that those of a generated struct
    /// would have. Only fields with arguments or guards, or of types with resolvers, are in the trait `…Resolver`; if
    /// there are none, there is no trait.
    #[must_use]
    pub fn struct_object(mut self, name: impl Into<String>, rust_type: impl Into<String>) -> Self {
        let name = name.into();
        self.bindings.read.insert(name.clone());
        self.object(name, rust_type)
    }

    /// Guards each field of an object with resolvers that has this directive, or whose type has it: the function makes an
    /// `async_graphql::Guard` of the generated struct of the directive's arguments. `.guard_directive("auth",
    /// "crate::RoleGuard")` is for `struct RoleGuard(AuthDirective)`.
    #[must_use]
    pub fn guard_directive(mut self, name: impl Into<String>, function: impl Into<String>) -> Self {
        self.bindings.guard_directives.insert(name.into(), function.into());
        self
    }

    /// Says that a directive has no effect, or each (`*`) that is not a guard. Others that are applied are problems of the
    /// contract.
    #[must_use]
    pub fn documentation(mut self, name: impl Into<String>) -> Self {
        self.bindings.documentation.insert(name.into());
        self
    }

    /// Makes nullable fields of an input object tell "omitted" from "null": they become
    /// `async_graphql::MaybeUndefined`, unless they have a default value.
    #[must_use]
    pub fn distinguish_omitted(mut self, name: impl Into<String>) -> Self {
        self.bindings.distinguish_omitted.insert(name.into());
        self
    }

    /// States the name in Rust of the element with this coordinate, such as `Book`, `Query.books`, `Query.books(first:)` or
    /// `Colour.RED`: in snake case for a field or an argument, else in Pascal case. By default it follows from the
    /// name in SDL.
    #[must_use]
    pub fn rename(mut self, coordinate: impl Into<String>, rust_name: impl Into<String>) -> Self {
        self.bindings.renames.insert(coordinate.into(), rust_name.into());
        self
    }

    /// Attaches a guard of async-graphql to the resolver of the field with this coordinate: `.guard("Query.accounts",
    /// "crate::RoleGuard::new(Role::Admin)")`, a Rust expression of a type that implements `async_graphql::Guard`.
    #[must_use]
    pub fn guard(mut self, coordinate: impl Into<String>, expression: impl Into<String>) -> Self {
        self.bindings.guards.insert(coordinate.into(), expression.into());
        self
    }

    /// States the complexity of the field with this coordinate for `SchemaBuilder::limit_complexity`, as a Rust expression of
    /// its arguments and of `child_complexity`, that of its selection set: `.complexity("Query.books", "first as usize *
    /// child_complexity")`.
    #[must_use]
    pub fn complexity(mut self, coordinate: impl Into<String>, expression: impl Into<String>) -> Self {
        self.bindings.complexities.insert(coordinate.into(), expression.into());
        self
    }

    /// Names the function that parses texts of a format of `@constraint`: `fn(&str) -> Result<T, E>`, whose error is a text or
    /// implements `Error`. The generated code calls it to check arguments and input fields.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>, function: impl Into<String>) -> Self {
        self.bindings.parsers.insert(("format", format.into()), function.into());
        self
    }

    /// Names the function that parses texts that match a pattern of `@constraint`, as [`Self::format`] does.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>, function: impl Into<String>) -> Self {
        self.bindings.parsers.insert(("pattern", pattern.into()), function.into());
        self
    }

    /// Translates SDL, which takes the place of the files.
    ///
    /// # Errors
    ///
    /// All defects of the SDL; if there are none, all constructs that cannot be translated completely.
    pub fn translate(&self, sdl: &str) -> Result<Translation<'_>, Problems> {
        self.lower(vec![(self.name(), sdl.to_owned())])
    }

    /// The sources in messages.
    fn name(&self) -> String {
        self.sources.join(", ")
    }

    /// The names and texts of the files.
    fn read(&self) -> Result<Vec<(String, String)>, String> {
        let mut files = BTreeSet::new();
        for source in &self.sources {
            let is_folder = Path::new(source).is_dir();
            let pattern = if is_folder { format!("{source}/**/*") } else { source.clone() };
            let found = glob::glob(&pattern).map_err(|error| format!("{source}: {error}"))?;
            let mut found: Vec<_> = found.filter_map(Result::ok).collect();
            if is_folder {
                found.retain(|file| is_graphql_file(file));
            }
            if found.is_empty() {
                return Err(format!("{source}: there is no such SDL file in the folder of the manifest"));
            }
            files.extend(found);
        }
        let texts = files.into_iter().map(|file| {
            let name = file.to_string_lossy().into_owned();
            let text = fs::read_to_string(&file);
            let text = text.map_err(|error| format!("{name}: cannot be read: {error}"))?;
            Ok((name, text))
        });
        texts.collect()
    }

    fn lower(&self, files: Vec<(String, String)>) -> Result<Translation<'_>, Problems> {
        let (schema, problems) = Schema::parse_files_partly(self.name(), &files);
        let schema = problems.into_result(schema)?;
        let contract = lower::lower(&schema, &self.bindings)?;
        Ok(Translation { of: self, files, schema, contract })
    }

    /// For the build script: writes `OUT_DIR/contract.rs` if it changed, or reports the problems to cargo and exits
    /// with 1.
    pub fn generate(self) {
        static MODULES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        let (module, name) = (&self.module, self.name());
        if syn::parse_str::<syn::Ident>(module).is_err() {
            fail(&format!("{name}: \"{module}\" is not the name of a module"));
        }
        let mut modules = MODULES.lock().expect("no thread panics with the lock");
        if !modules.insert(module.clone()) {
            fail(&format!(
                "{name}: another contract of the build script is also generated as the module {module}; name one: .module_name(\"…\")"
            ));
        }
        let files = self.read().unwrap_or_else(|message| fail(&message));
        // A new file changes its folder.
        let folders = files.iter().filter_map(|(file, _)| Path::new(file).parent());
        let folders = folders.filter(|folder| files.len() > 1 && !folder.as_os_str().is_empty());
        let watched = files.iter().map(|(file, _)| Path::new(file)).chain(folders);
        for path in watched.collect::<BTreeSet<_>>() {
            println_to_cargo(&format!("rerun-if-changed={}", path.display()));
        }
        let translation = self.lower(files).unwrap_or_else(|problems| fail(&problems.to_string()));
        self.warn_of_removals(&translation.schema);
        write(&format!("{module}.rs"), &translation.module());
    }

    /// Names what the file defined at the last build and does not define now: the compiler names only the Rust code that
    /// implements it.
    fn warn_of_removals(&self, schema: &Schema) {
        let file = format!("{}.coordinates", self.module);
        let coordinates = schema.coordinates();
        let last = fs::read_to_string(output(&file)).unwrap_or_default();
        let removed = last.lines().filter(|&line| !coordinates.contains(line));
        for coordinate in removed.take(MAX_WARNINGS) {
            println_to_cargo(&format!(
                "warning={} no longer defines {coordinate}; remove what implements or uses it",
                self.name()
            ));
        }
        let lines: Vec<_> = coordinates.into_iter().collect();
        write(&file, &lines.join("\n"));
    }
}

/// A contract that can be generated.
pub struct Translation<'c> {
    of: &'c Contract,
    files: Vec<(String, String)>,
    schema: Schema,
    contract: model::Contract,
}

impl Translation<'_> {
    /// The Rust source.
    pub fn source(&self) -> String {
        print::print(&self.contract, &self.of.name())
    }

    /// The module `contract`, as [`Contract::generate`] writes it.
    pub fn module(&self) -> String {
        module_of(&self.of.module, &self.files, &self.source())
    }

    /// The Rust source that is generated for one type, each item with its line of the SDL.
    ///
    /// # Errors
    ///
    /// That there is no such type.
    pub fn expand(&self, type_name: &str) -> Result<String, Problems> {
        let definitions = &self.contract.definitions;
        if let Some(definition) = definitions.iter().find(|ty| ty.header().name == type_name) {
            return Ok(print::expand(definition));
        }
        let names = definitions.iter().map(|ty| ty.header().name.as_str());
        let suggestion = graphql_sdl::suggestion(type_name, names);
        let mut problems = Problems::new(self.of.name());
        problems.add(None, format!("defines no type \"{type_name}\"{suggestion}"));
        Err(problems)
    }

    /// Rust source to start from: an implementation of each generated trait, whose methods are `todo!()`, and a function
    /// that builds the schema. It belongs to the module that includes the generated code, which is also that of
    /// [`Contract::objects_in`].
    pub fn stubs(&self) -> String {
        print::stubs(&self.contract, &self.of.module)
    }

    /// The implementations of [`Self::stubs`] that a crate lacks, which has `written` these traits with these methods; or,
    /// with `only`, those of `TYPE` or `TYPE.FIELD`.
    pub fn missing(&self, written: &BTreeMap<String, BTreeSet<String>>, only: Option<&str>) -> String {
        print::missing(&self.contract, &self.of.module, written, only)
    }

    /// The attribute that the crate needs at its begin, if its generated types contain each other in such depth that the compiler
    /// reports E0275.
    pub fn recursion_limit(&self) -> Option<String> {
        let depth = self.contract.depth();
        let limit = (depth > MAX_DEPTH).then(|| (depth + MAX_DEPTH / 2).next_power_of_two());
        limit.map(|limit| format!("#![recursion_limit = \"{limit}\"]"))
    }
}

/// What the generated code calls beside async-graphql, and its modules.
const SUPPORT: &str = include_str!("support/mod.rs");
const SUPPORT_MODULES: [(&str, &str); 10] = [
    ("complete", include_str!("support/complete.rs")),
    ("constraints", include_str!("support/constraints.rs")),
    ("events", include_str!("support/events.rs")),
    ("json", include_str!("support/json.rs")),
    ("omitted", include_str!("support/omitted.rs")),
    ("registered", include_str!("support/registered.rs")),
    ("resolving", include_str!("support/resolving.rs")),
    ("selections", include_str!("support/selections.rs")),
    ("served", include_str!("support/served.rs")),
    ("write_json", include_str!("support/write_json.rs")),
];

/// The groups of lints that the generated code may break, and lints that are in no group.
const LINTS: &str = "warnings, clippy::all, clippy::nursery, clippy::pedantic, clippy::restriction, rustdoc::all, \
    keyword_idents, let_underscore, nonstandard_style, rust_2018_idioms, rust_2021_compatibility, \
    rust_2024_compatibility, unused, explicit_outlives_requirements, missing_copy_implementations, \
    missing_debug_implementations, missing_docs, private_interfaces, redundant_lifetimes, single_use_lifetimes, \
    trivial_casts, trivial_numeric_casts, unit_bindings, unnameable_types, unreachable_pub, unused_import_braces, \
    unused_lifetimes, unused_qualifications, unused_results, variant_size_differences";

/// The module of this name: the generated code, what it calls, and the text of the SDL files.
fn module_of(name: &str, files: &[(String, String)], source: &str) -> String {
    let folder = env::current_dir().expect("cargo sets the folder of the manifest");
    let texts = files.iter().map(|(file, _)| format!("include_str!({:?})", folder.join(file).display().to_string()));
    let texts = texts.collect::<Vec<_>>().join(", \"\\n\", ");
    let inline = |source: String, (name, text): (&str, &str)| {
        source.replace(&format!("mod {name};"), &format!("mod {name} {{\n{text}}}"))
    };
    let support = SUPPORT_MODULES.into_iter().fold(SUPPORT.to_owned(), inline);
    format!(
        "#[allow({LINTS}, reason = \"the code is generated for any crate\")]
pub(crate) mod {name} {{
{source}
/// The text of the SDL files.
pub const CONTRACT: &str = concat!({texts});

pub use self::support::build;

pub mod support {{
{support}
}}
}}
"
    )
}

/// The depth of types that the compiler resolves within its recursion limit of 128.
const MAX_DEPTH: usize = 110;

/// The maximum number of removed elements that are named.
const MAX_WARNINGS: usize = 10;

/// A file that the build script writes.
fn output(file: &str) -> PathBuf {
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    Path::new(&folder).join(file)
}

/// Writes the file only if it changed, because cargo compares its modification time.
fn write(file: &str, source: &str) {
    let path = output(file);
    if fs::read_to_string(&path).is_ok_and(|written| written == source) {
        return;
    }
    if let Err(error) = fs::write(&path, source) {
        fail(&format!("{}: cannot be written: {error}", path.display()));
    }
}

/// Reports each line to cargo as an error.
fn fail(problems: &str) -> ! {
    for line in problems.lines() {
        println_to_cargo(&format!("error={line}"));
    }
    process::exit(1);
}

#[expect(clippy::print_stdout, reason = "cargo reads the instructions of a build script from stdout")]
fn println_to_cargo(instruction: &str) {
    println!("cargo::{instruction}");
}
