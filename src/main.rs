//! The program, whose `--help` lists its exit codes.

use std::{env, io, process::ExitCode, sync::Arc};

use clap::{CommandFactory, FromArgMatches};
use mimalloc::MiMalloc;
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
};
use tokio_rustls::rustls::crypto::ring;
use vehicle_catalogue::{
    commands::{CommandLine, Failure, run},
    settings,
    telemetry::{self, Tracer, error_chain},
};

/// A request makes about a hundred allocations, which take half as long as with glibc's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The stack of a thread that executes requests. Validation permits 128 nested fields, and each takes up to 25 KB of
/// stack in a debug build if its object has resolvers. Only what is used takes memory.
const STACK_BYTES: usize = 8 * 1024 * 1024;

fn main() -> ExitCode {
    // The clients of `health` and of the traces have none of their own. An error means that there is one.
    let _ = ring::default_provider().install_default();
    let arguments: Vec<_> = env::args_os().collect();
    let command = CommandLine::command();
    let matches = match settings::parse(command.clone(), &arguments) {
        Ok(matches) => matches,
        Err(mistakes) => return fail(&mistakes.join("\nerror: "), 2),
    };
    let command_line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let contradictions = command_line.settings.contradictions();
    if !contradictions.is_empty() {
        return fail(&contradictions.join("\nerror: "), 2);
    }
    let effective = settings::effective(&command, &matches);
    let result = (|| {
        let settings = &command_line.settings.telemetry;
        let endpoint = settings.trace_endpoint.as_ref();
        let tracer = endpoint.map(|endpoint| Tracer::new(endpoint, settings.trace_sample));
        let tracer = tracer.transpose().map_err(Failure::Traces)?.map(Arc::new);
        let _log = telemetry::start(&settings.log_level, tracer.as_deref());
        for warning in settings::unknown_variables(&command) {
            tracing::warn!("{warning}");
        }
        let runtime = runtime::Builder::new_multi_thread().thread_stack_size(STACK_BYTES).enable_all().build();
        runtime.map_err(Failure::Runtime)?.block_on(async {
            fail_writes_beyond_the_file_size_limit().map_err(Failure::Runtime)?;
            Box::pin(run(command_line, effective, tracer)).await
        })
    })();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&error_chain(&failure), failure.exit_code()),
    }
}

/// Handles SIGXFSZ, which would end the program at the limit (`ulimit -f`).
fn fail_writes_beyond_the_file_size_limit() -> io::Result<()> {
    // Tokio never removes the handler, so the stream can be dropped.
    signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
}

/// Prints an error. A closed stderr changes nothing.
fn fail(error: &str, code: u8) -> ExitCode {
    let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {}\n", graphql_sdl::printable_lines(error)));
    ExitCode::from(code)
}
