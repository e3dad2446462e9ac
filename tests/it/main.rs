//! The one integration binary. Each module tests one outside of the program.
