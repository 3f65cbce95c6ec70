//! The sources of contracts: files, git and running services.

use std::{fs, process::Command};

use serde_json::json;
use testkit::Program;

use super::commands::{review, run};
use super::schema::{CONTRACT, with_files};
use crate::support::{program, serve_in};

testkit::tests![
    the_contract_is_compared_with_the_main_branch,
    a_missing_source_is_an_error_with_advice_and_exit_code_2,
    a_shallow_clone_is_an_error_with_advice,
    an_invalid_contract_is_exit_code_2_with_every_location,
    a_running_service_is_a_source,
    an_introspection_response_can_be_in_a_revision,
    the_endpoint_is_beside_the_document,
];

fn git(catalogue: &Program, arguments: &[&str]) {
    let folder = catalogue.folder();
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let output = Command::new("git").current_dir(folder).args(identity).args(arguments).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with the contract on its main branch.
pub(super) fn repository() -> Program {
    let catalogue = with_files(&[("schema.graphql", CONTRACT)]);
    git(&catalogue, &["init", "--quiet", "--initial-branch=main"]);
    git(&catalogue, &["add", "schema.graphql"]);
    git(&catalogue, &["commit", "--quiet", "--message=The contract"]);
    git(&catalogue, &["switch", "--quiet", "--create", "change"]);
    catalogue
}

fn the_contract_is_compared_with_the_main_branch() {
    let catalogue = repository();
    assert_eq!(run(&catalogue, &["diff"]), ("no changes\n".to_owned(), String::new(), 0));
    let changed = CONTRACT.replacen("brandName: String", "brand: String", 1);
    fs::write(catalogue.path("schema.graphql"), changed).unwrap();
    let (report, _, code) = run(&catalogue, &["diff"]);
    assert_eq!(code, 1);
    assert!(report.contains("at git:") && report.contains(":schema.graphql:"), "{report}");
    assert_eq!(run(&catalogue, &["diff", "git:main", "git:HEAD"]).2, 0);
}

fn an_introspection_response_can_be_in_a_revision() {
    let catalogue = repository();
    let int = json!({ "kind": "SCALAR", "name": "Int" });
    let field = json!({ "name": "count", "args": [], "type": int });
    let query = json!({ "kind": "OBJECT", "name": "Query", "fields": [field] });
    let schema = json!({ "queryType": { "name": "Query" }, "types": [query], "directives": [] });
    let response = json!({ "data": { "__schema": schema } });
    fs::write(catalogue.path("schema.json"), response.to_string()).unwrap();
    git(&catalogue, &["add", "schema.json"]);
    git(&catalogue, &["commit", "--quiet", "--message=Introspection"]);
    assert_eq!(
        run(&catalogue, &["diff", "git:HEAD:schema.json", "schema.json"]),
        ("no changes\n".to_owned(), String::new(), 0)
    );
}

fn a_missing_source_is_an_error_with_advice_and_exit_code_2() {
    let catalogue = repository();
    for (arguments, expected) in [
        (&["diff", "git:nothing"][..], "unknown git revision \"nothing\"; fetch it"),
        (&["diff", "git:--help"], "unknown git revision \"--help\""),
        (&["diff", "git:main:nothing.graphql"], "revision \"main\" has no file \"nothing.graphql\""),
        (&["diff", "nothing.graphql"], "cannot read nothing.graphql; name another file"),
        (&["operations", "nothing", "--old=none"], "cannot read the documents in nothing: "),
        (&["operations", "schema.graphql"], "no operations found; name a folder, a .graphql file"),
    ] {
        let (stdout, errors, code) = run(&catalogue, arguments);
        assert_eq!((stdout.as_str(), code), ("", 2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    let outside = with_files(&[("schema.graphql", CONTRACT)]);
    let (_, errors, code) = run(&outside, &["diff"]);
    assert!(code == 2 && errors.contains("not a readable git repository"), "{errors}");
    assert!(errors.contains("name the old contract: diff OLD, or --old OLD"), "{errors}");
    let (_, errors, _) = review(&outside, outside.folder().to_str().unwrap(), &["diff"]);
    assert!(errors.contains("cannot run git; install it"), "{errors}");
}

fn a_shallow_clone_is_an_error_with_advice() {
    let origin = repository();
    for number in 1..4 {
        let text = format!("{CONTRACT}# {number}\n");
        fs::write(origin.path("schema.graphql"), text).unwrap();
        git(&origin, &["commit", "--quiet", "--all", "--message=More"]);
    }
    let clone = program();
    let url = format!("file://{}", origin.folder().display());
    git(&clone, &["clone", "--quiet", "--depth=1", "--branch=change", &url, "."]);
    let (_, errors, code) = run(&clone, &["diff"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("fetch-depth: 0"), "{errors}");
    git(&clone, &["fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main"]);
    let (_, errors, code) = run(&clone, &["diff"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("have no commit in common; this clone is shallow"), "{errors}");
}

fn an_invalid_contract_is_exit_code_2_with_every_location() {
    let wrong = "type Query { a: Vehicel }\ntype Vehicle { a: Nothing }";
    let nested = "[".repeat(128);
    let catalogue = with_files(&[("wrong.graphql", wrong), ("nested.json", &nested)]);
    let (_, errors, code) = run(&catalogue, &["hash", "nested.json"]);
    let expected = "error: nested.json:1:128: nested too deeply (limit 127)\n";
    assert_eq!((errors.as_str(), code), (expected, 2));
    let (stdout, errors, code) = run(&catalogue, &["hash", "wrong.graphql"]);
    assert_eq!((stdout.as_str(), code), ("", 2));
    assert!(errors.contains("wrong.graphql:1:17: ") && errors.contains("wrong.graphql:2:19: "), "{errors}");
    let format = run(&catalogue, &["lint", "--format", "xml"]);
    assert_eq!(format.2, 2);
    assert!(format.1.contains("[possible values: text, json, markdown, github, gitlab, sarif, junit]"), "{}", format.1);
}

fn a_running_service_is_a_source() {
    let running = serve_in(program(), &[]);
    let catalogue = with_files(&[("schema.graphql", CONTRACT)]);
    let url = format!("http://{}/graphql", running.addr);
    let (report, errors, code) = run(&catalogue, &["diff", &url]);
    assert_eq!((report.as_str(), code), ("no changes\n", 0), "{errors}");
    let running = serve_in(program(), &["--introspection=off"]);
    let url = format!("http://{}", running.addr);
    // The endpoint is beside the document.
    for path in ["", "/schema.graphql", "/graphql"] {
        let (_, errors, code) = run(&program(), &["hash", &format!("{url}{path}")]);
        assert_eq!(code, 2);
        let expected = format!("{url}/schema.graphql returned 404, and introspection at {url}/graphql failed");
        assert!(errors.contains(&expected), "{path}: {errors}");
    }
    let (_, errors, code) = run(&program(), &["hash", &url.replace("http:", "https:")]);
    assert!(
        code == 2
            && errors.contains(
                "no response over TLS; is the service running there, with a certificate of a known authority?"
            ),
        "{errors}"
    );
    drop(running);
    let (_, errors, code) = run(&program(), &["hash", &url]);
    assert!(code == 2 && errors.contains("no response; is the service running there?"), "{errors}");
}

fn the_endpoint_is_beside_the_document() {
    let running = serve_in(program(), &["--introspection=off"]);
    let addr = running.addr;
    for path in ["prefix/schema.graphql", "prefix/graphql", "prefix/"] {
        let url = format!("http://{addr}/{path}");
        let (_, errors, code) = run(&program(), &["hash", &url]);
        let document = format!("http://{addr}/prefix/schema.graphql returned 404");
        let endpoint = format!("introspection at http://{addr}/prefix/graphql failed");
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(&document) && errors.contains(&endpoint), "{errors}");
    }
}
