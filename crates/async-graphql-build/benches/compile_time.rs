//! Compile time of a schema with 100 object types and 135 root fields: as generated code, and as code with
//! async-graphql's macros that serves the same schema.
//!
//! `cargo bench -p async-graphql-build --bench compile_time`, for minutes. The packages are in `target/tmp/compile_time`.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints its result and fails by panicking"
)]

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const TYPES: usize = 100;
const LISTS: usize = 35;

/// The fields of a type that have the types of built-in scalars: name, type in SDL and in Rust, value.
const FIELDS: [(&str, &str, &str, &str); 8] = [
    ("id", "ID!", "ID", "id.clone()"),
    ("title", "String!", "String", "String::new()"),
    ("summary", "String", "Option<String>", "None"),
    ("total", "Int!", "i32", "0"),
    ("rank", "Int", "Option<i32>", "None"),
    ("rate", "Float!", "f64", "0.5"),
    ("active", "Boolean!", "bool", "true"),
    ("updated", "String", "Option<String>", "None"),
];

/// The types that a type refers to.
fn children(of: usize) -> impl Iterator<Item = usize> {
    [2 * of + 1, 2 * of + 2].into_iter().filter(|child| *child < TYPES)
}

/// The fields of a type: name, type in SDL and in Rust, value.
fn fields(of: usize) -> Vec<(String, String, String, String)> {
    let scalars =
        FIELDS.map(|(name, sdl, rust, value)| (name.to_owned(), sdl.to_owned(), rust.to_owned(), value.to_owned()));
    let mut fields: Vec<_> = scalars.into();
    for child in children(of) {
        let (list, vec) = (format!("[Type{child}!]!"), format!("Vec<Type{child}>"));
        fields.push((format!("list{child}"), list, vec, "Vec::new()".to_owned()));
        let (one, option) = (format!("Type{child}"), format!("Option<Type{child}>"));
        fields.push((format!("main{child}"), one, option, "None".to_owned()));
    }
    fields
}

fn sdl() -> String {
    let mut sdl = "type Query {\n".to_owned();
    for number in 0..TYPES {
        let _ = writeln!(sdl, "  type{number}(id: ID!): Type{number}");
    }
    for number in 0..LISTS {
        let _ = writeln!(sdl, "  list{number}(first: Int! = 10, after: String, search: String): [Type{number}!]!");
    }
    sdl.push_str("}\n");
    for number in 0..TYPES {
        let _ = writeln!(sdl, "\n\"What type {number} is.\"\ntype Type{number} {{");
        for (name, ty, _, _) in fields(number) {
            let _ = writeln!(sdl, "  {name}: {ty}");
        }
        sdl.push_str("}\n");
    }
    sdl
}

/// The functions that make the values of the types.
fn values() -> String {
    let mut code = String::new();
    for number in 0..TYPES {
        let members = fields(number).into_iter();
        let members = members.map(|(name, _, _, value)| format!("{name}: {value}"));
        let members = members.collect::<Vec<_>>().join(", ");
        let _ = writeln!(code, "fn make{number}(id: &ID) -> Type{number} {{ Type{number} {{ {members} }} }}");
    }
    code
}

const LIST_BODY: &str = "let id = after.or(search).unwrap_or_default().into(); let first = usize::try_from(first)?;";

fn main_function(query: &str) -> String {
    format!("fn main() {{ println!(\"{{}}\", Schema::new({query}, EmptyMutation, EmptySubscription).sdl().len()); }}\n")
}

fn with_macros() -> String {
    let mut code = "use async_graphql::*;\n".to_owned();
    for number in 0..TYPES {
        let members = fields(number).into_iter();
        let members = members.map(|(name, _, ty, _)| format!("pub {name}: {ty}"));
        let members = members.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            code,
            "/// What type {number} is.\n#[derive(Clone, Debug, SimpleObject)]\npub struct Type{number} {{ {members} }}"
        );
    }
    code.push_str(&values());
    code.push_str("pub struct Query;\n#[Object]\nimpl Query {\n");
    for number in 0..TYPES {
        let _ = writeln!(
            code,
            "async fn type{number}(&self, _ctx: &Context<'_>, id: ID) -> Result<Option<Type{number}>> {{ Ok(Some(make{number}(&id))) }}"
        );
    }
    for number in 0..LISTS {
        let _ = writeln!(
            code,
            "async fn list{number}(&self, _ctx: &Context<'_>, #[graphql(default = 10)] first: i32, after: Option<String>, search: Option<String>) -> Result<Vec<Type{number}>> {{ {LIST_BODY} Ok(vec![make{number}(&id); first]) }}"
        );
    }
    code + "}\n" + &main_function("Query")
}

fn generated() -> String {
    let mut code = "use async_graphql::{Context, EmptyMutation, EmptySubscription, Error, ID, Result, Schema};\n\
         include!(concat!(env!(\"OUT_DIR\"), \"/contract.rs\"));\nuse contract::*;\n"
        .to_owned();
    code.push_str(&values());
    code.push_str("struct Resolvers;\nimpl QueryResolver for Resolvers {\ntype Error = Error;\n");
    for number in 0..TYPES {
        let _ = writeln!(
            code,
            "async fn type{number}(&self, _ctx: &Context<'_>, arguments: QueryType{number}Arguments<ID>) -> Result<Option<Type{number}>> {{ Ok(Some(make{number}(&arguments.id))) }}"
        );
    }
    for number in 0..LISTS {
        let _ = writeln!(
            code,
            "async fn list{number}(&self, _ctx: &Context<'_>, QueryList{number}Arguments {{ first, after, search }}: QueryList{number}Arguments<i32, Option<String>, Option<String>>) -> Result<Vec<Type{number}>> {{ {LIST_BODY} Ok(vec![make{number}(&id); first]) }}"
        );
    }
    code + "}\n" + &main_function("Query(Resolvers)")
}

fn manifest(name: &str, build_dependencies: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nasync-graphql = {{ version = \
         \"=7.0.19\", default-features = false, features = [\"raw_value\"] }}\n{build_dependencies}"
    )
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn packages(folder: &Path) {
    let own = env!("CARGO_MANIFEST_DIR");
    let workspace = "[workspace]\nmembers = [\"macros\", \"generated\"]\nresolver = \"3\"\n";
    write(&folder.join("Cargo.toml"), workspace);
    let lock = Path::new(own).join("../../Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).expect("the workspace has one");
    write(&folder.join("macros/Cargo.toml"), &manifest("macros", ""));
    write(&folder.join("macros/src/main.rs"), &with_macros());
    let build = format!("\n[build-dependencies]\nasync-graphql-build = {{ path = {own:?} }}\n");
    write(&folder.join("generated/Cargo.toml"), &manifest("generated", &build));
    write(&folder.join("generated/src/main.rs"), &generated());
    write(&folder.join("generated/schema.graphql"), &sdl());
    let script = "fn main() { async_graphql_build::Contract::new(\"schema.graphql\").generate(); }\n";
    write(&folder.join("generated/build.rs"), script);
}

/// The CPU time of the processes that have ended, in seconds.
fn cpu_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("it runs on Linux");
    let (_, fields) = stat.rsplit_once(") ").expect("the name is in brackets");
    let times = fields.split(' ').skip(13).take(2);
    let hundredths: u32 = times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
    f64::from(hundredths) / 100.0
}

/// Runs cargo in the folder, and returns its CPU time, which other processes influence less than the time that passes.
fn cargo(folder: &Path, arguments: &[&str], incremental: bool) -> f64 {
    let start = cpu_time();
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_INCREMENTAL", if incremental { "1" } else { "0" })
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("cargo runs").success(), "{arguments:?}");
    cpu_time() - start
}

/// The compilation of a changed `main.rs` alone.
fn rebuild(folder: &Path, package: &str, command: &str, incremental: bool) -> f64 {
    let arguments = [command, "--quiet", "--package", package];
    cargo(folder, &arguments, incremental);
    let source = folder.join(package).join("src/main.rs");
    let text = fs::read_to_string(&source).expect("it is there");
    // Another body of a resolver.
    let changed = if text.contains("first)?;  ") {
        text.replace("first)?;  ", "first)?; ")
    } else {
        text.replacen("first)?; ", "first)?;  ", 1)
    };
    fs::write(&source, changed).expect("it is written");
    cargo(folder, &arguments, incremental)
}

fn main() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
    packages(&folder);
    println!("| seconds of CPU | macros | generated |\n|---|---:|---:|");
    for (command, incremental, name) in [
        ("check", false, "`cargo check` of the package"),
        ("check", true, "`cargo check` after a change of one resolver"),
        ("build", false, "`cargo build` of the package"),
        ("build", true, "`cargo build` after a change of one resolver"),
    ] {
        let [macros, generated] =
            ["macros", "generated"].map(|package| rebuild(&folder, package, command, incremental));
        println!("| {name} | {macros:.1} | {generated:.1} |");
    }
}
