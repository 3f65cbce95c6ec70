//! What a schema has, by schema coordinate.

use std::{collections::BTreeSet, iter};

use apollo_compiler::schema::ExtendedType;

use crate::{
    Schema,
    schema::{is_built_in, is_specified},
};

impl Schema {
    /// Whether the schema has something of this coordinate.
    pub(crate) fn has(&self, coordinate: &str) -> bool {
        self.coordinates().contains(coordinate)
    }

    /// Every coordinate of the schema, as [`crate::Change::coordinate`] writes them.
    pub fn coordinates(&self) -> BTreeSet<String> {
        let tree = self.tree();
        let types = tree.types.values();
        let types = types.filter(|definition| !is_built_in(definition));
        let directives = tree.directive_definitions.values();
        let directives = directives.filter(|directive| !is_specified(&directive.name));
        let directives = directives.flat_map(|directive| {
            let name = &directive.name;
            let arguments = directive.arguments.iter();
            let arguments = arguments.map(move |argument| format!("@{name}({}:)", argument.name));
            iter::once(format!("@{name}")).chain(arguments)
        });
        iter::once("schema".to_owned())
            .chain(types.flat_map(of_type))
            .chain(directives)
            .collect()
    }
}

/// The coordinates of a type and of what is inside of it.
fn of_type(definition: &ExtendedType) -> Vec<String> {
    let name = definition.name();
    let mut coordinates = vec![name.to_string()];
    let fields = match definition {
        ExtendedType::Object(object) => &object.fields,
        ExtendedType::Interface(interface) => &interface.fields,
        ExtendedType::Enum(found) => {
            coordinates.extend(found.values.keys().map(|value| format!("{name}.{value}")));
            return coordinates;
        }
        ExtendedType::InputObject(input) => {
            coordinates.extend(input.fields.keys().map(|field| format!("{name}.{field}")));
            return coordinates;
        }
        ExtendedType::Scalar(_) | ExtendedType::Union(_) => return coordinates,
    };
    for (field, definition) in fields {
        coordinates.push(format!("{name}.{field}"));
        let arguments = definition.arguments.iter();
        coordinates.extend(arguments.map(|argument| format!("{name}.{field}({}:)", argument.name)));
    }
    coordinates
}
