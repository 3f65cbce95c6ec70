//! The settings of HTTP.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use ::settings::{Optional, optional, optional_path, seconds, size, value};
use clap::{Args, builder::TypedValueParser};
use graphql_http::{AllowedHosts, Graphiql, HttpSettings, Origins, SchemaDocument, TlsFiles};

use super::production::{Production, on_off_auto};

/// The settings of HTTP.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "HTTP")]
pub struct HttpArguments {
    /// Address and port to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000", value_parser = listen())]
    pub listen: SocketAddr,

    /// Separate listener for health and metrics, which the main listener then does not serve: address and port, or none
    #[arg(long, value_name = "ADDRESS", default_value = "none", value_parser = admin_listen())]
    pub admin_listen: Optional<SocketAddr>,

    /// Maximum size of a request body in bytes, from 1024 (1 KiB) to 67108864 (64 MiB)
    #[arg(long, default_value = "1048576", value_parser = size(1024..=67_108_864))]
    body_limit_bytes: usize,

    /// Maximum length of a URL in bytes, without scheme and host, from 256 to 65000
    #[arg(long, default_value = "8192", value_parser = size(256..=65_000))]
    url_limit_bytes: usize,

    /// Maximum number of concurrent GraphQL requests, from 1 to 100000; others get status 503
    #[arg(long, value_name = "REQUESTS", default_value = "1024", value_parser = size(1..=100_000))]
    concurrency_limit: usize,

    /// Maximum number of open connections, from 1 to 1000000; others wait
    #[arg(long, value_name = "CONNECTIONS", default_value = "4096", value_parser = size(1..=1_000_000))]
    connection_limit: usize,

    /// Timeout of reading the head of a request, of reading its body, and of an idle connection,
    /// from 1 to 3600 seconds
    #[arg(long, default_value = "75", value_parser = seconds(1..=3600))]
    read_timeout_seconds: Duration,

    /// Time in which at least 1 KiB of an incomplete request body must arrive, from 1 to 3600
    /// seconds; otherwise the request gets status 408
    #[arg(long, default_value = "10", value_parser = seconds(1..=3600))]
    body_timeout_seconds: Duration,

    /// Maximum memory of all incomplete request bodies in bytes, from 1048576 (1 MiB) to
    /// 4294967295, at least four times --body-limit-bytes; further ones get status 503
    #[arg(long, default_value = "67108864", value_parser = size(1_048_576..=u32::MAX))]
    body_memory_bytes: usize,

    /// Minimum size of a response to be compressed in bytes, from 0 (all) to 4294967295 (none)
    #[arg(long, default_value = "1024", value_parser = size(0..=u32::MAX))]
    compression_threshold_bytes: usize,

    /// Origins allowed by CORS: none, *, or origins separated by commas
    #[arg(long, default_value = "none", value_parser = origins())]
    cors_origins: Origins,

    /// Allowed hosts in requests besides localhost and the address of --listen: auto (any; none if
    /// --listen is a loopback address), *, or names, addresses and networks separated by commas;
    /// others get 421
    #[arg(long, default_value = "auto", value_parser = allowed_hosts())]
    allowed_hosts: Optional<AllowedHosts>,

    /// GraphiQL at /graphiql: on, off, or auto (on without --production)
    #[arg(long, value_name = "ON|OFF|AUTO", default_value = "auto", value_parser = on_off_auto(Graphiql::On, Graphiql::Off))]
    graphiql: Optional<Graphiql>,

    /// PEM file of the certificate chain, or none; enables TLS together with --tls-key-file
    #[arg(long, default_value = "none", value_parser = optional_path())]
    pub(super) tls_certificate_file: Optional<PathBuf>,

    /// PEM file of the private key, or none
    #[arg(long, default_value = "none", value_parser = optional_path())]
    pub(super) tls_key_file: Optional<PathBuf>,

    /// Interval of checking for a renewed certificate, from 1 to 86400 seconds
    #[arg(long, default_value = "60", value_parser = seconds(1..=86_400))]
    tls_reload_seconds: Duration,

    /// Time to continue serving after a stop signal while /health/ready returns 503, for load
    /// balancers to notice, from 0 to 3600 seconds
    #[arg(long, default_value = "0", value_parser = seconds(0..=3600))]
    drain_pause_seconds: Duration,

    /// Timeout of the requests in flight while draining, from 1 to 3600 seconds
    #[arg(long, default_value = "10", value_parser = seconds(1..=3600))]
    drain_timeout_seconds: Duration,
}

impl HttpArguments {
    /// Whether GraphiQL is served.
    pub fn graphiql(&self, production: Production) -> Graphiql {
        self.graphiql.unwrap_or(match production {
            Production::On => Graphiql::Off,
            Production::Off => Graphiql::On,
        })
    }

    /// The certificate files, if TLS is enabled.
    pub fn tls_files(&self) -> Option<TlsFiles> {
        Some(TlsFiles {
            certificate: self.tls_certificate_file.clone()?,
            key: self.tls_key_file.clone()?,
            reload_interval: self.tls_reload_seconds,
        })
    }

    fn allowed_hosts(&self) -> AllowedHosts {
        match &self.allowed_hosts {
            Some(hosts) => hosts.clone().with_address(self.listen.ip()),
            None if is_loopback(self.listen) => AllowedHosts::loopback(),
            None => AllowedHosts::Any,
        }
    }

    /// Probes and scrapers use the address of an instance as host, which no setting can list.
    fn admin_allowed_hosts(&self) -> AllowedHosts {
        let is_remote = self
            .admin_listen
            .is_some_and(|address| !is_loopback(address));
        match &self.allowed_hosts {
            Some(hosts) if is_remote => hosts.clone().with_addresses(),
            Some(hosts) => hosts.clone(),
            None if is_remote => AllowedHosts::Any,
            None => AllowedHosts::loopback(),
        }
    }

    /// The settings of the HTTP module.
    pub fn settings(
        &self,
        production: Production,
        schema_document: SchemaDocument,
    ) -> HttpSettings {
        HttpSettings {
            body_limit_bytes: self.body_limit_bytes,
            url_limit_bytes: self.url_limit_bytes,
            concurrency_limit: self.concurrency_limit,
            connection_limit: self.connection_limit,
            read_timeout: self.read_timeout_seconds,
            body_timeout: self.body_timeout_seconds,
            body_memory_bytes: self.body_memory_bytes,
            compression_threshold_bytes: self.compression_threshold_bytes,
            cors_origins: self.cors_origins.clone(),
            allowed_hosts: self.allowed_hosts(),
            admin_allowed_hosts: self.admin_allowed_hosts(),
            graphiql: self.graphiql(production),
            schema_document,
            drain_pause: self.drain_pause_seconds,
            drain_timeout: self.drain_timeout_seconds,
        }
    }
}

fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

fn listen() -> impl TypedValueParser<Value = SocketAddr> {
    let must_be = "an IP address and a port, such as 127.0.0.1:8000 or [::1]:8000";
    value(must_be, |text| text.parse().ok())
}

fn admin_listen() -> impl TypedValueParser<Value = Optional<SocketAddr>> {
    let must_be = "none, or an IP address and a port, such as 127.0.0.1:9000 or [::1]:9000";
    optional(must_be, |text| text.parse().ok())
}

fn allowed_hosts() -> impl TypedValueParser<Value = Optional<AllowedHosts>> {
    let must_be = "auto, * for any host, or hosts such as a.example, a.example:8000, *.a.example, \
         192.0.2.1 or 10.0.0.0/8, separated by commas";
    value(must_be, |text| match text {
        "auto" => Some(None),
        hosts => AllowedHosts::parse(hosts).map(Some),
    })
}

fn origins() -> impl TypedValueParser<Value = Origins> {
    let must_be = "none, * for any origin without credentials, or origins such as \
         https://a.example, in lower case and separated by commas";
    value(must_be, Origins::parse)
}
