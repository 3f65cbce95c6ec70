//! Refuses invalid bindings, and names that are equal in Rust.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use apollo_compiler::{Name, schema::ExtendedType};
use graphql_sdl::{Element, Problems, suggestion};

use super::lowering::Lowering;
use crate::{
    bindings::is_path,
    model::{Definition, Directive, Header, Input},
    reachability::own_types,
};

/// The number of types that are reported one by one.
const LISTED: usize = 5;

impl Lowering<'_> {
    /// Checks that every binding has a type of the right kind and a Rust path.
    pub(super) fn check_bindings(&mut self) {
        let bindings = self.bindings;
        for module in [&bindings.scalars_in, &bindings.objects_in].into_iter().flatten() {
            self.check_path(module, "module");
        }
        for (name, path) in bindings.scalars.iter().chain(&bindings.serde_scalars) {
            let used = format!("names a Rust type for the scalar \"{name}\"");
            self.check_defined(name, ExtendedType::is_scalar, &used);
            self.check_path(path, "type");
        }
        for (name, path) in &bindings.objects {
            let used = format!("names a Rust type for the object type \"{name}\"");
            self.check_defined(name, ExtendedType::is_object, &used);
            if self.roots.contains(name) {
                let message = format!(
                    "the build script names a Rust type for the root type \"{name}\"; remove it and implement {} for it",
                    self.names.resolver_ident(name)
                );
                self.problems.add(None, message);
            }
            self.check_path(path, "type");
        }
        for name in &bindings.distinguish_omitted {
            let used = format!("distinguishes omitted fields of the input object \"{name}\"");
            self.check_defined(name, ExtendedType::is_input_object, &used);
            let input = self.schema.get_input_object(name);
            if input.is_some_and(|input| input.directives.has("oneOf")) {
                let message = format!(
                    "the build script distinguishes omitted fields of \"{name}\", but the only field of a @oneOf type is never null; remove it there"
                );
                self.problems.add(None, message);
            }
        }
    }

    /// Reports the objects and scalars that have no Rust type, in one line for many of a kind.
    pub(super) fn check_unbound(&mut self) {
        let of_objects = "object types need a Rust type with resolvers, because fields of them have arguments or return such a type; name their module in the build script: .objects_in(\"crate::…\")";
        let of_scalars = "scalars have no Rust type; name their module in the build script: .scalars_in(\"crate::…\")";
        let (objects, scalars) = (mem::take(&mut self.unbound_objects), mem::take(&mut self.unbound_scalars));
        for (unbound, message) in [(objects, of_objects), (scalars, of_scalars)] {
            if unbound.len() > LISTED {
                let first: Vec<_> = unbound[..LISTED].iter().map(|(name, _)| name.as_str()).collect();
                let (count, others) = (unbound.len(), unbound.len() - LISTED);
                self.problems.add(None, format!("{count} {message}: {} and {others} more", first.join(", ")));
            } else {
                for (name, message) in unbound {
                    self.add(name.location(), message);
                }
            }
        }
    }

    /// Refuses the types of introspection, whose values only async-graphql has.
    pub(super) fn check_types(&mut self) {
        let source = self.source;
        for element in source.elements() {
            let name = element.ty().map(apollo_compiler::ast::Type::inner_named_type);
            if let Some(name) = name.filter(|name| name.starts_with("__")) {
                let message = format!(
                    "{} has the type {name}, which is one of introspection; define a type for it",
                    element.coordinate()
                );
                self.add(name.location(), message);
            }
        }
    }

    /// Checks that each name which the build script states is one in Rust, of an element of the contract.
    pub(super) fn check_renames(&mut self) {
        for (coordinate, renamed) in &self.bindings.renames {
            let Some(convert) = self.names.converts.get(coordinate) else {
                let mut known = self.names.converts.keys().map(String::as_str);
                let message = format!(
                    "the build script renames \"{coordinate}\", which this file does not define{}",
                    suggestion(coordinate, &mut known)
                );
                self.problems.add(None, message);
                continue;
            };
            if !Name::is_valid_syntax(renamed) {
                let message =
                    format!("the build script renames \"{coordinate}\" to \"{renamed}\", which is not a name");
                self.problems.add(None, message);
                continue;
            }
            let ident = convert(renamed);
            if ident.trim_start_matches("r#") != renamed {
                let message = format!(
                    "the build script renames \"{coordinate}\" to \"{renamed}\", which must be \"{ident}\" in Rust"
                );
                self.problems.add(None, message);
            }
        }
    }

    /// Checks that each guard and complexity is a Rust expression for a field of an object, which has resolvers for a guard.
    pub(super) fn check_expressions(&mut self) {
        let bindings = self.bindings;
        for (kind, expressions) in [("guard", &bindings.guards), ("complexity", &bindings.complexities)] {
            let fields = self.source.elements().into_iter().filter(|element| match element {
                Element::Field(owner, _) if self.schema.get_object(owner).is_some() => {
                    let name = owner.as_str();
                    kind != "guard" || self.resolved.contains_key(name) || self.roots.contains(name)
                }
                _ => false,
            });
            let known: BTreeSet<String> = fields.map(Element::coordinate).collect();
            for (coordinate, expression) in expressions {
                if !known.contains(coordinate) {
                    let suggestion = suggestion(coordinate, known.iter().map(String::as_str));
                    let message = format!(
                        "the build script states a {kind} for \"{coordinate}\", which is not a field that can have one{suggestion}"
                    );
                    self.problems.add(None, message);
                }
                // Also in parentheses, since a comment at its end would hide what is printed after it.
                let mut texts = [expression.clone(), format!("({expression})")].into_iter();
                if texts.any(|text| syn::parse_str::<syn::Expr>(&text).is_err()) {
                    let message = format!(
                        "the build script states the {kind} \"{expression}\" of {coordinate}, which is not a Rust expression"
                    );
                    self.problems.add(None, message);
                }
            }
        }
    }

    /// Checks that the file defines a type of this kind, which the build script uses.
    fn check_defined(&mut self, name: &str, is_kind: fn(&ExtendedType) -> bool, used: &str) {
        let types = own_types(self.schema).filter(|ty| is_kind(ty));
        let mut names = types.map(|ty| ty.name().as_str());
        if !names.clone().any(|known| known == name) {
            let suggestion = suggestion(name, &mut names);
            let message = format!("the build script {used}, which this file does not define{suggestion}");
            self.problems.add(None, message);
        }
    }

    pub(super) fn check_path(&mut self, path: &str, kind: &str) {
        if !is_path(path) {
            let message = format!("the build script names \"{path}\", which is not the path of a Rust {kind}");
            self.problems.add(None, message);
        }
    }

    /// Checks that no two items of the contract get the same Rust name.
    pub(super) fn check_names(&mut self, definitions: &[Definition], directives: &[Directive]) {
        let problems = &mut self.problems;
        let mut items = Scope::new("the crate's module");
        for directive in directives.iter().filter(|of| of.is_read) {
            items.declare(&directive.header.ident, &directive.header, problems);
        }
        for definition in definitions {
            let header = definition.header();
            items.declare(&header.ident, header, problems);
            let mut inner = Scope::new(&header.name);
            for child in definition.children() {
                inner.declare(&child.ident, child, problems);
            }
            if let Definition::Object(object) = definition {
                for ident in &object.resolver_idents {
                    items.declare(ident, header, problems);
                }
                for field in &object.fields {
                    let Some(ident) = &field.arguments_ident else {
                        continue;
                    };
                    items.declare(ident, &field.header, problems);
                    let mut members = Scope::new(&field.header.name);
                    for Input { header, .. } in &field.arguments {
                        members.declare(&header.ident, header, problems);
                    }
                }
            }
        }
    }
}

/// The Rust names declared in one scope.
struct Scope<'a> {
    name: &'a str,
    declared: BTreeMap<String, &'a str>,
}

impl<'a> Scope<'a> {
    fn new(name: &'a str) -> Self {
        Self { name, declared: BTreeMap::new() }
    }

    fn declare(&mut self, ident: &str, header: &'a Header, problems: &mut Problems) {
        let other = self.declared.insert(ident.to_string(), &header.name);
        if let Some(other) = other {
            let message = format!(
                "\"{}\" and \"{other}\" would both be `{ident}` in Rust (in {}); name one in the build script: .rename(\"…\", \"…\")",
                header.name, self.name
            );
            problems.add_in(header.location.file.clone(), header.location.position, message);
        }
    }
}
