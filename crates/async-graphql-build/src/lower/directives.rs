//! Applied directives: guards, documentation, and those that would have no effect.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{
    Name, Node,
    ast::{Directive, FieldDefinition},
    schema::ExtendedType,
};
use graphql_sdl::{Constraint, Element, built_in, suggestion};

use super::lowering::Lowering;
use crate::{model, name};

impl<'a> Lowering<'a> {
    /// Refuses a subgraph, whose directives no file defines.
    pub(super) fn refuses_federation(&mut self) -> bool {
        let elements = self.source.elements().into_iter();
        let applied = elements.flat_map(Element::directives);
        let definitions = &self.schema.directive_definitions;
        let undefined = applied.filter(|of| !definitions.contains_key(&of.name));
        let undefined: Vec<_> = undefined.collect();
        let names = undefined.iter().map(|of| format!("@{}", of.name));
        let names: BTreeSet<_> = names.collect();
        if let Some(first) = undefined.first() {
            let message = format!(
                "a subgraph of Apollo Federation ({}) is not supported: nothing resolves its entities; remove these directives",
                names.into_iter().collect::<Vec<_>>().join(", ")
            );
            self.add(first.location(), message);
        }
        !undefined.is_empty()
    }

    /// Refuses directives that look as if they had an effect, and have none.
    pub(super) fn check_directives(&mut self) {
        let bindings = self.bindings;
        let definitions = &self.schema.directive_definitions;
        for name in bindings.guard_directives.keys().chain(&bindings.documentation) {
            if name != "*" && !definitions.contains_key(name.as_str()) {
                let known = definitions.keys().map(Name::as_str);
                let message = format!(
                    "the build script binds @{name}, which this file does not define{}",
                    suggestion(name, known)
                );
                self.problems.add(None, message);
            }
        }
        for path in bindings.guard_directives.values() {
            self.check_path(path, "function");
        }
        let mut unbound: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for element in self.source.elements() {
            for applied in element.directives() {
                let name = applied.name.as_str();
                if built_in::is_directive(name) || name == Constraint::DIRECTIVE {
                    continue;
                }
                if bindings.guard_directives.contains_key(name) {
                    self.check_guarded(element, applied);
                } else if !["*", name].iter().any(|name| bindings.documentation.contains(*name)) {
                    unbound.entry(name).or_default().push((element, applied));
                }
            }
        }
        for (name, uses) in unbound {
            let (element, applied) = uses[0];
            let others = match uses.len() - 1 {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            let message = format!(
                "@{name} on {element}{others} has no effect; name a guard in the build script: .guard_directive(\"{name}\", \"crate::…\"), or say that it is documentation: .documentation(\"{name}\")"
            );
            self.add(applied.location(), message);
        }
    }

    /// Checks that a directive is where a guard runs: at fields with resolvers.
    fn check_guarded(&mut self, element: Element<'a>, applied: &Node<Directive>) {
        let owner = match element {
            Element::Type(ExtendedType::Object(object)) => Some(&object.name),
            Element::Field(owner, _) if self.schema.get_object(owner).is_some() => Some(owner),
            _ => None,
        };
        let Some(owner) = owner else {
            let message =
                format!("@{} on {element} guards nothing; apply it to object types and their fields", applied.name);
            self.add(applied.location(), message);
            return;
        };
        if !self.resolved.contains_key(owner.as_str()) && !self.roots.contains(owner.as_str()) {
            let message = format!(
                "@{} on {element} guards nothing, because {owner} has no resolvers; give it some in the build script: .resolved_object(\"{owner}\", \"crate::…\")",
                applied.name
            );
            self.add(applied.location(), message);
        }
    }

    /// The guards of a field by directives on its type and on itself, as Rust expressions.
    pub(super) fn guards(&self, owner: &Name, field: &FieldDefinition) -> Vec<String> {
        let of_type = self.schema.get_object(owner);
        let of_type = of_type.into_iter().flat_map(|object| object.directives.iter());
        let applied = of_type.map(|on| &on.node).chain(field.directives.iter());
        let guards = applied.filter_map(|applied| {
            let path = self.bindings.guard_directives.get(applied.name.as_str())?;
            let definition = self.schema.directive_definitions.get(&applied.name)?;
            let element = Element::Directive(definition);
            let arguments = definition.arguments.iter().map(|argument| {
                let given = applied.specified_argument_by_name(&argument.name);
                let value = given.or(argument.default_value.as_ref());
                let value = value.map(|value| self.default_value("", &argument.ty, value));
                let ident = name::field_ident(&argument.name);
                format!("{ident}: {}", value.unwrap_or_else(|| "None".to_owned()))
            });
            let arguments: Vec<_> = arguments.collect();
            let model::Header { ident, .. } = self.directive_header(element);
            Some(format!("{path}({ident} {{ {} }})", arguments.join(", ")))
        });
        guards.collect()
    }

    /// The header of a directive, whose identifier is that of the struct of its arguments.
    pub(super) fn directive_header(&self, directive: Element) -> model::Header {
        let mut header = self.header(directive, name::type_ident);
        header.ident = name::suffixed(&header.ident, "Directive");
        header
    }
}
