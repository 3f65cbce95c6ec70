//! The settings about what a request may ask for.

use std::{path::Path, time::Duration};

use clap::Args;

use super::{
    Production,
    checked::{Checked, OptionalPath, number, optional_path, switch, value},
    production::{ForDevelopment, for_development},
};
use crate::{
    catalogue::ListLimit,
    graphql::{
        DocumentLimits, EngineSettings, Introspection, LimitsMode, PersistedQueries,
        TrustedDocuments, TrustedMode,
    },
    http::SchemaDocument,
};

/// What a request may ask for.
#[derive(Debug, Clone, Args)]
pub struct DocumentSettings {
    /// Largest query in bytes, from 1 to 16777216
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_QUERY_LIMIT_BYTES",
        value_name = "BYTES"
    )]
    #[arg(default_value = "65536", value_parser = number(1..=16_777_216), help_heading = "GraphQL")]
    query_limit_bytes: u32,

    /// Most tokens in a query, white space between them counted, from 1 to 1000000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TOKEN_LIMIT",
        value_name = "TOKENS"
    )]
    #[arg(default_value = "4000", value_parser = number(1..=1_000_000), help_heading = "GraphQL")]
    token_limit: u32,

    /// Most bytes of query text whose documents are kept, in memory they take up to 150 times as
    /// much, from 0 (none are) to 16777216
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DOCUMENT_CACHE_BYTES",
        value_name = "BYTES"
    )]
    #[arg(default_value = "262144", value_parser = number(0..=16_777_216), help_heading = "GraphQL")]
    document_cache_bytes: u32,

    /// Most nested selection sets, from 1 to 200
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DEPTH_LIMIT",
        value_name = "SETS"
    )]
    #[arg(default_value = "20", value_parser = number(1..=200), help_heading = "GraphQL")]
    depth_limit: u32,

    /// Most aliases in a query, from 0 to 100000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_ALIAS_LIMIT",
        value_name = "ALIASES"
    )]
    #[arg(default_value = "100", value_parser = number(0..=100_000), help_heading = "GraphQL")]
    alias_limit: u32,

    /// Most root fields in an operation, from 1 to 100000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_ROOT_FIELD_LIMIT",
        value_name = "FIELDS"
    )]
    #[arg(default_value = "100", value_parser = number(1..=100_000), help_heading = "GraphQL")]
    root_field_limit: u32,

    /// Most directives at one place of a query, from 0 to 1000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_DIRECTIVE_LIMIT",
        value_name = "DIRECTIVES"
    )]
    #[arg(default_value = "10", value_parser = number(0..=1000), help_heading = "GraphQL")]
    directive_limit: u32,

    /// Most fragments in a query, from 0 to 100000
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_FRAGMENT_LIMIT",
        value_name = "FRAGMENTS"
    )]
    #[arg(default_value = "100", value_parser = number(0..=100_000), help_heading = "GraphQL")]
    fragment_limit: u32,

    /// Most nested selection sets below __schema and __type, from 1 to 200
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_INTROSPECTION_DEPTH_LIMIT",
        value_name = "SETS"
    )]
    #[arg(default_value = "20", value_parser = number(1..=200), help_heading = "GraphQL")]
    introspection_depth_limit: u32,

    /// Most an operation may cost, from 1 to 1000000000, or auto: 100 times the list limit. Each field
    /// costs one, below a list as often as the list may be long
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_COST_LIMIT",
        value_name = "FIELDS"
    )]
    #[arg(default_value = "auto", value_parser = cost_limit(), help_heading = "GraphQL")]
    cost_limit: CostLimit,

    /// What happens when a limit of a query is exceeded: enforce (refuse it) or log (execute it and log the limit)
    #[arg(global = true, long, env = "CATALOGUE_LIMITS", value_name = "MODE")]
    #[arg(default_value = "enforce", value_parser = limits_mode(), help_heading = "GraphQL")]
    limits: LimitsMode,

    /// Whether clients may ask for the schema: on, off, or auto (on without --production)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_INTROSPECTION",
        value_name = "ON|OFF|AUTO"
    )]
    #[arg(default_value = "auto", value_parser = for_development(), help_heading = "GraphQL")]
    introspection: ForDevelopment,

    /// Whether clients may read the contract at /schema.graphql: on, off, or auto (on where introspection is)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_SCHEMA_DOCUMENT",
        value_name = "ON|OFF|AUTO"
    )]
    #[arg(default_value = "auto", value_parser = for_development(), help_heading = "GraphQL")]
    schema_document: ForDevelopment,

    /// Whether clients may register queries and send them as their SHA-256: on or off
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_PERSISTED_QUERIES",
        value_name = "ON|OFF"
    )]
    #[arg(default_value = "on", value_parser = switch(PersistedQueries::On, PersistedQueries::Off), help_heading = "GraphQL")]
    persisted_queries: PersistedQueries,

    /// Where the operations are that the operator allows: a folder of .graphql files, a manifest (JSON), or none
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TRUSTED_DOCUMENTS",
        value_name = "PATH"
    )]
    #[arg(default_value = "none", value_parser = optional_path(), help_heading = "GraphQL")]
    trusted_documents: OptionalPath,

    /// What happens to other operations: off (they are executed), log (and logged) or enforce (they are refused)
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_TRUSTED_DOCUMENTS_MODE",
        value_name = "MODE"
    )]
    #[arg(default_value = "off", value_parser = trusted_mode(), help_heading = "GraphQL")]
    trusted_documents_mode: TrustedMode,

    /// How long an operation may be executed, from 1 to 3600 seconds
    #[arg(
        global = true,
        long,
        env = "CATALOGUE_EXECUTION_TIMEOUT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(default_value = "30", value_parser = number(1..=3600), help_heading = "GraphQL")]
    execution_timeout_seconds: u32,
}

/// What an operation may cost.
#[derive(Debug, Clone, Copy)]
pub(super) enum CostLimit {
    /// In proportion to the list limit.
    Auto,
    /// So much.
    At(u32),
}

impl DocumentSettings {
    /// The file or folder of trusted documents, if there is one.
    pub fn trusted_documents(&self) -> Option<&Path> {
        self.trusted_documents.as_path()
    }

    /// Whether operations that are no trusted documents are refused.
    pub(super) fn enforces_trusted_documents(&self) -> bool {
        self.trusted_documents_mode == TrustedMode::Enforce
    }

    /// Whether clients may read the contract as a text.
    pub fn schema_document(&self, production: Production) -> SchemaDocument {
        let (on, off) = (SchemaDocument::On, SchemaDocument::Off);
        match (self.schema_document, self.introspection(production)) {
            (ForDevelopment::On, _) | (ForDevelopment::Auto, Introspection::On) => on,
            (ForDevelopment::Off, _) | (ForDevelopment::Auto, Introspection::Off) => off,
        }
    }

    fn introspection(&self, production: Production) -> Introspection {
        self.introspection
            .choose(production, Introspection::On, Introspection::Off)
    }

    /// The settings of an engine whose lists have at most so many vehicles, with these trusted documents.
    pub fn engine(
        &self,
        production: Production,
        list_limit: ListLimit,
        trusted: Vec<(String, String)>,
    ) -> EngineSettings {
        EngineSettings {
            list_limit,
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
                cost: match self.cost_limit {
                    CostLimit::Auto => list_limit.get() * 100,
                    CostLimit::At(cost) => cost,
                },
                mode: self.limits,
            },
            introspection: self.introspection(production),
            execution_timeout: Duration::from_secs(self.execution_timeout_seconds.into()),
            persisted_queries: self.persisted_queries,
            trusted_documents: TrustedDocuments::new(self.trusted_documents_mode, trusted),
        }
    }
}

fn cost_limit() -> Checked<CostLimit> {
    value("auto or a whole number from 1 to 1000000000", |text| {
        if text == "auto" {
            return Some(CostLimit::Auto);
        }
        let cost = text.parse().ok();
        cost.filter(|cost| (1..=1_000_000_000).contains(cost))
            .map(CostLimit::At)
    })
}

fn limits_mode() -> Checked<LimitsMode> {
    value("enforce or log", |text| match text {
        "enforce" => Some(LimitsMode::Enforce),
        "log" => Some(LimitsMode::Log),
        _ => None,
    })
}

fn trusted_mode() -> Checked<TrustedMode> {
    value("off, log or enforce", |text| match text {
        "off" => Some(TrustedMode::Off),
        "log" => Some(TrustedMode::Log),
        "enforce" => Some(TrustedMode::Enforce),
        _ => None,
    })
}
