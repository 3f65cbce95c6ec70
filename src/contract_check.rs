//! `schema check`: a contract is the served one, and the tables fit it.

use clap::ValueEnum;
use graphql_schema_review::diff;
use graphql_sdl::{Schema, counted, printable};
use serde::Serialize;

use crate::{
    graphql::CONTRACT,
    settings::Settings,
    store::{Database, StartError, State, schema_check},
    telemetry::error_chain,
};

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for a terminal.
    Text,
    /// JSON.
    Json,
}

/// A difference between the contract and the served schema, or between the tables and what the service needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Drift {
    /// The schema coordinate, or the column, index, table or migration.
    pub coordinate: String,
    /// The location in the contract: `schema.graphql:12:3`.
    pub contract: String,
    /// The other side: `the served schema, Query.books`, or `the database`.
    pub elsewhere: String,
    /// What differs, and how to fix it.
    pub message: String,
}

/// The differences, and what was checked.
#[derive(Default, Serialize)]
struct Report {
    drifts: Vec<Drift>,
    checked: Vec<String>,
    unchecked: Vec<String>,
    #[serde(skip)]
    is_incomplete: bool,
}

/// Checks that a contract is that of this program, and with settings the database that they name. Returns the report, and
/// what to do about it.
pub(crate) async fn check(
    contract: Option<&Schema>,
    database: Option<&Settings>,
    format: Format,
) -> (String, Result<(), &'static str>) {
    let mut report = Report::default();
    if let Some(contract) = contract {
        report.drifts = served(contract);
        report.checked.push(format!("the served schema, against {}", contract.name()));
    }
    match database {
        None => report.unchecked.push("the database: --without-database".to_owned()),
        Some(settings) => report.check_database(settings).await,
    }
    let text = match format {
        Format::Text => report.text(),
        Format::Json => serde_json::to_string_pretty(&report).expect("its parts are texts") + "\n",
    };
    let verdict = match (report.drifts.is_empty(), report.is_incomplete) {
        (false, _) => Err("the contract, the served schema and the database differ"),
        (true, true) => {
            Err("the database was not checked because it cannot be used; exclude it with --without-database")
        }
        (true, false) => Ok(()),
    };
    (text, verdict)
}

/// The differences between a contract and the served schema in both directions: types, fields, arguments, defaults,
/// nullability, descriptions, deprecations and everything else that a client can see.
fn served(contract: &Schema) -> Vec<Drift> {
    let drifts: Vec<_> = diff(contract, &CONTRACT)
        .into_iter()
        .map(|change| Drift {
            contract: change.old.map_or_else(|| contract.name().to_owned(), |location| location.to_string()),
            elsewhere: format!("the served schema, {}", change.coordinate),
            message: format!("difference between the contract and the served schema: {}", change.message),
            coordinate: change.coordinate,
        })
        .collect();
    if !drifts.is_empty() || contract.canonical() == CONTRACT.canonical() {
        return drifts;
    }
    let drift = |message: &str| Drift {
        coordinate: "schema".to_owned(),
        contract: contract.name().to_owned(),
        elsewhere: "the served schema".to_owned(),
        message: message.to_owned(),
    };
    vec![drift("the canonical forms differ; compare it with schema print")]
}

impl Report {
    async fn check_database(&mut self, settings: &Settings) {
        let url = &settings.database.database_url;
        let found = match url.missing_file() {
            Some(file) => Err(format!("no file {}", file.display())),
            None => differences(settings).await.map_err(|error| error_chain(&error)),
        };
        match found {
            Ok((found, newer)) => {
                self.checked.push(format!("the tables of the {url}"));
                let unchecked = |name| format!("the migration {name} of a newer version");
                self.unchecked.extend(newer.into_iter().map(unchecked));
                self.drifts.extend(found.into_iter().map(|difference| Drift {
                    coordinate: difference.subject.clone(),
                    contract: CONTRACT.name().to_owned(),
                    elsewhere: "the database".to_owned(),
                    message: difference.to_string(),
                }));
            }
            Err(reason) => {
                self.is_incomplete = true;
                self.unchecked.push(format!("the {url}: {reason}"));
            }
        }
    }

    fn text(&self) -> String {
        let drifts = self.drifts.iter().map(|drift| {
            let [coordinate, elsewhere, message] =
                [&drift.coordinate, &drift.elsewhere, &drift.message].map(|text| printable(text));
            let contract = &drift.contract;
            format!("{contract}: {coordinate}: {message}\n  and {elsewhere}\n")
        });
        let checked = self.checked.iter().map(|one| format!("checked: {one}\n"));
        let unchecked = self.unchecked.iter();
        let unchecked = unchecked.map(|one| format!("not checked: {one}\n"));
        let summary = match self.drifts.len() as u64 {
            0 => "no difference found\n".to_owned(),
            count => counted(count, "difference") + "\n",
        };
        drifts.chain(checked).chain(unchecked).chain([summary]).collect()
    }
}

/// The differences of the tables, and the names of the migrations of a newer version.
async fn differences(settings: &Settings) -> Result<(Vec<schema_check::Difference>, Vec<String>), StartError> {
    let database = Database::connect(settings.database.store()).await?;
    let found = async {
        let differences = schema_check::check(&database).await?;
        let migrations = database.migration_status().await?.into_iter();
        let newer = migrations.filter(|one| one.state == State::Unknown);
        Ok((differences, newer.map(|one| one.name).collect()))
    };
    let found = found.await;
    database.close().await;
    found
}
