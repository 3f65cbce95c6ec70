//! What a policy allows, and the reasons and days of its entries.

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, de::Error as _};
use toml::value::Datetime;

use crate::{lint, names::Pattern, report::one_line};

/// The findings of a rule that are allowed, at an element and its parts. An entry that has expired, or that excepts nothing,
/// is a problem, so that the file lists only what is intended now.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allowed {
    pub(crate) rule: lint::Rule,
    pub(crate) coordinate: Pattern,
    /// Why.
    #[serde(rename = "reason", deserialize_with = "reason")]
    _reason: String,
    /// The last day.
    #[serde(default, deserialize_with = "day")]
    pub(crate) until: Option<NaiveDate>,
}

pub(super) fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match one_line(&String::deserialize(deserializer)?) {
        empty if empty.is_empty() => Err(D::Error::custom("the reason is empty")),
        reason => Ok(reason),
    }
}

pub(super) fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let day = Datetime::deserialize(deserializer).ok();
    let day = day.filter(|day| day.time.is_none() && day.offset.is_none());
    let day = day
        .and_then(|day| day.date)
        .and_then(|day| NaiveDate::from_ymd_opt(day.year.into(), day.month.into(), day.day.into()));
    let message = "until is not a date: write it as 2027-01-31, without quotes and without a time";
    day.map(Some).ok_or_else(|| D::Error::custom(message))
}
