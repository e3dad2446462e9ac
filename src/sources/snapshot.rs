//! The last catalog Hermes gave, kept under our cache folder per home, interpreter and surface; and catalogs in files.
