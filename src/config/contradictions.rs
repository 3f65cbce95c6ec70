//! Settings that are right each, and wrong together.

use std::net::SocketAddr;

use super::Settings;

impl Settings {
    /// A sentence for each pair of settings that contradict each other.
    pub(super) fn contradictions(&self) -> Vec<String> {
        let http = &self.http;
        let mut found = Vec::new();
        match (http.tls_certificate().is_some(), http.tls_key().is_some()) {
            (true, false) => found.push("--tls-certificate-file needs --tls-key-file"),
            (false, true) => found.push("--tls-key-file needs --tls-certificate-file"),
            (true, true) | (false, false) => {}
        }
        if let Some(admin) = http.admin_listen()
            && overlap(http.listen, admin)
        {
            found.push("--admin-listen must be another address or port than --listen");
        }
        if self.replica().is_some() && !self.database_url.can_have_replicas() {
            found.push(
                "--read-database-url needs a --database-url of PostgreSQL, whose replica it is",
            );
        }
        match self.access.tokens_named() {
            [true, true, true] | [false, false, false] => {}
            [true, ..] => found.push(
                "--auth-keys-file needs --auth-issuer and --auth-audience: a token for somebody else is \
                 none for this service",
            ),
            [false, ..] => found.push("--auth-issuer and --auth-audience need --auth-keys-file"),
        }
        if self.documents.enforces_trusted_documents()
            && self.documents.trusted_documents().is_none()
        {
            found.push(
                "--trusted-documents-mode enforce needs --trusted-documents: without any, every \
                 operation would be refused",
            );
        }
        found.into_iter().map(str::to_owned).collect()
    }
}

/// Whether both would take the same port of the same interface. Port 0 takes a free one each time.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let same_family = one.is_ipv4() == other.is_ipv4();
    let wildcard = one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() != 0
        && one.port() == other.port()
        && (one.ip() == other.ip() || (same_family && wildcard))
}
