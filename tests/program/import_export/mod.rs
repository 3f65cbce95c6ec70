//! Import and export through a started process, on every database.

mod conflicts;
mod export;
mod fixture;
mod ids;
mod import;
mod interrupted;
mod size;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("import", import::TESTS),
    ("ids", ids::TESTS),
    ("interrupted", interrupted::TESTS),
    ("conflicts", conflicts::TESTS),
    ("export", export::TESTS),
    ("size", size::TESTS),
];
