//! The public part of a URL, for messages, logs and listings.

use reqwest::Url;

/// Displayed in place of a secret.
const MASK: &str = "********";

/// A URL with its user, its password and the values of its query masked, and without its fragment. A
/// text that contains `@`, `?` or `#` otherwise than such a URL is masked as a whole; one without them
/// remains as it is.
pub(super) fn masked_url(text: &str) -> String {
    if !text.contains(['@', '?', '#']) {
        return text.to_owned();
    }
    // An `@` in the path can be the end of a password that contains `/`.
    let is_regular = |url: &Url| url.has_host() && !url.path().contains('@');
    let Some(mut url) = Url::parse(text).ok().filter(is_regular) else {
        return MASK.to_owned();
    };
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        let masked = url.set_username(MASK).and_then(|()| url.set_password(None));
        masked.expect("a URL with a user has a host");
    }
    if let Some(query) = url.query() {
        let masked: Vec<_> = query.split('&').map(masked_parameter).collect();
        url.set_query(Some(&masked.join("&")));
    }
    url.into()
}

fn masked_parameter(parameter: &str) -> String {
    match parameter.split_once('=') {
        Some((name, _)) => format!("{name}={MASK}"),
        None => MASK.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::masked_url;

    #[test]
    fn users_passwords_and_values_are_masked() {
        for (url, expected) in [
            ("http://a.example:8000/b", "http://a.example:8000/b"),
            ("http://u:canary@a.example/b", "http://********@a.example/b"),
            ("http://canary@a.example/", "http://********@a.example/"),
            ("http://:canary@a.example/", "http://********@a.example/"),
            ("http://u:can/ary@a.example/", "********"),
            ("http://u:1/canary@a.example/", "********"),
            ("http://u:ca@nary@a.example/", "http://********@a.example/"),
            (
                "https://a.example/v1?key=canary&b=canary#canary",
                "https://a.example/v1?key=********&b=********",
            ),
            ("https://a.example/?canary", "https://a.example/?********"),
            (
                "postgres://u:canary@a.example/b?c=canary",
                "postgres://********@a.example/b?c=********",
            ),
            ("http://u:canary@a.example:99999/", "********"),
            ("u:canary@a.example", "********"),
            ("/graphql?key=canary", "********"),
            ("bookshop:8000", "bookshop:8000"),
            ("HTTP://a.example:99999", "HTTP://a.example:99999"),
        ] {
            assert_eq!(masked_url(url), expected, "{url}");
        }
    }
}
