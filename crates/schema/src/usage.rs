//! The recorded use of a contract: a snapshot that a server writes and reviews read.
//!
//! It has coordinates, names of callers, days and counts, and never a document or a value.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use chrono::{DateTime, NaiveDate, SubsecRound, TimeDelta, Utc};
use serde::{Deserialize, Serialize, de::Error as _};

use crate::{Schema, file_name};

/// The version of the format.
const VERSION: u32 = 1;

/// The maximum number of callers with a name of their own; other names begin with a parenthesis.
pub const MAX_CALLERS: usize = 62;

/// The maximum length of the name of a caller in bytes.
pub const MAX_CALLER_BYTES: usize = 64;

/// The maximum number of gaps; beyond it, the oldest two become one that includes the time between them.
const MAX_GAPS: usize = 100;

/// The longest stop that is no gap: a server that saved its counts and restarts has served nothing in between. A
/// smaller step of the clock is none either.
const MAX_RESTART: TimeDelta = TimeDelta::minutes(5);

/// The maximum size of a file.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// How often each coordinate of a contract was used, by whom and when, as one server recorded it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UsageSnapshot {
    version: u32,
    /// The hash of the contract.
    pub contract: String,
    /// The identity of the server, which it keeps as long as it continues the file.
    pub instance: String,
    /// The begin of the recording.
    pub since: DateTime<Utc>,
    /// The end of the recorded time.
    pub until: DateTime<Utc>,
    /// Whether the server stopped in order, so that no count is missing.
    pub stopped: bool,
    /// The times in between that were not recorded, in order.
    pub gaps: Vec<Gap>,
    /// Every coordinate of the contract, also without use.
    pub coordinates: BTreeMap<String, CoordinateUse>,
}

/// A time that was not recorded.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Its begin.
    pub from: DateTime<Utc>,
    /// Its end.
    pub until: DateTime<Utc>,
}

/// The use of a coordinate: the callers to which each fact applies.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct CoordinateUse(BTreeMap<UseFact, Callers>);

/// The use by each caller.
pub type Callers = BTreeMap<String, Use>;

/// How often and when something was used.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The first day, in UTC.
    pub first: NaiveDate,
    /// The last day, in UTC.
    pub last: NaiveDate,
    /// The number of requests.
    pub count: u64,
}

/// What is recorded of a coordinate.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UseFact {
    /// A request uses it.
    Used,
    /// A request omits an argument or input field.
    Omitted,
    /// A request gives null for an argument or input field, or a variable that can be null.
    Null,
}

/// Why recorded use cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableUsage {
    /// The file cannot be read.
    #[error("cannot read the recorded use in {}", file_name(&.0.to_string_lossy()))]
    Io(PathBuf, #[source] io::Error),
    /// The file is too large.
    #[error("{} has more than {MAX_BYTES} bytes and is no recorded use", file_name(&.0.to_string_lossy()))]
    TooLarge(PathBuf),
    /// The file is no snapshot.
    #[error("{} is not recorded use", file_name(&.0.to_string_lossy()))]
    Invalid(PathBuf, #[source] serde_json::Error),
}

impl UseFact {
    /// Every fact.
    pub const ALL: [Self; 3] = [Self::Used, Self::Omitted, Self::Null];
}

impl Use {
    /// This number of requests on a day.
    pub fn on(day: NaiveDate, count: u64) -> Self {
        Self {
            first: day,
            last: day,
            count,
        }
    }

    /// Adds the use that was recorded at another time or by another server.
    pub fn add(&mut self, other: &Self) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.count = self.count.saturating_add(other.count);
    }
}

impl CoordinateUse {
    /// The callers to which a fact applies.
    pub fn callers(&self, fact: UseFact) -> &Callers {
        static NONE: Callers = BTreeMap::new();
        self.0.get(&fact).unwrap_or(&NONE)
    }

    /// Adds use by a caller.
    pub fn record(&mut self, fact: UseFact, caller: &str, other: &Use) {
        let callers = self.0.entry(fact).or_default();
        match callers.get_mut(caller) {
            Some(known) => known.add(other),
            None => drop(callers.insert(caller.to_owned(), *other)),
        }
    }

    /// Adds the use that another server recorded.
    pub fn add(&mut self, other: &Self) {
        for (fact, callers) in &other.0 {
            for (caller, count) in callers {
                self.record(*fact, caller, count);
            }
        }
    }
}

impl UsageSnapshot {
    /// A recording that begins now.
    pub fn new(contract: &Schema, instance: String, now: DateTime<Utc>) -> Self {
        let now = now.trunc_subsecs(0);
        let mut snapshot = Self {
            version: VERSION,
            contract: String::new(),
            instance,
            since: now,
            until: now,
            stopped: false,
            gaps: Vec::new(),
            coordinates: BTreeMap::new(),
        };
        snapshot.set_contract(contract);
        snapshot
    }

    /// Continues the recording with a contract, which can have changed. The time since the end of the
    /// snapshot becomes a gap, unless the server only restarted.
    ///
    /// If the end is in the future, the clock was wrong: the time since the last gap becomes one, unless that gap
    /// includes the present, because it is unknown when the clock became wrong.
    pub fn resume(&mut self, contract: &Schema, now: DateTime<Utc>) {
        let now = now.trunc_subsecs(0);
        let restarted = self.stopped && now - self.until <= MAX_RESTART;
        if self.until - now > MAX_RESTART {
            self.end_at(now);
            self.add_gap(self.gaps.last().map_or(self.since, |gap| gap.until), now);
        } else if !restarted {
            self.add_gap(self.until, now);
        }
        self.until = self.until.max(now);
        self.stopped = false;
        self.set_contract(contract);
    }

    /// Extends the recorded time until now by the duration of the recording since the last call. If the clock was
    /// set forward meanwhile, the time that it skipped becomes a gap; if it was set back, what was recorded later
    /// than now is assigned to now.
    pub fn extend(&mut self, recorded: TimeDelta, now: DateTime<Utc>) {
        let now = now.trunc_subsecs(0);
        if self.until - now > MAX_RESTART {
            self.end_at(now);
        } else if now - recorded - self.until > MAX_RESTART {
            self.add_gap(self.until, (now - recorded).trunc_subsecs(0));
        }
        self.until = self.until.max(now);
    }

    fn add_gap(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) {
        if from < until {
            self.gaps.push(Gap { from, until });
        }
        while self.gaps.len() > MAX_GAPS {
            self.gaps[1].from = self.gaps[0].from;
            self.gaps.remove(0);
        }
    }

    /// Removes what lies in the future.
    fn end_at(&mut self, now: DateTime<Utc>) {
        self.since = self.since.min(now);
        self.until = now;
        self.gaps.retain(|gap| gap.from < now);
        if let Some(gap) = self.gaps.last_mut() {
            gap.until = gap.until.min(now);
        }
        let facts = self.coordinates.values_mut();
        let callers = facts.flat_map(|recorded| recorded.0.values_mut());
        for used in callers.flat_map(Callers::values_mut) {
            used.first = used.first.min(now.date_naive());
            used.last = used.last.min(now.date_naive());
        }
    }

    /// The coordinates of clients: neither directives nor the schema itself.
    fn set_contract(&mut self, contract: &Schema) {
        self.contract = contract.hash().to_string();
        let mut recorded = std::mem::take(&mut self.coordinates);
        let coordinates = contract.coordinates().into_iter();
        self.coordinates = coordinates
            .filter(|coordinate| coordinate != "schema" && !coordinate.starts_with('@'))
            .map(|coordinate| {
                let used = recorded.remove(&coordinate).unwrap_or_default();
                (coordinate, used)
            })
            .collect();
    }

    /// Parses a snapshot, which must not contradict itself.
    pub fn parse(json: &str) -> serde_json::Result<Self> {
        let snapshot: Self = serde_json::from_str(json)?;
        match snapshot.contradiction() {
            Some(message) => Err(serde_json::Error::custom(message)),
            None => Ok(snapshot),
        }
    }

    fn contradiction(&self) -> Option<String> {
        let Self {
            version,
            since,
            until,
            ..
        } = self;
        if *version != VERSION {
            return Some(format!("its version is {version}, not {VERSION}"));
        }
        if since > until {
            return Some(format!("it ends at {until}, before its begin at {since}"));
        }
        let mut end = *since;
        for gap in &self.gaps {
            if gap.from < end || gap.until < gap.from || gap.until > *until {
                let Gap { from, until } = gap;
                return Some(format!("the gap from {from} to {until} is out of order"));
            }
            end = gap.until;
        }
        let mut names = BTreeSet::new();
        for (coordinate, recorded) in &self.coordinates {
            for callers in recorded.0.values() {
                names.extend(callers.keys().filter(|name| !name.starts_with('(')));
                let is_wrong = |used: &Use| used.first > used.last || used.count == 0;
                if let Some((caller, _)) = callers.iter().find(|(_, used)| is_wrong(used)) {
                    return Some(format!(
                        "the use of {coordinate} by {caller:?} has its first day after its last one, \
                         or the count 0"
                    ));
                }
            }
        }
        (names.len() > MAX_CALLERS).then(|| {
            let count = names.len();
            format!("it has {count} callers, more than {MAX_CALLERS}")
        })
    }

    /// The snapshot as JSON.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("the keys of its maps are texts") + "\n"
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, UnreadableUsage> {
        let unreadable = |error| UnreadableUsage::Io(path.to_owned(), error);
        let file = File::open(path).map_err(unreadable)?;
        let mut json = String::new();
        let bytes = file.take(MAX_BYTES + 1).read_to_string(&mut json);
        if bytes.map_err(unreadable)? as u64 > MAX_BYTES {
            return Err(UnreadableUsage::TooLarge(path.to_owned()));
        }
        Self::parse(&json).map_err(|error| UnreadableUsage::Invalid(path.to_owned(), error))
    }

    /// Replaces a file atomically, through a file whose name has `.new` at its end.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let mut file = File::create(&new)?;
        file.write_all(self.to_json().as_bytes())?;
        file.sync_all()?;
        fs::rename(new, path)
    }
}

/// As in messages: `used by web`.
impl fmt::Display for UseFact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Used => "used",
            Self::Omitted => "omitted",
            Self::Null => "null or a nullable variable",
        })
    }
}

#[cfg(test)]
mod tests;
