//! `man` and `completions`: the manual page and the shell completions.

use ::settings::print;
use std::io::{self, Write};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::failure::Failure;

/// Prints the completion script of a shell.
pub(super) fn completions(shell: Shell, mut definition: Command) -> Result<(), Failure> {
    let name = definition.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition, &name, &mut script);
    let script = String::from_utf8_lossy(&script);
    // clap_complete 4.6 spells a name with a hyphen in two ways in the bash script, so that
    // subcommands are not found.
    let script = script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
    print(&script).map_err(Failure::Print)
}

/// Prints the manual page, in roff.
pub(super) fn page(definition: &Command) -> Result<(), Failure> {
    render_page(definition)
        .and_then(|page| print(&String::from_utf8_lossy(&page)))
        .map_err(Failure::Print)
}

/// One page for all commands, since they share their settings.
fn render_page(definition: &Command) -> io::Result<Vec<u8>> {
    let name = definition.get_name();
    let whole = definition
        .clone()
        .override_usage(format!("{name} [SETTINGS] [COMMAND]"));
    let whole = Man::new(whole);
    let mut page = Vec::new();
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    writeln!(page, ".SH COMMANDS")?;
    for command in definition.get_subcommands() {
        render_command(command, name, &mut page)?;
    }
    whole.render_options_section(&mut page)?;
    whole.render_extra_section(&mut page)?;
    Ok(page)
}

/// Renders the section of a command, or of each of its subcommands.
fn render_command(command: &Command, parent: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let name = format!("{parent} {}", command.get_name());
    if command.has_subcommands() {
        return command
            .get_subcommands()
            .try_for_each(|part| render_command(part, &name, page));
    }
    // Rendered as a separate command, so that the global settings are not repeated.
    let alone = command.clone().bin_name(&name).disable_help_flag(true);
    let manual = Man::new(alone);
    writeln!(page, ".SS \"{name}\"")?;
    let mut part = Vec::new();
    manual.render_description_section(&mut part)?;
    manual.render_synopsis_section(&mut part)?;
    manual.render_options_section(&mut part)?;
    let part = String::from_utf8(part).map_err(io::Error::other)?;
    for line in part.lines() {
        // The section headings become paragraphs.
        let line = if line.starts_with(".SH ") {
            ".PP"
        } else {
            line
        };
        writeln!(page, "{line}")?;
    }
    Ok(())
}
