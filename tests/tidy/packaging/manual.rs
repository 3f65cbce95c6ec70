//! The manual page and the completions are complete.

use std::{fs, process::Command};

use clap::CommandFactory;
use tempfile::TempDir;
use vehicle_catalogue::cli::CommandLine;

/// The stdout of the program, without settings of the surrounding environment.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let url = "postgres://user:canary-5e1c@db.example/vehicles";
    let program = testkit::program!("vehicle-catalogue").with_variable("DATABASE_URL", url);
    let output = program.run(arguments);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert!(!output.stdout.contains("canary-5e1c"), "{output:?}");
    output.stdout
}

/// The names of all flags, with their dashes.
fn flags() -> Vec<String> {
    let definition = CommandLine::command();
    let flags = definition.get_arguments().filter_map(clap::Arg::get_long);
    flags.map(|flag| format!("--{flag}")).collect()
}

#[test]
fn the_manual_page_has_every_flag_variable_and_command() {
    let page = stdout(&["man"]);
    // Roff escapes dashes that are not hyphens.
    let plain = page.replace("\\-", "-");
    for flag in flags() {
        assert!(plain.contains(&flag), "{flag}");
    }
    let definition = CommandLine::command();
    for argument in definition.get_arguments() {
        let variable = argument.get_env().map(|name| name.to_str().unwrap());
        assert!(plain.contains(variable.unwrap_or("")), "{variable:?}");
    }
    for command in ["serve", "migrate down", "schema check", "import", "man"] {
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
        let script = stdout(&["completions", shell]);
        for flag in flags() {
            let flag = if shell == "fish" { &flag[2..] } else { &flag };
            assert!(script.contains(flag), "{shell}: {flag}");
        }
    }
}

/// The completions of bash after these arguments, the last of which is incomplete.
fn completions(words: &[&str]) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("completions");
    fs::write(&script, stdout(&["completions", "bash"])).unwrap();
    let complete = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
               function=$(complete -p vehicle-catalogue); function=${function#*-F }; \
               ${function%% *} \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; \
               printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", complete, "bash"])
        .arg(script)
        .args(words)
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_flags() {
    assert_eq!(completions(&["vehicle-catalogue", "mig"]), ["migrate"]);
    assert_eq!(
        completions(&["vehicle-catalogue", "--pool"]),
        ["--pool-size"]
    );
    assert_eq!(
        completions(&["vehicle-catalogue", "schema", "ch"]),
        ["check"]
    );
}
