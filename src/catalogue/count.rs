//! How many vehicles a list may have.

use super::violation::{Rule, Violation};

/// The most vehicles that one list of this server can have: 1 to [`ListLimit::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListLimit(u32);

impl ListLimit {
    /// The largest limit an operator can set; a list is built in memory.
    pub const MAX: u32 = 100_000;

    /// The limit of a server whose operator has set none.
    pub const DEFAULT: Self = Self(1000);

    /// Takes 1 to [`ListLimit::MAX`].
    pub fn parse(limit: u32) -> Option<Self> {
        (1..=Self::MAX).contains(&limit).then_some(Self(limit))
    }

    /// The number of vehicles.
    pub fn get(self) -> u32 {
        self.0
    }
}

/// How many vehicles were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The caller named a number within the limit: that many at most.
    AtMost(u32),
    /// The caller named none: as many as the limit allows. A list that ends there is cut, and must say so.
    UpToLimit(ListLimit),
}

impl Count {
    /// Takes the argument `count`: 0 to `limit`, or nothing.
    pub fn parse(count: Option<i32>, limit: ListLimit) -> Result<Self, Violation> {
        let Some(count) = count else {
            return Ok(Self::UpToLimit(limit));
        };
        let problem = match u32::try_from(count) {
            Ok(count) if count <= limit.get() => return Ok(Self::AtMost(count)),
            Ok(_) => "it is above the list limit of this server",
            Err(_) => "it is negative",
        };
        let message = format!("count must be from 0 to {}, {problem}", limit.get());
        Err(Violation::new("count", Rule::Range, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: ListLimit = ListLimit(20);

    #[test]
    fn a_count_within_the_limit_is_taken() {
        assert_eq!(Count::parse(Some(0), LIMIT), Ok(Count::AtMost(0)));
        assert_eq!(Count::parse(Some(20), LIMIT), Ok(Count::AtMost(20)));
    }

    #[test]
    fn no_count_asks_for_as_many_as_the_limit_allows() {
        assert_eq!(Count::parse(None, LIMIT), Ok(Count::UpToLimit(LIMIT)));
    }

    #[test]
    fn a_count_outside_the_limit_is_refused_and_the_limit_named() {
        for (count, message) in [
            (-1, "count must be from 0 to 20, it is negative"),
            (i32::MIN, "count must be from 0 to 20, it is negative"),
            (
                21,
                "count must be from 0 to 20, it is above the list limit of this server",
            ),
            (
                i32::MAX,
                "count must be from 0 to 20, it is above the list limit of this server",
            ),
        ] {
            let violation = Count::parse(Some(count), LIMIT).expect_err("it is outside");
            assert_eq!(
                (violation.rule, violation.message.as_str()),
                (Rule::Range, message)
            );
        }
    }

    #[test]
    fn a_limit_is_at_least_one_and_bounded() {
        assert_eq!(ListLimit::parse(0), None);
        assert_eq!(ListLimit::parse(1), Some(ListLimit(1)));
        assert_eq!(
            ListLimit::parse(ListLimit::MAX).map(ListLimit::get),
            Some(ListLimit::MAX)
        );
        assert_eq!(ListLimit::parse(ListLimit::MAX + 1), None);
    }
}
