//! `vehicle-catalogue schema check`: whether the contract, the resolvers and the tables agree.

use std::fmt::Write;

use contract::Schema;
use serde::Serialize;

use super::{
    super::{Failure, error_chain},
    Source, Unreadable, print, read,
};
use crate::{
    app,
    check::{Drift, Tables, served, served_sdl, tables},
    config::{Format, Settings},
    graphql,
    store::StoreError,
};

/// What was looked at, and what was found.
#[derive(Default, Serialize)]
struct Proof {
    drifts: Vec<Drift>,
    checked: Vec<String>,
    unchecked: Vec<String>,
    #[serde(skip)]
    missed: bool,
}

pub(super) async fn run(
    source: Option<&str>,
    database: Option<&Settings>,
    format: Format,
) -> Result<(), Failure> {
    let contract = match source {
        Some(source) => read(&Source::parse(source)).await?,
        None => graphql::contract().clone(),
    };
    let mut proof = Proof::default();
    let serves = Schema::parse("what the resolvers serve", &served_sdl().await);
    let serves = serves.map_err(Unreadable::Wrong)?;
    proof.drifts.extend(served(&contract, &serves));
    let what = format!("what the resolvers serve, against {}", contract.name());
    proof.checked.push(what);
    match database {
        Some(settings) => proof.look_at_the_database(&contract, settings).await,
        None => proof
            .unchecked
            .push("the database: --without-database".to_owned()),
    }
    print(&match format {
        Format::Text => proof.text(),
        Format::Json => serde_json::to_string_pretty(&proof).expect("its parts are texts") + "\n",
        Format::Markdown => proof.markdown(),
    })?;
    match (proof.drifts.is_empty(), proof.missed) {
        (false, _) => Err(Failure::Unproved("the contract is not true everywhere")),
        (true, true) => Err(Failure::Unproved(
            "nothing is proved of the database, which was not reached; leave it out with --without-database",
        )),
        (true, false) => Ok(()),
    }
}

impl Proof {
    async fn look_at_the_database(&mut self, contract: &Schema, settings: &Settings) {
        let url = &settings.database_url;
        if let Some(file) = url.missing_file() {
            self.missed = true;
            let file = file.display();
            self.unchecked
                .push(format!("the database: there is no file {file}"));
            return;
        }
        match look(contract, settings).await {
            Ok((drifts, columns, unchecked)) => {
                self.drifts.extend(drifts);
                self.checked
                    .push(format!("the migrations and {columns} columns of {url}"));
                self.unchecked.extend(unchecked.map(str::to_owned));
            }
            Err(error) => {
                self.missed = true;
                let cause = error_chain(&error);
                self.unchecked.push(format!("the database {url}: {cause}"));
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for drift in &self.drifts {
            let _ = writeln!(
                text,
                "{}: {}: {}\n  and {}",
                drift.contract, drift.coordinate, drift.message, drift.elsewhere
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
                drift.coordinate, drift.message, drift.contract, drift.elsewhere
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

/// The drifts, how many columns were looked at, and what the database does not check.
async fn look(
    contract: &Schema,
    settings: &Settings,
) -> Result<(Vec<Drift>, usize, Option<&'static str>), StoreError> {
    let store = app::connect(settings).await?;
    let found = Tables::read(&store).await;
    let unchecked = store.unchecked();
    store.close().await;
    let found = found?;
    Ok((tables(contract, &found), found.columns.len(), unchecked))
}
