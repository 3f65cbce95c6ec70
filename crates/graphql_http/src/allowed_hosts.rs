//! A middleware that refuses requests whose host is not allowed.

use poem::Request;

use super::{
    hosts::AllowedHosts,
    middleware::{EarlyResponse, Hooks, hooks},
    refusal::Refusal,
};

hooks!(AllowedHosts);

impl Hooks for AllowedHosts {
    type Context = ();

    fn before(&self, request: &mut Request) -> Result<(), EarlyResponse<'_>> {
        self.check(request)
            .map_err(|error| Refusal::Host(error).into())
    }
}
