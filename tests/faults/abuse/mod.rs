//! Malicious clients against the started program: each is refused or times out, its mutations are not
//! executed, memory stays bounded, and other clients are served meanwhile.

mod connections;
mod heads;
mod http2;
mod secrets;
mod service;
mod slow;
mod smuggling;
mod unread;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("connections", connections::TESTS),
    ("heads", heads::TESTS),
    ("http2", http2::TESTS),
    ("secrets", secrets::TESTS),
    ("slow", slow::TESTS),
    ("smuggling", smuggling::TESTS),
    ("unread", unread::TESTS),
];
