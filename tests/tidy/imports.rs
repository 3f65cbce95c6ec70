//! No file imports one that imports it, directly or through others. A file imports another one if it names an
//! item that is defined there, wherever that is re-exported.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    slice,
};

use syn::{
    Attribute, Expr, Item, Token, UseTree, Visibility,
    punctuated::Punctuated,
    visit::{self, Visit},
};

use super::{crates, repository_path};

/// A path of names, such as `crate::store::Store`.
pub(super) type Names = Vec<String>;

/// The modules of a crate that have a file of their own, by their path without `crate`.
type Modules = BTreeMap<Names, Module>;

/// What a file defines and names, without its unit tests.
#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    /// The paths of imports and re-exports, by the names that they introduce.
    imports: BTreeMap<String, Names>,
    /// The paths of modules whose every name is imported.
    globs: Vec<Names>,
    /// The named paths, without those of re-exports.
    paths: Vec<Names>,
}

impl Module {
    fn add_use(&mut self, tree: &UseTree, prefix: &[String], is_private: bool) {
        let within = |name: &dyn ToString| [prefix, &[name.to_string()]].concat();
        let (name, path) = match tree {
            UseTree::Path(path) => {
                return self.add_use(&path.tree, &within(&path.ident), is_private);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.add_use(tree, prefix, is_private));
            }
            UseTree::Glob(_) => return self.globs.push(prefix.to_vec()),
            UseTree::Name(name) if name.ident == "self" => {
                (prefix.last().cloned().unwrap_or_default(), prefix.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), within(&name.ident)),
            UseTree::Rename(name) => (name.rename.to_string(), within(&name.ident)),
        };
        if is_private {
            self.paths.push(path.clone());
        }
        self.imports.insert(name, path);
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Mod(item) if is_for_tests(&item.attrs) => return,
            Item::Mod(item) => item.content.as_ref().map(|_| &item.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Use(item) => {
                let is_private = matches!(item.vis, Visibility::Inherited);
                return self.add_use(&item.tree, &[], is_private);
            }
            _ => None,
        };
        self.items.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter();
        self.paths.push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let arguments = called.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for path in arguments.iter().flat_map(|arguments| {
            let mut module = Self::default();
            for argument in arguments {
                module.visit_expr(argument);
            }
            module.paths
        }) {
            self.paths.push(path);
        }
        visit::visit_macro(self, called);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let mut attributes = attributes.iter();
    attributes.any(|attribute| {
        let condition = attribute.parse_args::<syn::Ident>();
        attribute.path().is_ident("cfg") && condition.is_ok_and(|condition| condition == "test")
    })
}

/// The paths that a file names, outside of its unit tests.
pub(super) fn named_paths(file: &Path) -> Vec<Names> {
    let text = fs::read_to_string(file).expect("the file is UTF-8");
    let mut module = Module::default();
    module.visit_file(&syn::parse_file(&text).expect("it compiles"));
    [module.paths, module.imports.into_values().collect()].concat()
}

/// Adds the module of a file, and those that it declares.
fn load(file: &Path, path: &[String], modules: &mut Modules) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&text).expect("it compiles");
    let mut module = Module::default();
    module.visit_file(&parsed);
    modules.insert(path.to_vec(), module);
    let is_root_of_folder = file.ends_with("lib.rs") || file.ends_with("mod.rs");
    let folder =
        if is_root_of_folder { file.parent().expect("it is in a folder").to_owned() } else { file.with_extension("") };
    for item in &parsed.items {
        if let Item::Mod(child) = item
            && child.content.is_none()
            && !is_for_tests(&child.attrs)
        {
            let name = child.ident.to_string();
            let files = [format!("{name}.rs"), format!("{name}/mod.rs")];
            let mut files = files.iter().map(|file| folder.join(file));
            // The file of a module with `#[path]` belongs to another crate.
            if let Some(file) = files.find(|file| file.exists()) {
                load(&file, &[path, &[name]].concat(), modules);
            }
        }
    }
}

/// The module whose file defines the item that a path names in a module; `None` if that is another crate's.
fn definition(modules: &Modules, within: &[String], path: &[String], depth: u8) -> Option<Names> {
    let (mut module, mut path) = (within.to_vec(), path);
    while let [first, rest @ ..] = path {
        match first.as_str() {
            "crate" => module.clear(),
            "super" => drop(module.pop()),
            "self" => {}
            _ => break,
        }
        path = rest;
    }
    while let [first, rest @ ..] = path {
        let child = [&module[..], slice::from_ref(first)].concat();
        if modules.contains_key(&child) {
            (module, path) = (child, rest);
            continue;
        }
        let Module { items, imports, globs, .. } = modules.get(&module)?;
        if items.contains(first) {
            return Some(module);
        }
        let imported = imports.get(first).map(|import| [import, rest].concat());
        let globs = globs.iter().map(|glob| [glob, path].concat());
        let depth = depth.checked_sub(1)?;
        return imported.into_iter().chain(globs).find_map(|path| definition(modules, &module, &path, depth));
    }
    None
}

/// The modules that a module imports, directly or through others.
fn reachable<'a>(imports: &'a BTreeMap<&Names, BTreeSet<Names>>, from: &Names, found: &mut BTreeSet<&'a Names>) {
    for import in &imports[from] {
        if found.insert(import) {
            reachable(imports, import, found);
        }
    }
}

/// The modules of a crate that import themselves through others.
fn cyclic(root: &Path) -> Vec<Names> {
    let mut modules = Modules::new();
    load(root, &[], &mut modules);
    let imports = modules.iter().map(|(name, module)| {
        let paths = module.paths.iter();
        let imported = paths.filter_map(|path| definition(&modules, name, path, 8));
        (name, imported.filter(|import| import != name).collect())
    });
    let imports: BTreeMap<&Names, BTreeSet<Names>> = imports.collect();
    let cyclic = modules.keys().filter(|name| {
        let mut found = BTreeSet::new();
        reachable(&imports, name, &mut found);
        found.contains(name)
    });
    cyclic.cloned().collect()
}

#[test]
fn no_files_import_each_other() {
    let roots = crates().map(|folder| folder.join("src/lib.rs"));
    let roots = roots.chain(["src/lib.rs", "migration/src/lib.rs"].map(repository_path));
    for root in roots {
        let cyclic = cyclic(&root);
        assert!(cyclic.is_empty(), "{}: {cyclic:?}", root.display());
    }
}
