//! Parts of messages.

use std::error::Error;

const MASK: &str = "********";

/// An error and its causes, in one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some errors contain the message of their cause.
        if !line.ends_with(&text) {
            line = format!("{line}: {text}");
        }
        cause = error.source();
    }
    line
}

/// A text without the password and the query of a URL.
pub(crate) fn masked_url(text: &str) -> String {
    let without_query = |text: &str| text.split('?').next().unwrap_or_default().to_owned();
    let Some((user, host)) = text.rsplit_once('@') else {
        return without_query(text);
    };
    let scheme = user
        .split_once("://")
        .map(|(scheme, _)| format!("{scheme}://"));
    format!(
        "{}{MASK}@{}",
        scheme.unwrap_or_default(),
        without_query(host)
    )
}

#[cfg(test)]
mod tests {
    use super::masked_url;

    #[test]
    fn a_url_is_shown_without_its_user_its_password_and_its_query() {
        for (url, shown) in [
            (
                "postgres://u:p@host:5432/db?sslkey=s",
                "postgres://********@host:5432/db",
            ),
            ("mysql://u:p@ss?w@host/db", "mysql://********@host/db"),
            ("http://host/path?token=t", "http://host/path"),
            ("u:p@host/db", "********@host/db"),
            ("sqlite:catalogue.db", "sqlite:catalogue.db"),
        ] {
            assert_eq!(masked_url(url), shown);
        }
    }
}
