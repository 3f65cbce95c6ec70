//! Which command lines are understood, and what is said to the others.

use clap::CommandFactory;

use super::{Command, CommandLine, DatabaseUrl, Migrate, MigrateWhen, setting};
use crate::{
    catalogue::ListLimit,
    graphql::Introspection,
    http::{Graphiql, SchemaDocument},
};

fn read(arguments: &str) -> Result<CommandLine, String> {
    let arguments = arguments.split_whitespace();
    CommandLine::read_from(std::iter::once("vehicle-catalogue").chain(arguments))
        .map_err(|error| error.to_string())
}

#[test]
fn the_command_line_is_consistent() {
    CommandLine::command().debug_assert();
}

#[test]
fn every_setting_has_a_variable_a_default_a_meaning_and_only_secrets_hide_their_variable() {
    for argument in CommandLine::command().get_arguments() {
        let flag = argument.get_long().unwrap_or_default();
        if ["", "help", "version"].contains(&flag) {
            continue;
        }
        assert!(argument.get_env().is_some(), "{argument} has no variable");
        let secret = ["url", "password", "token", "secret"].iter();
        let secret = secret.clone().any(|word| flag.ends_with(word));
        assert_eq!(secret, argument.is_hide_env_values_set(), "{argument}");
    }
    let definition = CommandLine::command();
    for setting in setting::all(&definition) {
        let refused = setting.refuses(setting.default());
        assert_eq!(refused, None, "the default of {}", setting.name());
        assert!(setting.meaning().split(' ').count() > 2);
    }
}

#[test]
fn every_number_says_its_unit_and_keeps_the_bounds_that_it_tells() {
    let definition = CommandLine::command();
    let numbers = setting::all(&definition).filter(|setting| setting.is_number());
    let mut counted = 0;
    for setting in numbers {
        let (name, unit) = (setting.name(), setting.unit());
        match unit {
            "SECONDS" => assert!(name.ends_with("-seconds"), "{name}"),
            "MILLISECONDS" => assert!(name.ends_with("-ms"), "{name}"),
            "BYTES" => assert!(name.ends_with("-bytes"), "{name}"),
            counted => assert!(counted.ends_with('S'), "{name} counts {counted}"),
        }
        let meaning = setting.meaning();
        let (from, to) = bounds(&meaning).unwrap_or_else(|| panic!("{name}: {meaning}"));
        for inside in [from, to] {
            assert_eq!(setting.refuses(&inside.to_string()), None);
        }
        for outside in [from - 1, to + 1] {
            let refused = setting.refuses(&outside.to_string());
            let expected = format!("a whole number from {from} to {to}, not");
            assert!(refused.unwrap().contains(&expected), "{name} {outside}");
        }
        counted += 1;
    }
    assert!(counted > 20, "{counted}");
}

#[test]
fn what_looks_like_a_number_is_one() {
    let definition = CommandLine::command();
    for setting in setting::all(&definition) {
        let looks = setting::is_integer(setting.default()) || bounds(&setting.meaning()).is_some();
        assert_eq!(looks, setting.is_number(), "{}", setting.name());
    }
}

/// The bounds in a text such as `from 1024 (1 KiB) to 67108864 (64 MiB)`.
fn bounds(meaning: &str) -> Option<(i64, i64)> {
    let first_number = |text: &str| {
        text.split_whitespace()
            .next()?
            .trim_end_matches([',', ';', '.'])
            .parse()
            .ok()
    };
    meaning.match_indices("from ").find_map(|(at, word)| {
        let rest = &meaning[at + word.len()..];
        let from = first_number(rest)?;
        let to = first_number(rest.split_once(" to ")?.1)?;
        Some((from, to))
    })
}

#[test]
fn nothing_asked_for_is_serve() {
    assert_eq!(read("").unwrap().requested(), Command::Serve);
    assert_eq!(read("serve").unwrap().requested(), Command::Serve);
}

#[test]
fn settings_stand_before_or_after_the_command() {
    for arguments in [
        "--pool-size 3 migrate status",
        "migrate --pool-size 3 status",
        "migrate status --pool-size 3",
    ] {
        let command_line = read(arguments).unwrap();
        assert_eq!(command_line.settings.pool_size, 3);
        assert_eq!(command_line.requested(), Command::Migrate(Migrate::Status));
    }
}

#[test]
fn the_bounds_of_a_number_belong_to_it() {
    for right in [
        "--pool-size 1",
        "--pool-size 1000",
        "--list-limit 100000",
        "--body-limit-bytes 1024",
    ] {
        assert!(read(right).is_ok(), "{right}");
    }
    for wrong in [
        "--pool-size 0",
        "--pool-size 1001",
        "--pool-size -1",
        "--pool-size 1.5",
        "--list-limit 100001",
        "--drain-timeout-seconds 0",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_wrong_value_is_answered_with_what_would_be_right() {
    assert_eq!(
        read("serve --pool-size many").unwrap_err(),
        "error: --pool-size (CATALOGUE_POOL_SIZE) must be a whole number from 1 to 1000, not \"many\"\n"
    );
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
fn the_list_limit_is_the_one_of_the_catalogue_unless_told_otherwise() {
    assert_eq!(read("").unwrap().settings.list_limit, ListLimit::DEFAULT);
    let limit = read("--list-limit 20").unwrap().settings.list_limit;
    assert_eq!(limit.get(), 20);
}

#[test]
fn migrations_are_applied_at_start_unless_told_otherwise() {
    assert_eq!(read("").unwrap().settings.migrate, MigrateWhen::AtStart);
    assert_eq!(
        read("--migrate never").unwrap().settings.migrate,
        MigrateWhen::Never
    );
}

#[test]
fn production_turns_off_what_is_not_asked_for() {
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
        let settings = read(arguments).unwrap().settings;
        let graphiql = settings.http.graphiql(settings.production);
        assert_eq!(graphiql, expected, "{arguments}");
        let engine =
            settings
                .documents
                .engine(settings.production, settings.list_limit, Vec::new());
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
fn the_contract_can_be_read_where_introspection_is_on_unless_told_otherwise() {
    for (arguments, expected) in [
        ("", SchemaDocument::On),
        ("--introspection off", SchemaDocument::Off),
        ("--production", SchemaDocument::Off),
        ("--production --introspection on", SchemaDocument::On),
        ("--production --schema-document on", SchemaDocument::On),
        ("--schema-document off", SchemaDocument::Off),
    ] {
        let settings = read(arguments).unwrap().settings;
        let found = settings.documents.schema_document(settings.production);
        assert_eq!(found, expected, "{arguments}");
    }
}

#[test]
fn a_certificate_needs_its_key() {
    assert!(read("--tls-certificate-file a.pem").is_err());
    assert!(read("--tls-key-file a.pem").is_err());
    let both = read("--tls-certificate-file a.pem --tls-key-file b.pem").unwrap();
    assert!(both.settings.http.tls_files().is_some());
    assert!(read("").unwrap().settings.http.tls_files().is_none());
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
