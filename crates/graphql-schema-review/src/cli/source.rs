//! Reads contracts from files, git revisions and what the caller has fetched, and recorded use from files.

use std::{
    fs::{self, File},
    future::Future,
    io::{self, Read},
    path::{Path, PathBuf},
};

use graphql_sdl::{Problems, Schema, file_name, is_graphql_file, masked_url};
use reqwest::Url;
use tokio::runtime;

use super::{
    fetch::{Header, ServiceError, fetch, fetch_usage},
    files::{Patterns, files_in, is_pattern, matching},
    git::{self, GitError},
};
use crate::usage::{InvalidUsage, Usage};

/// The default path of the contract in a repository.
const SCHEMA_FILE: &str = "schema.graphql";

/// The maximum size of the files of a schema.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The default range of recorded use.
pub(super) const DEFAULT_RANGE: &str = "90d";

/// A duration of Prometheus's: a number and a unit.
pub(super) fn parse_range(text: &str) -> Result<String, String> {
    let number = text.strip_suffix(['s', 'm', 'h', 'd', 'w', 'y']);
    match number.map(str::parse::<u32>) {
        Some(Ok(1..)) => Ok(text.to_owned()),
        _ => Err("it must be a number with a unit, such as 30d".to_owned()),
    }
}

/// The source of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// An SDL file, a folder of SDL files, a pattern such as `schema/**/*.graphql`, several of them with commas, or an
    /// introspection response whose name ends in `.json`.
    File(PathBuf),
    /// The URL of a running service.
    Url(String),
    /// A file in a revision, in the same formats.
    Git {
        /// The revision.
        revision: String,
        /// The path, relative to the current folder.
        path: String,
    },
}

/// Why a contract, a policy or documents cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error(
        "cannot read {}; name another file, the URL of a running service, or git:REVISION[:PATH]",
        file_name(&.0.to_string_lossy())
    )]
    File(PathBuf, #[source] io::Error),
    #[error("cannot start the runtime for requests")]
    Runtime(#[source] io::Error),
    // The value can be a secret.
    #[error("--header must be a header as in \"Name: value\": {0}")]
    Header(&'static str),
    #[error("cannot read the contract of {0}")]
    Service(String, #[source] ServiceError),
    #[error("cannot read the policy in {}", file_name(&.0.to_string_lossy()))]
    Policy(PathBuf, #[source] io::Error),
    #[error("cannot use {}: {message}", file_name(&.file.to_string_lossy()))]
    Config { file: PathBuf, message: String },
    #[error("cannot read the documents in {}", file_name(&.0.to_string_lossy()))]
    Documents(PathBuf, #[source] io::Error),
    #[error("no file with documents matches {}", file_name(.0))]
    NoMatch(String),
    #[error(
        "unknown format of {}; name a folder, a .graphql file, a file of source code, or a manifest \
         (.json)",
        file_name(&.0.to_string_lossy())
    )]
    Format(PathBuf),
    #[error("the documents have more than {0} bytes; name fewer folders")]
    TooLarge(u64),
    #[error(
        "no operations found{}; name a folder, a .graphql file, a file of source code, or a manifest",
        match .0 {
            0 => String::new(),
            omitted => format!(", and {omitted} files of tests omitted (--include-tests reads them)"),
        }
    )]
    NoOperations(usize),
    #[error("no .graphql, .graphqls or .gql files in {}", file_name(.0))]
    NoSdl(String),
    #[error("the files of the schema have more than {0} bytes; name fewer files")]
    LargeSchema(u64),
    #[error("cannot read the recorded use in {}", file_name(&.0.to_string_lossy()))]
    UsageFile(PathBuf, #[source] io::Error),
    #[error("cannot read the recorded use at {0}")]
    UsageUrl(String, #[source] ServiceError),
    #[error("no recorded use in {}", file_name(.0))]
    Usage(String, #[source] InvalidUsage),
    #[error("the recorded use is that of another contract: nothing of this one was used")]
    OtherUsage,
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("{0}")]
    Invalid(Problems),
}

impl Source {
    /// Parses a source, or returns the default one.
    pub(super) fn or_default(text: Option<&str>) -> Self {
        Self::parse(text.unwrap_or(SCHEMA_FILE))
    }

    /// Parses a source; a text that is neither a URL nor a revision is a path.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(revision) = text.strip_prefix("git:") {
            let (revision, path) = revision.split_once(':').unwrap_or((revision, SCHEMA_FILE));
            return Self::Git { revision: revision.to_owned(), path: path.to_owned() };
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            Self::Url(text.to_owned())
        } else {
            Self::File(text.into())
        }
    }
}

/// The source of the old contract; by default the file of the new one where the current branch left
/// the main branch.
pub(super) fn old_source(old: Option<&str>, new: &Source) -> Result<Source, Unreadable> {
    if let Some(old) = old {
        return Ok(Source::parse(old));
    }
    let path = match new {
        Source::File(path) if path.is_relative() => path.to_string_lossy().into_owned(),
        _ => SCHEMA_FILE.to_owned(),
    };
    let revision = git::merge_base()?;
    Ok(Source::Git { revision, path })
}

fn block_on<T>(response: impl Future<Output = T>) -> Result<T, Unreadable> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(Unreadable::Runtime)?.block_on(response))
}

/// Reads the contract of a source.
pub(super) fn read(source: &Source, headers: &[Header]) -> Result<Schema, Unreadable> {
    let (schema, problems) = read_partly(source, headers)?;
    match problems {
        None => Ok(schema),
        Some(problems) => Err(Unreadable::Invalid(problems)),
    }
}

/// Reads an old contract, and its problems if one that is not valid is allowed (`--allow-invalid-old`).
pub(super) fn read_old(
    source: &Source,
    headers: &[Header],
    allow_invalid: bool,
) -> Result<(Schema, Option<Problems>), Unreadable> {
    if allow_invalid { read_partly(source, headers) } else { Ok((read(source, headers)?, None)) }
}

/// Reads what is valid of the contract of a source, and its problems. Of an introspection response, nothing is read if
/// there are some.
pub(super) fn read_partly(source: &Source, headers: &[Header]) -> Result<(Schema, Option<Problems>), Unreadable> {
    let (name, files) = match source {
        Source::File(path) => (path.to_string_lossy().into_owned(), sdl_files(path)?),
        Source::Git { revision, path } => {
            let name = format!("git:{revision}:{path}");
            (name, git_files(revision, path)?)
        }
        Source::Url(url) => {
            let fetched = block_on(fetch(url, headers))?;
            let fetched = fetched.map_err(|error| Unreadable::Service(masked_url(url), error))?;
            return Ok((fetched.map_err(Unreadable::Invalid)?, None));
        }
    };
    match &files[..] {
        [(file, text)] if Path::new(file).extension().is_some_and(|end| end == "json") => {
            let schema = Schema::read(file, text).map_err(Unreadable::Invalid)?;
            Ok((schema, None))
        }
        files => {
            let (schema, problems) = Schema::parse_files_partly(name, files);
            Ok((schema, problems.into_result(()).err()))
        }
    }
}

/// The names and texts of the files of a schema: a file, the SDL in a folder, a pattern, or several of them with commas.
fn sdl_files(source: &Path) -> Result<Vec<(String, String)>, Unreadable> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| Unreadable::File(path, error)
    };
    let mut files = Vec::new();
    for part in parts(&source.to_string_lossy()) {
        let path = Path::new(part);
        if path.is_dir() {
            files.extend(files_in(path, is_graphql_file).map_err(unreadable(path))?);
        } else if is_pattern(part) {
            files.extend(matching(part, |_| true).map_err(unreadable(path))?);
        } else {
            files.push(path.to_owned());
        }
    }
    if files.is_empty() {
        return Err(Unreadable::NoSdl(source.to_string_lossy().into_owned()));
    }
    let mut remaining = MAX_BYTES;
    let texts = files.iter().map(|file| {
        let size = fs::metadata(file).map_err(unreadable(file))?.len();
        remaining = remaining.checked_sub(size).ok_or(Unreadable::LargeSchema(MAX_BYTES))?;
        let text = fs::read_to_string(file).map_err(unreadable(file))?;
        Ok((file.to_string_lossy().into_owned(), text))
    });
    texts.collect()
}

/// The same in a revision.
fn git_files(revision: &str, source: &str) -> Result<Vec<(String, String)>, Unreadable> {
    let mut files = Vec::new();
    for part in parts(source) {
        let listed = git::list(revision, part)?;
        let pattern = Patterns::parse([part]).ok().filter(|_| is_pattern(part));
        match pattern {
            Some(pattern) => {
                files.extend(listed.into_iter().filter(|file| pattern.match_path(Path::new(file))));
            }
            None if listed == [part] || listed.is_empty() => files.push(part.to_owned()),
            None => files.extend(listed.into_iter().filter(|file| is_graphql_file(Path::new(file)))),
        }
    }
    if files.is_empty() {
        return Err(Unreadable::NoSdl(format!("git:{revision}:{source}")));
    }
    let texts = files.into_iter().map(|file| {
        let text = git::show(revision, &file)?;
        Ok((format!("git:{revision}:{file}"), text))
    });
    texts.collect()
}

/// The sources in a list, whose commas are not those of a pattern with braces; the name of a file can have commas.
fn parts(source: &str) -> Vec<&str> {
    if Path::new(source).exists() {
        return vec![source];
    }
    let mut braces = 0_usize;
    let is_separator = |character| {
        match character {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        character == ',' && braces == 0
    };
    source.split(is_separator).filter(|part| !part.is_empty()).collect()
}

/// The URL of recorded use: the query API of the Prometheus at a base URL, asked for this range, or the URL itself, if it
/// is that of a query or of the metrics of a service. `None` for a file.
fn usage_url(source: &str, range: &str) -> Option<Url> {
    if !matches!(Source::parse(source), Source::Url(_)) {
        return None;
    }
    let mut url: Url = source.parse().ok()?;
    let path = url.path().trim_end_matches('/');
    if !path.ends_with("/metrics") && !path.contains("/api/v1/query") {
        let metric = r#"{__name__=~".+_field_requests_total"}"#;
        // A counter that began in the range has no increase from nothing to its first value.
        let query = format!(
            "sum by (coordinate, client) (increase({metric}[{range}]) > 0 or last_over_time({metric}[{range}]) \
             unless last_over_time({metric}[1h] offset {range}))"
        );
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["api", "v1", "query"]);
        }
        url.query_pairs_mut().append_pair("query", &query);
    }
    Some(url)
}

/// Reads recorded use, which is that of a contract.
pub(super) fn read_usage(
    sources: &[String],
    range: &str,
    headers: &[Header],
    schema: &Schema,
) -> Result<Usage, Unreadable> {
    let mut usage = Usage::default();
    for source in sources {
        let (name, text) = match usage_url(source, range) {
            Some(url) => {
                let text = block_on(fetch_usage(&url, headers))?;
                (masked_url(source), text.map_err(|error| Unreadable::UsageUrl(masked_url(source), error))?)
            }
            None => (source.clone(), usage_file(Path::new(source))?),
        };
        usage.add(&text).map_err(|error| Unreadable::Usage(name, error))?;
    }
    if usage.is_of(schema) { Ok(usage) } else { Err(Unreadable::OtherUsage) }
}

fn usage_file(path: &Path) -> Result<String, Unreadable> {
    let unreadable = |error| Unreadable::UsageFile(path.to_owned(), error);
    let file = File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    if read.map_err(unreadable)? as u64 > MAX_BYTES {
        let message = format!("it has more than {MAX_BYTES} bytes");
        return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, message)));
    }
    Ok(text)
}
