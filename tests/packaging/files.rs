//! The files of `operate/` that start the service: their variables are settings with values that the
//! program takes, and their ports, paths and patience fit each other.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use clap::CommandFactory;
use vehicle_catalogue::config::CommandLine;

type Variables = BTreeMap<String, String>;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("operate")
        .join(name);
    fs::read_to_string(path).unwrap()
}

/// The settings in a text of lines such as `NAME=value`, `NAME: value`, or `- name: NAME` before a
/// line `value: …`.
fn variables(text: &str) -> Variables {
    let mut found = Variables::new();
    let mut named = None;
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("- name: ") {
            named = is_ours(name).then(|| name.to_owned());
            continue;
        }
        let line = line
            .trim_start_matches("ENV ")
            .trim_start_matches("Environment=");
        let line = line.trim_end_matches('\\').trim_end();
        if let (Some(name), Some(value)) = (&named, line.strip_prefix("value: ")) {
            found.insert(name.clone(), value.trim_matches('"').to_owned());
        } else if let Some((name, value)) = line.split_once(['=', ':'])
            && is_ours(name)
        {
            found.insert(name.to_owned(), value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

fn is_ours(name: &str) -> bool {
    name.starts_with("CATALOGUE_") || name == "DATABASE_URL"
}

/// The number behind a word, such as that of `periodSeconds: 5`.
fn number(text: &str, word: &str) -> u64 {
    let at = text
        .find(word)
        .unwrap_or_else(|| panic!("{word} in {text}"));
    let digits = text[at + word.len()..].trim_start_matches([':', '=', ' ', '"']);
    let end = digits.find(|letter: char| !letter.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().unwrap()
}

/// A setting as these variables leave it.
fn setting(variables: &Variables, name: &str) -> u64 {
    let definition = CommandLine::command();
    let argument = definition
        .get_arguments()
        .find(|argument| argument.get_env().and_then(std::ffi::OsStr::to_str) == Some(name));
    let default = argument.unwrap().get_default_values()[0].to_str().unwrap();
    let value = variables.get(name).map_or(default, String::as_str);
    value.parse().unwrap()
}

/// How long a stop may take at most, in seconds, and some more for the last lines of the log.
fn stop(variables: &Variables) -> u64 {
    let seconds = [
        "CATALOGUE_DRAIN_PAUSE_SECONDS",
        "CATALOGUE_DRAIN_TIMEOUT_SECONDS",
        "CATALOGUE_DATABASE_TIMEOUT_SECONDS",
    ];
    let seconds: u64 = seconds.iter().map(|name| setting(variables, name)).sum();
    seconds + 5
}

/// The port in an address.
fn port(variables: &Variables, name: &str) -> u64 {
    number(&variables[name], "0.0.0.0")
}

#[test]
fn their_variables_are_settings_and_their_values_are_taken() {
    let image = variables(&text("Dockerfile"));
    for (name, at_least) in [
        ("Dockerfile", 5),
        ("compose.yaml", 3),
        ("kubernetes.yaml", 7),
        ("vehicle-catalogue.service", 2),
    ] {
        let mut variables = variables(&text(name));
        assert!(variables.len() >= at_least, "{name}: {variables:?}");
        let definition = CommandLine::command();
        for variable in variables.keys() {
            let mut settings = definition.get_arguments();
            let known = settings.any(|argument| {
                argument.get_env().and_then(std::ffi::OsStr::to_str) == Some(variable)
            });
            assert!(known, "{name}: no setting has the variable {variable}");
        }
        // Where the file comes from is known to systemd, and the password to compose.
        variables.remove("CATALOGUE_CONFIG");
        if let Some(url) = variables.get_mut("DATABASE_URL") {
            *url = url.replace("${POSTGRES_PASSWORD:?say which}", "secret");
        }
        let output = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
            .env_clear()
            .envs(&image)
            .envs(&variables)
            .args(["config", "check"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{name}: {said}");
        let effective = String::from_utf8(output.stdout).unwrap();
        for variable in variables.keys() {
            let origin = format!("# variable {variable}");
            assert!(
                effective.contains(&origin),
                "{name}: {origin} in {effective}"
            );
        }
    }
}

#[test]
fn the_image_exposes_the_ports_it_listens_on_and_runs_without_rights() {
    let image = text("Dockerfile");
    let variables = variables(&image);
    let main = port(&variables, "CATALOGUE_LISTEN");
    let admin = port(&variables, "CATALOGUE_ADMIN_LISTEN");
    assert!(
        image.contains(&format!("\nEXPOSE {main} {admin}\n")),
        "{image}"
    );
    assert!(image.contains("\nUSER 65532:65532\n"), "{image}");
    let program = "/usr/local/bin/vehicle-catalogue";
    assert!(
        image.contains(&format!("CMD [\"{program}\", \"health\"]")),
        "{image}"
    );
    assert!(
        image.contains(&format!("ENTRYPOINT [\"{program}\"]")),
        "{image}"
    );
    // The command gives up before the engine does.
    let definition = CommandLine::command();
    let health = definition.find_subcommand("health").unwrap();
    let patience = health
        .get_arguments()
        .find(|argument| argument.get_long() == Some("timeout-seconds"));
    let patience = patience.unwrap().get_default_values()[0].to_str().unwrap();
    assert!(number(&image, "--timeout") > patience.parse().unwrap());
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let rust = manifest["workspace"]["package"]["rust-version"]
        .as_str()
        .unwrap();
    assert!(image.contains(&format!("FROM rust:{rust}-")), "{image}");
}

#[test]
fn whoever_stops_the_service_has_more_patience_than_it_needs() {
    let image = variables(&text("Dockerfile"));
    for (name, word) in [
        ("compose.yaml", "stop_grace_period"),
        ("kubernetes.yaml", "terminationGracePeriodSeconds"),
        ("vehicle-catalogue.service", "TimeoutStopSec"),
    ] {
        let mut all = image.clone();
        all.extend(variables(&text(name)));
        let (needed, granted) = (stop(&all), number(&text(name), word));
        assert!(
            granted >= needed,
            "{name}: {granted} seconds, {needed} are needed"
        );
    }
}

#[test]
fn probes_ask_the_right_paths_and_fit_the_settings() {
    let manifest = text("kubernetes.yaml");
    let variables = variables(&manifest);
    let probe = |name: &str| {
        let from = manifest.find(name).unwrap();
        let rest = &manifest[from + name.len()..];
        let to = rest
            .find("Probe:")
            .or_else(|| rest.find("resources:"))
            .unwrap();
        rest[..to].to_owned()
    };
    let (startup, ready, live) = (
        probe("startupProbe:"),
        probe("readinessProbe:"),
        probe("livenessProbe:"),
    );
    for (probe, path) in [
        (&startup, "/health/live"),
        (&ready, "/health/ready"),
        (&live, "/health/live"),
    ] {
        assert!(
            probe.contains(&format!("path: {path}\n")) && probe.contains("port: admin\n"),
            "{probe}"
        );
    }
    let seconds = |probe: &str| number(probe, "periodSeconds") * number(probe, "failureThreshold");
    let pause = setting(&variables, "CATALOGUE_DRAIN_PAUSE_SECONDS");
    assert!(pause >= seconds(&ready), "a pause of {pause} seconds");
    let start = setting(&variables, "CATALOGUE_DATABASE_CONNECT_TIMEOUT_SECONDS")
        + setting(&variables, "CATALOGUE_MIGRATION_LOCK_TIMEOUT_SECONDS");
    assert!(seconds(&startup) >= start, "a start of {start} seconds");
    let readiness = setting(&variables, "CATALOGUE_READINESS_TIMEOUT_SECONDS");
    assert!(number(&ready, "timeoutSeconds") > readiness);
    let admin = port(&variables, "CATALOGUE_ADMIN_LISTEN");
    let main = port(&variables, "CATALOGUE_LISTEN");
    for (name, port) in [("http", main), ("admin", admin)] {
        let declared = format!("- name: {name}\n              containerPort: {port}\n");
        assert!(manifest.contains(&declared), "{declared}");
    }
    assert!(manifest.contains(&format!("prometheus.io/port: \"{admin}\"")));
}

/// The unit by the judgement of systemd, where it is installed.
#[test]
fn systemd_finds_nothing_wrong_in_the_unit() {
    let unit = text("vehicle-catalogue.service");
    let program = env!("CARGO_BIN_EXE_vehicle-catalogue");
    assert_eq!(unit.matches("/usr/local/bin/vehicle-catalogue ").count(), 2);
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("vehicle-catalogue.service");
    fs::write(
        &path,
        unit.replace("/usr/local/bin/vehicle-catalogue", program),
    )
    .unwrap();
    let judged = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&path)
        .output();
    let Ok(judged) = judged else {
        println!("systemd is not installed: the unit was not judged");
        return;
    };
    let said = String::from_utf8_lossy(&judged.stderr);
    let ours = said
        .lines()
        .filter(|line| line.contains("vehicle-catalogue"));
    assert_eq!(ours.collect::<Vec<_>>(), Vec::<&str>::new());
}
