//! Parses the command line, starts telemetry, runs the command and exits with:
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success; `schema check`: no differences |
//! | 1 | failure; lint errors, breaking changes, broken operations, or differences |
//! | 2 | a wrong command line or setting, or an unreadable contract |
//! | 130, 143 | aborted by a second SIGINT or SIGTERM |

use std::{error::Error, io, panic::resume_unwind, process::ExitCode, thread, time::Duration};

use schema::printable_lines;
use settings::Parsed;
use telemetry::log;
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
    time::interval,
};
use tokio_rustls::rustls::crypto::ring;

use crate::{CommandLine, Failure, command_line, error_chain::error_chain};

/// Runs the program of a service.
pub fn main<C: CommandLine>() -> ExitCode {
    // poem builds in a second provider, so that rustls cannot choose one itself.
    let _ = ring::default_provider().install_default();
    // On a thread of its own, since the stack and the heap that clap needs are released with it.
    let parsed = thread::spawn(|| command_line::parse::<C>(std::env::args_os())).join();
    match parsed.unwrap_or_else(|panic| resume_unwind(panic)) {
        Ok(parsed) => match run_logged(parsed) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                report(&failure);
                ExitCode::from(failure.exit_code())
            }
        },
        Err(error) => {
            // Also prints help, to stdout; a closed stdout is not a failure.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

/// The stack of a thread that executes requests. Validation permits 128 nested fields, and each takes up to 25 KB of
/// stack in a debug build if its object has resolvers. Only what is used takes memory.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Runs a command with a log, which is flushed at the end.
fn run_logged<C: CommandLine>(parsed: Parsed<C>) -> Result<(), Failure> {
    let settings = parsed.command_line.settings();
    let telemetry = &settings.telemetry;
    let _logging =
        log::start(&telemetry.log_level, telemetry.log_format).map_err(Failure::Runtime)?;
    let mut threads = runtime::Builder::new_multi_thread();
    // The result of a batch wakes more connection tasks than the local queue of a worker holds. The
    // global queue, which takes the others, is polled more often than by default, and ready tasks run
    // before new I/O events are polled.
    threads.global_queue_interval(8).event_interval(128);
    threads.thread_stack_size(STACK_BYTES);
    if settings.worker_threads > 0 {
        threads.worker_threads(settings.worker_threads);
    }
    let runtime = threads.enable_all().build().map_err(Failure::Runtime)?;
    runtime.spawn(keep_wakeup_near());
    for warning in &parsed.warnings {
        tracing::warn!("{warning}");
    }
    runtime.block_on(async {
        handle_file_size_signal().map_err(Failure::FileSize)?;
        C::run(parsed).await
    })
}

/// Handles SIGXFSZ, so that a write beyond the file size limit (`ulimit -f`) fails instead of
/// terminating the program.
fn handle_file_size_signal() -> io::Result<()> {
    // Tokio never removes the handler, so the stream can be dropped.
    signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
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
    eprintln!("error: {}", printable_lines(&error_chain(failure)));
}
