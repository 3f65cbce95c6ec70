//! GraphiQL in a real browser that can reach only the service.

mod chromium;
mod devtools;
mod graphiql;
mod proxy;
mod tests;

pub(crate) use chromium::availability;
pub(crate) use tests::TESTS;
