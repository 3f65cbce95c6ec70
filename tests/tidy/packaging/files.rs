//! The files of `deploy/`: their variables are settings with valid values, and their ports, paths
//! and timeouts are consistent.

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use clap::CommandFactory;
use vehicle_catalogue::cli::CommandLine;

type Variables = BTreeMap<String, String>;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(name);
    fs::read_to_string(path).unwrap()
}

/// The settings in lines such as `NAME=value`, `NAME: value`, or `- name: NAME` before a line
/// `value: …`.
fn variables(text: &str) -> Variables {
    let mut found = Variables::new();
    let mut named = None;
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("- name: ") {
            named = is_setting(name).then(|| name.to_owned());
            continue;
        }
        let line = line
            .trim_start_matches("ENV ")
            .trim_start_matches("Environment=");
        let line = line.trim_end_matches('\\').trim_end();
        if let (Some(name), Some(value)) = (&named, line.strip_prefix("value: ")) {
            found.insert(name.clone(), value.trim_matches('"').to_owned());
        } else if let Some((name, value)) = line.split_once(['=', ':'])
            && is_setting(name)
        {
            found.insert(name.to_owned(), value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

fn is_setting(name: &str) -> bool {
    name.starts_with("CATALOGUE_") || name == "DATABASE_URL"
}

/// The number after a key, such as that of `periodSeconds: 5`.
fn number(text: &str, key: &str) -> u64 {
    let at = text.find(key).unwrap_or_else(|| panic!("{key} in {text}"));
    let digits = text[at + key.len()..].trim_start_matches([':', '=', ' ', '"']);
    let end = digits.find(|letter: char| !letter.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().unwrap()
}

/// The value of a setting with these variables.
fn setting(variables: &Variables, name: &str) -> u64 {
    let definition = CommandLine::command();
    let argument = definition
        .get_arguments()
        .find(|argument| argument.get_env().and_then(std::ffi::OsStr::to_str) == Some(name));
    let default = argument.unwrap().get_default_values()[0].to_str().unwrap();
    let value = variables.get(name).map_or(default, String::as_str);
    value.parse().unwrap()
}

/// The maximum duration of a graceful shutdown in seconds, with a margin for the last log lines.
fn shutdown_seconds(variables: &Variables) -> u64 {
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
fn their_variables_are_settings_with_valid_values() {
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
        // Systemd provides the file, and compose the password.
        variables.remove("CATALOGUE_CONFIG");
        if let Some(url) = variables.get_mut("DATABASE_URL") {
            *url = url.replace("${POSTGRES_PASSWORD:?set it}", "secret");
        }
        let output = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
            .env_clear()
            .envs(&image)
            .envs(&variables)
            .args(["config", "check"])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && stderr.is_empty(),
            "{name}: {stderr}"
        );
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
fn the_image_exposes_its_ports_and_runs_without_privileges() {
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
    // The timeout of the command expires before that of the container engine.
    let definition = CommandLine::command();
    let health = definition.find_subcommand("health").unwrap();
    let timeout = health
        .get_arguments()
        .find(|argument| argument.get_long() == Some("timeout-seconds"));
    let timeout = timeout.unwrap().get_default_values()[0].to_str().unwrap();
    assert!(number(&image, "--timeout") > timeout.parse().unwrap());
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let rust = manifest["workspace"]["package"]["rust-version"]
        .as_str()
        .unwrap();
    assert!(image.contains(&format!("FROM rust:{rust}-")), "{image}");
}

#[test]
fn grace_periods_exceed_the_duration_of_a_graceful_shutdown() {
    let image = variables(&text("Dockerfile"));
    for (name, key) in [
        ("compose.yaml", "stop_grace_period"),
        ("kubernetes.yaml", "terminationGracePeriodSeconds"),
        ("vehicle-catalogue.service", "TimeoutStopSec"),
    ] {
        let mut all = image.clone();
        all.extend(variables(&text(name)));
        let (needed, granted) = (shutdown_seconds(&all), number(&text(name), key));
        assert!(
            granted >= needed,
            "{name}: {granted} seconds, {needed} are needed"
        );
    }
}

#[test]
fn probes_request_the_right_paths_and_match_the_settings() {
    let manifest = text("kubernetes.yaml");
    let variables = variables(&manifest);
    let probe = |name: &str| {
        let start = manifest.find(name).unwrap() + name.len();
        let section = &manifest[start..];
        let end = section
            .find("Probe:")
            .or_else(|| section.find("resources:"))
            .unwrap();
        section[..end].to_owned()
    };
    let (ready, live) = (probe("readinessProbe:"), probe("livenessProbe:"));
    for (probe, path) in [(&ready, "/health/ready"), (&live, "/health/live")] {
        assert!(
            probe.contains(&format!("path: {path}\n")) && probe.contains("port: admin\n"),
            "{probe}"
        );
    }
    let seconds = |probe: &str| number(probe, "periodSeconds") * number(probe, "failureThreshold");
    let pause = setting(&variables, "CATALOGUE_DRAIN_PAUSE_SECONDS");
    assert!(pause >= seconds(&ready), "a pause of {pause} seconds");
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

/// `docs/operations.md`, "Allowed hosts", and `docs/databases.md`, "TLS".
#[test]
fn they_follow_the_documentation_of_networks() {
    let (compose, kubernetes) = (text("compose.yaml"), text("kubernetes.yaml"));
    for (name, manifest) in [("compose.yaml", &compose), ("kubernetes.yaml", &kubernetes)] {
        let hosts = &variables(manifest)["CATALOGUE_ALLOWED_HOSTS"];
        assert_ne!(hosts, "*", "{name}");
    }
    let url = &variables(&kubernetes)["DATABASE_URL"];
    assert!(url.ends_with("?sslmode=verify-full"), "{url}");
    let (_, policy) = kubernetes.split_once("kind: NetworkPolicy").unwrap();
    let (_, ingress) = policy.split_once("ingress:").unwrap();
    let rules: Vec<_> = ingress.split("\n    - ").skip(1).collect();
    let [clients, operators] = rules[..] else {
        panic!("{ingress}");
    };
    assert!(
        clients.contains("port: http") && !clients.contains("admin"),
        "{clients}"
    );
    assert!(
        operators.contains("from:") && operators.contains("port: admin"),
        "{operators}"
    );
}

/// The exit code 2 means wrong settings, which a restart does not correct.
#[test]
fn the_unit_does_not_restart_with_wrong_settings() {
    let unit = text("vehicle-catalogue.service");
    assert!(
        unit.contains("\nRestart=on-failure\n") && unit.contains("\nRestartPreventExitStatus=2\n")
    );
}

/// Validates the unit with systemd, where it is installed.
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
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&path)
        .output();
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => {
            assert!(
                !all_are_required(),
                "systemd-analyze cannot be run: {error}"
            );
            println!("systemd-analyze cannot be run: the unit was not verified");
            return;
        }
    };
    let stderr = String::from_utf8_lossy(&verified.stderr);
    let findings = stderr
        .lines()
        .filter(|line| line.contains("vehicle-catalogue"));
    assert_eq!(findings.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(verified.status.success(), "{}: {stderr}", verified.status);
}

/// Whether a missing prerequisite fails a test instead of skipping it.
#[allow(
    clippy::disallowed_methods,
    reason = "the settings of the tests are not those of the service"
)]
pub(crate) fn all_are_required() -> bool {
    env::var("TEST_REQUIRE_ALL").is_ok_and(|value| value == "1")
}
