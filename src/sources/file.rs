//! Reading files that others made: a name may lead to a pipe nobody writes to, or to a device without end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Far more than any settings file has.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The bytes of a regular file of at most 16 MB, and what the system says about it.
pub(super) fn read(path: &Path) -> io::Result<(Vec<u8>, Metadata)> {
    // Merely opening some devices does something.
    check(&std::fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // A pipe that took the file's place meanwhile must not keep us waiting.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    check(&metadata)?;
    let bytes = read_all(file, &metadata)?;
    Ok((bytes, metadata))
}

/// The text of such a file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let (bytes, _) = read(path)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file but a pipe, socket or device"));
    }
    if metadata.len() > MAX_BYTES { Err(too_large()) } else { Ok(()) }
}

fn read_all(file: File, metadata: &Metadata) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // It may grow while it is read.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(bytes) }
}

fn too_large() -> io::Error {
    io::Error::other(format!("it is larger than {} MB", MAX_BYTES / 1024 / 1024))
}
