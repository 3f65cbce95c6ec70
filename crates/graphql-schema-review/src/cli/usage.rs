//! `usage`: the clients of what is deprecated.

use clap::Args;

use super::{
    failure::Failure,
    fetch::Header,
    output::Output,
    source::{DEFAULT_RANGE, Source, parse_range, read, read_usage},
};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Recorded use: the base URL of a Prometheus, the URL or a saved answer of its query API, or the metrics of a
    /// service
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<String>,
    /// The range that a Prometheus at a base URL is asked for, such as 30d
    #[arg(long, value_name = "DURATION", default_value = DEFAULT_RANGE)]
    #[arg(value_parser = parse_range)]
    range: String,
    /// The contract: a file, the URL of a running service, git:REVISION or git:REVISION:PATH; default: that of the
    /// configuration, or schema.graphql
    #[arg(long, value_name = "SOURCE")]
    pub(super) schema: Option<String>,
    /// The output format.
    #[command(flatten)]
    output: Output,
}

impl Arguments {
    pub(super) fn run(self, headers: &[Header]) -> Result<(), Failure> {
        let schema = read(&Source::or_default(self.schema.as_deref()), headers)?;
        let usage = read_usage(&self.sources, &self.range, headers, &schema)?;
        let deprecated = usage.deprecated(&schema);
        Ok(self.output.print(&deprecated, || deprecated.report(), || deprecated.annotations())?)
    }
}
