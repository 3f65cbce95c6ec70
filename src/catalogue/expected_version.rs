//! The argument `expectedVersion`.

use super::vehicle::FIRST_VERSION;
use super::violation::{Rule, Violation};

/// The version that a vehicle must have to be changed or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedVersion(i32);

impl ExpectedVersion {
    /// Parses the argument: a number from [`FIRST_VERSION`], or nothing.
    pub fn parse(version: Option<i32>) -> Result<Option<Self>, Violation> {
        match version {
            Some(version) if version < FIRST_VERSION => {
                let message = format!("expectedVersion must be at least {FIRST_VERSION}");
                Err(Violation::new("expectedVersion", Rule::Range, message))
            }
            version => Ok(version.map(Self)),
        }
    }

    /// The version.
    pub fn get(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_version_and_none() {
        assert_eq!(ExpectedVersion::parse(None), Ok(None));
        for version in [1, 2, i32::MAX] {
            let parsed = ExpectedVersion::parse(Some(version));
            assert_eq!(parsed, Ok(Some(ExpectedVersion(version))));
        }
    }

    #[test]
    fn rejects_what_is_no_version() {
        for version in [0, -1, i32::MIN] {
            let violation = ExpectedVersion::parse(Some(version)).expect_err("it is below 1");
            assert_eq!(violation.rule, Rule::Range);
            assert_eq!(violation.message, "expectedVersion must be at least 1");
        }
    }
}
