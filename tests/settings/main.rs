//! The started program, its settings and its health: where settings come from, how wrong ones are
//! refused, and what it tells those who watch it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod config_command;
mod file;
mod health;
mod origins;
mod program;
