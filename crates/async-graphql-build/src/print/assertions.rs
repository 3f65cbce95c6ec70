//! Compile-time assertions about constraints.

use super::source::Source;
use crate::model::Assertion;

pub(super) fn assertion(source: &mut Source, assertion: &Assertion) {
    match assertion {
        Assertion::Limit {
            location,
            constant,
            limit,
            message,
        } => {
            source.located(
                &format!("const _: () = if {constant} != {limit} {{"),
                *location,
            );
            source.lines(&format!(
                "support::limit_differs(
                {message:?},
                {constant} as f64,
                )"
            ));
        }
        Assertion::Parser { location, function } => {
            source.line("const _: () = {");
            source.located(
                &format!("let _: fn(&str) -> Result<_, _> = {function};"),
                *location,
            );
        }
    }
    source.line("};");
}
