//! The transcripts of `docs/examples.md`. `UPDATE_EXPECT=1` rewrites the responses.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use testkit::variable;

use crate::support::{Backend, Response, TestApp, tests};

tests![the_documented_responses_are_those_of_the_service];

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples.md");

async fn the_documented_responses_are_those_of_the_service(app: TestApp) {
    let is_update = variable("UPDATE_EXPECT").is_some();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut parts = page.split("```sh\n");
    let mut updated = parts.next().unwrap().to_owned();
    let mut transcripts = 0;
    for part in parts {
        let (command, rest) = part.split_once("```\n```json\n").unwrap();
        let (documented, rest) = rest.split_once("\n```\n").unwrap();
        let response = send(&app, command).await;
        if !is_update {
            let documented: Value = serde_json::from_str(documented).unwrap();
            assert_eq!(response.json(), documented, "{command}");
        }
        let response = response.text();
        write!(updated, "```sh\n{command}```\n```json\n{response}\n```\n{rest}").unwrap();
        transcripts += 1;
    }
    assert!(transcripts > 20, "{transcripts}");
    if is_update && app.backend == Backend::Sqlite {
        fs::write(PAGE, updated).unwrap();
    }
}

/// Sends the request of a curl command.
async fn send(app: &TestApp, command: &str) -> Response {
    let (headers, body) = command.split_once("-d '").unwrap();
    let (body, _) = body.rsplit_once('\'').unwrap();
    let mut request = app.post_request(body);
    if let Some((_, key)) = headers.split_once("Idempotency-Key: ") {
        let (key, _) = key.split_once('\'').unwrap();
        request = request.header("idempotency-key", key);
    }
    app.send(command, request).await
}
