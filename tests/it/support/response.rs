//! A response of the service with typed access to data, errors and violations.

use std::fmt;

use reqwest::StatusCode;
use serde_json::{Value, json};

/// A response and a label of its request; every failed assertion shows both.
pub(crate) struct Response {
    request: String,
    status: StatusCode,
    headers: Vec<(String, String)>,
    bytes: Vec<u8>,
    text: String,
}

impl Response {
    pub(super) async fn read(request: String, response: reqwest::Response) -> Self {
        let status = response.status();
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let bytes = response.bytes().await.expect("the answer is complete").to_vec();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Self { request, status, headers, bytes, text }
    }

    pub(crate) fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// The value of a header; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        headers.find(|(header, _)| header == name).map_or("", |(_, value)| value)
    }

    /// All values of a header, joined by commas.
    pub(crate) fn headers(&self, name: &str) -> String {
        let lines = self.headers.iter().filter(|(header, _)| header == name);
        lines.map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The body before decoding of its content coding.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The data of a response without errors.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        let mut json = self.json();
        assert!(json.get("errors").is_none(), "there are errors: {self}");
        json["data"].take()
    }

    /// The only error.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let mut json = self.json();
        let errors = json["errors"].as_array_mut();
        let errors = errors.unwrap_or_else(|| panic!("there is no error: {self}"));
        assert_eq!(errors.len(), 1, "there is not one error: {self}");
        errors.remove(0)
    }

    /// The errors; there is at least one.
    #[track_caller]
    pub(crate) fn errors(&self) -> Vec<Value> {
        let json = self.json();
        let errors = json["errors"].as_array().cloned().unwrap_or_default();
        assert!(!errors.is_empty(), "there is no error: {self}");
        errors
    }

    /// The code that all errors share.
    #[track_caller]
    pub(crate) fn error_code(&self) -> String {
        let mut codes = self.errors();
        codes.dedup_by_key(|error| error["extensions"]["code"].clone());
        let code = codes[0]["extensions"]["code"].as_str();
        let code = code.unwrap_or_else(|| panic!("an error has no code: {self}"));
        assert_eq!(codes.len(), 1, "the errors have several codes: {self}");
        code.to_owned()
    }

    /// Each violation as argument and rule, in response order.
    #[track_caller]
    pub(crate) fn violations(&self) -> Vec<(String, String)> {
        assert_eq!(self.error_code(), "BAD_USER_INPUT", "{self}");
        let error = self.error();
        let violations = error["extensions"]["violations"].as_array();
        let violations = violations.unwrap_or_else(|| panic!("there is no list: {self}"));
        let text = |violation: &Value, member: &str| {
            let text = violation[member].as_str();
            text.unwrap_or_else(|| panic!("a violation has no {member}: {self}")).to_owned()
        };
        violations
            .iter()
            .map(|violation| {
                assert!(!text(violation, "message").is_empty(), "{self}");
                (text(violation, "argument"), text(violation, "rule"))
            })
            .collect()
    }

    /// Asserts that the only error has these violations, each as argument and rule, in response order.
    #[track_caller]
    pub(crate) fn assert_violations(&self, expected: &[(&str, &str)]) {
        let found = self.violations();
        let found: Vec<_> = found.iter().map(|(argument, rule)| (argument.as_str(), rule.as_str())).collect();
        assert_eq!(found, expected, "{self}");
    }

    /// Asserts that the only field, this one, failed with this code.
    #[track_caller]
    pub(crate) fn assert_failed(&self, field: &str, code: &str) {
        assert_eq!(self.error_code(), code, "{self}");
        assert_eq!(self.error()["path"], json!([field]), "{self}");
        assert_eq!(self.json()["data"], json!({ field: null }), "{self}");
        assert_eq!(self.status(), 200, "{self}");
    }

    /// Asserts that the request was refused before execution with one of these codes.
    #[track_caller]
    pub(crate) fn assert_not_executed(&self, codes: &[&str]) {
        assert_eq!(self.json().get("data"), None, "it was executed: {self}");
        let code = self.error_code();
        assert!(codes.contains(&code.as_str()), "not {codes:?}: {self}");
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (request, text) = (truncate(&self.request), truncate(&self.text));
        write!(f, "asked {request}\nanswered {} {text}", self.status)
    }
}

fn truncate(text: &str) -> String {
    text.chars().take(1500).collect()
}
