//! The environment variables of the tests.

/// Whether tests must fail when something that they need is missing: `TEST_REQUIRE_ALL=1`.
pub fn is_required() -> bool {
    variable("TEST_REQUIRE_ALL").is_some_and(|value| value == "1")
}

/// An environment variable of the tests.
#[expect(clippy::disallowed_methods, reason = "the settings of tests are not settings of the service")]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
