//! The names of the contract in Rust.
//!
//! Names that would become equal stay as they are in SDL, so that neither their order nor another name decides what a
//! name in Rust means.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{Name, Schema, schema::ExtendedType};
use graphql_sdl::Element;

use crate::{name, reachability::own_types};

/// How a name becomes one in Rust.
pub(crate) type Convert = fn(&str) -> String;

/// The names in Rust of the elements of a contract, by coordinate.
#[derive(Default)]
pub(crate) struct Names {
    /// Those that the build script states.
    renamed: BTreeMap<String, String>,
    /// The elements whose names would become equal to another one.
    equal: BTreeSet<String>,
    /// How each element is named.
    pub(crate) converts: BTreeMap<String, Convert>,
}

impl Names {
    pub(crate) fn new(schema: &Schema, renamed: &BTreeMap<String, String>) -> Self {
        let mut names = Self { renamed: renamed.clone(), ..Self::default() };
        // Others are reported as problems.
        names.renamed.retain(|_, name| Name::is_valid_syntax(name));
        let types: Vec<_> = own_types(schema).map(Element::Type).collect();
        names.compare(&types, &[name::type_ident]);
        for definition in types {
            let parts = definition.parts();
            let converts: &[Convert] = match definition {
                Element::Type(ExtendedType::Enum(_)) => &[name::enum_value_ident],
                // The variants of a `@oneOf` type, and the arguments of a field, are named like types.
                _ => &[name::field_ident, name::type_ident],
            };
            names.compare(&parts, converts);
            for field in parts {
                names.compare(&field.parts(), &[name::field_ident, name::type_ident]);
            }
        }
        names
    }

    /// Notes the elements of a scope whose names become equal by one of these conversions, of which the first is that of the
    /// names.
    fn compare(&mut self, scope: &[Element], converts: &[Convert]) {
        for convert in converts {
            let mut first = BTreeMap::new();
            for element in scope {
                let coordinate = element.coordinate();
                let name = self.renamed.get(&coordinate).map(String::as_str);
                let name = name.or_else(|| element.name().map(Name::as_str));
                let rust = convert(name.unwrap_or_default());
                let other = first.entry(rust).or_insert_with(|| coordinate.clone());
                if *other != coordinate {
                    self.equal.extend([coordinate, other.clone()]);
                }
            }
        }
        let coordinates = scope.iter().map(|element| element.coordinate());
        self.converts.extend(coordinates.map(|coordinate| (coordinate, converts[0])));
    }

    /// The name in Rust of the element with this coordinate and this name in SDL.
    pub(crate) fn ident(&self, coordinate: &str, name: &str, convert: Convert) -> String {
        self.choose(coordinate, name, convert, name::verbatim_ident)
    }

    fn choose(&self, coordinate: &str, name: &str, convert: Convert, verbatim: Convert) -> String {
        match self.renamed.get(coordinate) {
            Some(renamed) => convert(renamed),
            None if self.equal.contains(coordinate) => verbatim(name),
            None => convert(name),
        }
    }

    pub(crate) fn type_ident(&self, name: &str) -> String {
        self.ident(name, name, name::type_ident)
    }

    /// `Query` → `QueryResolver`: the resolver trait of a type.
    pub(crate) fn resolver_ident(&self, type_name: &str) -> String {
        name::suffixed(&self.type_ident(type_name), "Resolver")
    }

    /// `Mutation`, `createBook` → `MutationCreateBookArguments`.
    pub(crate) fn arguments_ident(&self, type_name: &str, field_name: &str) -> String {
        let coordinate = format!("{type_name}.{field_name}");
        let field = self.choose(&coordinate, field_name, name::pascal_case, str::to_owned);
        name::suffixed(&self.type_ident(type_name), &format!("{field}Arguments"))
    }

    /// A field or a value of a type.
    pub(crate) fn part_ident(&self, type_name: &str, name: &str, convert: Convert) -> String {
        self.ident(&format!("{type_name}.{name}"), name, convert)
    }
}
