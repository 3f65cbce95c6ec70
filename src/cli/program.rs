//! Parses the command line, starts telemetry, runs the command and exits with:
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success; `schema lint`: no errors, `schema diff`: no breaking changes, `schema operations`: none stops working, `schema check`: no differences |
//! | 1 | failure; lint errors, breaking changes, broken operations, or differences |
//! | 2 | a wrong command line or setting, or an unreadable contract |
//! | 130, 143 | aborted by a second SIGINT or SIGTERM |

use std::{error::Error, process::ExitCode, time::Duration};

use telemetry::log;
use tokio::{runtime, time::interval};

use super::{CommandLine, error_chain, run};

/// Runs the program.
pub fn main() -> ExitCode {
    let parsed = match CommandLine::read() {
        Ok(parsed) => parsed,
        Err(error) => {
            // Also prints help, to stdout; a closed stdout is not a failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let settings = &parsed.command_line.settings;
    let telemetry = &settings.telemetry;
    let logging = match log::start(&telemetry.log_level, telemetry.log_format) {
        Ok(logging) => logging,
        Err(error) => {
            report(&error);
            return ExitCode::FAILURE;
        }
    };
    let mut threads = runtime::Builder::new_multi_thread();
    // The result of a batch wakes more connection tasks than the local queue of a worker holds. The
    // global queue, which takes the others, is polled more often than by default, and ready tasks run
    // before new I/O events are polled.
    threads.global_queue_interval(8).event_interval(128);
    match settings.worker_threads {
        0 => {}
        count => {
            threads.worker_threads(count);
        }
    }
    let runtime = match threads.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            report(&error);
            return ExitCode::FAILURE;
        }
    };
    runtime.spawn(keep_wakeup_near());
    // On the heap: the futures of all commands together are large.
    let ended = runtime.block_on(Box::pin(run(parsed)));
    // Flushes the log before the error is reported.
    drop(logging);
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Time between two wakeups, less than the timeouts of requests and statements.
const WAKEUP_INTERVAL: Duration = Duration::from_millis(500);

/// Wakes the timer driver at short intervals: registering a timer that is due before all others wakes it, too,
/// with a system call, and nearly every timeout of a request and of a statement would be such a timer.
async fn keep_wakeup_near() {
    let mut wakeups = interval(WAKEUP_INTERVAL);
    loop {
        wakeups.tick().await;
    }
}

#[expect(clippy::print_stderr, reason = "the error output of the command line")]
fn report(failure: &dyn Error) {
    eprintln!("error: {}", error_chain(failure));
}
