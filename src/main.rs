//! The program: its allocator and its entry point.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A request makes about a hundred allocations, which take half as long as with glibc's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // Futures are compiled in the crate that awaits them: awaited here, all of them would be compiled twice.
    vehicle_catalogue::cli::main()
}
