//! The settings of HTTP.

use std::{net::SocketAddr, path::Path, time::Duration};

use clap::Args;

use super::{
    Production,
    checked::{Checked, OptionalPath, number, optional_path, value},
    production::{ForDevelopment, for_development},
};
use crate::http::{Graphiql, HttpSettings, Origins, SchemaDocument, TlsFiles};

/// The settings of HTTP.
#[derive(Debug, Clone, Args)]
pub struct HttpArguments {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(global = true, long, env = "CATALOGUE_LISTEN", value_name = "ADDRESS")]
    #[arg(default_value = "127.0.0.1:8000", value_parser = listen(), help_heading = "HTTP")]
    pub listen: SocketAddr,

    /// Address and port for operators, at which health is told, and then not where clients ask; or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_ADMIN_LISTEN",
        value_name = "ADDRESS"
    )]
    #[arg(default_value = "none", value_parser = admin_listen(), help_heading = "HTTP")]
    admin_listen: AdminListen,

    /// Largest request body in bytes, from 1024 (1 KiB) to 67108864 (64 MiB)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_BODY_LIMIT_BYTES",
        value_name = "BYTES"
    )]
    #[arg(default_value = "1048576", value_parser = number(1024..=67_108_864), help_heading = "HTTP")]
    body_limit_bytes: u32,

    /// Longest URL in bytes, without scheme and host, from 256 to 65000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_URL_LIMIT_BYTES",
        value_name = "BYTES"
    )]
    #[arg(default_value = "8192", value_parser = number(256..=65_000), help_heading = "HTTP")]
    url_limit_bytes: u32,

    /// Most GraphQL requests at once, from 1 to 100000; others are refused with the status 503
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_CONCURRENCY_LIMIT",
        value_name = "REQUESTS"
    )]
    #[arg(default_value = "1024", value_parser = number(1..=100_000), help_heading = "HTTP")]
    concurrency_limit: u32,

    /// Most connections at once, from 1 to 1000000; others wait
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_CONNECTION_LIMIT",
        value_name = "CONNECTIONS"
    )]
    #[arg(default_value = "4096", value_parser = number(1..=1_000_000), help_heading = "HTTP")]
    connection_limit: u32,

    /// How long a client may take to send the head of a request, and then its body, and how long a
    /// connection may be silent, from 1 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_READ_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "75", value_parser = number(1..=3600), help_heading = "HTTP")]
    read_timeout_seconds: u32,

    /// Most operations in one request, as a list, from 0 (no lists) to 1000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_BATCH_LIMIT",
        value_name = "OPERATIONS"
    )]
    #[arg(default_value = "0", value_parser = number(0..=1000), help_heading = "HTTP")]
    batch_limit: u32,

    /// From how many bytes on answers are compressed, from 0 (all) to 4294967295 (none)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_COMPRESSION_THRESHOLD_BYTES",
        value_name = "BYTES"
    )]
    #[arg(default_value = "1024", value_parser = number(0..=u32::MAX), help_heading = "HTTP")]
    compression_threshold_bytes: u32,

    /// Web pages of which origins may use the service: none, *, or origins separated by commas
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_CORS_ORIGINS",
        value_name = "ORIGINS"
    )]
    #[arg(default_value = "none", value_parser = origins(), help_heading = "HTTP")]
    cors_origins: Origins,

    /// Whether there is a page to try queries, at /graphiql: on, off, or auto (on without --production)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_GRAPHIQL",
        value_name = "ON|OFF|AUTO"
    )]
    #[arg(default_value = "auto", value_parser = for_development(), help_heading = "HTTP")]
    graphiql: ForDevelopment,

    /// Certificate chain in PEM, or none; with it and its key the service speaks TLS alone
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TLS_CERTIFICATE_FILE",
        value_name = "FILE"
    )]
    #[arg(default_value = "none", value_parser = optional_path(), help_heading = "HTTP")]
    tls_certificate_file: OptionalPath,

    /// Private key of the certificate in PEM, or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TLS_KEY_FILE",
        value_name = "FILE"
    )]
    #[arg(default_value = "none", value_parser = optional_path(), help_heading = "HTTP")]
    tls_key_file: OptionalPath,

    /// How often a renewed certificate is looked for, from 1 to 86400 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TLS_RELOAD_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "60", value_parser = number(1..=86_400), help_heading = "HTTP")]
    tls_reload_seconds: u32,

    /// How long to go on serving when the service is stopped, while /health/ready says no, so that
    /// balancers notice, from 0 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DRAIN_PAUSE_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "0", value_parser = number(0..=3600), help_heading = "HTTP")]
    drain_pause_seconds: u32,

    /// How long the requests in flight may take when the service is stopped, from 1 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DRAIN_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "10", value_parser = number(1..=3600), help_heading = "HTTP")]
    drain_timeout_seconds: u32,
}

/// Where operators ask.
#[derive(Debug, Clone, Copy)]
enum AdminListen {
    /// Where clients do.
    None,
    /// At an address of their own.
    At(SocketAddr),
}

impl HttpArguments {
    /// Where operators ask, if not where clients do.
    pub fn admin_listen(&self) -> Option<SocketAddr> {
        match self.admin_listen {
            AdminListen::None => None,
            AdminListen::At(address) => Some(address),
        }
    }

    /// Whether there is a page to try queries.
    pub fn graphiql(&self, production: Production) -> Graphiql {
        self.graphiql
            .choose(production, Graphiql::On, Graphiql::Off)
    }

    /// Where the certificate is, if the service speaks TLS.
    pub fn tls_files(&self) -> Option<TlsFiles> {
        let files = self.tls_certificate().zip(self.tls_key());
        files.map(|(certificate, key)| TlsFiles {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            reload_interval: Duration::from_secs(self.tls_reload_seconds.into()),
        })
    }

    pub(super) fn tls_certificate(&self) -> Option<&Path> {
        self.tls_certificate_file.as_path()
    }

    pub(super) fn tls_key(&self) -> Option<&Path> {
        self.tls_key_file.as_path()
    }

    /// In the words of the HTTP room.
    pub fn settings(
        &self,
        production: Production,
        schema_document: SchemaDocument,
    ) -> HttpSettings {
        HttpSettings {
            body_limit_bytes: self.body_limit_bytes as usize,
            url_limit_bytes: self.url_limit_bytes as usize,
            concurrency_limit: self.concurrency_limit as usize,
            connection_limit: self.connection_limit as usize,
            read_timeout: Duration::from_secs(self.read_timeout_seconds.into()),
            batch_limit: self.batch_limit as usize,
            compression_threshold_bytes: self.compression_threshold_bytes as usize,
            cors_origins: self.cors_origins.clone(),
            graphiql: self.graphiql(production),
            schema_document,
            drain_pause: Duration::from_secs(self.drain_pause_seconds.into()),
            drain_timeout: Duration::from_secs(self.drain_timeout_seconds.into()),
        }
    }
}

fn listen() -> Checked<SocketAddr> {
    let must_be = "an IP address and a port, such as 127.0.0.1:8000 or [::1]:8000";
    value(must_be, |text| text.parse().ok())
}

fn admin_listen() -> Checked<AdminListen> {
    let must_be = "none, or an IP address and a port, such as 127.0.0.1:9000 or [::1]:9000";
    value(must_be, |text| match text {
        "none" => Some(AdminListen::None),
        address => address.parse().ok().map(AdminListen::At),
    })
}

fn origins() -> Checked<Origins> {
    let must_be = "none, * for any origin without credentials, or origins such as \
         https://a.example, in lower case and separated by commas";
    value(must_be, Origins::parse)
}
