//! Parsing of request bodies and URLs, and the error messages.

use super::{from_body, from_parameters};

fn body_error(body: &[u8]) -> String {
    from_body(body).unwrap_err().to_string()
}

fn url_error(parameters: &[(&str, &str)]) -> String {
    let owned = parameters.iter();
    let owned = owned.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    from_parameters(owned).unwrap_err().to_string()
}

#[test]
fn reports_what_is_wrong_in_a_body() {
    let table: [(&[u8], &str); 22] = [
        (b"", "the request body is empty;"),
        (b" \n", "the request body is empty;"),
        (
            b"{\"query\":\"\xff\"}",
            "the request body is not UTF-8: byte 10 is wrong",
        ),
        (
            b"{\"query\":",
            "the request body cannot be read as JSON: EOF while parsing a value at line 1 column 9",
        ),
        (
            b"{\"query\":\"\\ud800\"}",
            "the request body cannot be read as JSON: ",
        ),
        (
            b"{\"query\":\"{a}\"} x",
            "the request body cannot be read as JSON: trailing characters",
        ),
        (
            b"{\"query\":\"{a}\",\"query\":\"{b}\"}",
            "the request body cannot be read as JSON: duplicate field `query`",
        ),
        (
            b"{\"variables\":{\"v\":1e400},\"query\":\"{a}\"}",
            "the request body cannot be read as JSON: number out of range",
        ),
        (
            b"{\"query\":18446744073709551616}",
            "`query` must be a string, not a number",
        ),
        (b"NONSENSE", "the request body cannot be read as JSON: "),
        (b"query={a}", "the request body cannot be read as JSON: "),
        (b"[{\"query\":\"{a}\"}]", "the request body is a list;"),
        (b"[", "the request body cannot be read as JSON: "),
        (b"\"{a}\"", "the request body must be a JSON object"),
        (b"null", "the request body must be a JSON object"),
        (b"{}", "`query` is missing;"),
        (b"{\"qeury\":\"{a}\"}", "`query` is missing;"),
        (b"{\"query\":null}", "`query` is missing;"),
        (b"{\"query\":{}}", "`query` must be a string, not an object"),
        (
            b"{\"query\":\"{a}\",\"operationName\":7}",
            "`operationName` must be a string, not a number",
        ),
        (
            b"{\"query\":\"{a}\",\"variables\":[7]}",
            "`variables` must be an object, not a list",
        ),
        (
            b"{\"query\":\"{a}\",\"extensions\":false}",
            "`extensions` must be an object, not a boolean",
        ),
    ];
    for (body, expected) in table {
        let message = body_error(body);
        assert!(
            message.starts_with(expected),
            "{}: {message}",
            body.escape_ascii()
        );
    }
}

#[test]
fn refuses_a_deeply_nested_body() {
    let body = format!(
        r#"{{"query":"{{a}}","variables":{{"v":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(body_error(body.as_bytes()).contains("recursion limit"));
}

#[test]
fn reports_what_is_wrong_in_a_url() {
    let table: [(&[(&str, &str)], &str); 4] = [
        (&[], "`query` is missing;"),
        (
            &[("query", "{a}"), ("query", "{a}")],
            "the URL parameter `query` is given more than once",
        ),
        (
            &[("query", "{a}"), ("variables", "{")],
            "the URL parameter `variables` cannot be read as JSON: EOF",
        ),
        (
            &[("query", "{a}"), ("extensions", "[]")],
            "`extensions` must be an object, not a list",
        ),
    ];
    for (parameters, expected) in table {
        let message = url_error(parameters);
        assert!(message.starts_with(expected), "{parameters:?}: {message}");
    }
}
