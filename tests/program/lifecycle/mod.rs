//! The lifecycle of the running service: startup, loss and recovery of the database, several instances
//! on one database, and graceful shutdown.

mod access;
mod backup;
mod certificate;
mod day;
mod drain;
mod encryption;
mod http2;
mod instances;
mod logs;
mod restart;
mod rollback;
mod session;
mod unusable;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("access", access::TESTS),
    ("backup", backup::TESTS),
    ("certificate", certificate::TESTS),
    ("day", day::TESTS),
    ("drain", drain::TESTS),
    ("http2", http2::TESTS),
    ("instances", instances::TESTS),
    ("logs", logs::TESTS),
    ("rollback", rollback::TESTS),
    ("unusable", unusable::TESTS),
];

/// Tests that stop or configure the database server.
pub(crate) const WITH_OWN_SERVER: &[Module] =
    &[("encryption", encryption::TESTS), ("restart", restart::TESTS), ("session", session::TESTS)];
