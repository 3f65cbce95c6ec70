//! What the program says of itself for those who package it, and whether the files of `operate/` say
//! the same as the program.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(
    clippy::print_stdout,
    reason = "figures and what was left out are for who reads the output"
)]

#[path = "../../build/commit.rs"]
mod commit;
mod files;
mod identity;
mod manual;
mod trouble;
