//! What a database URL says about encryption, checked before anything is connected: a slip in it
//! would otherwise leave a connection open to everybody, without a word.

use std::borrow::Cow;
use std::error::Error;
use std::fs;

/// How a kind of server calls what is said about encryption.
pub(super) struct Dialect {
    /// Every parameter that its URLs may have.
    parameters: &'static [&'static str],
    /// The name of the mode, and others for it.
    mode: &'static [&'static str],
    /// The modes; only the last two look at the certificate.
    modes: &'static [&'static str],
    /// The name of the file with the certificates of who may sign the server's, and others for it.
    authority: &'static [&'static str],
}

pub(super) const POSTGRES: Dialect = Dialect {
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
    authority: &["sslrootcert", "ssl-root-cert", "ssl-ca"],
};

pub(super) const MYSQL: Dialect = Dialect {
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
    authority: &["ssl-ca", "sslca"],
};

const CERTIFICATE: &[&str] = &["sslcert", "ssl-cert"];
const KEY: &[&str] = &["sslkey", "ssl-key"];

type Reason = Box<dyn Error + Send + Sync>;

impl Dialect {
    /// Refuses what would not be understood, what would have no effect, and files that cannot be used.
    pub(super) fn check(&self, url: &str) -> Result<(), Reason> {
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let query = query.split_once('#').map_or(query, |(query, _)| query);
        let given: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            form_urlencoded::parse(query.as_bytes()).collect();
        for (name, _) in &given {
            let known = self.parameters.contains(&&**name);
            if !known && !name.starts_with("options[") {
                let known = self.parameters.join(", ");
                return Err(
                    format!("it has the parameter {name}, which is none of {known}").into(),
                );
            }
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
        if let Some((name, file)) = value(self.authority) {
            if !mode.is_some_and(|mode| [verifies, verifies_host].contains(&&mode.as_str())) {
                return Err(format!(
                    "{name} is looked at only with {}={verifies_host} or {}={verifies}",
                    self.mode[0], self.mode[0]
                )
                .into());
            }
            readable(name, file, "CERTIFICATE")?;
        }
        match (value(CERTIFICATE), value(KEY)) {
            (Some((name, file)), Some((key_name, key))) => {
                readable(name, file, "CERTIFICATE")?;
                readable(key_name, key, "PRIVATE KEY")
            }
            (None, None) => Ok(()),
            (Some((name, _)), None) => Err(format!("{name} needs {}", KEY[0]).into()),
            (None, Some((name, _))) => Err(format!("{name} needs {}", CERTIFICATE[0]).into()),
        }
    }
}

fn readable(name: &str, file: &str, content: &str) -> Result<(), Reason> {
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
    fn modes_of_each_server_are_taken() {
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
    fn a_mode_that_would_not_encrypt_is_not_taken_for_one_that_does() {
        let allow = reason(&POSTGRES, "sslmode=allow");
        assert_eq!(
            allow,
            "sslmode must be one of disable, prefer, require, verify-ca, verify-full"
        );
        let verify = reason(&MYSQL, "ssl-mode=verify-full");
        assert!(verify.contains("verify_identity"), "{verify}");
    }

    #[test]
    fn a_misspelled_parameter_is_refused() {
        for dialect in [POSTGRES, MYSQL] {
            let refused = reason(&dialect, "sslmod=require");
            assert!(
                refused.starts_with("it has the parameter sslmod, "),
                "{refused}"
            );
        }
    }

    #[test]
    fn an_authority_without_a_mode_that_looks_at_it_is_refused() {
        let postgres =
            "sslrootcert is looked at only with sslmode=verify-full or sslmode=verify-ca";
        for parameters in ["sslrootcert=/ca.pem", "sslrootcert=/ca.pem&sslmode=require"] {
            assert_eq!(reason(&POSTGRES, parameters), postgres);
        }
        assert!(reason(&MYSQL, "ssl-ca=/ca.pem").contains("ssl-mode=verify_identity"));
    }

    #[test]
    fn files_that_cannot_be_used_are_refused() {
        let folder = tempfile::tempdir().expect("a folder can be made");
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
