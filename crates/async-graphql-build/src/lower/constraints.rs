//! Constraints: what the generated code states and checks of each of them, and those that nothing checks.

use std::collections::{BTreeMap, BTreeSet};

use graphql_sdl::{Element, Limit, excerpt, suggestion};

use super::lowering::{Constraints, Lowering};
use crate::{model::Constraint, name};

impl Lowering<'_> {
    pub(super) fn constraints(&mut self) -> Constraints {
        self.check_definition();
        let (source, mut constraints, mut used) = (self.source, Constraints::default(), BTreeSet::new());
        for element in source.elements() {
            match graphql_sdl::Constraint::of(source, element) {
                Ok(Some(constraint)) => {
                    let rust = self.constraint(element, &constraint, &mut used);
                    let (coordinate, location) = (element.coordinate(), self.location(constraint.span));
                    constraints.indices.insert(coordinate.clone(), constraints.table.len());
                    constraints.table.push(Constraint { coordinate, rust, location });
                }
                Ok(None) => {}
                Err(problems) => {
                    for (span, message) in problems {
                        self.add(span, message);
                    }
                }
            }
            let is_value = matches!(element, Element::Field(..) | Element::Argument(..) | Element::InputField(..));
            let mut directives = element.directives().into_iter();
            let directive = directives.find(|applied| applied.name == graphql_sdl::Constraint::DIRECTIVE);
            if let Some(directive) = directive.filter(|_| !is_value) {
                let message =
                    format!("@constraint on the {} is not enforced; move it to fields and arguments", element.kind());
                self.add(directive.location(), message);
            }
        }
        self.check_parsers(&used);
        constraints.inputs = self.constrained_inputs(&constraints.indices);
        constraints
    }

    /// Refuses arguments of the directive that would have no effect.
    fn check_definition(&mut self) {
        let Some(definition) = self.schema.directive_definitions.get(graphql_sdl::Constraint::DIRECTIVE) else {
            return;
        };
        let known = Limit::ALL.map(Limit::name).into_iter().chain(graphql_sdl::Constraint::TEXTS);
        for argument in &definition.arguments {
            let name = argument.name.as_str();
            if !known.clone().any(|known| known == name) {
                let message =
                    format!("@constraint({}:) is not supported{}", excerpt(name), suggestion(name, known.clone()));
                self.add(argument.name.location(), message);
            }
        }
        if definition.repeatable {
            let message = "@constraint must not be repeatable; state all limits in one";
            self.add(definition.name.location(), message);
        }
    }

    /// The constraint as a Rust expression. Texts that a field returns are not parsed.
    fn constraint(
        &mut self,
        element: Element,
        constraint: &graphql_sdl::Constraint,
        used: &mut BTreeSet<(&'static str, String)>,
    ) -> String {
        let limits = constraint.limits.iter().map(|(limit, number)| {
            let number = match limit {
                Limit::Min | Limit::Max => format!("{number:?}"),
                _ => number.to_string(),
            };
            format!("{}: Some({number})", name::field_ident(limit.name()))
        });
        let mut members: Vec<_> = limits.collect();
        let [pattern, format] = graphql_sdl::Constraint::TEXTS;
        for (argument, text) in [(pattern, constraint.pattern), (format, constraint.format)] {
            let (Some(text), Some(input)) = (text, element.input()) else { continue };
            if let Some(value) = &input.default_value {
                let message = format!("a default value with a {argument} is not supported; remove the default value");
                self.add(value.location(), message);
            }
            let key = (argument, text.to_owned());
            if let Some(path) = self.bindings.parsers.get(&key) {
                members.push(format!(
                    "{argument}: Some(|text| {path}(text).map(|_| ()).map_err(::std::convert::Into::into))"
                ));
            } else {
                let texts = self.bindings.parsers.keys().filter(|(bound, _)| *bound == argument);
                let message = format!(
                    "{} has the {argument} {:?}, which nothing checks; name the function in the build script: .{argument}({:?}, \"crate::…\"){}",
                    element.coordinate(),
                    excerpt(text),
                    excerpt(text),
                    suggestion(text, texts.map(|(_, text)| text.as_str()))
                );
                self.add(constraint.span, message);
            }
            used.insert(key);
        }
        members.push("..support::Constraint::NONE".to_owned());
        format!("support::Constraint {{ {} }}", members.join(", "))
    }

    /// Refuses functions that no constraint uses, and what is not a path.
    fn check_parsers(&mut self, used: &BTreeSet<(&'static str, String)>) {
        for (key, path) in &self.bindings.parsers {
            let (argument, text) = key;
            if !used.contains(key) {
                let stated = used.iter().filter(|(stated, _)| stated == argument);
                let message = format!(
                    "the build script names a function for the {argument} {text:?}, which no @constraint of an argument or input field states{}",
                    suggestion(text, stated.map(|(_, text)| text.as_str()))
                );
                self.problems.add(None, message);
            }
            self.check_path(path, "function");
        }
    }

    fn constrained_inputs(&self, constraints: &BTreeMap<String, usize>) -> BTreeSet<String> {
        let mut found = BTreeSet::<String>::new();
        let inputs = self.schema.types.values().filter_map(|definition| definition.as_input_object());
        loop {
            let before = found.len();
            for input in inputs.clone() {
                let is_constrained = input.fields.values().any(|field| {
                    constraints.contains_key(&format!("{}.{}", input.name, field.name))
                        || found.contains(field.ty.inner_named_type().as_str())
                });
                if is_constrained {
                    found.insert(input.name.to_string());
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}
