//! The program `schema-review`: what it reads, what it prints, and its exit codes.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use serde_json::{Value, json};

/// What the program printed.
struct Printed {
    stdout: String,
    stderr: String,
    code: i32,
}

/// A folder with files, in which the program runs.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command_line").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn run(&self, arguments: &[&str]) -> Printed {
        let program = env!("CARGO_BIN_EXE_schema-review");
        let output = Command::new(program).current_dir(&self.0).args(arguments).output().unwrap();
        Printed {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }
}

const OLD: &str =
    "type Query { user: User }\ntype User { id: ID! name: String }\ntype Subscription { tick: Int tock: Int }\n";

fn without_name() -> String {
    OLD.replace(" name: String", "")
}

/// A name that is a workflow command, begins escape sequences and has a line break.
const HOSTILE: &str = "::error::a\u{1b}[2J\u{9b}1m\n::warning::##[error]\u{202e}b";

#[test]
fn names_of_files_are_escaped_in_every_report() {
    let (old, new, documents, usage) = (
        format!("{HOSTILE}old.graphql"),
        format!("{HOSTILE}new.graphql"),
        format!("{HOSTILE}.graphql"),
        format!("{HOSTILE}.json"),
    );
    let nested = format!("clients/{documents}");
    let folder = Folder::new(
        "hostile",
        &[
            (&old, OLD),
            (&new, &without_name()),
            ("schema.toml", "[lint.levels]\ndescribed = \"error\""),
            (&documents, "{ user { name } }"),
            (&nested, "{ user { name } } fragment Unused on User { id }"),
            (&usage, "{\"a\\u001b\\n::error::b\": 1}"),
            (&format!("{HOSTILE}wrong.graphql"), "type Query { a: Nothing gone: Int }"),
        ],
    );
    let wrong = format!("{HOSTILE}wrong.graphql");
    let missing = format!("{HOSTILE}missing.graphql");
    let policy = format!("--policy={missing}");
    let mut escaped = 0;
    for arguments in [
        &["lint", &old][..],
        &["lint", &wrong],
        &["hash", &missing],
        &["diff", &old, &new],
        &["diff", &old, &new, "--operations", "clients", "--operations", &documents],
        &["diff", &wrong, &new, "--allow-invalid-old"],
        &["lint", &old, &policy],
        &["operations", &documents, "clients", "--schema", &new, "--old", &old],
        &["operations", &missing, "--old", "none"],
        &["operations", &usage, "--old", "none", "--schema", &old],
        &["usage", &usage],
        &["usage", &missing],
    ] {
        for format in ["text", "json", "markdown"] {
            let with_format = [arguments, &["--format", format]].concat();
            let is_hash = arguments[0] == "hash";
            let printed = folder.run(if is_hash { arguments } else { &with_format });
            assert_ne!(printed.code, 0, "{arguments:?}");
            for output in [&printed.stdout, &printed.stderr] {
                let is_raw = |found: char| found != '\n' && (found.is_control() || found == '\u{202e}');
                assert!(!output.contains(is_raw), "{output:?}");
                assert!(!output.contains("##["), "{output}");
                for line in output.lines() {
                    assert!(!line.trim_start().starts_with("::"), "{output}");
                    escaped += usize::from(line.contains("\\u{3a}:error::"));
                }
            }
        }
    }
    assert!(escaped > 20, "the names are displayed: {escaped}");
    let operations = ["operations", &documents, "--old", "none", "--format", "json"];
    let printed = folder.run(&[&operations[..], &["--schema", &new]].concat());
    let json: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(json["broken"][0]["location"]["file"], *documents);
}

#[test]
fn a_password_in_a_url_is_not_printed() {
    let folder = Folder::new("url", &[("schema.graphql", OLD)]);
    let url = "http://canary:canary@service.example/graphql?token=canary";
    for arguments in [
        &["diff", url][..],
        &["hash", url],
        &["lint", url],
        &["lint", "schema.graphql", url],
        &["lint", "schema.graphql", "--baseline", url],
        &["hash", url, "--header=canary"],
        &["hash", url, "--header=canary\u{e9}: canary"],
        &["hash", url, "--header=A: canary${MISSING}"],
        &["hash", url, "--header=A: canary\ncanary"],
        &["hash", url, "--headers=A: canary"],
    ] {
        let printed = folder.run(arguments);
        assert_eq!(printed.code, 2);
        let names_it = printed.stderr.contains("service.example") || printed.stderr.contains("--header");
        assert!(names_it, "{}", printed.stderr);
        assert!(!printed.stderr.contains("canary"), "{}", printed.stderr);
    }
}

/// A server that responds to each request.
fn server<T: Into<Vec<u8>>>(respond: impl Fn(&str) -> T + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
            let is_complete = |request: &[u8]| {
                let text = String::from_utf8_lossy(request);
                let length = text.split_once("content-length: ");
                let length = length.and_then(|(_, rest)| rest.lines().next()?.parse().ok());
                let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
                body.is_some_and(|body| body >= length.unwrap_or(0))
            };
            while !is_complete(&request) {
                let count = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..count]);
            }
            let response = respond(&String::from_utf8(request).unwrap());
            stream.write_all(&response.into()).unwrap();
        }
    });
    addr
}

#[test]
fn a_url_is_read_with_headers_whose_values_are_in_the_environment() {
    let other = server(|request| {
        assert!(!request.contains("canary"), "{request}");
        String::new()
    });
    let addr = server(move |request| {
        let has_token = request.contains("authorization: Bearer canary\r\n") && request.contains("x-shop: one\r\n");
        let (status, header, body) = match (has_token, request.starts_with("GET /moved/")) {
            (true, true) => ("302 Found", format!("Location: http://{other}/schema.graphql\r\n"), ""),
            (true, false) => ("200 OK", String::new(), "type Query { user: Int }"),
            (false, _) => ("401 Unauthorized", String::new(), ""),
        };
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{header}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
    });
    let folder = Folder::new("headers", &[("a.graphql", "type Query { user: Int }")]);
    let run = |path: &str, headers: &[&str]| {
        let program = env!("CARGO_BIN_EXE_schema-review");
        let url = format!("http://{addr}/{path}");
        let output = Command::new(program)
            .current_dir(&folder.0)
            .env("TOKEN", "canary")
            .args(["diff", "a.graphql", &url])
            .args(headers)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let headers = ["--header", "Authorization: Bearer ${TOKEN}", "--header=X-Shop: one"];
    assert_eq!(run("graphql", &headers), ("no changes\n".to_owned(), String::new()));
    let (_, errors) = run("graphql", &headers[2..]);
    assert!(errors.contains("schema.graphql returned 401, and introspection at"), "{errors}");
    // Another host does not receive them.
    let (_, errors) = run("moved/graphql", &headers);
    assert!(errors.contains("schema.graphql returned 302"), "{errors}");
    assert!(!errors.contains("canary"), "{errors}");
}

/// The schema of a server, as it answers a query for all of it.
fn introspected() -> Value {
    let int = json!({ "kind": "SCALAR", "name": "Int", "specifiedByURL": null });
    let named = |kind: &str, name: &str| json!({ "kind": kind, "name": name });
    let input = |name, ty: &Value, is_deprecated| {
        let reason = if is_deprecated { json!("Old.") } else { Value::Null };
        json!({ "name": name, "type": ty, "defaultValue": null, "isDeprecated": is_deprecated, "deprecationReason": reason })
    };
    let arguments = [input("b", &named("INPUT_OBJECT", "Key"), false), input("c", &int, true)];
    let url = named("SCALAR", "Url");
    json!({ "data": { "__schema": {
        "description": "Described.",
        "queryType": { "name": "Query" },
        "directives": [{ "name": "d", "isRepeatable": true, "locations": ["FIELD"], "args": [] }],
        "types": [
            { "kind": "OBJECT", "name": "Query", "interfaces": [],
              "fields": [{ "name": "a", "args": arguments, "type": url, "isDeprecated": false }] },
            { "kind": "SCALAR", "name": "Url", "specifiedByURL": "https://url.example" },
            { "kind": "INPUT_OBJECT", "name": "Key", "isOneOf": true, "inputFields": [input("id", &int, false)] },
            int,
        ],
    } } })
}

/// The same without what a query does not ask for.
fn answer(query: &str, mut value: Value) -> Value {
    match &mut value {
        Value::Array(items) => {
            items.retain(|item| item["isDeprecated"] != true || query.contains("args(includeDeprecated: true)"));
            for item in items {
                *item = answer(query, item.take());
            }
        }
        Value::Object(members) => {
            let is_input = members.contains_key("defaultValue");
            members.retain(|name, _| match &**name {
                "isDeprecated" if is_input => query.contains("defaultValue\\n  isDeprecated"),
                "description" => query.contains("__schema {\\n    description"),
                "isOneOf" | "specifiedByURL" | "isRepeatable" => query.contains(name),
                _ => true,
            });
            members.values_mut().for_each(|member| *member = answer(query, member.take()));
        }
        _ => {}
    }
    value
}

/// What a server does not know, and its messages: those of graphql-js 14 and 15, one message at a time, and none that names it.
const LACKING: &[&[(&str, &str)]] = &[
    &[
        ("isOneOf", "Cannot query field \"isOneOf\" on type \"__Type\"."),
        ("specifiedByURL\\n", "Cannot query field \"specifiedByURL\" on type \"__Type\"."),
        ("specifiedByUrl", "Cannot query field \"specifiedByUrl\" on type \"__Type\"."),
        ("isRepeatable", "Cannot query field \"isRepeatable\" on type \"__Directive\"."),
        ("args(includeDeprecated", "Unknown argument \"includeDeprecated\" on field \"args\" of type \"__Field\"."),
        ("inputFields(includeDeprecated", "Unknown argument \"includeDeprecated\" on field \"inputFields\"."),
        ("defaultValue\\n  isDeprecated", "Cannot query field \"isDeprecated\" on type \"__InputValue\"."),
        ("__schema {\\n    description", "Cannot query field \"description\" on type \"__Schema\"."),
    ],
    &[
        ("isOneOf", "Cannot query field \"isOneOf\" on type \"__Type\"."),
        ("specifiedByURL\\n", "Cannot query field \"specifiedByURL\". Did you mean \"specifiedByUrl\"?"),
    ],
    &[("isOneOf", "Bad Request"), ("specifiedBy", "Bad Request"), ("defaultValue\\n  isDeprecated", "Bad Request")],
];

const STATED: &str = "\"Described.\" schema { query: Query } directive @d repeatable on FIELD
    type Query { a(b: Key, c: Int @deprecated(reason: \"Old.\")): Url } input Key @oneOf { id: Int }
    scalar Url @specifiedBy(url: \"https://url.example\")";

#[test]
fn a_server_is_asked_for_what_it_knows_and_what_it_does_not_state_is_not_compared() {
    let folder = Folder::new("older", &[("stated.graphql", STATED)]);
    for (lacking, one_by_one, documents) in [
        (LACKING[0], false, "200 OK\r\n\r\n{\"errors\": []}"),
        (LACKING[0], true, "200 OK\r\n\r\n"),
        (LACKING[1], false, "302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"),
        (LACKING[2], false, "200 OK\r\n\r\n<!DOCTYPE html><input name=\"a\">"),
    ] {
        let addr = server(move |request| {
            if request.starts_with("GET") {
                return format!("HTTP/1.1 {documents}").replacen("\r\n", "\r\nConnection: close\r\n", 1);
            }
            let unknown = lacking.iter().filter(|(part, _)| request.contains(part));
            let errors = unknown.map(|(_, message)| json!({ "message": message }));
            let errors: Vec<_> = errors.take(if one_by_one { 1 } else { 10 }).collect();
            let body = match &errors[..] {
                [] => answer(request, introspected()),
                errors => json!({ "errors": errors }),
            };
            format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{body}")
        });
        let url = format!("http://{addr}/graphql");
        for arguments in [["diff", &url, "stated.graphql"], ["diff", "stated.graphql", &url]] {
            let printed = folder.run(&arguments);
            assert_eq!(printed.stdout, "no changes\n", "{lacking:?}: {}", printed.stderr);
        }
    }
}

#[test]
fn a_response_that_is_not_utf_8_is_an_error() {
    let addr = server(|_| *b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ntype Query { a: Int } # \xff");
    let folder = Folder::new("encoding", &[("a.graphql", OLD)]);
    for command in [&["hash"][..], &["usage", "--schema=a.graphql"]] {
        let url = format!("http://{addr}/metrics");
        let printed = folder.run(&[command, &[&*url]].concat());
        assert_eq!(printed.code, 2);
        let error = "the response is not UTF-8; correct the URL, or name a file\n";
        assert!(printed.stderr.ends_with(error), "{}", printed.stderr);
    }
}

#[test]
fn imported_files_are_read() {
    let folder = Folder::new(
        "imports",
        &[
            ("schema.graphql", OLD),
            ("web/a.graphql", "#import \"../shared/parts.graphql\"\nquery A { user { ...Parts } }"),
            ("shared/parts.graphql", "# import Name from './name.graphqls'\nfragment Parts on User { ...Name }"),
            ("shared/name.graphqls", "fragment Name on User { name }"),
            ("b.graphql", "#import \"./missing.graphql\"\n{ user { ...Missing } }\nquery B { user { name } }"),
        ],
    );
    let printed = folder.run(&["operations", "web", "--old=none"]);
    assert_eq!(printed.stdout, "none of 1 operation stops working\n");
    let printed = folder.run(&["operations", "b.graphql", "--old=none"]);
    assert_eq!(
        (&*printed.stdout, printed.code),
        (
            "not checked: anonymous query (unknown fragment \"Missing\") at b.graphql:2:13\n\
             none of 1 operation stops working, 1 not checked\n",
            0
        )
    );
    let operations = ["operations", "b.graphql", "--old=none"];
    let (diff, of) = (["diff", "schema.graphql", "schema.graphql"], "--operations=b.graphql");
    for (policy, arguments) in [
        ("", &[&operations[..], &["--strict"]].concat()),
        ("", &[&diff[..], &[of, "--strict"]].concat()),
        ("[operations]\nstrict = true", &operations.to_vec()),
    ] {
        fs::write(folder.0.join("schema.toml"), policy).unwrap();
        let printed = folder.run(arguments);
        assert_eq!(printed.code, 1, "{arguments:?}");
        assert_eq!(
            printed.stderr,
            "error: not checked: 1, the first at b.graphql:2:13; correct them, --exclude their files, or omit --strict\n"
        );
    }
}

/// The layouts of repositories: patterns and excluded files, and the operations that are read.
#[test]
fn patterns_and_exclusions_choose_the_documents() {
    let query = |name: &str| format!("const a = gql`query {name} {{ user {{ id }} }}`");
    let names = [
        ("src/pages/a.tsx", "Page"),
        ("src/pages/a.spec.tsx", "Spec"),
        ("src/pages/a.stories.ts", "Story"),
        ("src/__tests__/b.ts", "Tests"),
        ("src/legacy/c.ts", "Legacy"),
        ("src/d.js", "Script"),
        ("packages/admin/src/e.ts", "Admin"),
        ("app/src/test/java/F.kt", "Kotlin"),
        ("tests/g.ts", "End"),
    ];
    let texts: Vec<(&str, String)> = names.iter().map(|(file, name)| (*file, query(name))).collect();
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (*file, &**text)).collect();
    files.push(("schema.graphql", "type Query { other: Int }"));
    let folder = Folder::new("layouts", &files);
    for (arguments, expected, omitted) in [
        (&["src"][..], "Legacy Page Script", 3),
        (&["src/**/*.{ts,tsx}"], "Legacy Page", 3),
        (&["**/*.ts"], "Admin Legacy", 3),
        (&["src", "--exclude=legacy"], "Page Script", 3),
        (&["src", "--exclude=**/*.{js,tsx}"], "Legacy", 2),
        (&["src", "--exclude", "src/{pages,__tests__}"], "Legacy Script", 0),
        (&["src", "--exclude=*.spec.*", "--include-tests"], "Legacy Page Script Story Tests", 0),
        (&["src/pages/a.spec.tsx", "packages"], "Admin Spec", 0),
        (&["tests", "app"], "End", 1),
    ] {
        let run = [&["operations", "--old=none", "--format=json"], arguments].concat();
        let json: Value = serde_json::from_str(&folder.run(&run).stdout).unwrap();
        let broken = json["broken"].as_array().unwrap().iter();
        let mut broken: Vec<&str> = broken.map(|one| one["name"].as_str().unwrap()).collect();
        broken.sort_unstable();
        assert_eq!(broken.join(" "), expected, "{arguments:?}");
        assert_eq!(json["omitted_tests"], omitted, "{arguments:?}");
    }
    for (arguments, expected) in [
        (["src", "--exclude=a[b"], "error: cannot read the documents in a[b: Pattern syntax error"),
        (["src/**/*.vue", "--strict"], "error: no file with documents matches src/**/*.vue\n"),
        (
            ["src/__tests__/../pages", "--exclude=a.tsx"],
            "error: no operations found, and 2 files of tests omitted (--include-tests reads them); ",
        ),
    ] {
        let printed = folder.run(&[&["operations", "--old=none"][..], &arguments].concat());
        assert_eq!(printed.code, 2, "{arguments:?}");
        assert!(printed.stderr.starts_with(expected), "{}", printed.stderr);
    }
    let printed = folder.run(&["operations", "--old=none", "src"]);
    assert!(
        printed.stdout.contains("\nnot checked: 3 files of tests and stories (--include-tests)\n"),
        "{}",
        printed.stdout
    );
}

fn git(folder: &Folder, arguments: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
    let mut git = Command::new("git");
    let git = git.current_dir(&folder.0).args(identity).args(arguments);
    let git = git.output().unwrap();
    assert!(git.status.success(), "{git:?}");
}

/// A folder that is a repository with one commit of these files.
fn repository(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(name, files);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message=main"]);
    folder
}

#[test]
fn folders_patterns_and_lists_of_files_are_one_schema() {
    let folder = repository(
        "files",
        &[
            ("one.graphql", OLD),
            ("schema/query.graphql", "type Query { user: User }\ntype User { id: ID! }"),
            ("schema/parts/user.graphqls", "extend type User { name: String }"),
            ("schema/parts/tick.gql", "type Subscription { tick: Int tock: Int }"),
            ("schema/query.ts", "gql`{`"),
            ("schema/.hidden.graphql", "type Query { hidden: Int }"),
            ("schema/node_modules/a/schema.graphql", "type Query { installed: Int }"),
            ("schema/parts/__generated__/schema.graphql", "type Query { generated: Int }"),
            ("empty/a.txt", ""),
        ],
    );
    for source in [
        "schema",
        "schema/**/*.g*",
        "schema/{query.graphql,parts/*.{graphqls,gql}}",
        "schema/query.graphql,schema/parts",
        "schema/*.graphql,schema/parts/user.graphqls,schema/parts/tick.gql",
        "git:main:schema",
        "git:main:schema/",
        "git:HEAD:schema/**/*.g*",
        "git:HEAD:schema/**/*.{graphql,graphqls,gql}",
        "git:main:schema/query.graphql,schema/parts/*",
    ] {
        let printed = folder.run(&["diff", "one.graphql", source]);
        assert_eq!(printed.stdout, "no changes\n", "{source}: {}", printed.stderr);
    }
    fs::write(folder.0.join("schema/parts/user.graphqls"), "# nothing\n").unwrap();
    // The old one is that of the main branch.
    git(&folder, &["switch", "--quiet", "--create=branch"]);
    let main = folder.run(&["operations", "one.graphql", "--schema=schema"]);
    assert!(main.stderr.contains("no operations found"), "{}", main.stderr);
    let printed = folder.run(&["diff", "git:main:schema", "schema"]);
    assert!(
        printed
            .stdout
            .contains("'User.name' was removed [FIELD_REMOVED]\n  at git:main:schema/parts/user.graphqls:1:20\n"),
        "{}",
        printed.stdout
    );
    for (source, expected) in [
        ("empty", "error: no .graphql, .graphqls or .gql files in empty\n"),
        ("empty/*.graphql", "error: no .graphql, .graphqls or .gql files in empty/*.graphql\n"),
        ("git:main:empty/**/*.graphql", "error: no .graphql, .graphqls or .gql files in git:main:empty/**/*.graphql\n"),
        ("schema,none.graphql", "error: cannot read none.graphql; "),
        ("schema,schema/query.graphql", "error: schema/query.graphql:1:6: "),
    ] {
        let printed = folder.run(&["hash", source]);
        assert_eq!(printed.code, 2, "{source}");
        assert!(printed.stderr.starts_with(expected), "{}", printed.stderr);
    }
}

#[test]
fn symbolic_links_in_a_revision_are_followed() {
    let folder = repository("links", &[("api/v1/schema.graphql", OLD)]);
    let link = |to: &str, from: &str| std::os::unix::fs::symlink(to, folder.0.join(from)).unwrap();
    link("v1/schema.graphql", "api/latest.graphql");
    link("api/latest.graphql", "schema.graphql");
    link("api/v1", "schema");
    link("/nothing/schema.graphql", "outside.graphql");
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message=links"]);
    for source in ["git:HEAD", "git:HEAD:schema", "git:HEAD:schema/*.graphql", "git:HEAD:api/latest.graphql"] {
        let printed = folder.run(&["diff", source, "schema.graphql"]);
        assert_eq!(printed.stdout, "no changes\n", "{source}: {}", printed.stderr);
    }
    let printed = folder.run(&["hash", "git:HEAD:outside.graphql"]);
    let error = "error: revision \"HEAD\" has no file \"outside.graphql\" below the current folder\n";
    assert_eq!((printed.code, &*printed.stderr), (2, error));
}

#[test]
fn accepted_changes_are_in_the_folder_of_the_schema() {
    let accepted = "[[accepted]]\ncoordinate = \"User.name\"\nkind = \"FIELD_REMOVED\"\nreason = \"Unused.\"\n";
    let folder = Folder::new(
        "accepted",
        &[("old.graphql", OLD), ("schema/a.graphql", &without_name()), ("schema/schema.toml", accepted)],
    );
    let printed = folder.run(&["diff", "old.graphql", "schema"]);
    assert_eq!(printed.code, 0, "{}", printed.stdout);
    assert!(printed.stdout.ends_with(", 1 accepted\n"), "{}", printed.stdout);
}

#[test]
fn hidden_files_in_a_folder_are_no_documents() {
    let folder = Folder::new(
        "hidden",
        &[
            ("schema.graphql", OLD),
            ("clients/a.graphql", "{ user { id } }"),
            ("clients/._a.graphql", "\u{0}\u{5}"),
            ("clients/.b.graphql", "{ nothing }"),
            ("clients/__generated__/c.ts", "gql`{ nothing }`"),
        ],
    );
    let printed = folder.run(&["operations", "clients", "--old=none"]);
    assert_eq!(printed.stdout, "none of 1 operation stops working\n");
}

#[test]
fn what_can_be_read_of_an_invalid_old_schema_is_compared() {
    let old = "type Query { user: Usr user2(of: Nothing, in: In): Int kept: Int gone: Int lost: Usr }
type User { id: ID }
extend type Missing { a: Int }
input In { a: Int! @deprecated(reason: \"x\") b: Int = \"1\" @missing c: Int }";
    let new = "type Query { user: User user2(of: Int, in: In): Int kept: Int! }\ntype User { id: ID }\ninput In { c: Int b: Int }";
    let folder =
        Folder::new("invalid", &[("old.graphql", old), ("new.graphql", new), ("a.graphql", "{ user { id } gone }")]);
    let refused = folder.run(&["diff", "old.graphql", "new.graphql"]);
    assert_eq!((refused.stdout.as_str(), refused.code), ("", 2));
    let diff = ["diff", "old.graphql", "new.graphql", "--allow-invalid-old"];
    let printed = folder.run(&diff);
    assert_eq!(printed.code, 1);
    let changes: Vec<_> = printed.stdout.lines().filter(|line| line.ends_with(']')).collect();
    assert_eq!(
        changes,
        [
            "breaking: deprecated input field 'In.a' was removed [INPUT_FIELD_REMOVED]",
            "breaking: field 'Query.gone' was removed [FIELD_REMOVED]",
            "breaking: field 'Query.lost' was removed [FIELD_REMOVED]",
            "dangerous: the default value \"1\" of input field 'In.b' was removed [INPUT_FIELD_DEFAULT_VALUE_CHANGED]",
            "dangerous: @missing was removed from input field 'In.b' [DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_REMOVED]",
            "safe: field 'Query.kept' changed its type from 'Int' to 'Int!' [FIELD_TYPE_CHANGED]",
        ]
    );
    let unread = "old.graphql:1:20: unknown type \"Usr\"; did you mean \"User\"?";
    assert_eq!(printed.stdout.matches("not valid: old.graphql:").count(), 5);
    assert!(printed.stdout.contains(unread), "{}", printed.stdout);
    let operations = ["operations", "a.graphql", "--old=old.graphql", "--schema=new.graphql"];
    assert_eq!(folder.run(&operations).code, 2);
    let printed = folder.run(&[&operations[..], &["--allow-invalid-old"]].concat());
    assert_eq!(printed.code, 1);
    assert!(printed.stdout.contains("because field 'Query.gone' was removed"), "{}", printed.stdout);
    assert!(printed.stdout.contains(unread), "{}", printed.stdout);
    // The problems of a new schema are first, and it fails.
    for (format, first) in [
        ("text", "old.graphql:1:20: error: unknown type \"Usr\"; did you mean \"User\"?\n"),
        ("markdown", "### Contract: 2 breaking, "),
        ("github", "::error file=old.graphql,line=1,col=20,title=INVALID::unknown type"),
        ("json", "[\n  {\n    \"coordinate\": \"In.a\",\n    \"kind\": \"INPUT_FIELD_ADDED\","),
    ] {
        let printed = folder.run(&["diff", "new.graphql", "old.graphql", "--format", format]);
        assert_eq!(printed.code, 1, "{format}");
        assert!(printed.stdout.starts_with(first), "{format}: {}", printed.stdout);
        let error = "error: the new contract is not valid:\nold.graphql:1:20: unknown type";
        assert!(printed.stderr.starts_with(error), "{}", printed.stderr);
    }
    fs::write(folder.0.join("old.graphql"), "type Query { a: }").unwrap();
    let printed = folder.run(&["diff", "new.graphql", "old.graphql"]);
    assert_eq!((printed.code, &*printed.stdout), (2, ""));
}

#[test]
fn a_markdown_report_fits_in_a_comment_and_states_what_was_left_out() {
    let sdl = |from: usize| {
        let fields = (from..from + 5000).map(|at| format!("  field{at}: Int @deprecated\n"));
        let fields: String = fields.collect();
        format!("type Query {{\n  kept: Int\n{fields}}}\n")
    };
    let documents = (0..5000).map(|at| format!("query Q{at} {{ field{at} }}\n"));
    let documents: String = documents.collect();
    let folder =
        Folder::new("markdown", &[("old.graphql", &sdl(0)), ("new.graphql", &sdl(5000)), ("a.graphql", &documents)]);
    fs::write(folder.0.join("usage.prom"), USED).unwrap();
    for arguments in [
        &["diff", "old.graphql", "new.graphql"][..],
        &["lint", "new.graphql"],
        &["operations", "a.graphql", "--old=old.graphql", "--schema=new.graphql"],
        &["usage", "usage.prom", "--schema=new.graphql"],
    ] {
        let printed = folder.run(&[arguments, &["--format=markdown"]].concat());
        let report = printed.stdout;
        assert!((50_000..65_536).contains(&report.len()), "{arguments:?}: {}", report.len());
        let note = report.lines().find(|line| line.contains(" more left out: ")).unwrap();
        assert!(note.ends_with("the text format lists all."), "{note}");
        assert_eq!(report.matches("<details>").count(), report.matches("</details>").count());
        let text = folder.run(arguments).stdout;
        assert!(text.lines().count() > 5000, "{arguments:?}");
    }
}

#[test]
fn only_findings_that_the_baseline_does_not_have_are_reported() {
    let committed = "type Query { a: Int A: Int }\n# lint:allow-file id-name reason: x\n";
    let folder = repository("baseline", &[("schema.graphql", committed)]);
    assert_eq!(folder.run(&["lint"]).code, 1);
    let baseline = ["lint", "--baseline", "git:HEAD"];
    let printed = folder.run(&baseline);
    assert_eq!((printed.stdout.as_str(), printed.code), ("no findings\n", 0));
    let changed = format!("# A line.\n\n{}", committed.replace("a: Int A: Int", "a: String B: Int A: Int"));
    fs::write(folder.0.join("schema.graphql"), changed).unwrap();
    let printed = folder.run(&baseline);
    assert_eq!(printed.code, 1);
    let expected = "schema.graphql:3:24: error: Query.B is not camelCase: rename the field to b [field-name]
schema.graphql:3:24: warning: Query.B has no description: document the field for clients [described]
by rule: 1 described, 1 field-name
1 error, 1 warning
";
    let mut lines: Vec<_> = printed.stdout.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<_> = expected.lines().collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    fs::write(folder.0.join("old.graphql"), committed).unwrap();
    let of_file = folder.run(&["lint", "--baseline", "old.graphql"]);
    assert_eq!(of_file.stdout, printed.stdout);
    let unknown = folder.run(&["lint", "--baseline", "git:nothing"]);
    assert_eq!((unknown.stdout.as_str(), unknown.code), ("", 2));
    assert!(unknown.stderr.contains("unknown git revision"), "{}", unknown.stderr);
}

#[test]
fn the_policy_is_the_file_beside_the_schema_or_another_one() {
    let policy = "[lint.levels]\ndescribed = \"error\"\n[diff]\nfail-on = \"dangerous\"\n";
    let new = OLD.replace("user: User", "user(first: Int): User");
    let folder = Folder::new(
        "policy",
        &[
            ("api/new.graphql", &new),
            ("api/old.graphql", OLD),
            ("api/schema.toml", policy),
            ("none.toml", ""),
            ("wrong.toml", "[lnt]"),
        ],
    );
    let lint = ["lint", "api/old.graphql"];
    assert_eq!(folder.run(&lint).code, 1);
    assert_eq!(folder.run(&[&lint[..], &["--policy=none.toml"]].concat()).code, 0);
    let diff = ["diff", "api/old.graphql", "api/new.graphql"];
    let printed = folder.run(&diff);
    assert_eq!(printed.code, 1, "{}", printed.stdout);
    assert_eq!(
        printed.stderr,
        "error: breaking or dangerous changes: 1; revert them, or accept them in schema.toml with a reason\n"
    );
    assert_eq!(folder.run(&[&diff[..], &["--policy=none.toml"]].concat()).code, 0);
    for (file, message) in [
        ("missing.toml", "error: cannot read the policy in missing.toml: "),
        ("wrong.toml", "error: wrong.toml:1:2: unknown field `lnt`"),
    ] {
        for arguments in [&lint[..], &diff] {
            let printed = folder.run(&[arguments, &["--policy", file]].concat());
            assert_eq!((printed.stdout.as_str(), printed.code), ("", 2));
            assert!(printed.stderr.starts_with(message), "{}", printed.stderr);
        }
    }
}

#[test]
fn the_configuration_names_the_schema_and_the_documents() {
    let yaml = "schema: api/schema.graphql\ndocuments: web\n";
    let json = r#"{ "schema": ["api/schema.graphql"], "documents": ["web"] }"#;
    let toml = "schema = \"api/schema.graphql\"\ndocuments = [\"web\"]\n";
    let projects = "projects:\n  web: { schema: api/schema.graphql, documents: [web] }\n  app:\n    schema:\n      - api/schema.graphql\n    documents: app/queries\n";
    let packages =
        "schema: './api/*.{graphql,gql}'\ndocuments:\n  - './packages/*/src/**/*.{ts,tsx}'\n  - '!**/legacy/**'\n";
    let none = "none of 1 operation stops working\n";
    let one_of = "1 of 1 operation stops working\n";
    for (name, text, project, expected) in [
        ("schema.toml", toml, "", one_of),
        (".graphqlrc", yaml, "", one_of),
        (".graphqlrc", json, "", one_of),
        (".graphqlrc.yml", yaml, "", one_of),
        (".graphqlrc.toml", toml, "", one_of),
        ("graphql.config.json", json, "", one_of),
        ("graphql.config.yaml", projects, "--project=web", one_of),
        (".graphqlrc.yaml", projects, "--project=app", none),
        // Several packages, as GraphQL Code Generator is configured for them.
        (".graphqlrc.yml", packages, "", "none of 2 operations stops working\n"),
        (".graphqlrc", projects, "", "error: cannot use .graphqlrc: choose one with --project: app, web\n"),
        (".graphqlrc", "schema: src/schema.ts", "", "error: cannot use .graphqlrc: the schema src/schema.ts is code: "),
        (".graphqlrc", "schema: [", "", "error: cannot use .graphqlrc: "),
        ("schema.toml", "documents = 1", "", "error: schema.toml:1:13: invalid type: integer `1`"),
        ("a.txt", "", "--project=web", "error: cannot use .graphqlrc: it has no projects\n"),
        ("a.txt", "", "", "error: cannot read schema.graphql; "),
    ] {
        let folder = Folder::new(
            "configuration",
            &[
                ("api/schema.graphql", &without_name()),
                ("web/a.graphql", "query A { user { name } }"),
                ("app/queries/b.graphql", "query B { user { id } }"),
                ("packages/a/src/a.ts", "gql`query C { user { id } }`"),
                ("packages/a/src/legacy/a.ts", "gql`query D { gone }`"),
                ("packages/b/src/b/b.tsx", "graphql(`query E { user { id } }`)"),
                (name, text),
            ],
        );
        let arguments = ["operations", "--old=none", project];
        let arguments: Vec<_> = arguments.into_iter().filter(|one| !one.is_empty()).collect();
        let printed = folder.run(&arguments);
        let output = printed.stdout + &printed.stderr;
        assert!(output.contains(expected), "{name} {text}: {output}");
        if expected == one_of {
            // Flags win.
            let printed = folder.run(&[&arguments[..], &["app"]].concat());
            assert_eq!(printed.stdout, none, "{}", printed.stderr);
            let hash = |source: &[&str]| folder.run(&[&["hash"], source].concat()).stdout;
            let named = hash(&["api/schema.graphql"]);
            assert_eq!(hash(&arguments[2..]), named);
        }
    }
}

#[test]
fn reports_list_what_was_asked_for() {
    let tagged = (0..12).map(|at| format!("export const q{at} = gql`query Q{at} {{ ${{ a }} }}`;\n"));
    let folder = Folder::new(
        "asked",
        &[
            ("old.graphql", OLD),
            ("new.graphql", &without_name().replace("tick:", "Tick: Int tick:")),
            ("a.ts", &tagged.collect::<String>()),
            ("b.graphql", "{ user { id } }"),
        ],
    );
    let diff = ["diff", "old.graphql", "new.graphql", "--only"];
    for (only, listed) in [("breaking", 1), ("breaking,safe", 2), ("dangerous", 0)] {
        for format in ["text", "markdown"] {
            let printed = folder.run(&[&diff[..], &[only, "--format", format]].concat());
            assert_eq!(printed.code, 1);
            let kinds = ["FIELD_REMOVED", "FIELD_ADDED"].iter();
            let kinds = kinds.filter(|kind| printed.stdout.contains(**kind));
            assert_eq!(kinds.count(), listed, "{only}: {}", printed.stdout);
            let summary = "1 breaking, 0 dangerous, 1 safe\n";
            assert!(printed.stdout.contains(summary), "{}", printed.stdout);
        }
    }
    let wrong = folder.run(&[&diff[..], &["worst"]].concat());
    assert!(wrong.stderr.contains("`breaking`, `dangerous`, `safe`"), "{}", wrong.stderr);

    let lint = folder.run(&["lint", "new.graphql"]);
    assert_eq!(lint.code, 1);
    let by_rule = "by rule: 8 described, 1 field-name\n1 error, 8 warnings\n";
    assert!(lint.stdout.ends_with(by_rule), "{}", lint.stdout);
    let described = folder.run(&["lint", "new.graphql", "--rule=described"]);
    assert_eq!(described.code, 0);
    assert!(described.stdout.ends_with("[described]\n0 errors, 8 warnings\n"));

    let operations = ["operations", "a.ts", "b.graphql", "--old=none", "--schema=old.graphql"];
    let unchecked = |arguments: &[&str]| {
        let printed = folder.run(&[&operations[..], arguments].concat()).stdout;
        printed.matches("not checked: ").count()
    };
    assert_eq!(unchecked(&[]), 11);
    assert_eq!(unchecked(&["--list-unchecked"]), 12);
}

#[test]
fn the_policy_names_directives_of_clients() {
    let defined = OLD.to_owned() + "directive @sent on FIELD\n";
    let folder = Folder::new(
        "client_directives",
        &[
            ("schema.graphql", &defined),
            ("schema.toml", "[operations]\nclient-directives = [\"track\", \"@sent\"]\n"),
            ("none.toml", ""),
            ("tracked.graphql", "query A($at: Int) @track(at: $at) { user { name @track } }"),
            // A server that defines it validates its arguments.
            ("sent.graphql", "query B { user { name @sent(at: 1) } }"),
        ],
    );
    let check = |arguments: &[&str]| {
        let printed = folder.run(arguments);
        (printed.code, printed.stdout)
    };
    let valid = (0, "none of 1 operation stops working\n".to_owned());
    let operations = ["operations", "--old=none", "tracked.graphql"];
    assert_eq!(check(&operations), valid);
    let (code, unknown) = check(&[&operations[..], &["--policy=none.toml"]].concat());
    assert_eq!(code, 1);
    assert!(unknown.contains("cannot find directive"), "{unknown}");
    let (code, sent) = check(&["operations", "--old=none", "sent.graphql"]);
    assert_eq!(code, 1);
    assert!(sent.contains("\"at\""), "{sent}");

    // A directive of the client is no problem of an operation that loses a field.
    fs::write(folder.0.join("new.graphql"), without_name()).unwrap();
    let diff = ["diff", "schema.graphql", "new.graphql", "--operations=tracked.graphql"];
    let (code, lost) = check(&diff);
    assert_eq!(code, 1);
    assert!(lost.contains("breaks query A"), "{lost}");
}

#[test]
fn documents_of_another_format_are_exit_code_2() {
    let folder = Folder::new(
        "formats",
        &[
            ("schema.graphql", OLD),
            ("manifest.json", "{\n  \"a\": 1\n}"),
            ("query.txt", "{ user { id } }"),
            ("empty/a.txt", ""),
        ],
    );
    for (documents, expected) in [
        ("manifest.json", "manifest.json:2:8: is not a manifest"),
        ("query.txt", "unknown format of query.txt; name a folder"),
        ("empty", "no operations found; name a folder"),
    ] {
        for arguments in
            [&["operations", "--old=none", documents][..], &["diff", "schema.graphql", "--operations", documents]]
        {
            let printed = folder.run(arguments);
            assert_eq!((printed.stdout.as_str(), printed.code), ("", 2));
            assert!(printed.stderr.contains(expected), "{}", printed.stderr);
        }
    }
}

/// Of a service whose clients use one field.
const USED: &str = "shop_field_requests_total{coordinate=\"Query.kept\",client=\"web\"} 3\n";

/// A Prometheus in whose last 30 days a field was not used.
fn prometheus() -> SocketAddr {
    let of = |coordinate: &str| {
        let metric = json!({ "coordinate": coordinate, "client": "web" });
        let result = json!([{ "metric": metric, "value": [1, "3"] }]);
        json!({ "data": { "resultType": "vector", "result": result } }).to_string()
    };
    let (unused, used) = (of("Query.user"), of("User.name"));
    server(move |request| {
        let (target, _) = request.split_once(" HTTP/1.1").unwrap();
        let range = if target.contains("%5B30d%5D") { &unused } else { &used };
        let (status, body) = match target.split('?').next().unwrap() {
            "GET /prometheus/api/v1/query" if target.contains("field_requests_total") => ("200 OK", &**range),
            "GET /api/v1/query_range" => ("200 OK", &*used),
            "GET /metrics" => ("200 OK", USED),
            "GET /api/v1/query" => ("400 Bad Request", "{\"status\":\"error\",\"error\":\"no rule\"}"),
            _ => ("404 Not Found", "<html>"),
        };
        let length = body.len();
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
    })
}

#[test]
fn recorded_use_is_read_from_files_and_from_prometheus() {
    let addr = prometheus();
    let unused = USED.replace("Query.kept", "Query.user");
    let folder = Folder::new(
        "recorded_use",
        &[
            ("old.graphql", OLD),
            ("new.graphql", &without_name()),
            ("unused.prom", &unused),
            ("used.prom", &USED.replace("Query.kept", "User.name")),
            ("other.prom", USED),
            ("empty.prom", ""),
        ],
    );
    let (no_use, by_web) = ("no use seen in 1 sample of 1 client", "used by web (3 requests)");
    let url = |path: &str| format!("http://{addr}{path}");
    for (source, range, code, expected) in [
        ("unused.prom", "90d", 0, no_use),
        ("used.prom", "90d", 1, by_web),
        (&url("/prometheus/"), "30d", 0, no_use),
        (&url("/prometheus"), "90d", 1, by_web),
        (&url("/api/v1/query_range?query=x"), "90d", 1, by_web),
        ("missing.prom", "90d", 2, "cannot read the recorded use in missing.prom"),
        ("empty.prom", "90d", 2, "no recorded use in empty.prom: it has no sample of a counter"),
        ("other.prom", "90d", 2, "the recorded use is that of another contract: nothing of this one was used"),
        (&url("/metrics"), "90d", 2, "the recorded use is that of another contract"),
        (&url(""), "90d", 2, "Prometheus refused the query: \"no rule\""),
        (&url("/gone"), "90d", 2, "the status is 404; correct the URL, or add a --header"),
        ("unused.prom", "30", 2, "it must be a number with a unit, such as 30d"),
        ("unused.prom", "0d", 2, "it must be a number with a unit, such as 30d"),
    ] {
        let printed = folder.run(&["diff", "old.graphql", "new.graphql", "--usage", source, "--range", range]);
        assert_eq!(printed.code, code, "{source}: {}{}", printed.stdout, printed.stderr);
        let output = if code == 2 { printed.stderr } else { printed.stdout };
        assert!(output.contains(expected), "{source}: {output}");
    }
    let printed = folder.run(&["usage", "unused.prom", "--schema", "old.graphql"]);
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    assert_eq!(printed.stdout, "nothing is deprecated; 1 sample of 1 client\n");
}
