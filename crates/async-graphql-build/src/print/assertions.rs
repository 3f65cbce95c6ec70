//! Compile-time assertions about constraints.

use super::source::Source;
use crate::model::Assertion;

pub(super) fn assertion(source: &mut Source, assertion: &Assertion) {
    match assertion {
        Assertion::Limit { location, constant, limit, message } => {
            source.line("const _: () = assert!(");
            source.located(&format!("{constant} == {limit},"), *location);
            source.lines(&format!("\"{{}}\",\n{message:?}\n);"));
        }
        Assertion::Parser { location, function } => {
            let assertion = format!("const _: fn() = || {{ let _: fn(&str) -> Result<_, _> = {function}; }};");
            source.located(&assertion, *location);
        }
    }
}
