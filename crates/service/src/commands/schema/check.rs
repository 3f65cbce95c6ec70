//! `schema check`: checks that the contract, the resolvers and the tables agree.

use std::fmt::Write;

use ::schema::Schema;
use ::settings::{choice, print};
use clap::builder::TypedValueParser;
use database::{Database, Error, MigrationState};
use serde::Serialize;

use super::super::failure::Failure;
use crate::{
    Definition, Settings,
    contract_check::{Drift, Tables, indexes, served, tables},
    error_chain::error_chain,
};

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for a terminal.
    Text,
    /// JSON.
    Json,
    /// Markdown for a comment on a pull request.
    Markdown,
}

impl Format {
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        choice([
            ("text", Self::Text),
            ("json", Self::Json),
            ("markdown", Self::Markdown),
        ])
    }
}

/// The differences, and what was checked.
#[derive(Default, Serialize)]
struct Report {
    drifts: Vec<Drift>,
    checked: Vec<String>,
    unchecked: Vec<String>,
    #[serde(skip)]
    database_missed: bool,
}

pub(super) async fn run(
    service: &Definition,
    contract: &Schema,
    database: Option<&Settings>,
    format: Format,
) -> Result<(), Failure> {
    let mut report = Report::default();
    let served_schema = Schema::parse("the served schema", service.served_sdl);
    let served_schema = served_schema.expect("the generator has validated it");
    report.drifts.extend(served(contract, &served_schema));
    let checked = format!("the served schema, against {}", contract.name());
    report.checked.push(checked);
    match database {
        Some(settings) => report.check_database(service, contract, settings).await,
        None => report
            .unchecked
            .push("the database: --without-database".to_owned()),
    }
    let text = match format {
        Format::Text => report.text(),
        Format::Json => serde_json::to_string_pretty(&report).expect("its parts are texts") + "\n",
        Format::Markdown => report.markdown(),
    };
    print(&text).map_err(Failure::Print)?;
    match (report.drifts.is_empty(), report.database_missed) {
        (false, _) => Err(Failure::SchemaCheck(
            "the contract, the served schema and the database differ",
        )),
        (true, true) => Err(Failure::SchemaCheck(
            "the database was not checked because it cannot be used; exclude it with --without-database",
        )),
        (true, false) => Ok(()),
    }
}

impl Report {
    async fn check_database(
        &mut self,
        service: &Definition,
        contract: &Schema,
        settings: &Settings,
    ) {
        let url = &settings.database.database_url;
        if let Some(file) = url.missing_file() {
            self.database_missed = true;
            let file = file.to_string_lossy();
            let file = ::schema::file_name(&file);
            self.unchecked.push(format!("the database: no file {file}"));
            return;
        }
        if let Err(error) = self.add_database(service, contract, settings).await {
            self.database_missed = true;
            let cause = error_chain(&error);
            self.unchecked.push(format!("the database {url}: {cause}"));
        }
    }

    async fn add_database(
        &mut self,
        service: &Definition,
        contract: &Schema,
        settings: &Settings,
    ) -> Result<(), Error> {
        let settings = settings.database.settings();
        let database = Database::connect(service.application, &settings).await?;
        let found = async {
            let tables = Tables::read(&database).await?;
            let indexes = indexes(&database, &tables.migrations).await?;
            Ok::<_, Error>((tables, indexes))
        };
        let found = found.await;
        let unchecked = database.unchecked();
        let url = database.settings().url.to_string();
        database.close().await;
        let (found, indexes) = found?;
        self.drifts.extend(tables(service, contract, &found));
        self.drifts.extend(indexes);
        let columns = found.columns.len();
        let checked = format!("the migrations, their indexes and {columns} columns of {url}");
        self.checked.push(checked);
        self.unchecked.extend(unchecked.map(str::to_owned));
        let unknown = found.migrations.into_iter();
        let unknown = unknown.filter(|migration| migration.state == MigrationState::Unknown);
        self.unchecked.extend(
            unknown.map(|newer| format!("the migration {} of a newer version", newer.name)),
        );
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for drift in &self.drifts {
            let _ = writeln!(
                text,
                "{}: {}: {}\n  and {}",
                drift.contract,
                ::schema::printable(&drift.coordinate),
                ::schema::printable(&drift.message),
                ::schema::printable(&drift.elsewhere)
            );
        }
        for checked in &self.checked {
            let _ = writeln!(text, "checked: {checked}");
        }
        for unchecked in &self.unchecked {
            let _ = writeln!(text, "not checked: {unchecked}");
        }
        let _ = writeln!(text, "{}", self.summary());
        text
    }

    fn markdown(&self) -> String {
        let mut text = format!("### Contract: {}\n\n", self.summary());
        for drift in &self.drifts {
            let _ = writeln!(
                text,
                "- `{}`: {} (`{}`, {})",
                ::schema::printable(&drift.coordinate),
                ::schema::printable(&drift.message),
                drift.contract,
                ::schema::printable(&drift.elsewhere)
            );
        }
        for checked in &self.checked {
            let _ = writeln!(text, "- checked: {checked}");
        }
        for unchecked in &self.unchecked {
            let _ = writeln!(text, "- **not checked**: {unchecked}");
        }
        text
    }

    fn summary(&self) -> String {
        match self.drifts.len() {
            0 => "no difference found".to_owned(),
            1 => "1 difference".to_owned(),
            count => format!("{count} differences"),
        }
    }
}
