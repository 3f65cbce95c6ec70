//! `vehicle-catalogue config`: checks the settings, or shows how a file of them looks.

use std::io::{self, Write};

use super::{Failure, error_chain};
use crate::{
    app,
    config::{CommandLine, Config, Effective},
};

pub(super) async fn run(command: Config, command_line: &CommandLine) -> Result<(), Failure> {
    match command {
        Config::Check => check(command_line).await,
        Config::Example => print(&CommandLine::example()).map_err(Failure::Print),
    }
}

/// Single settings and their contradictions are checked when they are read; what is left are the
/// files that they name.
async fn check(command_line: &CommandLine) -> Result<(), Failure> {
    print(&listing(&command_line.effective)).map_err(Failure::Print)?;
    let wrong = app::unusable_files(&command_line.settings).await;
    if wrong.is_empty() {
        return Ok(());
    }
    let sentences = wrong.iter().map(|error| error_chain(error)).collect();
    Err(Failure::WrongSettings(sentences))
}

/// The settings as a file would have them, each with its origin.
fn listing(effective: &[Effective]) -> String {
    let left = |setting: &Effective| format!("{} = {}", setting.name, setting.value);
    let width = effective
        .iter()
        .map(|setting| left(setting).chars().count());
    let width = width.filter(|&width| width <= 60).max().unwrap_or(0);
    let mut lines = Vec::new();
    let mut heading = "";
    for setting in effective {
        if heading != setting.heading {
            heading = &setting.heading;
            lines.push(format!("## {heading}"));
        }
        let hint = setting.hint.as_ref();
        let hint = hint.map_or(String::new(), |hint| format!(", {hint}"));
        lines.push(format!(
            "{:width$}  # {}{hint}",
            left(setting),
            setting.origin
        ));
    }
    lines.join("\n") + "\n"
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
