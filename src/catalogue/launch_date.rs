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
    use proptest::{prelude::*, sample::select};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_date_is_written_as_by_chrono(year in 1..=9999_i32, day in 1..=365_u32) {
            let date = NaiveDate::from_yo_opt(year, day).expect("every year has these days");
            prop_assert_eq!(date_text(date), date.to_string());
        }
    }

    /// An independent implementation of the Gregorian calendar.
    fn is_in_the_calendar(year: u32, month: u32, day: u32) -> bool {
        let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
        let february = if leap { 29 } else { 28 };
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        (1..=12).contains(&month) && (1..=lengths[month as usize - 1]).contains(&day)
    }

    /// An independent implementation of the rules.
    fn is_launch_date(text: &str) -> bool {
        let parts: Vec<&str> = text.split('-').collect();
        let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        if lengths != [4, 2, 2] || !parts.iter().all(is_number) {
            return false;
        }
        let [year, month, day] = [0, 1, 2].map(|part| parts[part].parse().expect("it has digits"));
        year >= 1000 && is_in_the_calendar(year, month, day)
    }

    prop_compose! {
        /// Many dates are at the ends of months, of the range, and in years whose length differs.
        fn near_dates()(
            year in prop_oneof![1000..=9999_u32, (9..=99_u32).prop_map(|century| century * 100), 995..=1004_u32],
            month in prop_oneof![4 => 1..=12_u32, 1 => 0..=13_u32, 2 => Just(2)],
            day in prop_oneof![3 => 1..=28_u32, 3 => 28..=32_u32, 1 => Just(0)],
        ) -> String {
            format!("{year:04}-{month:02}-{day:02}")
        }
    }

    prop_compose! {
        /// Dates of which at most one character is replaced, removed or doubled.
        fn near_texts()(
            date in near_dates(),
            at in any::<prop::sample::Index>(),
            new in select(vec!["", "0", "1", "9", "-", "/", "+", " ", "T", "\0", "２", "٣"]),
            change in 0..4,
        ) -> String {
            let at = at.index(date.len());
            let (before, rest) = date.split_at(at);
            match change {
                0 => date,
                1 => format!("{before}{new}{}", &rest[1..]),
                2 => format!("{before}{}{rest}", &rest[..1]),
                _ => format!("{before}{new}{rest}"),
            }
        }
    }

    proptest! {
        #[test]
        fn accepts_exactly_the_dates_of_the_calendar_and_displays_them_unchanged(text in near_texts()) {
            let displayed = parse_launch_date(&text).ok().map(|date| date.to_string());
            prop_assert_eq!(displayed, is_launch_date(&text).then_some(text));
        }
    }
}
