//! Valid command lines, and the errors of invalid ones.

use clap::CommandFactory;
use database::DatabaseSettings;
use engine::{EngineSettings, Introspection};
use graphql_http::{Graphiql, HttpSettings, SchemaDocument};

use service::{Command::Migrate, Production};

use super::{Command, CommandLine};

fn read(arguments: &str) -> Result<CommandLine, String> {
    let arguments = arguments.split_whitespace();
    service::parse::<CommandLine>(std::iter::once("vehicle-catalogue").chain(arguments))
        .map(|parsed| parsed.command_line)
        .map_err(|error| error.to_string())
}

#[test]
fn the_command_line_is_consistent() {
    CommandLine::command().debug_assert();
}

#[test]
fn every_setting_is_declared_completely() {
    let none: [String; 0] = [];
    assert_eq!(settings::defects(&CommandLine::command()), none);
}

/// Another service on the crates has their defaults.
#[test]
fn the_defaults_are_those_of_the_crates() {
    let settings = read("").unwrap().settings.service;
    let (database, graphql) = (&settings.database, &settings.graphql);
    let http = settings.http.settings(Production::Off, SchemaDocument::On);
    assert_eq!(
        format!("{http:?}"),
        format!("{:?}", HttpSettings::default())
    );
    let engine = graphql.engine(Production::Off, Vec::new());
    assert_eq!(
        format!("{engine:?}"),
        format!("{:?}", EngineSettings::default())
    );
    let defaults = DatabaseSettings::new(database.database_url.clone());
    assert_eq!(
        format!("{:?}", database.settings()),
        format!("{defaults:?}")
    );
}

#[test]
fn accepts_settings_before_and_after_the_command() {
    for arguments in [
        "--pool-size 3 migrate status",
        "migrate --pool-size 3 status",
        "migrate status --pool-size 3",
    ] {
        let command_line = read(arguments).unwrap();
        assert_eq!(command_line.settings.service.database.pool_size, 3);
        assert_eq!(
            command_line.requested(),
            Command::Service(Migrate(service::Migrate::Status))
        );
    }
}

#[test]
fn the_help_of_a_command_lists_the_settings_that_it_uses() {
    for (command, expected) in [
        ("serve", [true, true, true]),
        ("config check", [true, true, true]),
        ("migrate up", [true, true, false]),
        ("import -", [true, true, false]),
        ("schema check", [true, true, false]),
        ("schema hash", [false, false, false]),
        ("health", [true, false, true]),
    ] {
        let help = read(&format!("{command} --help")).unwrap_err();
        let listed = ["--config <", "--database-url <", "--listen <"];
        assert_eq!(
            listed.map(|flag| help.contains(flag)),
            expected,
            "{command}"
        );
        let all = "--config none --database-url sqlite::memory: --listen [::1]:1";
        let accepted = read(&format!("{command} {all}"));
        assert!(accepted.is_ok(), "{accepted:?}");
    }
}

#[test]
fn production_turns_off_development_features_by_default() {
    for (arguments, expected) in [
        ("", Graphiql::On),
        ("--graphiql off", Graphiql::Off),
        ("--production", Graphiql::Off),
        ("--production serve", Graphiql::Off),
        ("serve --production", Graphiql::Off),
        ("--production=on", Graphiql::Off),
        ("--production=off", Graphiql::On),
        ("--production --graphiql on", Graphiql::On),
        ("--production --graphiql on serve", Graphiql::On),
    ] {
        let settings = read(arguments).unwrap().settings.service;
        let graphiql = settings.http.graphiql(settings.production);
        assert_eq!(graphiql, expected, "{arguments}");
        let engine = settings.graphql.engine(settings.production, Vec::new());
        let introspection = match expected {
            _ if arguments.contains("--graphiql on") => Introspection::Off,
            _ if arguments.contains("--graphiql off") => Introspection::On,
            Graphiql::On => Introspection::On,
            Graphiql::Off => Introspection::Off,
        };
        assert_eq!(engine.introspection, introspection, "{arguments}");
    }
}

#[test]
fn the_schema_document_follows_introspection_by_default() {
    for (arguments, expected) in [
        ("", SchemaDocument::On),
        ("--introspection off", SchemaDocument::Off),
        ("--production", SchemaDocument::Off),
        ("--production --introspection on", SchemaDocument::On),
        ("--production --schema-document on", SchemaDocument::On),
        ("--schema-document off", SchemaDocument::Off),
    ] {
        let settings = read(arguments).unwrap().settings.service;
        let found = settings.graphql.schema_document(settings.production);
        assert_eq!(found, expected, "{arguments}");
    }
}
