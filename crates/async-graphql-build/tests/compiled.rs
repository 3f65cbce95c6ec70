//! What the compiler says of generated code: nothing of that of the fuzzing corpus, of every keyword as a name, and of
//! resolvers that agree with the contract. Of resolvers that differ, its message shows both locations: the line of the resolver and, as a comment in
//! the displayed line of the generated code, that of `schema.graphql`.
//!
//! Everything is compiled as binaries of one package. The checks work with any compiler; the messages in
//! `compiled/messages/` are compared only for the compiler version that they contain. `UPDATE_EXPECT=1` rewrites them.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "compiled/cases.rs"]
mod cases;
#[path = "compiled/words.rs"]
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use async_graphql_build::Contract;
use serde_json::Value;

use self::cases::{AGREES, CASES, Shows};

/// The binary of the code of the corpus.
const CORPUS: &str = "corpus";
/// The same in edition 2021.
const CORPUS_2021: &str = "corpus_2021";
/// That of every word as a name.
const WORDS: &str = "words";
/// That of the resolvers that agree.
const AGREEING: &str = "agrees";

/// The errors of each binary that does not compile.
static ERRORS: LazyLock<BTreeMap<String, String>> = LazyLock::new(compile);

#[test]
fn code_of_the_fuzzing_corpus_compiles_in_both_editions() {
    for binary in [CORPUS, CORPUS_2021] {
        assert_eq!(ERRORS.get(binary), None, "see {}", package().display());
    }
}

#[test]
fn every_keyword_is_a_name_of_every_kind_and_nested_types_and_values_compile() {
    assert_eq!(ERRORS.get(WORDS), None, "see {}", package().display());
}

/// Descriptions that begin a doctest in Markdown, unless they are escaped, and what the compiler refuses in a comment.
#[test]
fn descriptions_are_neither_doctests_nor_code() {
    let descriptions = [
        "\tlet tab = 1;",
        "Text:\n\n    let indented = 1;",
        "```\nlet fenced = 1;\n```\nthen",
        "```rust\nlet fenced = 1;\n",
        "~~~~\nlet tildes = 1;\n~~~\n~~~~\nthen\n\n\tlet after = 1;",
        "````\n```\nlet four = 1;\n```\n````",
        "- ```\n  let item = 1;\n  ```",
        "1.      let item = 1;",
        "- a\n\n  ```\nlet outside = 1;\n  ```\n\nlet then = 1;",
        "> ```\n> let quote = 1;\n> ```\n>     let quote = 2;",
        "[^1]: ```\n    let footnote = 1;",
        "<pre>\n```\n\n</pre>\n\nlet html = 1;\n```\nlet then = 1;",
        "<!--\n```\n\nlet comment = 1;\n```\n-->\nlet then = 1;",
        "`` ` ``` a\n```\nlet span = 1;\n```",
        "A \u{202e}direction\u{2066}, a [link] to `Vec<T>` and <b>.",
    ];
    let fields = descriptions.map(|text| format!("{text:?}").replace("\\u{202e}", "\u{202e}"));
    let fields = fields.iter().enumerate();
    let fields = fields.map(|(index, text)| format!("{} f{index}: Int\n", text.replace("\\u{2066}", "\u{2066}")));
    let fields = fields.collect::<Vec<_>>().concat();
    let sdl = format!("type Query {{ texts: Texts }}\ntype Texts {{\n{fields}}}\n");
    let contract = Contract::new("schema.graphql");
    let source = contract.translate(&sdl).and_then(|it| it.expand("Texts")).expect("it is accepted");
    let (structure, _) = source.split_once("\n}\n").expect("it is a struct");
    write("texts.rs", format!("#![deny(warnings)]\n{structure}\n}}\n"));
    let output = Command::new("rustdoc")
        .args(["--test", "--edition=2024", "texts.rs"])
        .current_dir(package())
        .output()
        .expect("rustdoc runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("running 0 tests"),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn resolvers_that_agree_with_the_contract_compile() {
    assert_eq!(ERRORS.get(AGREEING), None);
}

#[test]
fn resolvers_that_differ_from_the_contract_do_not_compile() {
    for (case, _, code, shows) in &CASES {
        let message = ERRORS.get(*case);
        let message = message.unwrap_or_else(|| panic!("{case} compiles"));
        let (shown, shows_case) = match shows {
            Shows::Location(location) => (format!("// {location}"), true),
            Shows::Item(text) => ((*text).to_owned(), true),
            Shows::Assertion(text) => ((*text).to_owned(), false),
        };
        let code = format!("error[{code}]");
        assert!(message.contains(&code), "{case}: {message}");
        assert!(message.contains(&shown), "{case}: {shown}: {message}");
        let own = format!("{case}.rs:");
        assert!(!shows_case || message.contains(&own), "{case}: {message}");
        let count = message.matches("error[").count();
        assert!(*case != "type_missing" || count == 1, "{case}: {message}");
        compare_with_recorded(case, message);
    }
}

fn compare_with_recorded(case: &str, message: &str) {
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.expect("rustc runs").stdout;
    let compiler = String::from_utf8_lossy(&compiler);
    let compiler = compiler.split(" (").next().expect("a version is printed");
    let expected = format!("{compiler}\n\n{message}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled/messages");
    let path = folder.join(case).with_extension("txt");
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &expected).expect("the message can be written");
    } else if recorded.lines().next() == Some(compiler) {
        assert_eq!(recorded, expected, "{case}: see the head of this file");
    }
}

fn package() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled")
}

fn write(file: &str, text: impl AsRef<[u8]>) {
    let path = package().join(file);
    let folder = path.parent().expect("it is below the package");
    fs::create_dir_all(folder).expect("the folder for temporary files can be written");
    fs::write(path, text).expect("the folder for temporary files can be written");
}

fn compile() -> BTreeMap<String, String> {
    write_package();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--keep-going", "--bins", "--offline", "--quiet"])
        .arg("--message-format=json")
        .current_dir(package())
        .env("CARGO_TARGET_DIR", package().join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let mut errors: BTreeMap<String, String> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: Value = serde_json::from_str(line).expect("cargo prints JSON");
        let message = &line["message"];
        if message["level"] == "error" && !message["spans"].as_array().is_none_or(Vec::is_empty) {
            let binary = line["target"]["name"].as_str();
            let rendered = message["rendered"].as_str();
            let errors = errors.entry(binary.expect("a target has a name").to_owned());
            let errors = errors.or_default();
            errors.push_str(rendered.expect("a message is rendered"));
        }
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.is_empty(), "nothing was compiled: {stderr}");
    errors
}

/// A binary for the corpus, one for the resolvers that agree and one for each case, and the lock file of
/// this workspace.
fn write_package() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read(own.join("../../Cargo.lock")).expect("the workspace has a lock file");
    write("Cargo.lock", lock);
    for file in fs::read_dir(own.join("src/support")).expect("it can be read") {
        let path = file.expect("it can be read").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = format!("support/{}", name.expect("the names are UTF-8"));
        write(&name, fs::read(&path).expect("it can be read"));
    }
    let contract = Contract::new("schema.graphql")
        .object("Vehicle", "crate::Car")
        .objects_in("crate")
        .distinguish_omitted("VehicleChanges");
    let translation = contract.translate(include_str!("compiled/schema.graphql"));
    write("contract.rs", with_support(&translation.expect("it is accepted").source()));
    let cases = CASES.iter().map(|(name, edits, ..)| (*name, edited(edits)));
    let corpus = corpus();
    let compiling = [(AGREEING, AGREES.to_owned()), (CORPUS_2021, corpus.clone()), (CORPUS, corpus), (WORDS, words())];
    let mut manifest = "[workspace]\n[package]\nname = \"compiled\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nasync-graphql = { version = \"=7.0.19\", default-features = false }\n"
        .to_owned();
    for (name, source) in cases.chain(compiling) {
        write(&format!("{name}.rs"), source);
        manifest.extend(["[[bin]]\nname = \"", name, "\"\npath = \"", name, ".rs\"\n"]);
        if name == CORPUS_2021 {
            manifest.push_str("edition = \"2021\"\n");
        }
    }
    write("Cargo.toml", manifest);
}

fn with_support(source: &str) -> String {
    format!("{source}\n#[path = \"support/mod.rs\"]\npub mod support;\n")
}

fn edited(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(AGREES.to_owned(), |source, (from, to)| {
        assert_eq!(source.matches(from).count(), 1, "{from}");
        source.replace(from, to)
    })
}

/// The accepted files of the fuzzing corpus, each in a module.
fn corpus() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/codegen");
    let mut root = "#![allow(warnings, reason = \"the code is not used\")]\nfn main() {}\n".to_owned();
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the corpus is there") {
        let path = file.expect("it can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.expect("the names are UTF-8");
        let sdl = fs::read_to_string(&path).expect("it can be read");
        // cargo-fuzz adds inputs without an extension.
        if path.extension().is_some()
            && let Ok(translation) = Contract::new("schema.graphql").documentation("*").translate(&sdl)
        {
            write(&format!("corpus_{name}.rs"), with_support(&translation.source()));
            root.extend(["mod corpus_", name, ";\n"]);
            count += 1;
        }
    }
    assert!(count >= 4, "most of the corpus is accepted");
    root
}

/// The contracts of words, each in a module, with the limit that the deepest of them needs.
fn words() -> String {
    let (mut limits, mut root) = (BTreeSet::new(), String::new());
    for (name, sdl) in words::contracts() {
        let contract = Contract::new("schema.graphql").complexity("Query.all", words::COMPLEXITY);
        let translation = contract.translate(&sdl);
        let translation = translation.unwrap_or_else(|problems| panic!("{name}: {problems}"));
        limits.extend(translation.recursion_limit());
        write(&format!("words_{name}.rs"), with_support(&translation.source()));
        root.extend(["mod words_", name, ";\n"]);
    }
    let limit = limits.last().expect("deep contracts need a limit");
    format!("{limit}\n#![allow(warnings, reason = \"the code is not used\")]\nfn main() {{}}\n{root}")
}
