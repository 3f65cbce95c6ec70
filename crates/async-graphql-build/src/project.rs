//! What an existing project has: the bindings of its build script, and the traits that its files implement.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    path::{Path, PathBuf},
};

use async_graphql_build::Contract;
use syn::{
    ImplItem, Item, LitStr, Token,
    buffer::{Cursor, TokenBuffer},
    parse::Parser as _,
    punctuated::Punctuated,
};

use crate::{Failure, read};

/// The module of the Rust types without a build script.
pub(crate) const MODULE: &str = "crate::graphql";

/// The contract with the bindings of the build script.
pub(crate) fn contract(file: &str) -> Result<Contract, Failure> {
    let mut calls = Vec::new();
    for path in rust_files(&["build.rs", "build/**/*.rs"]) {
        let text = read(&path.to_string_lossy())?;
        let tokens = syn::parse_str(&text).map_err(|error| not_rust(&path, &error))?;
        add_calls(TokenBuffer::new2(tokens).begin(), &mut calls);
    }
    let (mut contract, mut is_this) = (None, false);
    for (path, arguments) in calls {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        if path.ends_with("Contract::new") {
            is_this = arguments == [file];
        }
        if is_this {
            let contract = contract.get_or_insert_with(|| Contract::new(file));
            *contract = bind(contract.clone(), &path, &arguments);
        }
    }
    let by_rule = || {
        let contract = Contract::new(file).objects_in(MODULE).scalars_in(MODULE);
        contract.documentation("*")
    };
    Ok(contract.unwrap_or_else(by_rule))
}

fn bind(contract: Contract, method: &str, arguments: &[&str]) -> Contract {
    match (method, arguments) {
        ("and", &[source]) => contract.and(source),
        ("module_name", &[name]) => contract.module_name(name),
        ("scalar", &[name, rust]) => contract.scalar(name, rust),
        ("serde_scalar", &[name, rust]) => contract.serde_scalar(name, rust),
        ("scalars_in", &[module]) => contract.scalars_in(module),
        ("object", &[name, rust]) => contract.object(name, rust),
        ("resolved_object", &[name, rust]) => contract.resolved_object(name, rust),
        ("struct_object", &[name, rust]) => contract.struct_object(name, rust),
        ("resolvers_by_file", &[]) => contract.resolvers_by_file(),
        ("guard_directive", &[name, function]) => contract.guard_directive(name, function),
        ("documentation", &[name]) => contract.documentation(name),
        ("objects_in", &[module]) => contract.objects_in(module),
        ("distinguish_omitted", &[name]) => contract.distinguish_omitted(name),
        ("rename", &[coordinate, name]) => contract.rename(coordinate, name),
        ("guard", &[coordinate, guard]) => contract.guard(coordinate, guard),
        ("complexity", &[coordinate, complexity]) => contract.complexity(coordinate, complexity),
        ("format", &[format, function]) => contract.format(format, function),
        ("pattern", &[pattern, function]) => contract.pattern(pattern, function),
        _ => contract,
    }
}

/// The path of a function or name of a method, and its arguments.
type Call = (String, Vec<String>);

/// Adds the calls whose arguments are literals, in order.
fn add_calls(mut cursor: Cursor, calls: &mut Vec<Call>) {
    let mut path = String::new();
    while !cursor.eof() {
        if let Some((inner, _, _, next)) = cursor.any_group() {
            match literals(inner) {
                Some(arguments) if !path.is_empty() => {
                    calls.push((mem::take(&mut path), arguments));
                }
                _ => add_calls(inner, calls),
            }
            cursor = next;
        } else if let Some((name, next)) = cursor.ident() {
            path.push_str(&name.to_string());
            cursor = next;
        } else if let Some((token, next)) = cursor.token_tree() {
            let text = token.to_string();
            path = if text == ":" { path + ":" } else { String::new() };
            cursor = next;
        }
    }
}

/// The texts of a group that has nothing but string literals.
fn literals(group: Cursor) -> Option<Vec<String>> {
    let parser = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let literals = parser.parse2(group.token_stream()).ok()?;
    Some(literals.iter().map(LitStr::value).collect())
}

/// The traits that the files of the crate implement, each with its methods.
pub(crate) fn written() -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let (mut written, mut pending) = (BTreeMap::<_, BTreeSet<_>>::new(), Vec::new());
    for path in rust_files(&["src/**/*.rs"]) {
        let text = read(&path.to_string_lossy())?;
        pending.extend(syn::parse_file(&text).map_err(|error| not_rust(&path, &error))?.items);
    }
    while let Some(item) = pending.pop() {
        let implementation = match item {
            Item::Mod(module) => {
                pending.extend(module.content.into_iter().flat_map(|(_, items)| items));
                continue;
            }
            Item::Impl(implementation) => implementation,
            _ => continue,
        };
        let path = implementation.trait_.map(|(path, _)| path);
        let Some(name) = path.and_then(|path| path.segments.into_iter().next_back()) else {
            continue;
        };
        let methods = implementation.items.into_iter().filter_map(|item| match item {
            ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
            _ => None,
        });
        written.entry(name.ident.to_string()).or_default().extend(methods);
    }
    Ok(written)
}

/// The Rust files with these patterns of paths.
fn rust_files(patterns: &[&str]) -> Vec<PathBuf> {
    let paths = patterns.iter().flat_map(|pattern| glob::glob(pattern).expect("it is a pattern"));
    paths.filter_map(Result::ok).filter(|path| path.is_file()).collect()
}

fn not_rust(path: &Path, error: &syn::Error) -> Failure {
    Failure::Problem(format!("{}: cannot be parsed: {error}", path.display()))
}
