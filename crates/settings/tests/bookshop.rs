//! The settings of a small service: their declarations, sources, errors and pages.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{fs, path::PathBuf, time::Duration};

use clap::{CommandFactory, Parser, Subcommand};
use settings::{
    ConfigCommand, ConfigFile, Optional, Parsed, choice, milliseconds, number, optional_path,
    secret, size, with_prefix,
};
use tempfile::TempDir;

#[derive(Debug, Parser)]
#[command(name = "bookshop", mut_args = with_prefix("BOOKSHOP_TEST_"))]
struct Bookshop {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    file: ConfigFile,

    /// Most books in one list, from 1 to 1000
    #[arg(long, value_name = "BOOKS", default_value = "100", value_parser = number(1..=1000))]
    list_limit: u32,

    /// Largest request in bytes, from 1024 to 65536
    #[arg(long, default_value = "4096", value_parser = size(1024..=65_536))]
    request_limit_bytes: usize,

    /// Timeout of a query, from 1 to 60000 milliseconds
    #[arg(long, default_value = "5000", value_parser = milliseconds(1..=60_000))]
    query_timeout_ms: Duration,

    /// Order of a list: title, author or price
    #[arg(long, default_value = "title", value_parser = order())]
    list_order: Order,

    /// Folder of cover images, or none
    #[arg(long, default_value = "none", value_parser = optional_path())]
    cover_folder: Optional<PathBuf>,

    /// Password of the warehouse, eight characters or more
    #[arg(long, env = "WAREHOUSE_TEST_PASSWORD", hide_env_values = true)]
    #[arg(default_value = "not-set-", value_parser = password())]
    warehouse_password: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
enum Command {
    /// Check or explain the settings
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Title,
    Author,
    Price,
}

fn order() -> impl clap::builder::TypedValueParser<Value = Order> {
    choice([
        ("title", Order::Title),
        ("author", Order::Author),
        ("price", Order::Price),
    ])
}

fn password() -> impl clap::builder::TypedValueParser<Value = String> {
    secret("eight characters or more", |text| match text.len() {
        8.. => Ok(text.to_owned()),
        _ => Err("it is shorter".to_owned()),
    })
}

fn parse(arguments: &[&str]) -> Result<Parsed<Bookshop>, String> {
    settings::parse(["bookshop"].iter().chain(arguments)).map_err(|error| error.to_string())
}

/// Parses with a file of this text, which errors call `bookshop.toml`.
fn parse_file(text: &str) -> Result<Parsed<Bookshop>, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("bookshop.toml");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    parse(&["--config", path]).map_err(|error| error.replace(path, "bookshop.toml"))
}

#[test]
fn every_declaration_is_complete() {
    Bookshop::command().debug_assert();
    let none: [String; 0] = [];
    assert_eq!(settings::defects(&Bookshop::command()), none);
}

#[test]
fn a_flag_determines_its_variable_its_value_name_and_whether_it_is_a_number() {
    let definition = Bookshop::command();
    let stated = |id| {
        let mut arguments = definition.get_arguments();
        let argument = arguments.find(|one| one.get_id() == id).unwrap();
        let variable = argument.get_env().unwrap().to_str().unwrap();
        let unit = argument.get_value_names().unwrap()[0].as_str();
        (variable, unit, argument.is_allow_negative_numbers_set())
    };
    for (id, expected) in [
        ("list_limit", ("BOOKSHOP_TEST_LIST_LIMIT", "BOOKS", true)),
        (
            "request_limit_bytes",
            ("BOOKSHOP_TEST_REQUEST_LIMIT_BYTES", "BYTES", true),
        ),
        (
            "query_timeout_ms",
            ("BOOKSHOP_TEST_QUERY_TIMEOUT_MS", "MILLISECONDS", true),
        ),
        (
            "cover_folder",
            ("BOOKSHOP_TEST_COVER_FOLDER", "FOLDER", false),
        ),
        (
            "warehouse_password",
            ("WAREHOUSE_TEST_PASSWORD", "PASSWORD", false),
        ),
    ] {
        assert_eq!(stated(id), expected);
    }
}

#[test]
fn values_have_the_types_that_the_service_uses() {
    let command_line = parse(&["--query-timeout-ms=20", "--list-order", "price"]);
    let command_line = command_line.unwrap().command_line;
    assert_eq!(command_line.query_timeout_ms, Duration::from_millis(20));
    assert_eq!(command_line.request_limit_bytes, 4096);
    assert_eq!(command_line.list_order, Order::Price);
    assert_eq!(command_line.cover_folder, None);
    assert_eq!(command_line.warehouse_password, "not-set-");
}

#[test]
fn an_error_states_the_setting_and_its_valid_values() {
    for (argument, sentence) in [
        (
            "--list-limit=-1",
            "--list-limit (BOOKSHOP_TEST_LIST_LIMIT) must be a whole number from 1 to 1000, not \"-1\"",
        ),
        (
            "--list-order=size",
            "--list-order (BOOKSHOP_TEST_LIST_ORDER) must be title, author or price, not \"size\"",
        ),
        (
            "--warehouse-password=canary",
            "--warehouse-password (WAREHOUSE_TEST_PASSWORD) must be eight characters or more: it is shorter",
        ),
    ] {
        assert_eq!(
            parse(&[argument]).unwrap_err(),
            format!("error: {sentence}\n")
        );
    }
}

#[test]
fn every_problem_of_a_file_is_reported_in_its_order() {
    let text = "list-limit = 0\nbooks = 3\nlist-order = 7\nBOOKSHOP_TEST_LIST_ODER = 1\n\
                warehouse-password = \"canary\"\nrequest-limit-bytes = \"2048\"\n[http]\n";
    let expected = "error: bookshop.toml:1: list-limit must be a whole number from 1 to 1000, not \"0\"\n\
        error: bookshop.toml:2: unknown setting \"books\"; bookshop --help lists all\n\
        error: bookshop.toml:3: list-order must be a text in quotes, such as list-order = \"title\", and not a TOML integer\n\
        error: bookshop.toml:4: unknown setting \"BOOKSHOP_TEST_LIST_ODER\"; did you mean list-order?\n\
        error: bookshop.toml:5: warehouse-password must be eight characters or more: it is shorter\n\
        error: bookshop.toml:6: request-limit-bytes must be written without quotes\n\
        error: bookshop.toml:7: unknown table \"http\"; settings are top-level keys\n";
    assert_eq!(parse_file(text).unwrap_err(), expected);
}

#[test]
fn the_listing_shows_origins_and_no_secret() {
    let arguments = [
        "--list-limit=7",
        "--warehouse-password=canary-0",
        "config",
        "check",
    ];
    let mut parsed = parse(&arguments).unwrap();
    assert_eq!(
        parsed.command_line.command,
        Some(Command::Config(ConfigCommand::Check))
    );
    for setting in &mut parsed.effective {
        setting.describe(&"8 characters");
    }
    let listing = settings::listing(&parsed.effective);
    let lines: Vec<_> = listing.lines().collect();
    assert_eq!(lines[0], "## General");
    assert_eq!(
        lines[1],
        "list-limit = 7                   # flag --list-limit"
    );
    assert_eq!(lines[4], "list-order = \"title\"             # default");
    assert_eq!(
        lines[6],
        "warehouse-password = \"********\"  # flag --warehouse-password, 8 characters"
    );
}

#[derive(Debug, Parser)]
#[command(mut_args = with_prefix("WRONG_TEST_"))]
struct Wrong {
    #[command(flatten)]
    file: ConfigFile,
    /// Most books, from 1 to 99
    #[arg(long, value_name = "BOOKS", default_value = "100", value_parser = number(1..=98))]
    book_limit: u32,
    /// Timeout of a query
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = milliseconds(1..=9))]
    timeout: Duration,
    /// Of the warehouse's door
    #[arg(long, default_value = "none", value_parser = optional_path())]
    warehouse_password: Optional<PathBuf>,
}

#[test]
fn incomplete_declarations_are_found() {
    let bound = "book-limit must be a whole number from 1 to 98, not";
    let expected = [
        format!("book-limit: {bound} \"100\""),
        format!("book-limit: {bound} \"99\""),
        "book-limit: accepts 0, or states other bounds".to_owned(),
        "book-limit: accepts 100, or states other bounds".to_owned(),
        "timeout: states no bounds".to_owned(),
        "warehouse-password: must hide its value if, and only if, it is a secret".to_owned(),
    ];
    assert_eq!(settings::defects(&Wrong::command()), expected);
}
