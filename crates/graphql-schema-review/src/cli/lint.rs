//! `lint`: what makes a contract hard to read, to use or to maintain.

use std::path::PathBuf;

use clap::Args;

use super::{
    config::{read_policy, today},
    failure::Failure,
    fetch::Header,
    output::{Output, named},
    source::{Source, read},
};
use crate::lint::{Rule, Severity, annotations, new_findings, report};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A file, the URL of a running service, git:REVISION or git:REVISION:PATH; default: that of the configuration, or
    /// schema.graphql
    #[arg(value_name = "SOURCE")]
    pub(super) source: Option<String>,
    /// Report only findings that this contract does not have, in the same forms: from today on
    #[arg(long, value_name = "SOURCE")]
    pub(super) baseline: Option<String>,
    /// Report only findings of this rule; can be repeated
    #[arg(long, value_name = "RULE", value_parser = named::<Rule>)]
    rule: Vec<Rule>,
    /// The policy: levels of the rules, what they accept, allowances (TOML); schema.toml beside the
    /// contract or in the working directory if it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, headers: &[Header]) -> Result<(), Failure> {
        let source = Source::or_default(self.source.as_deref());
        let policy = read_policy(self.policy, &source)?;
        let mut findings = policy.lint(&read(&source, headers)?, today());
        if let Some(baseline) = self.baseline {
            let baseline = read(&Source::parse(&baseline), headers)?;
            findings = new_findings(findings, &policy.lint(&baseline, today()));
        }
        if !self.rule.is_empty() {
            findings.retain(|finding| self.rule.contains(&finding.rule));
        }
        self.output.print(&findings, || report(&findings), || annotations(&findings))?;
        if findings.iter().map(|finding| finding.severity).any(|severity| severity == Severity::Error) {
            return Err(Failure::Lint);
        }
        Ok(())
    }
}
