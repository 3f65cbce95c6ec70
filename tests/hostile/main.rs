//! What hostile clients send, against the started program: every one of them is refused or outlasted,
//! nothing is stored for them, memory stays bounded, and everybody else is answered meanwhile.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(
    clippy::print_stdout,
    reason = "figures and what was left out are for who reads the output"
)]

mod bodies;
mod crowds;
mod frames;
mod heads;
mod http2;
mod secrets;
mod service;
mod slow;
mod smuggling;
