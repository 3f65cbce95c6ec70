//! `diff`: the changes between two contracts, and their levels.

use std::{fs, path::PathBuf};

use clap::Args;

use super::{
    documents::Selection,
    failure::Failure,
    output::{Output, print},
    policy::{beside, read_policy, today},
    source::{
        DEFAULT_RANGE, Fetched, SCHEMA_FILE, Source, Unreadable, old_source, parse_range, read_old,
        read_partly, read_usage,
    },
};
use crate::{Level, Review, accepted::Accepted, annotation, report};

/// The default name of the file of accepted changes, in the folder of the contract.
const ACCEPTED_FILE: &str = "schema.accepted.toml";

#[derive(Args, Clone, Debug, Eq, PartialEq)]
pub struct Arguments {
    /// The old contract: a file, the URL of a running service, git:REVISION or
    /// git:REVISION:PATH; default: schema.graphql at the merge base with the main branch
    #[arg(value_name = "OLD")]
    pub(super) old: Option<String>,
    /// The new contract, in the same forms
    #[arg(value_name = "NEW", default_value = SCHEMA_FILE)]
    pub(super) new: String,
    /// Compare what can be read of an old contract that is not valid, and list what cannot: for the
    /// change that repairs it
    #[arg(long)]
    allow_invalid_old: bool,
    /// The changes that were accepted (TOML); schema.accepted.toml beside the new contract if
    /// that is a file and it is there
    #[arg(long, value_name = "FILE")]
    accepted: Option<PathBuf>,
    /// The policy: which changes fail, levels, directives of clients (TOML); schema.toml beside the new contract if that
    /// is a file and it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Add to each change the operations that it breaks: a folder, a pattern, a .graphql file, source
    /// code, or a manifest (JSON); can be repeated
    #[arg(long, value_name = "DOCUMENTS")]
    operations: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Judge breaking changes by recorded use: what nobody has used is dangerous, not breaking; the base URL of a
    /// Prometheus, the URL or a saved answer of its query API, or the metrics of a service; can be repeated
    #[arg(long, value_name = "SOURCE")]
    pub(super) usage: Vec<String>,
    /// The range that a Prometheus at a base URL is asked for, such as 30d
    #[arg(long, value_name = "DURATION", default_value = DEFAULT_RANGE, requires = "usage")]
    #[arg(value_parser = parse_range)]
    pub(super) range: String,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, fetched: &Fetched) -> Result<(), Failure> {
        let source = Source::parse(&self.new);
        // First, since the default of the old contract depends on it.
        let (new, invalid) = read_partly(&source, fetched)?;
        let invalid = match invalid {
            // Nothing can be said about what follows a syntax error.
            Some(problems) if !new.is_parsed() => Err(Unreadable::Invalid(problems)),
            invalid => Ok(invalid),
        }?;
        let old = old_source(self.old.as_deref(), &source)?;
        let (old, unread) = read_old(&old, fetched, self.allow_invalid_old)?;
        let accepted = self.accepted.or_else(|| beside(&source, ACCEPTED_FILE));
        let policy = read_policy(self.policy, &source)?;
        let changes = policy.diff(&old, &new);
        let mut checked = None;
        let mut verdict = Ok(());
        if !self.operations.is_empty() {
            let documents = self.selection.read(&self.operations)?;
            checked = Some(policy.check(&documents, Some(&old), &new, &changes));
            verdict = self.selection.verdict(&documents, policy.is_strict());
        }
        let mut review = match accepted {
            None => Review::new(changes),
            Some(path) => {
                let text = fs::read_to_string(&path);
                let text = text.map_err(|error| Unreadable::Accepted(path.clone(), error))?;
                let accepted = Accepted::parse(path.to_string_lossy(), &text);
                let accepted = accepted.map_err(Unreadable::Invalid)?;
                accepted.review(&old, &new, changes, today())
            }
        };
        if let Some(checked) = checked {
            review.add_operations(checked);
        }
        if !self.usage.is_empty() {
            let recorded = read_usage(&self.usage, fetched, &old)?;
            review.add_usage(&recorded, &old, &new);
        }
        review.unread = unread;
        review.invalid = invalid;
        review.fail_on = policy.fail_on();
        self.output.warn_of_unread(review.unread.as_ref());
        print(&self.output.choose(
            |colours| report::text(&review, colours),
            || report::json(&review),
            || report::markdown(&review),
            || annotation::of_review(&review, &new),
        ))?;
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
