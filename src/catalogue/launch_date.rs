//! The launch date of a vehicle.

use chrono::{Datelike, NaiveDate};

use super::violation::{Rule, Violation};

/// A calendar date from 1000-01-01 to 9999-12-31, without time of day or time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaunchDate(NaiveDate);

impl LaunchDate {
    /// Parses `YYYY-MM-DD` in ASCII digits; the date must exist.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        Self::parse_argument("launchDate", text)
    }

    /// Parses the value of this argument.
    pub(super) fn parse_argument(argument: &'static str, text: &str) -> Result<Self, Violation> {
        let broken = |rule, message: &str| {
            Violation::new(argument, rule, format!("{argument} must {message}"))
        };
        if !has_form(text) {
            let form = "have the form YYYY-MM-DD, for example 2024-02-29";
            return Err(broken(Rule::DateForm, form));
        }
        match text.parse::<NaiveDate>() {
            Ok(date) if date.year() >= 1000 => Ok(Self(date)),
            Ok(_) => {
                let range = "be between 1000-01-01 and 9999-12-31";
                Err(broken(Rule::DateRange, range))
            }
            Err(_) => Err(broken(Rule::DateExists, "be a calendar date")),
        }
    }

    /// The date, for arithmetic and storage.
    pub fn get(self) -> NaiveDate {
        self.0
    }
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

    fn rule_broken_by(text: &str) -> Option<Rule> {
        LaunchDate::parse(text)
            .err()
            .map(|violation| violation.rule)
    }

    #[test]
    fn accepts_the_first_and_the_last_day() {
        for text in ["1000-01-01", "2024-02-29", "2000-02-29", "9999-12-31"] {
            let date = LaunchDate::parse(text).expect("it is a date");
            assert_eq!(date.get().to_string(), text);
        }
    }

    #[test]
    fn rejects_any_other_form() {
        for text in [
            "",
            "2024",
            "2024-2-9",
            "24-02-29",
            "2024/02/29",
            "20240229",
            " 2024-02-29",
            "2024-02-29 ",
            "2024-02-29T00:00:00Z",
            "+024-02-29",
            "-024-02-29",
            "12024-02-29",
            "２０２４-02-29",
            "2024-02-2\u{0}",
            "2024-02-٣",
            "yyyy-mm-dd",
            "2024-02--9",
        ] {
            assert_eq!(rule_broken_by(text), Some(Rule::DateForm), "{text:?}");
        }
    }

    #[test]
    fn rejects_a_day_that_is_not_in_the_calendar() {
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-13-01",
            "2024-00-01",
            "2024-01-00",
            "2024-01-32",
            "0000-00-00",
        ] {
            assert_eq!(rule_broken_by(text), Some(Rule::DateExists), "{text:?}");
        }
    }

    #[test]
    fn rejects_a_day_before_the_year_1000() {
        for text in ["0999-12-31", "0001-01-01", "0000-02-29"] {
            assert_eq!(rule_broken_by(text), Some(Rule::DateRange), "{text:?}");
        }
    }

    #[test]
    fn a_message_describes_the_valid_form() {
        let violation = LaunchDate::parse("tomorrow").expect_err("it is not a date");
        assert_eq!(
            violation.message,
            "launchDate must have the form YYYY-MM-DD, for example 2024-02-29"
        );
    }

    /// An independent implementation of the Gregorian calendar.
    fn is_in_the_calendar(year: u32, month: u32, day: u32) -> bool {
        let leap =
            (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
        let february = if leap { 29 } else { 28 };
        let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        (1..=12).contains(&month) && (1..=lengths[month as usize - 1]).contains(&day)
    }

    proptest! {
        #[test]
        fn agrees_with_the_calendar(year in 0_u32..=9999, month in 0_u32..=13, day in 0_u32..=32) {
            let text = format!("{year:04}-{month:02}-{day:02}");
            let right = year >= 1000 && is_in_the_calendar(year, month, day);
            prop_assert_eq!(LaunchDate::parse(&text).is_ok(), right);
        }

        #[test]
        fn an_accepted_date_is_displayed_unchanged(text in "[0-9]{3,5}-[0-9]{1,2}-[0-9]{1,2}|\\PC{0,12}") {
            if let Ok(date) = LaunchDate::parse(&text) {
                prop_assert_eq!(date.get().to_string(), text);
            }
        }
    }
}
