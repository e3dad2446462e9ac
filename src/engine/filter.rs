//! Filter-as-you-type over row names: fuzzy, `!word` excludes, a few prefixes. Not the host's tool search.
