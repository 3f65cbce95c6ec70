//! The argument `count`.

use super::violation::{Rule, Violation};

/// The minimum of the argument `count`; a list of no vehicles is empty.
pub const MIN_COUNT: u32 = 0;

/// Parses the argument `count`: [`MIN_COUNT`] to `limit`, or nothing.
pub fn parse_count(count: Option<i32>, limit: u32) -> Result<Option<u32>, Violation> {
    let count = count.map(|count| parse_length("count", count, MIN_COUNT, limit));
    count.transpose()
}

/// Parses an argument that limits the length of a list: `min` to `max`.
pub(super) fn parse_length(
    argument: &'static str,
    length: i32,
    min: u32,
    max: u32,
) -> Result<u32, Violation> {
    let problem = match u32::try_from(length) {
        Ok(length) if (min..=max).contains(&length) => return Ok(length),
        Ok(0) => "it is 0",
        Ok(_) => "it exceeds the list limit",
        Err(_) => "it is negative",
    };
    let message = format!("{argument} must be from {min} to {max}, {problem}");
    Err(Violation::new(argument, Rule::Range, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u32 = 20;

    #[test]
    fn accepts_a_count_within_the_limit() {
        assert_eq!(parse_count(Some(0), LIMIT), Ok(Some(0)));
        assert_eq!(parse_count(Some(20), LIMIT), Ok(Some(20)));
        assert_eq!(parse_count(None, LIMIT), Ok(None));
    }

    #[test]
    fn rejects_a_count_outside_the_limit_and_reports_the_limit() {
        for (count, message) in [
            (-1, "count must be from 0 to 20, it is negative"),
            (i32::MIN, "count must be from 0 to 20, it is negative"),
            (21, "count must be from 0 to 20, it exceeds the list limit"),
            (
                i32::MAX,
                "count must be from 0 to 20, it exceeds the list limit",
            ),
        ] {
            let violation = parse_count(Some(count), LIMIT).expect_err("it is outside");
            assert_eq!(
                (violation.rule, violation.message.as_str()),
                (Rule::Range, message)
            );
        }
    }
}
