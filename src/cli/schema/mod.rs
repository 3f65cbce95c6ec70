//! `vehicle-catalogue schema`: what can be asked about the contract.

mod check;
mod diff;
mod git;
mod service;
mod source;

use std::io::{self, IsTerminal, Write};

use contract::{
    lint::{self, Severity},
    report::Colours,
};

use super::Failure;
use crate::{
    check::served_sdl,
    config::{Format, Schema, Settings, no_color},
    graphql::{SCHEMA, contract_hash},
};
pub use source::Unreadable;
use source::{Source, read};

pub(super) async fn run(command: Schema, settings: &Settings) -> Result<(), Failure> {
    match command {
        Schema::Print { served: false } => print(SCHEMA),
        Schema::Print { served: true } => print(&served_sdl().await),
        Schema::Hash { source: None } => print(&format!("{}\n", contract_hash())),
        Schema::Hash {
            source: Some(source),
        } => {
            let hash = contract::hash(&read(&Source::parse(&source)).await?);
            print(&format!("{hash}\n"))
        }
        Schema::Lint { source, output } => {
            let findings = lint::lint(&read(&Source::parse(&source)).await?);
            print(&match output.format {
                Format::Text => lint::report::text(&findings, colours()),
                Format::Json => lint::report::json(&findings),
                Format::Markdown => lint::report::markdown(&findings),
            })?;
            let mut errors = findings.iter().map(|finding| finding.severity);
            if errors.any(|severity| severity == Severity::Error) {
                Err(Failure::Lint)
            } else {
                Ok(())
            }
        }
        Schema::Check {
            source,
            without_database,
            output,
        } => {
            let database = (!without_database).then_some(settings);
            check::run(source.as_deref(), database, output.format).await
        }
        Schema::Diff {
            old,
            new,
            accepted,
            output,
        } => diff::run(old.as_deref(), &new, accepted, output.format).await,
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(Failure::Print)
}

/// Only somebody who looks at a terminal, and likes them, sees colours.
fn colours() -> Colours {
    if io::stdout().is_terminal() && !no_color() {
        Colours::Ansi
    } else {
        Colours::None
    }
}
