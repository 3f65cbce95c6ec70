//! Authentication of the running service: tokens, keys, rate limits and allowed hosts.

mod authentication;
mod first_token;
mod hosts;
mod key_set;
mod keys;
mod rate;
pub(crate) mod service;
pub(crate) mod signing;
mod tokens;

use testkit::Module;

pub(crate) const MODULES: &[Module] = &[
    ("authentication", authentication::TESTS),
    ("first_token", first_token::TESTS),
    ("hosts", hosts::TESTS),
    ("key_set", key_set::TESTS),
    ("keys", keys::TESTS),
    ("rate", rate::TESTS),
    ("tokens", tokens::TESTS),
];
