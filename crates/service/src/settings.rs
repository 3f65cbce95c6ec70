//! The settings of a service: flag, environment variable, default, unit and bounds of each.
//!
//! A field is named like its flag; what the fields have in common is stated by
//! [`with_prefix`](fn@::settings::with_prefix).

mod auth;
mod database;
mod graphql;
mod http;
mod production;
mod telemetry;

use std::net::{IpAddr, SocketAddr};

use ::settings::{ConfigFile, size, switch};
use clap::Args;

pub use self::{
    auth::AuthArguments,
    database::{DatabaseArguments, MigrateWhen},
    graphql::GraphqlArguments,
    http::HttpArguments,
    production::Production,
    telemetry::TelemetryArguments,
};

/// The settings of every service, to be flattened into its own.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub struct Settings {
    #[command(flatten)]
    file: ConfigFile,

    /// Disables GraphiQL and introspection unless their own settings enable them: --production, or
    /// on or off
    #[arg(
        long,
        value_name = "ON|OFF",
        default_value = "off",
        default_missing_value = "on"
    )]
    #[arg(num_args = 0..=1, require_equals = true, value_parser = switch(Production::On, Production::Off))]
    pub production: Production,

    /// Worker threads, from 0 (one for each core) to 1024
    #[arg(long, default_value = "0", value_parser = size(0..=1024))]
    pub worker_threads: usize,

    /// The settings of HTTP.
    #[command(flatten)]
    pub http: HttpArguments,

    /// Authentication and rate limit.
    #[command(flatten)]
    pub auth: AuthArguments,

    /// Limits and features of GraphQL documents.
    #[command(flatten)]
    pub graphql: GraphqlArguments,

    /// The settings of the database.
    #[command(flatten)]
    pub database: DatabaseArguments,

    /// Logs, metrics and traces.
    #[command(flatten)]
    pub telemetry: TelemetryArguments,
}

impl Settings {
    /// An error message for each conflict between settings.
    pub fn conflicts(&self) -> Vec<String> {
        let (http, auth, graphql) = (&self.http, &self.auth, &self.graphql);
        let certificate = http.tls_certificate_file.is_some();
        let key = http.tls_key_file.is_some();
        let shares_port = |admin| overlap(http.listen, admin);
        let keys = auth.auth_keys_file.is_some();
        let claims = [auth.auth_issuer.is_some(), auth.auth_audience.is_some()];
        let enforces = graphql.enforces_trusted_documents();
        let conflicts = [
            (certificate && !key).then_some("--tls-certificate-file requires --tls-key-file"),
            (key && !certificate).then_some("--tls-key-file requires --tls-certificate-file"),
            (http.admin_listen.is_some_and(shares_port))
                .then_some("--admin-listen must differ from --listen"),
            (keys && claims != [true, true])
                .then_some("--auth-keys-file requires --auth-issuer and --auth-audience"),
            (!keys && claims != [false, false])
                .then_some("--auth-issuer and --auth-audience require --auth-keys-file"),
            (enforces && graphql.trusted_documents.is_none())
                .then_some("--trusted-documents-mode enforce requires --trusted-documents"),
        ];
        let found = conflicts.into_iter().flatten();
        found.map(str::to_owned).collect()
    }
}

/// Whether both bind the same port of the same interface. Port 0 binds a free one each time.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let [one_ip, other_ip] = [one, other].map(|address| address.ip().to_canonical());
    // `[::]` binds the addresses of IPv4, too.
    let covers = |wildcard: IpAddr, ip: IpAddr| {
        wildcard.is_unspecified() && (wildcard.is_ipv6() || ip.is_ipv4())
    };
    one.port() != 0
        && one.port() == other.port()
        && (one_ip == other_ip || covers(one_ip, other_ip) || covers(other_ip, one_ip))
}
