//! Code generation: valid Rust, or problems with positions.

use async_graphql_build::Contract;

pub(super) fn check(sdl: &str) {
    let contract = Contract::new("schema.graphql").documentation("*");
    let contract = if sdl.contains("scalar Date") { contract.scalar("Date", "crate::Date") } else { contract };
    let translate = || contract.translate(sdl).map(|translation| translation.source());
    let translated = translate();
    assert_eq!(translated, translate(), "the translation is not the same twice");
    match translated {
        Ok(source) => {
            syn::parse_file(&source).unwrap_or_else(|error| panic!("not Rust: {error}\n{source}"));
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "rejected without a problem");
            for problem in &problems {
                assert!(!problem.message.is_empty(), "a problem without a message");
                let message = &problem.message;
                assert!(!message.contains(char::is_control), "control characters in the message: {message:?}");
                if let Some(position) = problem.position {
                    let lines = sdl.replace("\r\n", "\n").split(['\n', '\r']).count();
                    assert!(
                        (1..=lines).contains(&position.line) && position.column > 0,
                        "the position is not in the file: {problem}"
                    );
                }
            }
        }
    }
}
