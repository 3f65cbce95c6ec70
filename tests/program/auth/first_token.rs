//! The commands of "A first token" in `docs/auth.md`.

use std::process::Command;

use serde_json::json;

use crate::support::{program, serve_in};

testkit::tests![the_documented_commands_make_a_token_that_is_accepted];

async fn the_documented_commands_make_a_token_that_is_accepted() {
    let page = include_str!("../../../docs/auth.md");
    let (_, section) = page.split_once("## A first token\n").unwrap();
    let (_, commands) = section.split_once("```sh\n").unwrap();
    let (commands, _) = commands.split_once("```").unwrap();
    assert_eq!(commands.lines().count(), 5, "{commands}");
    let program = program();
    let output = Command::new("sh")
        .current_dir(program.folder())
        .args(["-e", "-c", &format!("{commands}printf %s $TOKEN")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let token = String::from_utf8(output.stdout).unwrap();
    let flags =
        ["--auth-keys-file=keys.pem", "--auth-issuer=https://issuer.example", "--auth-audience=vehicle-catalogue"];
    let running = serve_in(program, &flags);
    let query = "mutation { createVehicle(type: \"SUV\", modelCode: \"XC60\") { id } }";
    let request = running.client.post(running.url("/graphql"));
    let request = request.bearer_auth(&token).json(&json!({ "query": query }));
    let response = request.send().await.unwrap().text().await.unwrap();
    assert_eq!(response, r#"{"data":{"createVehicle":{"id":"1"}}}"#);
}
