//! `diff`: the changes between two contracts, and their levels.

use std::path::PathBuf;

use clap::Args;

use super::{
    config::{read_policy, today},
    documents::Selection,
    failure::Failure,
    fetch::Header,
    output::{Output, named},
    source::{DEFAULT_RANGE, Source, Unreadable, old_source, parse_range, read_old, read_partly, read_usage},
};
use crate::Level;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The old contract: a file, the URL of a running service, git:REVISION or
    /// git:REVISION:PATH; default: schema.graphql at the merge base with the main branch
    #[arg(value_name = "OLD")]
    old: Option<String>,
    /// The new contract, in the same forms; default: that of the configuration, or schema.graphql
    #[arg(value_name = "NEW")]
    pub(super) new: Option<String>,
    /// Compare what can be read of an old contract that is not valid, and list what cannot: for the
    /// change that repairs it
    #[arg(long)]
    allow_invalid_old: bool,
    /// The policy: accepted changes, which changes fail, levels, directives of clients (TOML); schema.toml beside the new
    /// contract or in the working directory if it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Add to each change the operations that it breaks: a folder, a pattern, a .graphql file, source
    /// code, or a manifest (JSON); can be repeated
    #[arg(long, value_name = "DOCUMENTS")]
    operations: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Judge breaking changes by recorded use: what no client has used is dangerous, not breaking; the base URL of a
    /// Prometheus, the URL or a saved answer of its query API, or the metrics of a service; can be repeated
    #[arg(long, value_name = "SOURCE")]
    usage: Vec<String>,
    /// The range that a Prometheus at a base URL is asked for, such as 30d
    #[arg(long, value_name = "DURATION", default_value = DEFAULT_RANGE, requires = "usage")]
    #[arg(value_parser = parse_range)]
    range: String,
    /// The levels of the changes that text and Markdown list, such as breaking,dangerous; the summary counts all
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    #[arg(value_parser = named::<Level>)]
    only: Vec<Level>,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, headers: &[Header]) -> Result<(), Failure> {
        let source = Source::or_default(self.new.as_deref());
        // First, since the default of the old contract depends on it.
        let (new, invalid) = read_partly(&source, headers)?;
        let invalid = match invalid {
            // Nothing can be said about what follows a syntax error.
            Some(problems) if !new.is_parsed() => Err(Unreadable::Invalid(problems)),
            invalid => Ok(invalid),
        }?;
        let old = old_source(self.old.as_deref(), &source)?;
        let (old, unread) = read_old(&old, headers, self.allow_invalid_old)?;
        let policy = read_policy(self.policy, &source)?;
        let changes = policy.diff(&old, &new);
        let mut checked = None;
        let mut verdict = Ok(());
        if !self.operations.is_empty() {
            let documents = self.selection.read(&self.operations)?;
            checked = Some(policy.check(&documents, Some(&old), &new, &changes));
            verdict = self.selection.verdict(&documents, policy.is_strict());
        }
        let mut review = policy.review(&old, &new, changes, today());
        if let Some(checked) = checked {
            review.add_operations(checked);
        }
        if !self.usage.is_empty() {
            let recorded = read_usage(&self.usage, &self.range, headers, &old)?;
            review.add_usage(&recorded, &old, &new);
        }
        review.unread = unread;
        review.invalid = invalid;
        self.output.warn_of_unread(review.unread.as_ref());
        let report = || review.report().only(&self.only);
        let annotations = || review.annotations(&new);
        self.output.print(&review.changes, report, annotations)?;
        let failing = review.failing_count();
        let broken = review.broken_operations().count();
        match (review.invalid, review.problems, review.fail_on) {
            // The JSON report does not contain them.
            (Some(problems), ..) => Err(Failure::Invalid(problems)),
            (_, Some(problems), _) => Err(Failure::Accepted(problems)),
            (_, _, Some(Level::Breaking)) if failing > 0 => Err(Failure::Breaking(failing)),
            (_, _, Some(_)) if failing > 0 => Err(Failure::Dangerous(failing)),
            (_, _, Some(_)) if broken > 0 => Err(Failure::Operations(broken)),
            _ => verdict,
        }
    }
}
