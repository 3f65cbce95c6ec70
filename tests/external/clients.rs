//! The programs of `docs/clients.md`, run against the service.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use testkit::{
    Running,
    npm::{Packages, succeeded},
};

use crate::support::{program, serve_in};

testkit::tests![the_documented_programs_in_typescript_run, the_documented_program_in_python_runs,];

/// More vehicles than a page has.
const VEHICLES: usize = 130;

/// Installs the packages of the programs; the error states why they are not available.
pub(crate) fn install() -> Result<(), String> {
    let python = Command::new("python3").arg("--version").output();
    python.map_err(|error| format!("Python cannot be started: {error}"))?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external/clients");
    Packages::install(&source, &folder()).map(drop)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients")
}

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/clients.md");
    fs::read_to_string(page).unwrap()
}

/// The programs by name: code blocks after a line that ends with their name in backticks.
pub(crate) fn programs() -> BTreeMap<String, String> {
    let page = page();
    let mut programs = BTreeMap::new();
    for (begin, _) in page.match_indices("`:\n\n```") {
        let (_, name) = page[..begin].rsplit_once('`').unwrap();
        let (_, code) = page[begin + 7..].split_once('\n').unwrap();
        let (code, _) = code.split_once("\n```\n").unwrap();
        programs.insert(name.to_owned(), format!("{code}\n"));
    }
    programs
}

/// A service with vehicles on two pages.
pub(crate) async fn service() -> Running {
    let running = serve_in(program(), &["--bulk-limit=200"]);
    let vehicles = vec![json!({ "type": "SUV", "modelCode": "EX30" }); VEHICLES];
    let query = "mutation ($vehicles: [NewVehicle!]!) { createVehicles(vehicles: $vehicles) { id } }";
    let body = json!({ "query": query, "variables": { "vehicles": vehicles } });
    let request = running.client.post(running.url("/graphql")).json(&body);
    let response = request.send().await.unwrap().text().await.unwrap();
    assert!(!response.contains("errors"), "{response}");
    running
}

/// Runs a command in a folder, and checks what each of the programs prints.
pub(crate) fn assert_runs(running: &Running, folder: &Path, command: &[&str]) {
    let output =
        Command::new(command[0]).current_dir(folder).args(&command[1..]).arg(running.url("/graphql")).output().unwrap();
    let output = succeeded(&command.join(" "), output).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("renamed XC60 II 2\nconflict {"), "{printed}");
    for part in ["currentVersion", "\nBAD_USER_INPUT [", "not_blank"] {
        assert!(printed.contains(part), "{printed}");
    }
    let listed = printed.lines().filter(|line| line.ends_with(" EX30"));
    assert_eq!(listed.count(), VEHICLES, "{printed}");
    assert!(printed.ends_with(" XC60 II\n"), "{printed}");
}

async fn the_documented_programs_in_typescript_run() {
    let page = page();
    let names = ["urql.ts", "apollo.ts"];
    for name in names {
        fs::write(folder().join(name), &programs()[name]).unwrap();
        let command = format!("npx tsx {name}");
        assert!(page.contains(&format!("\n{command} [URL]\n")), "{command}");
        let command: Vec<_> = command.split(' ').collect();
        assert_runs(&service().await, &folder(), &command);
    }
    // Editors report errors of types, which tsx ignores.
    let compiled = Command::new("npx")
        .current_dir(folder())
        .args(["tsc", "--noEmit", "--strict", "--target", "es2022"])
        .args(["--module", "nodenext", "--types", "node", "--skipLibCheck"])
        .args(names)
        .output()
        .unwrap();
    succeeded("tsc", compiled).unwrap();
}

async fn the_documented_program_in_python_runs() {
    let code = &programs()["catalogue.py"];
    fs::write(folder().join("catalogue.py"), code).unwrap();
    let running = service().await;
    assert_runs(&running, &folder(), &["python3", "catalogue.py"]);
}
