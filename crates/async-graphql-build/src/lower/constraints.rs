//! Constraints: determines what enforces each of them, and refuses those that nothing enforces.

use std::collections::BTreeSet;

use apollo_compiler::Name;
use graphql_sdl::{Constraint, Element, Limit, excerpt, suggestion};

use super::lowering::Lowering;
use crate::model::Assertion;

impl<'a> Lowering<'a> {
    /// The assertions of all constraints.
    pub(super) fn assertions(&mut self) -> Vec<Assertion> {
        self.check_definition();
        let source = self.source;
        let (mut assertions, mut used) = (Vec::new(), Used::default());
        for element in source.elements() {
            match Constraint::of(source, element) {
                Ok(Some(constraint)) => {
                    self.limits(element, &constraint, &mut used, &mut assertions);
                    self.texts(element, &constraint, &mut used, &mut assertions);
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
            let directive = directives.find(|applied| applied.name == Constraint::DIRECTIVE);
            if let Some(directive) = directive.filter(|_| !is_value) {
                let message =
                    format!("@constraint on the {} is not enforced; move it to fields and arguments", element.kind());
                self.add(directive.location(), message);
            }
        }
        self.check_constraint_bindings(&used);
        assertions
    }

    /// Refuses arguments of the directive that would have no effect.
    fn check_definition(&mut self) {
        let Some(definition) = self.schema.directive_definitions.get(Constraint::DIRECTIVE) else {
            return;
        };
        let known = Limit::ALL.map(Limit::name).into_iter().chain(Constraint::TEXTS);
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

    fn limits(
        &mut self,
        element: Element<'a>,
        constraint: &Constraint,
        used: &mut Used<'a>,
        assertions: &mut Vec<Assertion>,
    ) {
        let name = element.name().map_or("", Name::as_str);
        let coordinate = element.coordinate();
        for (limit, number) in &constraint.limits {
            let names = [name, &coordinate].map(|name| (limit.name(), name.to_owned()));
            used.stated.extend(names);
            let stated = format!("{coordinate} has {limit}: {number}");
            let bound = &self.bindings.limits;
            let key = |name: &str| (name.to_owned(), limit.name().to_owned());
            let mut found = [&coordinate, name, "*"].into_iter();
            let found = found.find_map(|name| bound.get_key_value(&key(name)));
            let Some((key, path)) = found else {
                let names = bound.keys().filter(|(_, bound)| bound == limit.name());
                let message = format!(
                    "{stated}, which nothing enforces; name the constant in the build script: .limit(\"{name}\", \"{limit}\", \"crate::…\"){}",
                    suggestion(name, names.map(|(name, _)| name.as_str()))
                );
                self.add(constraint.span, message);
                continue;
            };
            used.limits.insert(key);
            let is_float = element.ty().is_some_and(|ty| ty.inner_named_type() == "Float")
                && matches!(limit, Limit::Min | Limit::Max);
            let literal = if is_float { format!("{number:?}") } else { number.to_string() };
            let location = self.located(constraint.span);
            let message = format!("{location}: {stated}, but {path} differs; correct one of them");
            assertions.push(Assertion::Limit {
                location: self.place(constraint.span),
                constant: path.clone(),
                limit: literal,
                message,
            });
        }
    }

    fn texts(
        &mut self,
        element: Element<'a>,
        constraint: &Constraint,
        used: &mut Used<'a>,
        assertions: &mut Vec<Assertion>,
    ) {
        let [pattern, format] = Constraint::TEXTS;
        for (argument, text) in [(pattern, constraint.pattern), (format, constraint.format)] {
            let Some(text) = text else { continue };
            used.stated.insert((argument, text.to_owned()));
            if let Some(value) = element.input().and_then(|input| input.default_value.as_ref()) {
                let message = format!("a default value with a {argument} is not supported; remove the default value");
                self.add(value.location(), message);
            }
            let bound = &self.bindings.parsers;
            if let Some((key, path)) = bound.get_key_value(&(argument, text.to_owned())) {
                if used.parsers.insert(key) {
                    assertions
                        .push(Assertion::Parser { location: self.place(constraint.span), function: path.clone() });
                }
                continue;
            }
            let texts = bound.keys().filter(|(bound, _)| *bound == argument);
            let message = format!(
                "{} has the {argument} {:?}, which nothing enforces; name the function in the build script: .{argument}({:?}, \"crate::…\"){}",
                element.coordinate(),
                excerpt(text),
                excerpt(text),
                suggestion(text, texts.map(|(_, text)| text.as_str()))
            );
            self.add(constraint.span, message);
        }
    }

    /// Refuses bindings that no constraint uses, and what is not a path.
    fn check_constraint_bindings(&mut self, used: &Used) {
        for (key, path) in &self.bindings.limits {
            let (name, limit) = key;
            if !used.limits.contains(key) {
                let known = Limit::ALL.map(Limit::name);
                let suggestion = if known.contains(&limit.as_str()) {
                    suggestion(name, used.stated(limit))
                } else {
                    suggestion(limit, known)
                };
                let message = format!(
                    "the build script names a constant for the {limit} of \"{name}\", which no @constraint states{suggestion}"
                );
                self.problems.add(None, message);
            }
            self.check_path(path, "constant");
        }
        for (key, path) in &self.bindings.parsers {
            let (argument, text) = key;
            if !used.parsers.contains(key) {
                let message = format!(
                    "the build script names a function for the {argument} {text:?}, which no @constraint states{}",
                    suggestion(text, used.stated(argument))
                );
                self.problems.add(None, message);
            }
            self.check_path(path, "function");
        }
    }
}

/// What the constraints of the contract state and use.
#[derive(Default)]
struct Used<'a> {
    limits: BTreeSet<&'a (String, String)>,
    parsers: BTreeSet<&'a (&'static str, String)>,
    /// The arguments of the directive, each with a name or coordinate that has it, or with its text.
    stated: BTreeSet<(&'static str, String)>,
}

impl Used<'_> {
    fn stated(&self, argument: &str) -> impl Iterator<Item = &str> {
        let stated = self.stated.iter();
        let stated = stated.filter(move |(stated, _)| *stated == argument);
        stated.map(|(_, text)| text.as_str())
    }
}
