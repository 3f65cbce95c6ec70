//! The alert rules: each fires with the labels of a scrape, and links to a heading of `docs/troubleshooting.md`.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use tempfile::TempDir;

use super::files::all_are_required;

const UNIT_TESTS: &str = include_str!("alerts_test.yml");

fn repository(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The values after a key, one for each line that has it.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let lines = text.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix(key)).collect()
}

/// The anchors of the headings of a page in Markdown.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text
            .chars()
            .filter(|c| c.is_alphanumeric() || " -".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn each_alert_links_to_a_heading() {
    let alerts = repository("deploy/alerts.yml");
    let names = values(&alerts, "- alert: ");
    let links = values(&alerts, "runbook_url: docs/troubleshooting.md#");
    assert_eq!(names.len(), links.len());
    let anchors = anchors(&repository("docs/troubleshooting.md"));
    for link in links {
        assert!(anchors.contains(link), "{link} in {anchors:?}");
    }
}

#[test]
fn each_alert_has_a_unit_test() {
    for name in values(&repository("deploy/alerts.yml"), "- alert: ") {
        assert!(
            UNIT_TESTS.contains(&format!("alertname=\"{name}\"")),
            "{name}"
        );
    }
}

/// The label that the rules read is that of the pods.
#[test]
fn the_pods_have_the_label_of_the_rules() {
    let manifest = repository("deploy/kubernetes.yaml");
    assert!(manifest.contains("app.kubernetes.io/name: vehicle-catalogue\n      annotations:\n        prometheus.io/scrape"));
    let alerts = repository("deploy/alerts.yml");
    assert!(alerts.contains("app_kubernetes_io_name=\"vehicle-catalogue\""));
}

/// Evaluates the rules with Prometheus's promtool, where it is installed.
#[test]
fn the_alerts_fire_and_a_healthy_instance_raises_none() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("alerts.yml", &repository("deploy/alerts.yml"));
    write("alerts_test.yml", UNIT_TESTS);
    let promtool = Command::new("promtool")
        .current_dir(folder.path())
        .args(["test", "rules", "alerts_test.yml"])
        .output();
    match promtool {
        Ok(output) => {
            let printed = String::from_utf8_lossy(&output.stdout);
            let failures = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{printed}\n{failures}");
        }
        Err(error) => {
            assert!(!all_are_required(), "promtool cannot be run: {error}");
            println!("promtool cannot be run: the alert rules were not evaluated");
        }
    }
}
