//! Names and types of identifiers.

use graphql_sdl::Element;

use super::name::words;

/// What is wrong with an identifier. The types of arguments and input fields are in operations, as those of variables, but
/// the type of a field is not in the response, so its name has to say that it is an identifier.
pub(super) fn wrong_identifier(element: Element, name: &str, is_mutation: bool) -> Option<String> {
    let ty = element.ty()?;
    let named = ty.inner_named_type();
    // A filter or an order of identifiers has a type of its own.
    if name == "id" && matches!(named.as_str(), "String" | "Int" | "Float") && !ty.is_list() {
        return Some(format!("is named id but has the type {ty}: change the type to ID"));
    }
    // A mutation that returns the identifier of what it creates, such as a job, is named after what it does.
    let is_field = matches!(element, Element::Field(..)) && !is_mutation;
    (is_field && named == "ID" && !names_identifier(name)).then(|| {
        let expected = if ty.is_list() { "ids, or …Ids" } else { "id, or …Id" };
        format!("has the type {ty} but is not named {expected}")
    })
}

/// Whether a word of a name is an identifier: `bookId`, `bookIDs`, `id_in`, `uuid`, `cursor`.
fn names_identifier(name: &str) -> bool {
    words(name).iter().any(|word| {
        let word = word.to_lowercase();
        word == "cursor" || word.ends_with("id") || word.ends_with("ids")
    })
}
