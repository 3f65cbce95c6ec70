//! `operations`: the operations of clients that a contract breaks.

use std::path::PathBuf;

use clap::Args;

use super::{
    documents::Selection,
    failure::Failure,
    output::{Output, print},
    policy::read_policy,
    source::{Fetched, SCHEMA_FILE, Source, old_source, read, read_old},
};
use crate::{annotation, operations::report};

#[derive(Args, Clone, Debug, Eq, PartialEq)]
pub struct Arguments {
    /// Folders, patterns such as 'src/**/*.{ts,tsx}', .graphql files, source code, and manifests (JSON): documents by
    /// identifier, Apollo persisted query manifests, or the operation output of Apollo Kotlin
    #[arg(value_name = "DOCUMENTS", required = true)]
    documents: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// The new contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH
    #[arg(long, value_name = "NEW", default_value = SCHEMA_FILE)]
    pub(super) schema: String,
    /// The old contract, in the same forms, or none: report every operation that is not valid;
    /// default: the file of the new contract at the merge base with the main branch
    #[arg(long, value_name = "OLD")]
    pub(super) old: Option<String>,
    /// Validate against what can be read of an old contract that is not valid, and list what cannot
    #[arg(long)]
    allow_invalid_old: bool,
    /// The policy: the directives that clients interpret (TOML); schema.toml beside the new contract if
    /// that is a file and it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, fetched: &Fetched) -> Result<(), Failure> {
        let source = Source::parse(&self.schema);
        // First, since the default of the old contract depends on it.
        let new = read(&source, fetched)?;
        let (old, unread) = match self.old.as_deref() {
            Some("none") => (None, None),
            old => {
                let old = old_source(old, &source)?;
                let (old, unread) = read_old(&old, fetched, self.allow_invalid_old)?;
                (Some(old), unread)
            }
        };
        let policy = read_policy(self.policy, &source)?;
        let documents = self.selection.read(&self.documents)?;
        let changes = old.as_ref().map(|old| crate::diff(old, &new));
        let changes = changes.unwrap_or_default();
        let mut checked = policy.check(&documents, old.as_ref(), &new, &changes);
        checked.unread = unread;
        self.output.warn_of_unread(checked.unread.as_ref());
        print(&self.output.choose(
            |colours| report::text(&checked, colours),
            || report::json(&checked),
            || report::markdown(&checked),
            || annotation::of_operations(&checked),
        ))?;
        match checked.broken.len() {
            0 => self.selection.verdict(&documents, policy.is_strict()),
            broken => Err(Failure::Operations(broken)),
        }
    }
}
