//! The files of `deploy/ci/`: their syntax, and what they do in a repository of clients in TypeScript.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use saphyr::{LoadableYamlNode, Yaml};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/ci");
    fs::read_to_string(path.join(name)).unwrap()
}

fn documents(text: &str) -> Vec<Yaml<'_>> {
    Yaml::load_from_str(text).unwrap()
}

fn string<'y>(yaml: &'y Yaml, key: &str) -> &'y str {
    yaml[key].as_str().unwrap_or_else(|| panic!("{key}"))
}

/// The names in `inputs.NAME`.
fn used_inputs(text: &str) -> Vec<String> {
    let uses = text.split("inputs.").skip(1);
    let names = uses.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

fn defined_inputs(inputs: &Yaml) -> Vec<String> {
    let inputs = inputs.as_mapping().unwrap();
    let names = inputs.iter().map(|(name, input)| {
        assert!(!string(input, "description").is_empty());
        name.as_str().unwrap().to_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn assert_is_bash(script: &str) {
    let checked = Command::new("bash").args(["-n", "-c", script]).output();
    let checked = checked.unwrap();
    assert!(checked.status.success(), "{script}: {checked:?}");
}

#[test]
fn the_template_of_gitlab_is_valid() {
    let text = text("schema-review.gitlab-ci.yml");
    let documents = documents(&text);
    let [header, jobs] = &documents[..] else {
        panic!("{documents:?}");
    };
    assert_eq!(defined_inputs(&header["spec"]["inputs"]), used_inputs(&text));
    let job = &jobs["schema-review"];
    let script = job["script"].as_sequence().unwrap();
    for line in script {
        assert_is_bash(line.as_str().unwrap());
    }
    let reports = &job["artifacts"]["reports"];
    let files = reports["codequality"].as_sequence().unwrap().iter();
    for file in files.chain([&reports["junit"]]) {
        let file = file.as_str().unwrap();
        let writes = |line: &Yaml| line.as_str().unwrap().contains(&format!("> {file}"));
        assert!(script.iter().any(writes), "{file}");
    }
}

#[test]
fn the_action_of_github_is_valid() {
    let text = text("schema-review/action.yml");
    let action = &documents(&text)[0];
    assert_eq!(defined_inputs(&action["inputs"]), used_inputs(&text));
    assert_eq!(string(&action["runs"], "using"), "composite");
    for step in action["runs"]["steps"].as_sequence().unwrap() {
        assert_eq!(string(step, "shell"), "bash");
        let script = string(step, "run");
        assert_is_bash(script);
        // What a pull request contains is no part of a script.
        assert!(!script.contains("${{"), "{script}");
    }
    // It is at the root of the crates that it installs.
    let (_, path) = text.split_once("$GITHUB_ACTION_PATH/").unwrap();
    let path = path.split('"').next().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/ci/schema-review");
    assert!(folder.join(path).join("Cargo.toml").exists(), "{path}");
}

#[test]
fn the_action_installs_a_given_program() {
    let text = text("schema-review/action.yml");
    let step = &documents(&text)[0]["runs"]["steps"][0];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci/given");
    fs::create_dir_all(&folder).unwrap();
    let installed = Command::new("bash")
        .args(["--noprofile", "-eo", "pipefail", "-c", string(step, "run")])
        .env("BINARY", env!("CARGO_BIN_EXE_schema-review"))
        .env("RUNNER_TEMP", &folder)
        .env("GITHUB_PATH", folder.join("path"))
        .output();
    let installed = installed.unwrap();
    assert!(installed.status.success(), "{installed:?}");
    let paths = fs::read_to_string(folder.join("path")).unwrap();
    let program = Path::new(paths.lines().next().unwrap()).join("schema-review");
    assert!(Command::new(program).arg("--version").status().unwrap().success());
}

/// A repository with a client, whose branch removes a field.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ci").join(name);
        let _ = fs::remove_dir_all(&folder);
        let repository = Self(folder);
        repository.write(
            "main/clients/book.ts",
            "import { gql } from \"@apollo/client\";\n\nexport const BOOK = gql`\n  query Book {\n    book { title }\n  }\n`;\n",
        );
        let schema = "\"The queries.\"\ntype Query {\n  \"A book.\"\n  book: Book\n  Old_Finding: Int\n}\n\n\"A book.\"\ntype Book {\n  \"Its title.\"\n  title: String\n  \"Its pages.\"\n  pages: Int\n}\n";
        repository.write("main/schema.graphql", schema);
        let main = repository.0.join("main");
        Self::git(&main, &["init", "--quiet", "--initial-branch=main"]);
        Self::git(&main, &["add", "."]);
        Self::git(&main, &["commit", "--quiet", "--message=main"]);
        Self::git(&repository.0, &["clone", "--quiet", "main", "branch"]);
        let without = schema.replace("  \"Its title.\"\n  title: String\n", "");
        repository.write("branch/schema.graphql", &without);
        repository
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(folder: &Path, arguments: &[&str]) {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
        let git = Command::new("git").current_dir(folder).args(identity).args(arguments).output();
        let git = git.unwrap();
        assert!(git.status.success(), "{git:?}");
    }

    /// Runs the step of the action with a command `gh` that writes its arguments into a file and lists `comments`.
    fn run_action(&self, comments: &str) -> Output {
        let text = text("schema-review/action.yml");
        let action = &documents(&text)[0];
        let step = &action["runs"]["steps"][1];
        let gh = self.0.join("programs/gh");
        self.write("programs/gh", "#!/usr/bin/env bash\nprintf '%s ' \"$@\" >> \"$CALLS\"\necho >> \"$CALLS\"\n[[ $* != *--paginate* ]] || printf '%s' \"$COMMENTS\"\n");
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
        let program = Path::new(env!("CARGO_BIN_EXE_schema-review"));
        #[allow(clippy::disallowed_methods, reason = "the programs of the test are found there")]
        let path = env::var("PATH").unwrap();
        let programs = [gh.parent().unwrap(), program.parent().unwrap()].map(Path::display);
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", string(step, "run")])
            .current_dir(self.0.join("branch"))
            .env("PATH", format!("{}:{}:{path}", programs[0], programs[1]))
            .env("CALLS", self.0.join("calls"))
            .env("COMMENTS", comments)
            .env("RUNNER_TEMP", &self.0)
            .env("GITHUB_STEP_SUMMARY", self.0.join("summary.md"))
            .env("GITHUB_REPOSITORY", "shop/shop");
        for (name, _) in step["env"].as_mapping().unwrap() {
            let value = match name.as_str().unwrap() {
                "SCHEMA" => "schema.graphql",
                "OPERATIONS" => "clients\n",
                "LINT" | "COMMENT" => "true",
                "TARGET" => "main",
                "PULL_REQUEST" => "7",
                "OLD" | "GH_TOKEN" => "",
                other => panic!("{other}"),
            };
            bash.env(name.as_str().unwrap(), value);
        }
        bash.output().unwrap()
    }
}

#[test]
fn the_action_annotates_the_lines_and_writes_one_comment() {
    let repository = Repository::new("github");
    let output = repository.run_action("");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let annotations: Vec<_> = stdout.lines().collect();
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert_eq!(annotations.len(), 2, "{stdout}");
    assert!(
        annotations[0]
            .starts_with("::error file=clients/book.ts,line=5,col=12,title=OPERATION::query Book stops working: ")
    );
    assert!(annotations[1].starts_with(
        "::error file=schema.graphql,line=9,col=6,title=FIELD_REMOVED::field 'Book.title' was removed%0A"
    ));
    let report = fs::read_to_string(repository.0.join("schema-review.md")).unwrap();
    assert!(report.starts_with("<!-- schema-review -->\n### Contract: 1 breaking"), "{report}");
    let summary = fs::read_to_string(repository.0.join("summary.md")).unwrap();
    assert!(summary.ends_with(&report), "{summary}");
    repository.run_action("41\n42\n");
    let calls = fs::read_to_string(repository.0.join("calls")).unwrap();
    let written: Vec<_> = calls.lines().filter(|call| call.contains("--method")).collect();
    let [created, updated] = written[..] else {
        panic!("{calls}");
    };
    assert!(created.starts_with("api --silent --method POST repos/shop/shop/issues/7/comments --field body=@"));
    assert!(updated.starts_with("api --silent --method PATCH repos/shop/shop/issues/comments/41 --field body=@"));

    repository.write("branch/schema.graphql", "type Query { book: }");
    let output = repository.run_action("41\n");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let report = fs::read_to_string(repository.0.join("schema-review.md")).unwrap();
    assert!(report.contains("The log of the job has the reason."), "{report}");
}
