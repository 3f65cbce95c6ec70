//! The documentation: its links, and the page of settings.

use std::{collections::BTreeSet, fs, path::Path};

use clap::CommandFactory;
use vehicle_catalogue::commands::CommandLine;

use super::{files, repository_path};

/// The anchors of the headings of a page in Markdown.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let is_kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
        let kept: String = text.chars().filter(is_kept).collect();
        kept.replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// What is wrong with a link of a page, if anything is.
fn problem(page: &Path, link: &str) -> Option<String> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        file => page.parent()?.join(file),
    };
    if !target.exists() {
        return Some(format!("{}: {link} does not exist", page.display()));
    }
    if anchor.is_empty() {
        return None;
    }
    let text = fs::read_to_string(&target).expect("the target is a page");
    let is_there = anchors(&text).contains(anchor);
    (!is_there).then(|| format!("{}: {link} has no heading", page.display()))
}

#[test]
fn every_link_has_a_target() {
    let mut problems = Vec::new();
    for page in files(&repository_path("."), "md") {
        let text = fs::read_to_string(&page).expect("the file is UTF-8");
        for link in text.split("](").skip(1) {
            let link = link.split([')', ' ']).next().unwrap_or_default();
            if !link.contains(':') {
                problems.extend(problem(&page, link));
            }
        }
    }
    let alerts = fs::read_to_string(repository_path("deploy/alerts.yml")).expect("it is there");
    for link in alerts.split("runbook_url: ").skip(1) {
        let link = link.lines().next().unwrap_or_default();
        problems.extend(problem(&repository_path("README.md"), link));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_page_of_settings_has_every_flag_with_its_variable_and_default() {
    let page = fs::read_to_string(repository_path("docs/settings.md")).expect("it is there");
    let rows: BTreeSet<_> = page
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .map(|row| row.split(" | ").take(3).collect::<Vec<_>>().join(" | "))
        .collect();
    let command_line = CommandLine::command();
    let settings = command_line.get_arguments().filter_map(|argument| {
        let variable = argument.get_env()?.to_str()?;
        let flag = argument.get_long()?;
        let default = argument.get_default_values().first()?.to_str()?;
        Some(format!("| `--{flag}` | `{variable}` | `{default}`"))
    });
    assert_eq!(rows, settings.collect());
}

#[test]
fn the_files_of_deployments_set_variables_that_exist() {
    let command_line = CommandLine::command();
    let known: BTreeSet<_> = command_line.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
    for name in ["Dockerfile", "compose.yaml", "kubernetes.yaml", "vehicle-catalogue.service"] {
        let text = fs::read_to_string(repository_path("deploy").join(name)).expect("it is there");
        let is_part = |letter: char| !letter.is_ascii_uppercase() && letter != '_';
        for word in text.split(is_part) {
            let is_setting = word.starts_with("CATALOGUE_");
            assert!(!is_setting || known.contains(word), "{name}: {word}");
        }
    }
}
