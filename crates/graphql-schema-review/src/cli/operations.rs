//! `operations`: the operations of clients that a contract breaks.

use std::path::PathBuf;

use clap::Args;

use super::{
    config::read_policy,
    documents::Selection,
    failure::Failure,
    fetch::Header,
    output::Output,
    source::{Source, old_source, read, read_old},
};
use crate::report::Report;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Folders, patterns such as 'src/**/*.{ts,tsx}', .graphql files, source code, and manifests (JSON): documents by
    /// identifier, Apollo persisted query manifests, or the operation output of Apollo Kotlin; default: those of the
    /// configuration
    #[arg(value_name = "DOCUMENTS")]
    pub(super) documents: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// The new contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH; default: that of the
    /// configuration, or schema.graphql
    #[arg(long, value_name = "NEW")]
    pub(super) schema: Option<String>,
    /// The old contract, in the same forms, or none: report every operation that is not valid;
    /// default: the file of the new contract at the merge base with the main branch
    #[arg(long, value_name = "OLD")]
    old: Option<String>,
    /// Validate against what can be read of an old contract that is not valid, and list what cannot
    #[arg(long)]
    allow_invalid_old: bool,
    /// The policy: the directives that clients interpret (TOML); schema.toml beside the new contract
    /// or in the working directory if it is there
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// List everything that is not checked, not only the begin of the list
    #[arg(long)]
    list_unchecked: bool,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, headers: &[Header]) -> Result<(), Failure> {
        let source = Source::or_default(self.schema.as_deref());
        // First, since the default of the old contract depends on it.
        let new = read(&source, headers)?;
        let (old, unread) = match self.old.as_deref() {
            Some("none") => (None, None),
            old => {
                let old = old_source(old, &source)?;
                let (old, unread) = read_old(&old, headers, self.allow_invalid_old)?;
                (Some(old), unread)
            }
        };
        let policy = read_policy(self.policy, &source)?;
        let documents = self.selection.read(&self.documents)?;
        let changes = old.as_ref().map(|old| crate::diff(old, &new)).unwrap_or_default();
        let mut checked = policy.check(&documents, old.as_ref(), &new, &changes);
        checked.unread = unread;
        self.output.warn_of_unread(checked.unread.as_ref());
        let report = || Report { lists_all_notes: self.list_unchecked, ..checked.report() };
        self.output.print(&checked, report, || checked.annotations())?;
        match checked.broken.len() {
            0 => self.selection.verdict(&documents, policy.is_strict()),
            broken => Err(Failure::Operations(broken)),
        }
    }
}
