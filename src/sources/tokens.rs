//! Token counting, remembered on disk by content hash.
