//! The binary: parse, run, exit code. Everything else is the library's.

fn main() {}
