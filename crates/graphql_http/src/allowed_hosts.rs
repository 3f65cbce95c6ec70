//! A middleware that refuses requests whose host is not allowed.

use std::future::ready;

use futures_util::{FutureExt, TryFutureExt};
use poem::{Endpoint, IntoResponse, Request, Response};

use super::{handled::Around, hosts::AllowedHosts, refusal::Refusal};

impl Around for AllowedHosts {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        if let Err(error) = self.check(&request) {
            return ready(Err(Refusal::Host(error).into())).left_future();
        }
        let call = endpoint.call(request);
        call.map_ok(E::Output::into_response).right_future()
    }
}
