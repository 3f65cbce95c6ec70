//! What a service brings.

use database::{Application, Database};
use engine::{Contract, Engine, EngineSettings};
use graphql_http::GraphiqlTab;

use crate::Applications;

/// What distinguishes a service from others.
pub struct Definition {
    /// The tables and their migrations; its name is that of the program.
    pub application: Application,
    /// The title of GraphiQL.
    pub title: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The contract.
    pub contract: &'static Contract,
    /// The SDL of the schema that the resolvers serve, a constant of the generated code.
    pub served_sdl: &'static str,
    /// Columns that no field of the contract shows.
    pub internal_columns: &'static [&'static str],
    /// The prefix of the names of metrics.
    pub metrics_prefix: &'static str,
    /// The name of the attribute of spans with the id of the request.
    pub request_id_attribute: &'static str,
    /// The initial tabs of GraphiQL.
    pub graphiql_tabs: &'static [GraphiqlTab],
    /// What the listeners serve.
    pub applications: Applications,
    /// Creates the engine for an open database.
    pub engine: Box<dyn Fn(Database, EngineSettings) -> Engine + Send + Sync>,
}

impl Definition {
    /// A service without internal columns and tabs of its own. The name of the program is its title and the prefix
    /// of its metrics, which must not contain hyphens. A service replaces what differs.
    pub fn new(
        application: Application,
        version: &'static str,
        contract: &'static Contract,
        served_sdl: &'static str,
        applications: Applications,
        engine: impl Fn(Database, EngineSettings) -> Engine + Send + Sync + 'static,
    ) -> Self {
        Self {
            application,
            title: application.name,
            version,
            contract,
            served_sdl,
            internal_columns: &[],
            metrics_prefix: application.name,
            request_id_attribute: "http.request.id",
            graphiql_tabs: &[],
            applications,
            engine: Box::new(engine),
        }
    }
}
