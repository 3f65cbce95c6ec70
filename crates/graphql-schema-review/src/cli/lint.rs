//! `lint`: what makes a contract hard to read, to use or to maintain.

use std::path::PathBuf;

use clap::Args;

use super::{
    failure::Failure,
    output::{Output, print},
    policy::{read_policy, today},
    source::{Fetched, SCHEMA_FILE, Source, read},
};
use crate::{
    annotation,
    lint::{Severity, new_findings, report},
};

#[derive(Args, Clone, Debug, Eq, PartialEq)]
pub struct Arguments {
    /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH
    #[arg(value_name = "SOURCE", default_value = SCHEMA_FILE)]
    pub(super) source: String,
    /// Report only findings that this contract does not have, in the same forms: from today on
    #[arg(long, value_name = "SOURCE")]
    pub(super) baseline: Option<String>,
    /// The policy: levels of the rules, what they accept, allowances (TOML); schema.toml beside the
    /// contract if that is a file and it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, fetched: &Fetched) -> Result<(), Failure> {
        let source = Source::parse(&self.source);
        let policy = read_policy(self.policy, &source)?;
        let mut findings = policy.lint(&read(&source, fetched)?, today());
        if let Some(baseline) = self.baseline {
            let baseline = read(&Source::parse(&baseline), fetched)?;
            findings = new_findings(findings, &policy.lint(&baseline, today()));
        }
        print(&self.output.choose(
            |colours| report::text(&findings, colours),
            || report::json(&findings),
            || report::markdown(&findings),
            || annotation::of_findings(&findings),
        ))?;
        let mut errors = findings.iter().map(|finding| finding.severity);
        if errors.any(|severity| severity == Severity::Error) {
            return Err(Failure::Lint);
        }
        Ok(())
    }
}
