//! A bookshop: a second service on the crates, which shows what a service has to bring.

// The routes and the middleware of any service on these crates.
#[path = "../../../src/app.rs"]
mod app;
mod events;
mod failure;
mod isbn;
mod resolvers;
mod store;
mod web_socket;

use std::sync::Arc;

use async_graphql::Schema;
use clap::Parser;
use database::Database;
use engine::{Contract, Engine, EngineSettings, SkipValidation};
use futures_util::future::BoxFuture;
use service::{Command, Definition, EXIT_CODES, Failure, Settings, hide_unused_settings};
use settings::{Parsed, with_prefix};

use crate::{
    contract::{Mutation, Query, SDL, Subscription, support::ResponseBytes},
    store::Store,
    web_socket::APPLICATIONS,
};

pub use crate::store::APPLICATION;

// The module `contract`, which `build.rs` generates.
include!(concat!(env!("OUT_DIR"), "/contract.rs"));

static CONTRACT: Contract = Contract::new("schema.graphql", contract::CONTRACT);

/// The engine for the books in a database, of which a list has at most `list_limit`.
pub fn engine(database: &Database, list_limit: u32, settings: EngineSettings) -> Engine {
    engine_of(Arc::new(Store::new(database, list_limit)), settings)
}

fn engine_of(store: Arc<Store>, settings: EngineSettings) -> Engine {
    let (query, mutation) = (Query(Arc::clone(&store)), Mutation(Arc::clone(&store)));
    let schema = Schema::build(query, mutation, Subscription(store));
    let schema = schema.limit_recursive_depth(usize::MAX);
    let schema = schema.extension(SkipValidation).finish();
    let settings = EngineSettings {
        response_bytes: Some(ResponseBytes::insert),
        ..settings
    };
    Engine::new(&CONTRACT, schema, settings)
}

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
        let engine = move |database, settings| engine(&database, list_limit, settings);
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
