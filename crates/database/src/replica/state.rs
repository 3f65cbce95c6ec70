//! The state of a replica, which decides what it serves.

use std::fmt;

/// The state of a replica. Displays as the end of a sentence that begins with "the replica".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicaState {
    /// Its lag is within the limit: it serves all reads.
    InSync,
    /// Its lag exceeds the limit: it serves nothing.
    Lagging,
    /// It does not respond: it serves nothing.
    Unreachable,
    /// It accepts writes, or is ahead of the primary: it serves nothing.
    Diverged,
    /// Its system identifier differs from that of the primary: it serves nothing.
    OtherCluster,
    /// Its timeline, as visible to the role of its URL, differs from that of the primary: it serves
    /// nothing. A standby that follows a promoted server changes to the timeline of that server.
    OtherTimeline,
    /// Its database or its table is a different one: it serves nothing.
    OtherDatabase,
    /// The identity of the primary is unknown: the replica serves nothing.
    Unverified,
}

impl ReplicaState {
    /// All states.
    pub const ALL: [Self; 8] = [
        Self::InSync,
        Self::Lagging,
        Self::Unreachable,
        Self::Diverged,
        Self::OtherCluster,
        Self::OtherTimeline,
        Self::OtherDatabase,
        Self::Unverified,
    ];

    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::InSync => "in_sync",
            Self::Lagging => "lagging",
            Self::Unreachable => "unreachable",
            Self::Diverged => "diverged",
            Self::OtherCluster => "other_cluster",
            Self::OtherTimeline => "other_timeline",
            Self::OtherDatabase => "other_database",
            Self::Unverified => "unverified",
        }
    }

    pub(crate) fn serves_reads(self) -> bool {
        self == Self::InSync
    }
}

impl fmt::Display for ReplicaState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InSync => "is in sync: it serves reads",
            Self::Lagging => "lags: the primary serves all reads",
            Self::Unreachable => "is unreachable: the primary serves all reads",
            Self::Diverged => {
                "does not follow the primary (was it promoted?): the primary serves all reads"
            }
            Self::OtherCluster => "belongs to another cluster: the primary serves all reads",
            Self::OtherTimeline => "is on another timeline: the primary serves all reads",
            Self::OtherDatabase => "has another database or schema: the primary serves all reads",
            Self::Unverified => "cannot be compared with the primary: the primary serves all reads",
        })
    }
}
