//! The manual page and the completions: nothing of the command line is missing in them.

use std::{fs, process::Command};

use clap::CommandFactory;
use tempfile::TempDir;
use vehicle_catalogue::config::CommandLine;

/// What the program prints on stdout, without settings of the surrounding environment.
pub(crate) fn said(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vehicle-catalogue"))
        .env_clear()
        .env(
            "DATABASE_URL",
            "postgres://user:canary-5e1c@db.example/vehicles",
        )
        .args(arguments)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(!stdout.contains("canary-5e1c"), "{stdout}");
    stdout
}

/// The names of all flags, with their dashes.
fn flags() -> Vec<String> {
    let definition = CommandLine::command();
    let flags = definition.get_arguments().filter_map(clap::Arg::get_long);
    flags.map(|flag| format!("--{flag}")).collect()
}

#[test]
fn the_manual_page_has_every_flag_variable_and_command() {
    let page = said(&["man"]);
    // In roff a dash that is no hyphen is escaped.
    let plain = page.replace("\\-", "-");
    for flag in flags() {
        assert!(plain.contains(&flag), "{flag}");
    }
    let definition = CommandLine::command();
    for argument in definition.get_arguments() {
        let variable = argument.get_env().map(|name| name.to_str().unwrap());
        assert!(plain.contains(variable.unwrap_or("")), "{variable:?}");
    }
    for command in ["serve", "migrate down", "schema diff", "import", "man"] {
        let heading = format!(".SS \"vehicle-catalogue {command}\"");
        assert!(plain.contains(&heading), "{heading}");
    }
    assert!(plain.contains("Exit codes"), "{plain}");
    assert_eq!(
        plain.matches("--pool-size").count(),
        1,
        "settings stand once"
    );
}

#[test]
fn completions_have_every_flag_in_every_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell]);
        for flag in flags() {
            let flag = if shell == "fish" { &flag[2..] } else { &flag };
            assert!(script.contains(flag), "{shell}: {flag}");
        }
    }
}

/// What bash offers after these words, the last of which is being written.
fn completed(words: &[&str]) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("completions");
    fs::write(&script, said(&["completions", "bash"])).unwrap();
    let ask = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
               function=$(complete -p vehicle-catalogue); function=${function#*-F }; \
               ${function%% *} \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; \
               printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", ask, "bash"])
        .arg(script)
        .args(words)
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_flags() {
    assert_eq!(completed(&["vehicle-catalogue", "mig"]), ["migrate"]);
    assert_eq!(completed(&["vehicle-catalogue", "--pool"]), ["--pool-size"]);
    assert_eq!(completed(&["vehicle-catalogue", "schema", "di"]), ["diff"]);
}
