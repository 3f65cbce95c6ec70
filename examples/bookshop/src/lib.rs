//! A bookshop: a second service on the crates, which shows what a service has to bring.

// The routes and the middleware of any service on these crates.
#[path = "../../../src/app.rs"]
mod app;
mod isbn;
mod resolvers;
mod store;

use std::sync::Arc;

use async_graphql::{EmptyMutation, EmptySubscription, Schema};
use clap::Parser;
use engine::{Contract, Engine, EngineSettings, SkipValidation};
use futures_util::future::BoxFuture;
use service::{Command, Definition, EXIT_CODES, Failure, Settings, hide_unused_settings};
use settings::{Parsed, with_prefix};

use crate::{
    app::APPLICATIONS,
    contract::{Query, SDL, support::ResponseBytes},
    store::{APPLICATION, Store},
};

// The module `contract`, which `build.rs` generates.
include!(concat!(env!("OUT_DIR"), "/contract.rs"));

static CONTRACT: Contract = Contract::new("schema.graphql", contract::CONTRACT);

/// A GraphQL service for a bookshop.
#[derive(Debug, Parser)]
#[command(name = "bookshop", version, after_help = EXIT_CODES)]
#[command(mut_arg("listen", |argument| argument.default_value("127.0.0.1:8001")))]
#[command(mut_arg("list_limit", |argument| argument.default_value("20")))]
#[command(mut_arg("cost_limit", |argument| argument.default_value("100000")))]
#[command(mut_args = with_prefix("BOOKSHOP_"), mut_subcommands = hide_unused_settings)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    settings: Settings,
}

impl service::CommandLine for CommandLine {
    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn service(&self) -> Definition {
        let list_limit = self.settings.graphql.list_limit;
        let version = env!("CARGO_PKG_VERSION");
        let engine = move |database, settings| {
            let query = Query(Arc::new(Store::new(&database, list_limit)));
            let schema = Schema::build(query, EmptyMutation, EmptySubscription);
            let schema = schema.limit_recursive_depth(usize::MAX);
            let schema = schema.extension(SkipValidation).finish();
            let settings = EngineSettings {
                response_bytes: Some(ResponseBytes::insert),
                ..settings
            };
            Engine::new(&CONTRACT, schema, settings)
        };
        Definition {
            title: "Bookshop",
            ..Definition::new(APPLICATION, version, &CONTRACT, SDL, APPLICATIONS, engine)
        }
    }

    fn run(parsed: Parsed<Self>) -> BoxFuture<'static, Result<(), Failure>> {
        let command = parsed.command_line.command.clone();
        command.unwrap_or_default().run(parsed)
    }
}
