//! Malicious clients against the started program: each is refused or times out, its mutations are not
//! executed, memory stays bounded, and other clients are served meanwhile.

mod assets;
mod bodies;
mod connections;
mod frames;
mod heads;
mod http2;
mod memory;
mod secrets;
mod service;
mod slow;
mod smuggling;
mod unfinished;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("assets", assets::TESTS),
    ("bodies", bodies::TESTS),
    ("connections", connections::TESTS),
    ("heads", heads::TESTS),
    ("http2", http2::TESTS),
    ("memory", memory::TESTS),
    ("secrets", secrets::TESTS),
    ("slow", slow::TESTS),
    ("smuggling", smuggling::TESTS),
    ("unfinished", unfinished::TESTS),
];
