//! A middleware that refuses requests whose host is not allowed.

use poem::Request;

use super::{
    hosts::AllowedHosts,
    middleware::{Hooks, middleware},
    refusal::Refusal,
};

middleware!(AllowedHosts);

impl Hooks for AllowedHosts {
    type Context = ();

    fn before(&self, request: &mut Request) -> poem::Result<()> {
        self.check(request)
            .map_err(|error| Refusal::Host(error).into())
    }
}
