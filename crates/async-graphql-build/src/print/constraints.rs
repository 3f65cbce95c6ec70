//! What `@constraint` states, and the checks of arguments and input objects.

use super::source::Source;
use crate::model::{Contract, Header, Input};

/// The table of all constraints, and what finds one in it.
pub(super) fn table(source: &mut Source, contract: &Contract) {
    if contract.constraints.is_empty() {
        return;
    }
    source.doc("Every coordinate with a `@constraint`, and what that states.");
    source.line("pub const CONSTRAINTS: &[(&str, support::Constraint)] = &[");
    for constraint in &contract.constraints {
        source.located(&format!("({:?}, {}),", constraint.coordinate, constraint.rust), &constraint.location);
    }
    source.line("];");
    source
        .doc("What `@constraint` states about the values with this coordinate, such as `Mutation.createBook(title:)`.");
    source.lines("pub const fn constraint(coordinate: &str) -> support::Constraint {\nmatch coordinate.as_bytes() {");
    for (index, constraint) in contract.constraints.iter().enumerate() {
        source.line(&format!("b{:?} => CONSTRAINTS[{index}].1,", constraint.coordinate));
    }
    source.lines("_ => panic!(\"the contract has no @constraint with this coordinate\"),\n}\n}");
}

/// Whether a value of these can violate a constraint.
pub(super) fn is_constrained(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| input.constraint.is_some())
}

/// Checks arguments or the fields of an input object, of which a value of `@oneOf` has only one.
pub(super) fn check(source: &mut Source, inputs: &[Input], generics: &str, rust: &str, is_one_of: bool) {
    source.lines(&format!(
        "impl{generics} support::Constrained for {rust} {{
            fn check(&self, _: &support::Constraint, checking: &mut support::Checking) {{"
    ));
    if is_one_of {
        source.line("match self {");
    }
    for input in inputs {
        let Some(constraint) = &input.constraint else { continue };
        let Header { name, ident, .. } = &input.header;
        source.line(&if is_one_of {
            format!("Self::{ident}(value) => checking.member({name:?}, value, &{constraint}),")
        } else {
            format!("checking.member({name:?}, &self.{ident}, &{constraint});")
        });
    }
    if is_one_of {
        source.lines("_ => {}\n}");
    }
    source.lines("}\n}");
}
