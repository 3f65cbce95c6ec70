//! The settings of GraphQL: limits, introspection, persisted queries, trusted documents.

use std::{path::PathBuf, time::Duration};

use ::settings::{Optional, choice, number, optional_path, seconds, switch, value};
use clap::{Args, builder::TypedValueParser};
use engine::{
    CostModel, DocumentLimits, EngineSettings, Introspection, PersistedQueries, TrustedDocuments,
    TrustedMode,
};
use graphql_http::SchemaDocument;

use super::production::{Production, on_off_auto};

/// Limits and features of GraphQL documents.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "GraphQL")]
pub struct GraphqlArguments {
    /// Maximum number of objects in a list and on a page, from 1 to 100000
    #[arg(long, value_name = "OBJECTS", default_value = "1000", value_parser = number(1..=100_000))]
    pub list_limit: u32,

    /// Maximum size of a query in bytes, also with its fragments expanded, from 1 to 16777216
    #[arg(long, default_value = "65536", value_parser = number(1..=16_777_216))]
    query_limit_bytes: u32,

    /// Maximum number of tokens in a query, including white space, and of its selections with
    /// fragments expanded, from 1 to 1000000
    #[arg(long, value_name = "TOKENS", default_value = "4000", value_parser = number(1..=1_000_000))]
    token_limit: u32,

    /// Size of the document cache in bytes, from 0 (disabled) to 1073741824 (1 GiB)
    #[arg(long, default_value = "16777216", value_parser = number(0..=1_073_741_824))]
    document_cache_bytes: u32,

    /// Maximum depth of selection sets, without the outermost and those of fragments, from 1 to 200
    #[arg(long, value_name = "SETS", default_value = "20", value_parser = number(1..=200))]
    depth_limit: u32,

    /// Maximum number of aliases in a query, from 0 to 100000
    #[arg(long, value_name = "ALIASES", default_value = "100", value_parser = number(0..=100_000))]
    alias_limit: u32,

    /// Maximum number of root fields in an operation, from 1 to 100000
    #[arg(long, value_name = "FIELDS", default_value = "100", value_parser = number(1..=100_000))]
    root_field_limit: u32,

    /// Maximum number of directives at one location of a query, from 0 to 1000
    #[arg(long, value_name = "DIRECTIVES", default_value = "10", value_parser = number(0..=1000))]
    directive_limit: u32,

    /// Maximum number of fragments in a query, from 0 to 100000
    #[arg(long, value_name = "FRAGMENTS", default_value = "100", value_parser = number(0..=100_000))]
    fragment_limit: u32,

    /// Maximum depth of selection sets below __schema and __type, from 1 to 200
    #[arg(long, value_name = "SETS", default_value = "20", value_parser = number(1..=200))]
    introspection_depth_limit: u32,

    /// Maximum cost of an operation, from 1 to 1000000000, or auto: 100 times the list limit, at
    /// least 10000. A field costs 1, below a list times its maximum length, a page at least its size
    #[arg(long, value_name = "FIELDS", allow_negative_numbers = true)]
    #[arg(default_value = "auto", value_parser = cost_limit())]
    cost_limit: Optional<u32>,

    /// Maximum size of a response, estimated before a mutation is executed, in bytes, from 65536 (64 KiB) to 1073741824 (1 GiB)
    #[arg(long, default_value = "8388608", value_parser = number(65_536..=1_073_741_824))]
    response_limit_bytes: u32,

    /// Introspection: on, off, or auto (on without --production)
    #[arg(long, value_name = "ON|OFF|AUTO", default_value = "auto", value_parser = on_off_auto(Introspection::On, Introspection::Off))]
    introspection: Optional<Introspection>,

    /// The contract at /schema.graphql: on, off, or auto (as introspection)
    #[arg(long, value_name = "ON|OFF|AUTO", default_value = "auto", value_parser = on_off_auto(SchemaDocument::On, SchemaDocument::Off))]
    schema_document: Optional<SchemaDocument>,

    /// Automatic persisted queries (APQ): on or off
    #[arg(long, value_name = "ON|OFF")]
    #[arg(default_value = "on", value_parser = switch(PersistedQueries::On, PersistedQueries::Off))]
    persisted_queries: PersistedQueries,

    /// Trusted documents: a folder of .graphql files, a manifest (JSON), or none
    #[arg(long, value_name = "PATH", default_value = "none", value_parser = optional_path())]
    pub trusted_documents: Optional<PathBuf>,

    /// Effect on operations that are not trusted documents: off (executed), log (executed and logged) or enforce (refused)
    #[arg(long, default_value = "off")]
    #[arg(value_parser = choice([("off", TrustedMode::Off), ("log", TrustedMode::Log), ("enforce", TrustedMode::Enforce)]))]
    trusted_documents_mode: TrustedMode,

    /// Timeout of an operation, from 1 to 3600 seconds
    #[arg(long, default_value = "30", value_parser = seconds(1..=3600))]
    execution_timeout_seconds: Duration,
}

impl GraphqlArguments {
    /// Whether clients may read the contract as SDL.
    pub fn schema_document(&self, production: Production) -> SchemaDocument {
        let introspection = self.introspection(production);
        self.schema_document.unwrap_or(match introspection {
            Introspection::On => SchemaDocument::On,
            Introspection::Off => SchemaDocument::Off,
        })
    }

    pub(crate) fn introspection(&self, production: Production) -> Introspection {
        self.introspection.unwrap_or(match production {
            Production::On => Introspection::Off,
            Production::Off => Introspection::On,
        })
    }

    /// Whether only trusted documents are executed.
    pub(crate) fn enforces_trusted_documents(&self) -> bool {
        self.trusted_documents_mode == TrustedMode::Enforce
    }

    /// The settings of an engine with these trusted documents.
    pub fn engine(&self, production: Production, trusted: Vec<(String, String)>) -> EngineSettings {
        // The minimum permits the queries of GraphiQL and code generators.
        let default_cost = (self.list_limit * 100).max(10_000);
        EngineSettings {
            cost_model: CostModel {
                list_limit: self.list_limit,
                ..CostModel::default()
            },
            document_cache_bytes: self.document_cache_bytes,
            documents: DocumentLimits {
                query_bytes: self.query_limit_bytes,
                tokens: self.token_limit,
                depth: self.depth_limit,
                aliases: self.alias_limit,
                root_fields: self.root_field_limit,
                directives: self.directive_limit,
                fragments: self.fragment_limit,
                introspection_depth: self.introspection_depth_limit,
                cost: self.cost_limit.unwrap_or(default_cost),
                response_bytes: self.response_limit_bytes,
            },
            introspection: self.introspection(production),
            execution_timeout: self.execution_timeout_seconds,
            persisted_queries: self.persisted_queries,
            trusted_documents: TrustedDocuments::new(self.trusted_documents_mode, trusted),
            ..EngineSettings::default()
        }
    }
}

fn cost_limit() -> impl TypedValueParser<Value = Optional<u32>> {
    let must_be = "auto or a whole number from 1 to 1000000000";
    value(must_be, |text| match text {
        "auto" => Some(None),
        text => {
            let cost = text.parse().ok();
            cost.filter(|cost| (1..=1_000_000_000).contains(cost))
                .map(Some)
        }
    })
}
