//! The format of log lines.

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Readable text.
    Human,
    /// One JSON object per line.
    Json,
}
