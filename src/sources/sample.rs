//! The embedded sample: a catalog in our own words and a small home, for newcomers and for tests.

use crate::engine::catalog::CatalogDocument;

/// The sample catalog.
pub fn catalog() -> CatalogDocument {
    unimplemented!("replaced by the sample slice")
}

/// The sample's `config.yaml`.
pub fn config_text() -> &'static str {
    ""
}
