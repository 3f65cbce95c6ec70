//! Parses the command line, starts telemetry, runs the command and tells how it ended:
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success; of `schema lint` no errors, of `schema diff` nothing that breaks, of `schema check` a proof |
//! | 1 | a failure; errors of lint, breaking changes, or no proof |
//! | 2 | a wrong command line or setting, or a contract that can't be read |
//! | 130, 143 | a second SIGINT or SIGTERM did not let it finish |

// The futures of async-graphql nest deeper than the compiler's default allows.
#![recursion_limit = "256"]

use std::{error::Error, process::ExitCode};

use mimalloc::MiMalloc;
use tokio::runtime;
use vehicle_catalogue::{cli, config::CommandLine, telemetry};

/// A request makes and forgets about a hundred pieces of memory, for which this allocator takes half
/// as long as the one of glibc.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let command_line = match CommandLine::read() {
        Ok(command_line) => command_line,
        Err(answer) => {
            // Help that was asked for goes to stdout; a closed stdout is no reason to fail.
            let _ = answer.print();
            return ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2));
        }
    };
    let telemetry = &command_line.settings.telemetry;
    let logging = match telemetry::start(&telemetry.log_level, telemetry.log_format) {
        Ok(logging) => logging,
        Err(error) => {
            report(&error);
            return ExitCode::FAILURE;
        }
    };
    let mut threads = runtime::Builder::new_multi_thread();
    // An answer to many requests wakes all their connections at once, more than the queue of a thread
    // takes. Those that do not fit in it have their turn often, too, and whoever is ready goes on
    // before anybody new is listened to.
    threads.global_queue_interval(8).event_interval(128);
    match command_line.settings.worker_threads {
        0 => {}
        many => {
            threads.worker_threads(many as usize);
        }
    }
    let runtime = match threads.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            report(&error);
            return ExitCode::FAILURE;
        }
    };
    // On the heap: the futures of all commands together are large.
    let ended = runtime.block_on(Box::pin(cli::run(command_line)));
    // What is reported is the last word.
    drop(logging);
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

#[expect(clippy::print_stderr, reason = "the last words of the command line")]
fn report(failure: &dyn Error) {
    eprintln!("error: {}", cli::error_chain(failure));
}
