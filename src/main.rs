//! The binary: parse, run, exit code. Everything else is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    hermes_tools::cli::run(std::env::args_os())
}
