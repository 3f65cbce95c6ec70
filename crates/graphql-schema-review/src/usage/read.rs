//! Reads counts of requests in the formats of Prometheus: the text exposition of a service, and an answer of the query
//! API.

use std::collections::BTreeMap;

use graphql_sdl::excerpt;
use serde::Deserialize;

/// The end of the name of the counter.
const METRIC: &str = "_field_requests_total";

/// Requests that name a coordinate, by a client.
pub(super) struct Sample {
    pub(super) coordinate: String,
    pub(super) client: String,
    pub(super) requests: f64,
}

/// Why a text has no recorded use.
#[derive(Debug, thiserror::Error)]
pub enum InvalidUsage {
    /// A line of an exposition is malformed.
    #[error("line {0} is no sample of a counter with the labels coordinate and client in Prometheus's text format")]
    Line(usize),
    /// JSON that is no answer of the query API.
    #[error("it is no vector or matrix of Prometheus's query API")]
    Json(#[source] serde_json::Error),
    /// A series of an answer is malformed.
    #[error(
        "series {0} of the answer is no count with the labels coordinate and client; query sum by (coordinate, client) (…)"
    )]
    Series(usize),
    /// Prometheus refused the query.
    #[error("Prometheus refused the query: {:?}", excerpt(.0))]
    Refused(String),
    /// It has no sample.
    #[error(
        "it has no sample of a counter …{METRIC}; name the metrics of the service, or an answer of Prometheus about them"
    )]
    NoSample,
}

#[derive(Deserialize)]
struct Answer {
    error: Option<String>,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    result: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    /// Of a vector.
    value: Option<(f64, String)>,
    /// Of a matrix.
    #[serde(default)]
    values: Vec<(f64, String)>,
}

/// The samples of a text, at least one.
pub(super) fn samples(text: &str) -> Result<Vec<Sample>, InvalidUsage> {
    let samples = if text.trim_start().starts_with('{') { answer(text)? } else { exposition(text)? };
    if samples.is_empty() {
        return Err(InvalidUsage::NoSample);
    }
    Ok(samples)
}

/// The samples of the counter in the text format of Prometheus or in `OpenMetrics`, among others.
fn exposition(text: &str) -> Result<Vec<Sample>, InvalidUsage> {
    let samples = (1..).zip(text.lines()).filter(|(_, line)| {
        let name = line.split(['{', ' ']).next().unwrap_or_default();
        name.ends_with(METRIC)
    });
    samples.map(|(number, line)| sample(line).ok_or(InvalidUsage::Line(number))).collect()
}

/// `shop_field_requests_total{coordinate="Query.book",client="web"} 12`, maybe with a time.
fn sample(line: &str) -> Option<Sample> {
    let (_, mut rest) = line.split_once('{')?;
    let mut labels = BTreeMap::new();
    while !rest.starts_with('}') {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = quoted(after)?;
        labels.insert(name.trim().to_owned(), value);
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    let value = rest[1..].split_whitespace().next()?;
    of(labels, value)
}

/// A text up to its closing quote, and what is after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            other => value.push(other),
        }
    }
    None
}

fn answer(text: &str) -> Result<Vec<Sample>, InvalidUsage> {
    let Answer { error, data } = serde_json::from_str(text).map_err(InvalidUsage::Json)?;
    if let Some(error) = error {
        return Err(InvalidUsage::Refused(error));
    }
    let series = (1..).zip(data.result);
    let samples = series.map(|(number, series)| {
        let values = series.value.iter().chain(&series.values);
        // A counter begins anew with its process, so its last value can be below an earlier one.
        let values = values.filter_map(|(_, value)| number_of(value));
        let largest = values.reduce(f64::max);
        largest.and_then(|requests| of(series.metric, &requests.to_string())).ok_or(InvalidUsage::Series(number))
    });
    samples.collect()
}

fn of(mut labels: BTreeMap<String, String>, value: &str) -> Option<Sample> {
    Some(Sample {
        coordinate: labels.remove("coordinate")?,
        client: labels.remove("client")?,
        requests: number_of(value)?,
    })
}

fn number_of(value: &str) -> Option<f64> {
    let number: f64 = value.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}
