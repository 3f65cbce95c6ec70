//! The machine that was measured on, as /proc describes it.

use std::{env, fs, path::Path, process::Command, thread::available_parallelism};

use crate::{
    Outcome,
    home::DatabaseKind,
    results::{self, Property},
};

/// Writes `machine.csv`: what is known already, and this database's version.
pub(crate) fn describe(folder: &Path, database: DatabaseKind) -> Outcome<()> {
    let mut properties = properties()?;
    let before: Vec<Property> = results::read(folder, "machine")?;
    for other in DatabaseKind::ALL {
        let known = before.iter().find(|property| property.name == other.name());
        let value = if other == database {
            version(database)
        } else {
            known.map(|property| property.value.clone())
        };
        properties.extend(value.map(|value| property(other.name(), value)));
    }
    results::write(folder, "machine", &properties)
}

fn property(name: &str, value: impl Into<String>) -> Property {
    Property {
        name: name.to_owned(),
        value: value.into(),
    }
}

fn properties() -> Outcome<Vec<Property>> {
    let cpu = value_of("/proc/cpuinfo", "model name")?;
    let memory = value_of("/proc/meminfo", "MemTotal")?;
    let memory: u64 = memory.trim_end_matches(" kB").parse().unwrap_or_default();
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    Ok(vec![
        property("processor", format!("{} × {cpu}", available_parallelism()?)),
        property("memory", format!("{} GiB", memory / (1 << 20))),
        property("kernel", format!("Linux {}", kernel.trim())),
        property("file system of the databases", file_system()?),
        property("compiler", printed("rustc").unwrap_or_default()),
    ])
}

fn value_of(file: &str, name: &str) -> Outcome<String> {
    let text = fs::read_to_string(file)?;
    let line = text.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    Ok(value.unwrap_or_else(|| "unknown".to_owned()))
}

/// That of the folder for temporary files.
fn file_system() -> Outcome<String> {
    let folder = env::temp_dir();
    let mounts = fs::read_to_string("/proc/self/mounts")?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    // The last of those with the longest path is what is seen.
    let seen = mounts
        .filter(|(at, _)| folder.starts_with(at))
        .max_by_key(|(at, _)| at.len());
    Ok(seen.map_or_else(|| "unknown".to_owned(), |(_, kind)| kind.to_owned()))
}

fn version(database: DatabaseKind) -> Option<String> {
    match database {
        // It is compiled into the program.
        DatabaseKind::Sqlite => None,
        DatabaseKind::Postgres => printed("postgres"),
        DatabaseKind::Mysql => printed("mariadbd").or_else(|| printed("mysqld")),
    }
}

fn printed(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
