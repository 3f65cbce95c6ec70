//! What the compiled client uses of its contract and a served contract does not have.

use std::collections::HashMap;

use graphql_sdl::{Element, Schema};

/// Whether operations and responses have the element. Directives of the type system, which introspection does not state,
/// do not occur in them.
fn is_in_operations(element: Element) -> bool {
    !matches!(element, Element::Schema(_) | Element::Directive(_) | Element::DirectiveArgument(..))
}

/// The differences because of which operations can be refused, or responses cannot be decoded: each a sentence.
pub(crate) fn breaking(compiled: &Schema, served: &Schema) -> Vec<String> {
    let by_coordinate = |schema| {
        let elements = Schema::elements(schema).into_iter();
        elements
            .filter(|element| is_in_operations(*element))
            .map(|element| (element.coordinate(), element))
            .collect::<HashMap<_, _>>()
    };
    let (ours, theirs) = (by_coordinate(compiled), by_coordinate(served));
    let mut found: Vec<String> = Vec::new();
    for (coordinate, element) in &ours {
        match theirs.get(coordinate) {
            None => found.push(format!("{element} was removed")),
            Some(other) if element.kind() != other.kind() => {
                found.push(format!("{element} is of another kind: {}", other.kind()));
            }
            Some(other) => {
                if let (Some(ours), Some(theirs)) = (element.ty(), other.ty()) {
                    // The client sends values of inputs, and receives those of fields.
                    let (sent, expected) = match element.input() {
                        Some(_) => (ours, theirs),
                        None => (theirs, ours),
                    };
                    if !sent.is_assignable_to(expected) {
                        found.push(format!("{element} changed its type from '{ours}' to '{theirs}'"));
                    }
                }
            }
        }
    }
    for (coordinate, element) in &theirs {
        let is_required = element.input().is_some_and(|input| input.is_required());
        let owner = match element {
            Element::InputField(owner, _) => Some(owner.to_string()),
            _ => coordinate.split_once('(').map(|(owner, _)| owner.to_owned()),
        };
        let is_new = !ours.contains_key(coordinate);
        if is_required && is_new && owner.is_some_and(|owner| ours.contains_key(&owner)) {
            found.push(format!("{element} was added and is required"));
        }
    }
    found.sort();
    found
}
