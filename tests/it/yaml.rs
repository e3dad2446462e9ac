//! Reading and editing YAML: against the answers of both Python loaders, and over a corpus of files people have.

mod corpus;
mod edit;
mod encode;
#[cfg(feature = "real-hermes")]
mod loaders;
mod mutate;
mod strings;
mod table;
