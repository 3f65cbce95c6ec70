//! Which schema and documents a repository has, and its policy: `schema.toml`, or the configuration that editors, code
//! generators and other tools read.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use chrono::{DateTime, NaiveDate, Utc};
use saphyr::{LoadableYamlNode, Yaml};
use serde_json::Value;

use super::source::{Source, Unreadable};
use crate::Policy;

/// The default name of the policy, in the folder of the contract or in the working directory.
const POLICY_FILE: &str = "schema.toml";

/// The names of the files of graphql-config that are data.
const FILES: [&str; 2] = [".graphqlrc", "graphql.config"];
const EXTENSIONS: [&str; 5] = ["", ".json", ".yaml", ".yml", ".toml"];

/// What commands read that do not name it.
#[derive(Default)]
struct Config {
    schema: Option<String>,
    documents: Vec<PathBuf>,
}

/// Fills in what a command line does not name.
pub(super) fn complete(
    schema: &mut Option<String>,
    documents: Option<&mut Vec<PathBuf>>,
    project: Option<&str>,
) -> Result<(), Unreadable> {
    let documents = documents.filter(|documents| documents.is_empty());
    if schema.is_some() && documents.is_none() {
        return Ok(());
    }
    let config = Config::read(project)?;
    if let Some(documents) = documents {
        documents.extend(config.documents);
    }
    if schema.is_none() {
        *schema = config.schema;
    }
    Ok(())
}

impl Config {
    /// Reads the configuration of the working directory; the default if it has none.
    fn read(project: Option<&str>) -> Result<Self, Unreadable> {
        if Path::new(POLICY_FILE).exists() && project.is_none() {
            let policy = read_file(Path::new(POLICY_FILE))?;
            if policy.schema.is_some() || !policy.documents.is_empty() {
                return Ok(Self { schema: policy.schema, documents: policy.documents });
            }
        }
        let files = FILES.into_iter().flat_map(|name| EXTENSIONS.map(|end| format!("{name}{end}")));
        let Some(file) = files.map(PathBuf::from).find(|file| file.is_file()) else {
            return Self::of(&Value::Null, project)
                .map_err(|message| Unreadable::Config { file: FILES[0].into(), message });
        };
        let invalid = |message| Unreadable::Config { file: file.clone(), message };
        let text = fs::read_to_string(&file).map_err(|error| invalid(error.to_string()))?;
        let value = parse(&file, &text).map_err(invalid)?;
        Self::of(&value, project).map_err(invalid)
    }

    fn of(value: &Value, project: Option<&str>) -> Result<Self, String> {
        let value = match value["projects"].as_object() {
            None if project.is_some() => return Err("it has no projects".to_owned()),
            None => value,
            Some(projects) => {
                let only = projects.values().next().filter(|_| projects.len() == 1);
                let chosen = projects.get(project.unwrap_or("default"));
                let chosen = chosen.or(only.filter(|_| project.is_none()));
                let names = projects.keys().map(String::as_str).collect::<Vec<_>>();
                chosen.ok_or_else(|| format!("choose one with --project: {}", names.join(", ")))?
            }
        };
        let schema = pointers(&value["schema"])?;
        let is_code = |name: &&String| name.ends_with("js") || name.ends_with("ts");
        if let Some(code) = schema.iter().find(is_code) {
            return Err(format!(
                "the schema {code} is code: name the SDL that it makes on the command line or in {POLICY_FILE}"
            ));
        }
        let documents = pointers(&value["documents"])?.into_iter();
        Ok(Self {
            schema: (!schema.is_empty()).then(|| schema.join(",")),
            documents: documents.map(PathBuf::from).collect(),
        })
    }
}

/// The paths, patterns and URLs of a value, which are texts, or the keys of objects with options.
fn pointers(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Array(values) => Ok(values.iter().map(pointers).collect::<Result<Vec<_>, _>>()?.concat()),
        Value::Object(with_options) => Ok(with_options.keys().cloned().collect()),
        _ => Err("schema and documents are texts or lists of texts".to_owned()),
    }
}

fn parse(file: &Path, text: &str) -> Result<Value, String> {
    if file.extension().is_some_and(|end| end == "toml") {
        return toml::from_str(text).map_err(|error| error.to_string());
    }
    if let Ok(json) = serde_json::from_str(text) {
        return Ok(json);
    }
    let documents = Yaml::load_from_str(text).map_err(|error| error.to_string())?;
    Ok(documents.first().map_or(Value::Null, of_yaml))
}

fn of_yaml(yaml: &Yaml) -> Value {
    if let Some(mapping) = yaml.as_mapping() {
        let entries = mapping.iter().filter_map(|(key, value)| Some((key.as_str()?, of_yaml(value))));
        Value::Object(entries.map(|(key, value)| (key.to_owned(), value)).collect())
    } else if let Some(sequence) = yaml.as_sequence() {
        Value::Array(sequence.iter().map(of_yaml).collect())
    } else {
        yaml.as_str().map_or(Value::Null, Value::from)
    }
}

/// The policy of a file, or of the default one if it is there.
pub(super) fn read_policy(path: Option<PathBuf>, contract: &Source) -> Result<Policy, Unreadable> {
    let beside = match contract {
        Source::File(folder) if folder.is_dir() => Some(folder.join(POLICY_FILE)),
        Source::File(file) => Some(file.with_file_name(POLICY_FILE)),
        _ => None,
    };
    let default = [beside, Some(POLICY_FILE.into())];
    let default = || default.into_iter().flatten().find(|path| path.exists());
    let path = path.or_else(default);
    path.map_or_else(|| Ok(Policy::default()), |path| read_file(&path))
}

fn read_file(path: &Path) -> Result<Policy, Unreadable> {
    let text = fs::read_to_string(path).map_err(|error| Unreadable::Policy(path.to_owned(), error))?;
    Policy::parse(path.to_string_lossy(), &text).map_err(Unreadable::Invalid)
}

pub(super) fn today() -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}
