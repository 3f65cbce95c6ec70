//! Validates the TLS parameters of a database URL before connecting: a mistake in them would otherwise
//! silently disable encryption.

use std::borrow::Cow;
use std::error::Error;
use std::fs;

/// The TLS parameters of a kind of server.
pub(crate) struct Dialect {
    /// All parameters that its URLs accept.
    parameters: &'static [&'static str],
    /// The name of the mode parameter, and its aliases.
    mode: &'static [&'static str],
    /// The modes; only the last two verify the certificate.
    modes: &'static [&'static str],
    /// The name of the parameter of the CA file, and its aliases.
    ca: &'static [&'static str],
}

pub(crate) const POSTGRES: Dialect = Dialect {
    parameters: &[
        "sslmode",
        "ssl-mode",
        "sslrootcert",
        "ssl-root-cert",
        "ssl-ca",
        "sslcert",
        "ssl-cert",
        "sslkey",
        "ssl-key",
        "host",
        "hostaddr",
        "port",
        "dbname",
        "user",
        "password",
        "application_name",
        "options",
        "statement-cache-capacity",
        "target_session_attrs",
    ],
    mode: &["sslmode", "ssl-mode"],
    modes: &["disable", "prefer", "require", "verify-ca", "verify-full"],
    ca: &["sslrootcert", "ssl-root-cert", "ssl-ca"],
};

pub(crate) const MYSQL: Dialect = Dialect {
    parameters: &[
        "ssl-mode",
        "sslmode",
        "ssl-ca",
        "sslca",
        "ssl-cert",
        "sslcert",
        "ssl-key",
        "sslkey",
        "charset",
        "collation",
        "socket",
        "timezone",
        "time-zone",
        "statement-cache-capacity",
    ],
    mode: &["ssl-mode", "sslmode"],
    modes: &[
        "disabled",
        "preferred",
        "required",
        "verify_ca",
        "verify_identity",
    ],
    ca: &["ssl-ca", "sslca"],
};

const CERTIFICATE: &[&str] = &["sslcert", "ssl-cert"];
const KEY: &[&str] = &["sslkey", "ssl-key"];

/// The reason for a URL whose user or password ends at a delimiter, so that the rest of it is elsewhere in the URL.
const PERCENT_ENCODING: &str =
    "?, /, # and @ in a user name, a password or a database name must be percent-encoded";

type Reason = Box<dyn Error + Send + Sync>;

impl Dialect {
    /// Rejects unknown parameters, parameters without effect, unusable files, and passwords that are not encoded.
    pub(crate) fn check(&self, url: &str) -> Result<(), Reason> {
        let after_host = url.split_once("://").map_or(url, |(_, rest)| rest);
        let after_host =
            &after_host[after_host.find(['/', '?', '#']).unwrap_or(after_host.len())..];
        let (before_fragment, fragment) = after_host.split_once('#').unwrap_or((after_host, ""));
        let (path, query) = before_fragment
            .split_once('?')
            .unwrap_or((before_fragment, ""));
        if path.contains('@') || fragment.contains('@') {
            return Err(PERCENT_ENCODING.into());
        }
        let given: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            form_urlencoded::parse(query.as_bytes()).collect();
        let unknown = given
            .iter()
            .find(|(name, _)| !self.parameters.contains(&&**name) && !name.starts_with("options["));
        if let Some((name, _)) = unknown {
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
        let value = |names: &[&str]| {
            let mut given = given.iter().rev();
            given.find(|(name, _)| names.contains(&&**name))
        };
        let mode = value(self.mode).map(|(_, mode)| mode.to_ascii_lowercase());
        let [.., verifies, verifies_host] = self.modes else {
            unreachable!("every dialect has the two modes")
        };
        if let Some(mode) = &mode
            && !self.modes.contains(&mode.as_str())
        {
            let (name, modes) = (self.mode[0], self.modes.join(", "));
            return Err(format!("{name} must be one of {modes}").into());
        }
        if let Some((name, file)) = value(self.ca) {
            if !mode.is_some_and(|mode| [verifies, verifies_host].contains(&&mode.as_str())) {
                return Err(format!(
                    "{name} is looked at only with {}={verifies_host} or {}={verifies}",
                    self.mode[0], self.mode[0]
                )
                .into());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(dialect: &Dialect, parameters: &str) -> String {
        let checked = dialect.check(&format!("x://user:secret@h/db?{parameters}"));
        checked.expect_err(parameters).to_string()
    }

    #[test]
    fn accepts_the_modes_of_each_server() {
        for mode in ["disable", "prefer", "require", "verify-ca", "verify-full"] {
            assert!(POSTGRES.check(&format!("x://h/db?sslmode={mode}")).is_ok());
        }
        for mode in ["disabled", "REQUIRED", "verify_ca", "VERIFY_IDENTITY"] {
            assert!(MYSQL.check(&format!("x://h/db?ssl-mode={mode}")).is_ok());
        }
        assert!(POSTGRES.check("x://h/db").is_ok());
        assert!(POSTGRES.check("x://h/db?options[search_path]=a").is_ok());
    }

    #[test]
    fn rejects_a_mode_of_another_server() {
        let allow = reason(&POSTGRES, "sslmode=allow");
        assert_eq!(
            allow,
            "sslmode must be one of disable, prefer, require, verify-ca, verify-full"
        );
        let verify = reason(&MYSQL, "ssl-mode=verify-full");
        assert!(verify.contains("verify_identity"), "{verify}");
    }

    #[test]
    fn rejects_an_unknown_parameter() {
        for dialect in [POSTGRES, MYSQL] {
            let refused = reason(&dialect, "sslmod=require");
            assert!(
                refused.starts_with("it has the parameter sslmod, "),
                "{refused}"
            );
        }
    }

    #[test]
    fn rejects_a_ca_file_without_a_verifying_mode() {
        let postgres =
            "sslrootcert is looked at only with sslmode=verify-full or sslmode=verify-ca";
        for parameters in ["sslrootcert=/ca.pem", "sslrootcert=/ca.pem&sslmode=require"] {
            assert_eq!(reason(&POSTGRES, parameters), postgres);
        }
        assert!(reason(&MYSQL, "ssl-ca=/ca.pem").contains("ssl-mode=verify_identity"));
    }

    #[test]
    fn rejects_unusable_files() {
        let folder = tempfile::tempdir().expect("the folder can be created");
        let empty = folder.path().join("empty.pem");
        fs::write(&empty, "").expect("the folder takes files");
        let missing = reason(&POSTGRES, "sslmode=verify-full&sslrootcert=/no/such.pem");
        assert!(
            missing.starts_with("cannot read /no/such.pem of sslrootcert: "),
            "{missing}"
        );
        let parameters = format!("ssl-mode=verify_ca&ssl-ca={}", empty.display());
        let unusable = reason(&MYSQL, &parameters);
        assert!(
            unusable.ends_with("of ssl-ca holds no CERTIFICATE in PEM"),
            "{unusable}"
        );
        assert_eq!(reason(&POSTGRES, "sslcert=/a.pem"), "sslcert needs sslkey");
        assert_eq!(reason(&MYSQL, "ssl-key=/a.pem"), "ssl-key needs sslcert");
    }
}
