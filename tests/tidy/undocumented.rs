//! No undocumented module of async-graphql is used, in whatever form it is named.

use std::fs;

use syn::{
    ItemExternCrate, ItemUse, UseTree,
    visit::{self, Visit},
};

use super::{SKIPPED_FOLDERS, repository_path, sources};

const LIBRARY: &str = "async_graphql";

/// Its undocumented modules, which a patch release may change.
const UNDOCUMENTED: [&str; 4] = ["futures_util", "indexmap", "registry", "resolver_utils"];

/// Those that generated code needs.
const NEEDED: [&str; 3] = ["futures_util", "registry", "resolver_utils"];

/// What a file names.
#[derive(Default)]
struct Named {
    /// The names of the library in this file.
    libraries: Vec<String>,
    paths: Vec<Vec<String>>,
    /// The arguments of macros.
    macros: Vec<String>,
}

impl Named {
    fn of(code: &str) -> Self {
        let mut named = Self {
            libraries: vec![LIBRARY.to_owned()],
            ..Self::default()
        };
        named.visit_file(&syn::parse_file(code).expect("it compiles"));
        named
    }

    /// The undocumented modules among the named ones.
    fn undocumented(&self) -> Vec<&str> {
        let is_used = |module: &str| {
            let in_path = self.paths.iter().any(|path| match path.as_slice() {
                [library, member, ..] => {
                    self.libraries.contains(library) && (member == module || member == "*")
                }
                _ => false,
            });
            let mut libraries = self.libraries.iter();
            in_path
                || libraries.any(|library| {
                    let path = format!("{library}::{module}");
                    self.macros.iter().any(|tokens| tokens.contains(&path))
                })
        };
        let modules = UNDOCUMENTED.into_iter();
        modules.filter(|module| is_used(module)).collect()
    }

    fn add_use(&mut self, tree: &UseTree, prefix: &[String]) {
        let within = |name: &dyn ToString| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_use(&path.tree, &within(&path.ident)),
            UseTree::Group(group) => {
                let trees = group.items.iter();
                trees.for_each(|tree| self.add_use(tree, prefix));
            }
            UseTree::Glob(_) => self.paths.push(within(&"*")),
            UseTree::Name(name) => self.paths.push(within(&name.ident)),
            UseTree::Rename(name) => {
                let mut path = within(&name.ident);
                path.retain(|name| name != "self");
                if path == [LIBRARY] {
                    self.libraries.push(name.rename.to_string());
                }
                self.paths.push(path);
            }
        }
    }
}

impl<'a> Visit<'a> for Named {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.add_use(&item.tree, &[]);
    }

    fn visit_item_extern_crate(&mut self, item: &'a ItemExternCrate) {
        if let Some((_, name)) = item.rename.as_ref().filter(|_| item.ident == LIBRARY) {
            self.libraries.push(name.to_string());
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter();
        self.paths
            .push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let tokens = called.tokens.to_string();
        self.macros
            .push(tokens.split_whitespace().collect::<String>());
        visit::visit_macro(self, called);
    }
}

#[test]
fn no_undocumented_module_of_async_graphql_is_used() {
    let folders = ["benches", "crates", "examples", "fuzz", "src", "tests"];
    let files = folders
        .iter()
        .flat_map(|folder| sources(&repository_path(folder)));
    let is_skipped = |folder: &str| SKIPPED_FOLDERS.contains(&folder);
    let mut problems = Vec::new();
    for file in files.filter(|file| {
        !file
            .iter()
            .any(|part| part.to_str().is_some_and(is_skipped))
    }) {
        let code = fs::read_to_string(&file).expect("the file is UTF-8");
        // Generated code implements traits that name the registry, and completes lists as the derives do.
        let is_generated = file.starts_with(repository_path("crates/async-graphql-build"));
        let found = Named::of(&code);
        let found = found.undocumented().into_iter();
        for module in found.filter(|module| !is_generated || !NEEDED.contains(module)) {
            problems.push(format!("{}: uses {LIBRARY}::{module}", file.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn an_undocumented_module_is_found_in_every_form() {
    for code in [
        "use async_graphql::indexmap::IndexMap;",
        "pub use ::async_graphql::indexmap;",
        "use async_graphql::{Name, indexmap::IndexMap};",
        "use async_graphql::{\n    Name,\n    indexmap as map,\n};",
        "use {async_graphql::{indexmap}};",
        "use async_graphql::*;",
        "mod tests { fn f() { use async_graphql::indexmap::{self}; } }",
        "use async_graphql as graphql; fn f(_: graphql::indexmap::IndexMap<u8, u8>) {}",
        "use async_graphql::{self as graphql}; fn f() { graphql::indexmap::f() }",
        "extern crate async_graphql as graphql; use graphql::indexmap;",
        "fn f() -> async_graphql::indexmap::IndexMap<u8, u8> { g() }",
        "fn f() { assert!(async_graphql :: indexmap::f()); }",
    ] {
        assert!(
            Named::of(code).undocumented().contains(&"indexmap"),
            "{code}"
        );
    }
    for code in [
        "use async_graphql::{Name, Value}; use indexmap::IndexMap;",
        "use engine::{indexmap}; // async_graphql::indexmap",
        "fn f() { assert!(indexmap::f(), \"async_graphql\"); }",
    ] {
        assert!(Named::of(code).undocumented().is_empty(), "{code}");
    }
}
