//! Errors quote at most 64 characters of any input.

use serde_json::{Value, json};

use crate::support::{Response, TestApp, tests};

tests![errors_quote_at_most_64_characters_of_a_request, errors_escape_characters_that_are_not_printable,];

/// The letter that all inputs consist of; no message contains it otherwise.
const LETTER: char = 'Z';

/// Asserts that every error is short; a message quotes at most `max_quotes` inputs.
#[track_caller]
fn assert_truncated(response: &Response, max_quotes: usize) {
    for error in response.errors() {
        let message = error["message"].as_str().unwrap_or_default();
        let letters = message.matches(LETTER).count();
        assert!(letters <= 64 * max_quotes, "{letters} letters: {response}");
        let extensions = error["extensions"].to_string();
        assert!(extensions.matches(LETTER).count() <= 64, "{response}");
        assert!(message.len() < 400, "{response}");
    }
}

/// The messages about documents and values are tested in `async-graphql-strict`.
async fn errors_quote_at_most_64_characters_of_a_request(app: TestApp) {
    let long = LETTER.to_string().repeat(900_000);
    let name = &long[..1500];
    // Contains spaces and the separators at which messages are truncated.
    let phrases = format!("{LETTER} to type `, got \": ' ").repeat(300);
    for (max_quotes, document) in [
        (1, name.to_owned()),
        (2, format!("{{ ...{name} }} fragment {name} on {name} {{ __typename }}")),
        (2, format!("query (${name}: [[{name}]]) {{ vehicle(id: ${name}) {{ id }} }}")),
        (1, format!("{{ vehicle {phrases:?} }}")),
        (1, format!("{{ vehicles(count: \"{name}\") {{ id }} }}")),
        (1, format!("query (${name}: Int!) {{ vehicles(count: ${name}) {{ id }} }}")),
        (2, format!("{{ vehicle({name}: 1) {{ id }} }}")),
        (1, format!("{{ vehicle(id: \"{name}")),
        (1, format!("type {name}")),
        (1, format!("query \"\"\"{phrases}\"\"\"")),
    ] {
        assert_truncated(&app.query(&document, json!({})).await, max_quotes);
    }
    let count = "query ($a: Int) { vehicles(count: $a) { id } }";
    for body in [
        json!({ "query": "{ __typename }", "operationName": phrases }),
        json!({ "query": count, "variables": { "a": { &phrases: [long] } } }),
        json!({ "query": "{ __typename }", "documentId": phrases }),
        json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": long } } }),
        json!({ "documentId": phrases }),
        json!({ "query": [long] }),
        json!({ &long: 1 }),
    ] {
        assert_truncated(&app.post(body.to_string()).await, 1);
    }
    assert_truncated(&app.post(&*long).await, 1);
    for parameters in [
        &[("query", "{ __typename }"), ("operationName", name)][..],
        &[("query", "{ __typename }"), ("variables", name)],
        &[("query", "{ __typename }"), ("extensions", name)],
        &[("documentId", name), ("documentId", name)],
        &[(name, "1")],
    ] {
        let response = app.send(&format!("{parameters:?}"), app.get_request(parameters)).await;
        assert_truncated(&response, 1);
    }
    let response = app.get(&format!("/{name}")).await;
    assert!(response.text().matches(LETTER).count() <= 64, "{response}");
}

async fn errors_escape_characters_that_are_not_printable(app: TestApp) {
    let text = "\u{1b}[31m\u{85}\u{202e}\u{2028}\u{7}";
    let escaped = r"\u{1b}[31m\u{85}\u{202e}\u{2028}\u{7}";
    // The value of a variable is quoted as JSON, which has escapes of its own.
    let json = r"\u001b[31m\u{85}\u{202e}\u{2028}\u0007";
    let named = |variables: Value| {
        let query = "query ($a: VehicleFilter, $b: Int) { vehiclesConnection(filter: $a, first: $b) { nodes { id } } }";
        json!({ "query": query, "variables": variables })
    };
    for (quoted, body) in [
        (json, named(json!({ "b": text }))),
        (json, named(json!({ "b": { text: 1 } }))),
        (escaped, named(json!({ "a": { text: 1 } }))),
        (json, named(json!({ "a": { "type": { text: text } } }))),
        (escaped, json!({ "query": "{ __typename }", "operationName": text })),
        (escaped, json!({ "documentId": text })),
        (escaped, json!({ "query": format!("{{ vehicle(id: 1) \"{text}\" }}") })),
        (r"\u{1b}", json!({ "query": format!("{{ vehicle(id: {text}) }}") })),
    ] {
        let response = app.post(body.to_string()).await;
        let message = response.error()["message"].take();
        let message = message.as_str().expect("it is text");
        let is_printable = |character: char| !text.contains(character) || character.is_ascii_graphic();
        assert!(message.chars().all(is_printable), "{message:?}");
        assert!(message.contains(quoted), "{message}");
    }
}
