//! The module of generated code, for the tests and the benchmark.

macro_rules! contract {
    ($file:literal) => {
        #[allow(
            clippy::all,
            clippy::pedantic,
            dead_code,
            non_camel_case_types,
            non_snake_case,
            non_upper_case_globals,
            unreachable_pub,
            reason = "the code is generated"
        )]
        pub(crate) mod contract {
            use crate::support;

            include!(concat!(env!("OUT_DIR"), "/", $file));
        }
    };
}
