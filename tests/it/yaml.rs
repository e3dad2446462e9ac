//! Reading and editing YAML: against the answers of both Python loaders, and over a corpus of files people have.

mod encode;
mod table;
