//! The findings and changes that a policy excepts, each with a reason. An entry that has expired, or that excepts nothing,
//! is a problem, so that the file lists only what is intended now.

use chrono::NaiveDate;
use graphql_sdl::{Location, suggestion};
use serde::{Deserialize, Deserializer, de::Error as _};
use toml::value::Datetime;

use crate::{Acceptance, ChangeKind, Level, Reviewed, lint::Rule, names::Pattern, text::one_line};

/// The findings of a rule that are allowed, at an element and its parts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allowed {
    pub(crate) rule: Rule,
    pub(crate) coordinate: Pattern,
    /// Why.
    #[serde(rename = "reason", deserialize_with = "reason")]
    _reason: String,
    /// The last day.
    #[serde(default, deserialize_with = "day")]
    pub(crate) until: Option<NaiveDate>,
}

/// One accepted change, or the changes that a pattern matches and no other entry accepts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Accepted {
    kind: ChangeKind,
    pub(super) coordinate: Pattern,
    /// The message of the change, where several have this kind and coordinate.
    message: Option<String>,
    #[serde(deserialize_with = "reason")]
    reason: String,
    #[serde(default, deserialize_with = "day")]
    until: Option<NaiveDate>,
}

impl Accepted {
    /// Marks the changes that the entry accepts, or says why it is invalid.
    pub(super) fn accept(
        &self,
        changes: &mut [Reviewed],
        location: &Location,
        today: NaiveDate,
        between: &str,
    ) -> Result<(), String> {
        let coordinate = self.coordinate.as_str();
        let name = format!("{} of '{coordinate}'", self.kind);
        if let Some(until) = self.until.filter(|until| *until < today) {
            return Err(format!(
                "the acceptance of {name} expired on {until}: revert the change, or set a later date after a review"
            ));
        }
        let is_meant = |one: &Reviewed| one.change.kind == self.kind && self.coordinate.matches(&one.change.coordinate);
        if !changes.iter().any(is_meant) {
            let mut changes = changes.iter().map(|one| &one.change);
            let known = changes.clone().map(|one| one.coordinate.as_str());
            let hint = match changes.find(|one| one.coordinate == coordinate) {
                Some(change) => format!("; the change of '{coordinate}' is {}", change.kind),
                None => suggestion(coordinate, known),
            };
            return Err(format!("there is no change {name} {between}: remove the entry if it was released{hint}"));
        }
        let is_named = |one: &Reviewed| {
            let message = self.message.as_ref();
            is_meant(one) && message.is_none_or(|message| *message == one.change.message)
        };
        if !changes.iter().any(is_named) {
            return Err(format!("no change {name} has this message: copy it from the report after a review"));
        }
        let is_open = |one: &Reviewed| is_named(one) && one.accepted.is_none() && one.change.level != Level::Safe;
        let open = changes.iter_mut().filter(|one| is_open(one));
        let open: Vec<_> = open.collect();
        match open.len() {
            0 => Err(format!("every change {name} is safe or accepted by another entry: remove the entry")),
            2.. if self.coordinate.is_exact() => {
                Err(format!("{} changes are {name}: select one by its message, message = \"…\"", open.len()))
            }
            _ => {
                for one in open {
                    one.accepted =
                        Some(Acceptance { reason: self.reason.clone(), until: self.until, location: location.clone() });
                }
                Ok(())
            }
        }
    }
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match one_line(&String::deserialize(deserializer)?) {
        empty if empty.is_empty() => Err(D::Error::custom("the reason is empty")),
        reason => Ok(reason),
    }
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let day = Datetime::deserialize(deserializer).ok();
    let day = day.filter(|day| day.time.is_none() && day.offset.is_none());
    let day = day
        .and_then(|day| day.date)
        .and_then(|day| NaiveDate::from_ymd_opt(day.year.into(), day.month.into(), day.day.into()));
    let message = "until is not a date: write it as 2027-01-31, without quotes and without a time";
    day.map(Some).ok_or_else(|| D::Error::custom(message))
}
