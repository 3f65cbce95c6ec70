//! Remembers what was sent and what was answered, and says whether the table agrees.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::rows::Row;
use crate::table::Figures;

/// What every create of a test has become.
#[derive(Default)]
pub(crate) struct Oracle {
    creates: Mutex<Vec<Create>>,
}

/// A create: what was sent, and what came back.
#[derive(Clone, Debug)]
struct Create {
    content: Content,
    outcome: Outcome,
}

/// What a vehicle is made of. The model code is no other's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) r#type: String,
    pub(crate) model_code: String,
    pub(crate) brand_name: Option<String>,
    pub(crate) launch_date: Option<String>,
}

/// What became of a create, as far as its sender knows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// Stored under this id.
    Acknowledged(i64),
    /// Not stored.
    Refused,
    /// Either: nothing was answered, or that it is not known.
    Unknown,
}

impl Content {
    fn numbered(number: usize) -> Self {
        let kinds = ["SUV", "Wagon", "Coupé", "セダン", "🚗"];
        let (year, month, day) = (1000 + number % 9000, 1 + number % 12, 1 + number % 28);
        Self {
            r#type: kinds[number % kinds.len()].to_owned(),
            model_code: format!("M{number}"),
            brand_name: (!number.is_multiple_of(4)).then(|| format!("Brand 'é\" {number}")),
            launch_date: (!number.is_multiple_of(3))
                .then(|| format!("{year:04}-{month:02}-{day:02}")),
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

    /// The id under which it was answered, if what was answered is the very content.
    pub(crate) fn id_in(&self, vehicle: &Value) -> Option<i64> {
        let mut expected = self.arguments();
        expected["id"] = vehicle["id"].clone();
        let id = vehicle["id"].as_str()?.parse().ok()?;
        (*vehicle == expected).then_some(id)
    }
}

impl Oracle {
    /// A create that is about to be sent: its number, and what to send. Unknown until it is told
    /// otherwise.
    pub(crate) fn next(&self) -> (usize, Content) {
        let mut creates = self.creates();
        let number = creates.len();
        let content = Content::numbered(number);
        creates.push(Create {
            content: content.clone(),
            outcome: Outcome::Unknown,
        });
        (number, content)
    }

    /// It was answered with this id.
    pub(crate) fn acknowledged(&self, number: usize, id: i64) {
        self.creates()[number].outcome = Outcome::Acknowledged(id);
    }

    /// It was answered that it is not stored.
    pub(crate) fn refused(&self, number: usize) {
        self.creates()[number].outcome = Outcome::Refused;
    }

    /// How many were acknowledged so far.
    pub(crate) fn acknowledgements(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Acknowledged(_)))
    }

    /// How many were refused so far.
    pub(crate) fn refusals(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Refused))
    }

    /// Compares with the table, and notes the figures.
    pub(crate) fn compare(&self, table: &[Row], figures: &mut Figures) -> Verdict {
        let creates = self.creates().clone();
        let mut verdict = Verdict::default();
        let mut stored: HashMap<&str, Vec<&Row>> = HashMap::new();
        for row in table {
            stored.entry(&row.content.model_code).or_default().push(row);
        }
        for create in &creates {
            let rows = stored.remove(create.content.model_code.as_str());
            let rows = rows.unwrap_or_default();
            verdict.judge(create, &rows, figures);
        }
        verdict.nobodys = stored.into_values().flatten().cloned().collect();
        figures.sent += creates.len();
        figures.lost += verdict.lost.len();
        figures.doubled += verdict.doubled.len();
        verdict
    }

    fn count(&self, which: impl Fn(&Outcome) -> bool) -> usize {
        let creates = self.creates();
        creates
            .iter()
            .filter(|create| which(&create.outcome))
            .count()
    }

    fn creates(&self) -> MutexGuard<'_, Vec<Create>> {
        self.creates.lock().expect("nobody panics under the lock")
    }
}

/// Where the table differs from what was told.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Acknowledged, and not there.
    lost: Vec<Content>,
    /// There more than once.
    doubled: Vec<Content>,
    /// There with another content, or under another id than was answered.
    altered: Vec<(Content, Row)>,
    /// Told to be not stored, and there.
    refused_and_stored: Vec<Content>,
    /// Sent by nobody.
    nobodys: Vec<Row>,
}

impl Verdict {
    fn judge(&mut self, create: &Create, rows: &[&Row], figures: &mut Figures) {
        let Create { content, outcome } = create;
        if rows.len() > 1 {
            self.doubled.push(content.clone());
        }
        let altered = rows.iter().filter(|row| {
            let other_id = matches!(outcome, Outcome::Acknowledged(id) if *id != row.id);
            row.content != *content || other_id
        });
        let altered = altered.map(|&row| (content.clone(), row.clone()));
        self.altered.extend(altered);
        match outcome {
            Outcome::Acknowledged(_) => {
                figures.acknowledged += 1;
                if rows.is_empty() {
                    self.lost.push(content.clone());
                }
            }
            Outcome::Refused => {
                figures.refused += 1;
                if !rows.is_empty() {
                    self.refused_and_stored.push(content.clone());
                }
            }
            Outcome::Unknown => {
                figures.unknown += 1;
                figures.unknown_stored += usize::from(!rows.is_empty());
            }
        }
    }

    /// Fails unless what was acknowledged is there exactly once with its very content, what was
    /// refused is not, what is unknown is there at most once, and there is nothing else.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        let Self {
            lost,
            doubled,
            altered,
            refused_and_stored,
            nobodys,
        } = self;
        let counts = [
            lost.len(),
            doubled.len(),
            altered.len(),
            refused_and_stored.len(),
            nobodys.len(),
        ];
        assert_eq!(counts, [0; 5], "the table disagrees: {self:?}");
    }
}

/// The oracle's own test: it sees whatever can be wrong.
pub(crate) fn sees_every_difference() {
    let oracle = Oracle::default();
    let [acknowledged, refused, unknown] = [0, 1, 2].map(|_| oracle.next());
    oracle.acknowledged(acknowledged.0, 7);
    oracle.refused(refused.0);
    let row = |id, content: &Content| Row {
        id,
        content: content.clone(),
    };
    let right = row(7, &acknowledged.1);
    let other = Content::numbered(9);
    let seen = |table: &[Row]| {
        let verdict = oracle.compare(table, &mut Figures::default());
        [
            verdict.lost.len(),
            verdict.doubled.len(),
            verdict.altered.len(),
            verdict.refused_and_stored.len(),
            verdict.nobodys.len(),
        ]
    };
    assert_eq!(seen(std::slice::from_ref(&right)), [0; 5]);
    assert_eq!(seen(&[right.clone(), row(8, &unknown.1)]), [0; 5]);
    assert_eq!(seen(&[]), [1, 0, 0, 0, 0], "lost");
    let twice = [right.clone(), row(8, &unknown.1), row(9, &unknown.1)];
    assert_eq!(seen(&twice), [0, 1, 0, 0, 0], "doubled");
    assert_eq!(seen(&[row(8, &acknowledged.1)]), [0, 0, 1, 0, 0], "its id");
    let mut altered = right.clone();
    altered.content.brand_name = Some("?".to_owned());
    assert_eq!(seen(&[altered]), [0, 0, 1, 0, 0], "its content");
    assert_eq!(seen(&[right.clone(), row(8, &refused.1)]), [0, 0, 0, 1, 0]);
    assert_eq!(seen(&[right, row(8, &other)]), [0, 0, 0, 0, 1]);
}
