//! The launch date of a vehicle.

use chrono::{Datelike, NaiveDate};

use super::violation::{FormatError, Rule, Violations};

/// Parses a launch date: `YYYY-MM-DD` in ASCII digits, a date of the calendar from 1000-01-01 to 9999-12-31.
pub fn parse_launch_date(text: &str) -> Result<NaiveDate, FormatError> {
    let invalid = |rule, must| Err(FormatError { rule, must });
    if !has_form(text) {
        return invalid(Rule::DateForm, "must have the form YYYY-MM-DD, for example 2024-02-29");
    }
    match text.parse::<NaiveDate>() {
        Ok(date) if date.year() >= 1000 => Ok(date),
        Ok(_) => invalid(Rule::DateRange, "must be between 1000-01-01 and 9999-12-31"),
        Err(_) => invalid(Rule::DateExists, "must be a calendar date"),
    }
}

/// Returns the date of an argument with the format `date`, or adds the rule that the text breaks.
pub(super) fn check(found: &mut Violations, argument: &str, text: &str) -> Option<NaiveDate> {
    found.add_stated(argument);
    parse_launch_date(text).ok()
}

/// A date of the years 1 to 9999 as `YYYY-MM-DD`. chrono's `Display` took a third of the instructions that write a vehicle
/// as JSON.
pub fn date_text(date: NaiveDate) -> String {
    let (year, month, day) = (date.year().unsigned_abs(), date.month(), date.day());
    let digit = |number: u32| char::from_digit(number % 10, 10).expect("it is below ten");
    let year = [year / 1000, year / 100, year / 10, year].map(digit);
    let [month, day] = [month, day].map(|number| ['-', digit(number / 10), digit(number)]);
    year.into_iter().chain(month).chain(day).collect()
}

/// Whether the text has the form `YYYY-MM-DD`; chrono also parses other forms.
fn has_form(text: &str) -> bool {
    let is_in_form = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(is_in_form)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_date_is_written_as_by_chrono(year in 1..=9999_i32, day in 1..=365_u32) {
            let date = NaiveDate::from_yo_opt(year, day).expect("every year has these days");
            prop_assert_eq!(date_text(date), date.to_string());
        }
    }
}
