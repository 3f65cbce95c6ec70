//! The limits that a description states in English, compared with those of `@constraint`.

use graphql_sdl::{Constraint, Measure};

/// A limit in a description.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Claim {
    is_upper: bool,
    number: f64,
    /// What the number counts, if the next word says it.
    measure: Option<Measure>,
}

/// The words before a lower limit and before an upper limit.
const LOWER: [&str; 5] = ["at least", "minimum of", "no fewer than", "no less than", "from"];
const UPPER: [&str; 5] = ["at most", "up to", "maximum of", "no more than", "not more than"];

/// The claims of a description that the constraint does not confirm. What the constraint does not limit is no
/// contradiction: it is stated only in words.
pub(super) fn contradictions(description: &str, constraint: &Constraint, is_list: bool) -> Vec<String> {
    let mut messages = Vec::new();
    for claim in claims(description) {
        // A number without a unit is the value, or the length of a list.
        let measure = claim.measure.unwrap_or(if is_list { Measure::Items } else { Measure::Number });
        let [lower, upper] = measure.limits();
        let limit = if claim.is_upper { upper } else { lower };
        if let Some(stated) = constraint.limit(limit)
            && stated.total_cmp(&claim.number).is_ne()
        {
            let bound = if claim.is_upper { "at most" } else { "at least" };
            messages.push(format!(
                "says {bound} {} in its description, but {limit} is {stated}: correct one of them",
                claim.number
            ));
        }
    }
    messages.dedup();
    messages
}

fn claims(description: &str) -> Vec<Claim> {
    let words: Vec<String> = description.split_whitespace().map(bare).collect();
    let number = |index: usize| words.get(index).and_then(|word| parse(word));
    let precedes = |index: usize, phrase: &str| {
        let count = phrase.split(' ').count();
        index >= count && words[index - count..index].join(" ") == phrase
    };
    let mut claims = Vec::new();
    let mut index = 0;
    while index < words.len() {
        let (start, first) = (index, number(index));
        index += 1;
        let Some(first) = first else { continue };
        let is_range = match words.get(index).map(String::as_str) {
            Some("to" | "-" | "–") => true,
            Some("and") => precedes(start, "between"),
            _ => false,
        };
        let second = number(index + 1).filter(|second| is_range && first <= *second);
        if second.is_some() {
            index += 2;
        }
        let measure = words.get(index).and_then(|unit| measure(unit));
        let mut claim = |is_upper, number| {
            claims.push(Claim { is_upper, number, measure });
        };
        if let Some(second) = second {
            claim(false, first);
            claim(true, second);
        } else if LOWER.iter().any(|phrase| precedes(start, phrase)) {
            claim(false, first);
        } else if UPPER.iter().any(|phrase| precedes(start, phrase)) {
            claim(true, first);
        }
    }
    claims
}

/// The word in lower case without punctuation around it.
fn bare(word: &str) -> String {
    let word = word.trim_matches(|letter: char| ".,;:()[]`'\"*".contains(letter));
    word.to_lowercase()
}

/// A number, also with commas between thousands.
fn parse(word: &str) -> Option<f64> {
    let is_number = word.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let number: f64 = word.replace(',', "").parse().ok()?;
    (is_number && number.is_finite()).then_some(number)
}

fn measure(unit: &str) -> Option<Measure> {
    match unit {
        "character" | "characters" | "letter" | "letters" => Some(Measure::Length),
        "item" | "items" | "element" | "elements" | "entry" | "entries" => Some(Measure::Items),
        _ => None,
    }
}
