//! Records every create with its response, and compares them with the stored rows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::rows::Row;
use crate::table::Stats;

/// All creates of a test.
#[derive(Default)]
pub(crate) struct Oracle {
    creates: Mutex<Vec<Create>>,
}

/// A create: the content sent, and its state.
#[derive(Clone, Debug)]
struct Create {
    content: Content,
    state: CreateState,
}

/// The content of a vehicle. The model code is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) r#type: String,
    pub(crate) model_code: String,
    pub(crate) brand_name: Option<String>,
    pub(crate) launch_date: Option<String>,
}

/// The state of a create as its client knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CreateState {
    /// Stored under this id.
    Acknowledged(i64),
    /// Not stored.
    Refused,
    /// Stored or not: no response, or one that reports an unknown outcome.
    Unknown,
}

impl Content {
    fn numbered(number: usize) -> Self {
        let types = ["SUV", "Wagon", "Coupé", "セダン", "🚗"];
        let (year, month, day) = (1000 + number % 9000, 1 + number % 12, 1 + number % 28);
        Self {
            r#type: types[number % types.len()].to_owned(),
            model_code: format!("M{number}"),
            brand_name: (!number.is_multiple_of(4)).then(|| format!("Brand 'é\" {number}")),
            launch_date: (!number.is_multiple_of(3)).then(|| format!("{year:04}-{month:02}-{day:02}")),
        }
    }

    /// The arguments of `createVehicle`.
    pub(crate) fn arguments(&self) -> Value {
        json!({
            "type": self.r#type,
            "modelCode": self.model_code,
            "brandName": self.brand_name,
            "launchDate": self.launch_date,
        })
    }

    /// The id of the returned vehicle, if its content equals this one.
    pub(crate) fn id_in(&self, vehicle: &Value) -> Option<i64> {
        let mut expected = self.arguments();
        expected["id"] = vehicle["id"].clone();
        let id = vehicle["id"].as_str()?.parse().ok()?;
        (*vehicle == expected).then_some(id)
    }
}

impl Oracle {
    /// Registers the next create with the state `Unknown`; returns its number and content.
    pub(crate) fn next_create(&self) -> (usize, Content) {
        let mut creates = self.creates();
        let number = creates.len();
        let content = Content::numbered(number);
        creates.push(Create { content: content.clone(), state: CreateState::Unknown });
        (number, content)
    }

    /// Records that the create was acknowledged with this id.
    pub(crate) fn acknowledged(&self, number: usize, id: i64) {
        self.creates()[number].state = CreateState::Acknowledged(id);
    }

    /// Records that the create was refused.
    pub(crate) fn refused(&self, number: usize) {
        self.creates()[number].state = CreateState::Refused;
    }

    /// Number of acknowledged creates so far.
    pub(crate) fn acknowledgements(&self) -> usize {
        self.count(|state| matches!(state, CreateState::Acknowledged(_)))
    }

    /// Number of refused creates so far.
    pub(crate) fn refusals(&self) -> usize {
        self.count(|state| matches!(state, CreateState::Refused))
    }

    /// Compares the creates with the stored rows, and records the measurements.
    pub(crate) fn compare(&self, table: &[Row], stats: &mut Stats) -> Verdict {
        let creates = self.creates().clone();
        let mut verdict = Verdict::default();
        let mut stored: HashMap<&str, Vec<&Row>> = HashMap::new();
        for row in table {
            stored.entry(&row.content.model_code).or_default().push(row);
        }
        for create in &creates {
            let rows = stored.remove(create.content.model_code.as_str());
            let rows = rows.unwrap_or_default();
            verdict.check(create, &rows, stats);
        }
        verdict.unexpected = stored.into_values().flatten().cloned().collect();
        stats.sent += creates.len();
        stats.lost += verdict.lost.len();
        stats.doubled += verdict.doubled.len();
        verdict
    }

    fn count(&self, predicate: impl Fn(&CreateState) -> bool) -> usize {
        let creates = self.creates();
        creates.iter().filter(|create| predicate(&create.state)).count()
    }

    fn creates(&self) -> MutexGuard<'_, Vec<Create>> {
        self.creates.lock().expect("nobody panics under the lock")
    }
}

/// Differences between the stored rows and the responses.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Acknowledged, but not stored.
    lost: Vec<Content>,
    /// Stored more than once.
    doubled: Vec<Content>,
    /// Stored with other content or another id than acknowledged.
    altered: Vec<(Content, Row)>,
    /// Refused, but stored.
    refused_and_stored: Vec<Content>,
    /// Stored, but never sent.
    unexpected: Vec<Row>,
}

impl Verdict {
    fn check(&mut self, create: &Create, rows: &[&Row], stats: &mut Stats) {
        let Create { content, state } = create;
        if rows.len() > 1 {
            self.doubled.push(content.clone());
        }
        let altered = rows.iter().filter(|row| {
            let other_id = matches!(state, CreateState::Acknowledged(id) if *id != row.id);
            row.content != *content || other_id
        });
        let altered = altered.map(|&row| (content.clone(), row.clone()));
        self.altered.extend(altered);
        match state {
            CreateState::Acknowledged(_) => {
                stats.acknowledged += 1;
                if rows.is_empty() {
                    self.lost.push(content.clone());
                }
            }
            CreateState::Refused => {
                stats.refused += 1;
                if !rows.is_empty() {
                    self.refused_and_stored.push(content.clone());
                }
            }
            CreateState::Unknown => {
                stats.unknown += 1;
                stats.unknown_stored += usize::from(!rows.is_empty());
            }
        }
    }

    /// Asserts that acknowledged creates are stored exactly once with their content, refused ones are
    /// not, unknown ones are stored at most once, and nothing else is stored.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        let Self { lost, doubled, altered, refused_and_stored, unexpected } = self;
        let counts = [lost.len(), doubled.len(), altered.len(), refused_and_stored.len(), unexpected.len()];
        assert_eq!(counts, [0; 5], "the table disagrees: {self:?}");
    }
}

/// Tests the oracle: every kind of difference is detected.
pub(crate) fn detects_every_difference() {
    let oracle = Oracle::default();
    let [acknowledged, refused, unknown] = [0, 1, 2].map(|_| oracle.next_create());
    oracle.acknowledged(acknowledged.0, 7);
    oracle.refused(refused.0);
    let row = |id, content: &Content| Row { id, content: content.clone() };
    let right = row(7, &acknowledged.1);
    let other = Content::numbered(9);
    let counts_for = |table: &[Row]| {
        let verdict = oracle.compare(table, &mut Stats::default());
        [
            verdict.lost.len(),
            verdict.doubled.len(),
            verdict.altered.len(),
            verdict.refused_and_stored.len(),
            verdict.unexpected.len(),
        ]
    };
    assert_eq!(counts_for(std::slice::from_ref(&right)), [0; 5]);
    assert_eq!(counts_for(&[right.clone(), row(8, &unknown.1)]), [0; 5]);
    assert_eq!(counts_for(&[]), [1, 0, 0, 0, 0], "lost");
    let twice = [right.clone(), row(8, &unknown.1), row(9, &unknown.1)];
    assert_eq!(counts_for(&twice), [0, 1, 0, 0, 0], "doubled");
    assert_eq!(counts_for(&[row(8, &acknowledged.1)]), [0, 0, 1, 0, 0], "its id");
    let mut altered = right.clone();
    altered.content.brand_name = Some("?".to_owned());
    assert_eq!(counts_for(&[altered]), [0, 0, 1, 0, 0], "its content");
    assert_eq!(counts_for(&[right.clone(), row(8, &refused.1)]), [0, 0, 0, 1, 0]);
    assert_eq!(counts_for(&[right, row(8, &other)]), [0, 0, 0, 0, 1]);
}
