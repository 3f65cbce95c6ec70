//! Valid command lines, and the errors of invalid ones.

use clap::CommandFactory;
use database::{DatabaseSettings, DatabaseUrl};
use engine::{EngineSettings, Introspection};
use graphql_http::{Graphiql, HttpSettings, SchemaDocument};

use service::{
    Command::{Migrate, Serve},
    MigrateWhen, Production,
};

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
fn the_default_command_is_serve() {
    assert_eq!(read("").unwrap().requested(), Command::Service(Serve));
    assert_eq!(read("serve").unwrap().requested(), Command::Service(Serve));
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
        ("man", [false, false, false]),
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
fn the_short_help_has_the_settings_that_are_set_first() {
    let help = read("-h").unwrap_err();
    // The text of a setting is indented further, and can begin with the name of another one.
    let flags = help.lines().filter(|line| line.starts_with("      --"));
    assert_eq!(flags.count(), 13, "{help}");
    for flag in ["--database-url <", "--listen <", "--auth-keys-file <"] {
        assert!(help.contains(flag), "{help}");
    }
    assert!(!help.contains("--pool-size"), "{help}");
    assert!(read("--help").unwrap_err().contains("--pool-size"));
}

#[test]
fn rejects_a_wrong_value_with_the_valid_values() {
    for wrong in ["many", "-1", "1.5"] {
        let expected = format!(
            "error: --pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 1 to 1000, not {wrong:?}\n"
        );
        assert_eq!(
            read(&format!("serve --pool-size {wrong}")).unwrap_err(),
            expected
        );
    }
    assert_eq!(
        read("--migrate true").unwrap_err(),
        "error: --migrate (CATALOGUE_MIGRATE) must be at-start or never, not \"true\"\n"
    );
}

#[test]
fn the_database_url_is_never_repeated() {
    let refused = read("--database-url postgress://user:secret@host/db").unwrap_err();
    assert!(refused.contains("must be sqlite:FILE") && !refused.contains("secret"));
    let read = read("--database-url postgres://user:secret@host/db").unwrap();
    assert!(!format!("{read:?}").contains("secret"));
}

#[test]
fn only_the_supported_databases_have_a_url() {
    for url in [
        "sqlite:a.db",
        "sqlite::memory:",
        "sqlite://a.db?mode=ro",
        "postgres://h/d",
        "postgresql://h/d",
        "mysql://h/d",
    ] {
        assert!(DatabaseUrl::parse(url).is_ok(), "{url}");
    }
    for url in [
        "",
        "sqlite",
        "sqlite:",
        "postgres:",
        "postgres:h/d",
        "mysql://h",
        "mariadb:h/d",
        "oracle://h/d",
        "a.db",
    ] {
        assert!(DatabaseUrl::parse(url).is_err(), "{url}");
    }
}

#[test]
fn the_list_limit_is_bounded() {
    let limit = |flags| read(flags).map(|read| read.settings.service.graphql.list_limit);
    assert_eq!(limit("").unwrap(), 1000);
    assert_eq!(limit("--list-limit 1").unwrap(), 1);
    assert_eq!(limit("--list-limit 100000").unwrap(), 100_000);
    assert!(limit("--list-limit 0").is_err());
    assert!(limit("--list-limit 100001").is_err());
}

#[test]
fn migrations_are_applied_at_start_by_default() {
    assert_eq!(
        read("").unwrap().settings.service.database.migrate,
        MigrateWhen::AtStart
    );
    assert_eq!(
        read("--migrate never")
            .unwrap()
            .settings
            .service
            .database
            .migrate,
        MigrateWhen::Never
    );
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

#[test]
fn a_certificate_needs_its_key() {
    assert!(read("--tls-certificate-file a.pem").is_err());
    assert!(read("--tls-key-file a.pem").is_err());
    let both = read("--tls-certificate-file a.pem --tls-key-file b.pem").unwrap();
    assert!(both.settings.service.http.tls_files().is_some());
    assert!(
        read("")
            .unwrap()
            .settings
            .service
            .http
            .tls_files()
            .is_none()
    );
}

#[test]
fn the_origins_of_web_pages_are_exact() {
    assert!(read("--cors-origins https://a.example,http://localhost:3000").is_ok());
    assert_eq!(
        read("--cors-origins https://a.example/").unwrap_err(),
        "error: --cors-origins (CATALOGUE_CORS_ORIGINS) must be none, * for any origin without \
         credentials, or origins such as https://a.example, in lower case and separated by \
         commas, not \"https://a.example/\"\n"
    );
}
