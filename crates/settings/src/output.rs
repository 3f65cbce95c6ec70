//! The output of commands.

use std::io::{self, Write};

/// Writes to stdout. A closed pipe is not an error: its reader, such as `head`, has read what it needs, and the exit
/// code still states what was found.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
