//! SDL to Rust: whole and well-formed, or refused with reasons.

use codegen::Contract;

pub(super) fn check(sdl: &str) {
    let contract = Contract::new("schema.graphql");
    let contract = if sdl.contains("scalar Date") {
        contract.scalar("Date", "crate::Date")
    } else {
        contract
    };
    let translated = contract.translate(sdl);
    assert_eq!(
        translated,
        contract.translate(sdl),
        "the translation is not the same twice"
    );
    match translated {
        Ok(source) => {
            syn::parse_file(&source).unwrap_or_else(|error| panic!("not Rust: {error}\n{source}"));
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a reason");
            for problem in problems {
                assert!(!problem.message.is_empty(), "a reason without words");
                let message = &problem.message;
                assert!(
                    !message.contains(char::is_control),
                    "more than a line: {message:?}"
                );
                if let Some(place) = problem.place {
                    let lines = sdl.replace("\r\n", "\n").split(['\n', '\r']).count();
                    assert!(
                        (1..=lines).contains(&place.line) && place.column > 0,
                        "no such place: {problem}"
                    );
                }
            }
        }
    }
}
