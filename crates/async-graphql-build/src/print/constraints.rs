//! What `@constraint` states, and the checks of arguments and input objects.

use super::source::Source;
use crate::model::{Contract, Input};

/// The table of all constraints, and what finds one in it.
pub(super) fn table(source: &mut Source, contract: &Contract) {
    if contract.constraints.is_empty() {
        return;
    }
    source.doc("Every coordinate with a `@constraint`, and what that states.");
    source.line("pub const CONSTRAINTS: &[(&str, support::Constraint)] = &[");
    for constraint in &contract.constraints {
        source.located(&format!("({:?}, {}),", constraint.coordinate, constraint.rust), constraint.location);
    }
    source.line("];");
    source
        .doc("What `@constraint` states about the values with this coordinate, such as `Mutation.createBook(title:)`.");
    source.lines(
        "pub const fn constraint(coordinate: &str) -> support::Constraint {
            support::Constraint::find(CONSTRAINTS, coordinate)
        }",
    );
}

/// Whether a value of these can violate a constraint.
pub(super) fn is_constrained(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| input.check.is_some())
}

/// The trait of an argument or input field whose value is checked.
pub(super) fn bound(input: &Input) -> Option<&'static str> {
    let is_length_only = input.check.as_ref()?.is_length_only;
    Some(if is_length_only { "support::List" } else { "support::Constrained" })
}

/// Checks arguments or the fields of an input object, of which a value of `@oneOf` has only one.
pub(super) fn check(source: &mut Source, inputs: &[Input], generics: &str, rust: &str, is_one_of: bool) {
    if !is_constrained(inputs) {
        return;
    }
    source.lines(&format!(
        "impl{generics} support::Constrained for {rust} {{
            fn check(&self, _: &support::Constraint, checking: &mut support::Checking) {{"
    ));
    if is_one_of {
        source.line("match self {");
    }
    for input in inputs {
        let Some(check) = &input.check else { continue };
        let method = if check.is_length_only { "list" } else { "member" };
        let constraint = match check.index {
            Some(index) => format!("CONSTRAINTS[{index}].1"),
            None => "support::Constraint::NONE".to_owned(),
        };
        let name = &input.header.name;
        source.line(&if is_one_of {
            format!("Self::{}(value) => checking.{method}({name:?}, value, &{constraint}),", input.parameter)
        } else {
            format!("checking.{method}({name:?}, &self.{}, &{constraint});", input.header.ident)
        });
    }
    if is_one_of {
        source.lines("_ => {}\n}");
    }
    source.lines("}\n}");
}
