//! Import and export through a started process, on every database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod conflicts;
#[path = "../it/support/databases/mod.rs"]
mod databases;
mod export;
mod fixture;
mod ids;
mod import;
mod resume;
mod size;

use std::sync::Arc;

use databases::{Backend, Databases};
use fixture::Fixture;
use libtest_mimic::{Arguments, Trial};

/// A test and its name.
pub(crate) struct Case {
    name: &'static str,
    /// Where it makes sense; everywhere if empty.
    only_on: &'static [Backend],
    run: fn(&Fixture),
}

/// The cases of a module, under their own names: `name`, or `name on Sqlite`.
macro_rules! cases {
    ($($name:ident $(on $($backend:ident)+)?),* $(,)?) => {
        pub(crate) const CASES: &[$crate::Case] = &[$($crate::Case {
            name: stringify!($name),
            only_on: &[$($($crate::databases::Backend::$backend),+)?],
            run: $name,
        }),*];
    };
}
pub(crate) use cases;

fn main() {
    let arguments = Arguments::from_args();
    let databases = Arc::new(Databases::new());
    let modules = [
        ("import", import::CASES),
        ("ids", ids::CASES),
        ("resume", resume::CASES),
        ("conflicts", conflicts::CASES),
        ("export", export::CASES),
        ("size", size::CASES),
    ];
    let mut trials = Vec::new();
    for backend in Backend::ALL {
        let unavailable = Databases::availability(backend).err();
        for (module, cases) in modules {
            let here = |case: &&Case| case.only_on.is_empty() || case.only_on.contains(&backend);
            for case in cases.iter().filter(here) {
                let name = format!("{}::{module}::{}", backend.name(), case.name);
                let ignored = unavailable.is_some() && !Databases::all_are_required();
                let unavailable = unavailable.clone();
                let databases = Arc::clone(&databases);
                let run = case.run;
                let trial = Trial::test(name, move || {
                    if let Some(reason) = unavailable {
                        return Err(reason.into());
                    }
                    run(&Fixture::new(backend, databases.fresh(backend)));
                    Ok(())
                });
                trials.push(trial.with_ignored_flag(ignored));
            }
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(databases) = Arc::into_inner(databases) {
        databases.stop();
    }
    conclusion.exit();
}
