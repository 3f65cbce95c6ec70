//! The service under attack, and what must hold afterwards.

use std::ops::Deref;

use testkit::{Program, Running};
pub(crate) use testkit::{
    http::{post, post_head as head, read_to_end},
    wait_until,
};

use crate::support::{program, serve_in};

/// A harmless query.
pub(crate) const QUERY: &str = r#"{"query":"{ __typename }"}"#;

/// A mutation that must not be executed.
pub(crate) const CREATE: &str = r#"{"query":"mutation { createVehicle(type: \"SUV\", modelCode: \"EVIL\") { id } }"}"#;

/// A running service.
pub(crate) struct Service(Running);

impl Deref for Service {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.0
    }
}

impl Service {
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::launch(program(), flags)
    }

    /// Starts a service with limits of open files.
    pub(crate) fn start_with_files(soft: u32, hard: u32, flags: &[&str]) -> Self {
        let limit = format!("--nofile={soft}:{hard}");
        Self::launch(program().under(&["prlimit", &limit]), flags)
    }

    fn launch(program: Program, flags: &[&str]) -> Self {
        let program = program.with_variable("PATH", "/usr/bin:/bin").with_arguments(&["--log-level=info,access=off"]);
        Self(serve_in(program, flags))
    }

    /// Sends a query on a new connection, and returns the body of the response.
    pub(crate) fn post_query(&self, query: &str) -> String {
        let body = format!(r#"{{"query":"{query}"}}"#);
        let response = self.exchange(&post(&body, "Connection: close\r\n"));
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{response}");
        body.to_owned()
    }

    /// Panics unless a query is served, nothing is stored, and nothing has panicked.
    #[track_caller]
    pub(crate) fn assert_unaffected(&self) {
        let all = self.post_query("{ vehicles { id } }");
        assert_eq!(all, r#"{"data":{"vehicles":[]}}"#);
        let log = self.log();
        assert!(!log.contains("panic: "), "{log}");
    }

    /// Resident memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.0.memory("VmRSS")
    }
}
