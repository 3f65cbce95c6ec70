//! Import and export through a started process, on every database.

mod blocked;
mod conflicts;
mod export;
mod fixture;
mod ids;
mod import;
mod messages;
mod resume;
mod size;
mod update;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("blocked", blocked::TESTS),
    ("import", import::TESTS),
    ("ids", ids::TESTS),
    ("resume", resume::TESTS),
    ("conflicts", conflicts::TESTS),
    ("export", export::TESTS),
    ("messages", messages::TESTS),
    ("size", size::TESTS),
    ("update", update::TESTS),
];
