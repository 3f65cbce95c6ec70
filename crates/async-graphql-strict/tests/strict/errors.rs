//! The errors of resolvers, and what resolvers report.

use async_graphql_strict::{ErrorCode, ErrorDetails, Settings};
use serde_json::json;

use crate::support::{answer, strict};

#[tokio::test]
async fn only_errors_with_a_code_are_published() {
    let strict = strict(Settings::default());
    for (how, message, code, has_reference) in [
        ("internally", "later", "SERVICE_UNAVAILABLE", true),
        ("with a code", "a\\u{1b}b", "SOLD_OUT", false),
        ("by conversion", "internal error", "INTERNAL_SERVER_ERROR", true),
        ("in any way", "internal error", "INTERNAL_SERVER_ERROR", true),
    ] {
        let query = format!("{{ fails(how: \"{how}\") int(v: 1) }}");
        let answer = answer(&strict, query.as_str()).await;
        let error = &answer["errors"][0];
        assert_eq!(error["message"], message, "{answer}");
        assert_eq!(error["extensions"]["code"], code, "{answer}");
        assert_eq!(error["path"], json!(["fails"]), "{answer}");
        assert_eq!(error["extensions"]["reference"].is_string(), has_reference, "{answer}");
        assert_eq!(answer["data"], json!({ "fails": null, "int": 1 }));
        assert!(!answer.to_string().contains("123"), "{answer}");
    }
}

#[tokio::test]
async fn the_cause_of_an_error_is_for_the_log() {
    let strict = strict(Settings::default());
    for (how, code) in
        [("internally", ErrorCode::ServiceUnavailable), ("by conversion", ErrorCode::InternalServerError)]
    {
        let query = format!("{{ fails(how: \"{how}\") }}");
        let response = strict.prepare(query.as_str()).map(|prepared| strict.execute(prepared));
        let response = response.expect("it is valid").await.expect("it is small");
        let details = ErrorDetails::of(&response.errors[0]).expect("each error has some");
        let cause = details.cause.as_ref().expect("there is one");
        assert_eq!((details.code, cause.chain.as_str()), (code, "the password is 123"));
    }
}

#[tokio::test]
async fn truncated_lists_are_reported_in_the_order_of_the_response() {
    let query = "{ b: books { id } a: books(count: 1) { id } c: books { id } first: positions x: positions }";
    let answer = answer(&strict(Settings::default()), query).await;
    let entry = |key: &str| json!({ "path": [key], "returned": 2, "limit": 2 });
    assert_eq!(answer["extensions"], json!({ "truncated": [entry("b"), entry("c")] }));
    assert_eq!(answer["data"]["first"], 0);
    assert_eq!(answer["data"]["x"], 1);
}
