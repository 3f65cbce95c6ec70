//! The parameters of the URL of a database, checked before connecting: a mistake in one of TLS would otherwise disable
//! encryption without a word.

use std::{borrow::Cow, error::Error, fs};

pub(super) const SEVERAL_HOSTS: &str = "several hosts are not supported, nor is target_session_attrs; use the address of a load \
                             balancer that leads to the server that accepts writes";

/// The reason for a URL whose user or password ends at a delimiter, so that the rest of it is elsewhere in the URL.
pub(super) const PERCENT_ENCODING: &str =
    "?, /, # and @ in a user name, a password or a database name must be percent-encoded";

/// Why a URL is refused.
pub(super) type Reason = Box<dyn Error + Send + Sync>;

/// The parameters that the URLs of a kind of server accept.
pub(super) struct Dialect {
    parameters: &'static [&'static str],
    /// The name of the mode of TLS, and its aliases.
    mode: [&'static str; 2],
    /// The modes; only the last two verify the certificate.
    modes: [&'static str; 5],
    /// The name of the file of certificate authorities, and its aliases.
    ca: &'static [&'static str],
}

#[rustfmt::skip]
pub(super) const POSTGRES: Dialect = Dialect {
    parameters: &[
        "sslmode", "ssl-mode", "sslrootcert", "ssl-root-cert", "ssl-ca", "sslcert", "ssl-cert", "sslkey", "ssl-key",
        "host", "hostaddr", "port", "dbname", "user", "password", "application_name", "options",
        "statement-cache-capacity", "target_session_attrs",
    ],
    mode: ["sslmode", "ssl-mode"],
    modes: ["disable", "prefer", "require", "verify-ca", "verify-full"],
    ca: &["sslrootcert", "ssl-root-cert", "ssl-ca"],
};

#[rustfmt::skip]
pub(super) const MYSQL: Dialect = Dialect {
    parameters: &[
        "ssl-mode", "sslmode", "ssl-ca", "sslca", "ssl-cert", "sslcert", "ssl-key", "sslkey", "charset", "collation",
        "socket", "timezone", "time-zone", "statement-cache-capacity",
    ],
    mode: ["ssl-mode", "sslmode"],
    modes: ["disabled", "preferred", "required", "verify_ca", "verify_identity"],
    ca: &["ssl-ca", "sslca"],
};

const CERTIFICATE: &[&str] = &["sslcert", "ssl-cert"];
const KEY: &[&str] = &["sslkey", "ssl-key"];

impl Dialect {
    /// Rejects several hosts, unknown parameters, parameters without effect, unusable files, and passwords that are not
    /// encoded.
    pub(super) fn check(&self, url: &str) -> Result<(), Reason> {
        let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
        let end = after_scheme
            .find(['/', '?', '#'])
            .unwrap_or(after_scheme.len());
        let (authority, after_host) = after_scheme.split_at(end);
        let (before_fragment, fragment) = after_host.split_once('#').unwrap_or((after_host, ""));
        let (path, query) = before_fragment
            .split_once('?')
            .unwrap_or((before_fragment, ""));
        if path.contains('@') || fragment.contains('@') {
            return Err(PERCENT_ENCODING.into());
        }
        let given: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            form_urlencoded::parse(query.as_bytes()).collect();
        let is_known = |name: &str| self.parameters.contains(&name) || name.starts_with("options[");
        if let Some((name, _)) = given.iter().find(|(name, _)| !is_known(name)) {
            if after_host.contains('@') {
                return Err(PERCENT_ENCODING.into());
            }
            // After an unencoded `&` in a password, its rest is a name.
            let has_password = given.iter().any(|(name, _)| name == "password");
            let parameter = if has_password {
                "a parameter"
            } else {
                &format!("the parameter {name},")
            };
            let known = self.parameters.join(", ");
            return Err(format!("it has {parameter} which is none of {known}").into());
        }
        self.check_tls(&given)?;
        let (_, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        if hosts.contains(',') || url.contains("target_session_attrs=") {
            return Err(SEVERAL_HOSTS.into());
        }
        Ok(())
    }

    fn check_tls(&self, given: &[(Cow<'_, str>, Cow<'_, str>)]) -> Result<(), Reason> {
        let value = |names: &[&str]| {
            given
                .iter()
                .rev()
                .find(|(name, _)| names.contains(&&**name))
        };
        let mode = value(&self.mode).map(|(_, mode)| mode.to_ascii_lowercase());
        let [.., verifies, verifies_host] = self.modes;
        let name_of_mode = self.mode[0];
        if let Some(mode) = &mode
            && !self.modes.contains(&mode.as_str())
        {
            let modes = self.modes.join(", ");
            return Err(format!("{name_of_mode} must be one of {modes}").into());
        }
        if let Some((name, file)) = value(self.ca) {
            if !mode.is_some_and(|mode| [verifies, verifies_host].contains(&mode.as_str())) {
                let needed = format!("{name_of_mode}={verifies_host} or {name_of_mode}={verifies}");
                return Err(format!("{name} is looked at only with {needed}").into());
            }
            check_pem_file(name, file, "CERTIFICATE")?;
        }
        match (value(CERTIFICATE), value(KEY)) {
            (Some((name, file)), Some((key_name, key))) => {
                check_pem_file(name, file, "CERTIFICATE")?;
                check_pem_file(key_name, key, "PRIVATE KEY")
            }
            (None, None) => Ok(()),
            (Some((name, _)), None) => Err(format!("{name} needs {}", KEY[0]).into()),
            (None, Some((name, _))) => Err(format!("{name} needs {}", CERTIFICATE[0]).into()),
        }
    }
}

fn check_pem_file(name: &str, file: &str, content: &str) -> Result<(), Reason> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("cannot read {file} of {name}: {error}"))?;
    if text.contains(&format!("{content}-----")) {
        Ok(())
    } else {
        Err(format!("{file} of {name} holds no {content} in PEM").into())
    }
}
