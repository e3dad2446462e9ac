//! Replacing a file's content so that a reader sees the old bytes or the new ones, and a foreign writer loses nothing.
//!
//! A temporary file beside the real one gets mode and owner, is synced, and changes places with it in one step. What
//! came out is compared with what was expected: a write that slipped in between is noticed, not lost. A file that must
//! stay the same inode is written over, and gets its old bytes back where that fails.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::attributes;

/// What became of a replacement.
#[derive(Debug)]
pub(super) enum Replaced {
    Done,
    /// Somebody else wrote in between; their content is in the file again.
    Raced,
    /// Writing over the file failed, and so did putting the old bytes back: it holds a mixture.
    Torn(io::Error),
}

/// Called before the first byte of a file is written over: from then on a kill may leave a mixture.
pub(super) type Begin<'a> = &'a dyn Fn() -> io::Result<()>;

/// The start of our temporary files' names beside `file`.
fn prefix(file: &Path) -> String {
    format!(".{}.hermes-tools-", file.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes temporary files a killed save left. Only under the lock, when none can be in use.
pub(super) fn sweep(file: &Path) {
    let prefix = prefix(file);
    let Some(Ok(entries)) = file.parent().map(fs::read_dir) else { return };
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Puts `new` in place of `expected`, which was read from the file; `None` if there was no file.
pub(super) fn replace(file: &Path, expected: Option<&[u8]>, new: &[u8], begin: Begin<'_>) -> io::Result<Replaced> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let Some(expected) = expected else { return create(file, folder, new) };
    let metadata = fs::metadata(file)?;
    if has_other_names(&metadata) {
        return in_place(file, expected, new, begin);
    }
    let mut temporary = tempfile::Builder::new().prefix(&prefix(file)).tempfile_in(folder)?;
    temporary.write_all(new)?;
    if !take_over(temporary.as_file(), file, &metadata)? {
        return in_place(file, expected, new, begin);
    }
    temporary.as_file().sync_all()?;
    // A last look, so that what comes out differs as good as never: for that instant a reader would see ours.
    if fs::read(file)? != expected {
        return Ok(Replaced::Raced);
    }
    let replaced = match exchange(temporary.path(), file) {
        Ok(()) => after_exchange(&temporary, file, expected, new)?,
        Err(error) if is_busy(&error) => return in_place(file, expected, new, begin),
        // A file system without exchange.
        Err(_) => match temporary.persist(file) {
            Ok(_) => Replaced::Done,
            Err(error) if is_busy(&error.error) => return in_place(file, expected, new, begin),
            Err(error) => return Err(error.error),
        },
    };
    sync_folder(folder)?;
    Ok(replaced)
}

/// Looks at what came out of the exchange; puts a foreign write back.
fn after_exchange(temporary: &NamedTempFile, file: &Path, expected: &[u8], new: &[u8]) -> io::Result<Replaced> {
    let mut came_out = fs::read(temporary.path())?;
    if came_out == expected {
        return Ok(Replaced::Done);
    }
    let mut in_file = new.to_vec();
    loop {
        // Theirs goes back in. If yet another write comes out instead of what we had there, that one is the newest:
        // round again.
        exchange(temporary.path(), file)?;
        let next = fs::read(temporary.path())?;
        if next == in_file {
            return Ok(Replaced::Raced);
        }
        in_file = came_out;
        came_out = next;
    }
}

/// A new file, readable by its owner only.
fn create(file: &Path, folder: &Path, new: &[u8]) -> io::Result<Replaced> {
    let mut temporary = tempfile::Builder::new().prefix(&prefix(file)).tempfile_in(folder)?;
    temporary.write_all(new)?;
    temporary.as_file().sync_all()?;
    match temporary.persist_noclobber(file) {
        Ok(_) => {
            sync_folder(folder)?;
            Ok(Replaced::Done)
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(Replaced::Raced),
        Err(error) => Err(error.error),
    }
}

/// For files that must stay the same inode: hard links, single files mounted into a container, and files whose owner
/// or attributes we may not give to another. The previous content has been kept elsewhere.
fn in_place(file: &Path, expected: &[u8], new: &[u8], begin: Begin<'_>) -> io::Result<Replaced> {
    if fs::read(file)? != expected {
        return Ok(Replaced::Raced);
    }
    let mut open = OpenOptions::new().write(true).open(file)?;
    reserve(&open, new.len())?;
    begin()?;
    match write_over(&mut open, new) {
        Ok(()) => Ok(Replaced::Done),
        Err(error) => match write_over(&mut open, expected) {
            Ok(()) => Err(error),
            Err(_) => Ok(Replaced::Torn(error)),
        },
    }
}

fn write_over(open: &mut File, bytes: &[u8]) -> io::Result<()> {
    open.rewind()?;
    open.write_all(bytes)?;
    open.set_len(bytes.len() as u64)?;
    open.sync_all()
}

/// Asks for the room before anything is written. A file system that cannot promise it is tried.
#[cfg(target_os = "linux")]
fn reserve(open: &File, length: usize) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fallocate(open, rustix::fs::FallocateFlags::KEEP_SIZE, 0, (length as u64).max(1)) {
        Err(error @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_open: &File, _length: usize) -> io::Result<()> {
    Ok(())
}

/// Removes a file that a save created, if it still has what was written.
pub(super) fn remove(file: &Path, expected: &[u8]) -> io::Result<Replaced> {
    if fs::read(file)? != expected {
        return Ok(Replaced::Raced);
    }
    fs::remove_file(file)?;
    sync_folder(file.parent().unwrap_or(Path::new(".")))?;
    Ok(Replaced::Done)
}

#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn is_busy(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices)
}

#[cfg(unix)]
fn has_other_names(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_metadata: &fs::Metadata) -> bool {
    false
}

/// Gives the temporary file the owner, attributes and mode of the real one; false if we may not.
fn take_over(temporary: &File, file: &Path, metadata: &fs::Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = temporary.metadata()?;
        if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid())
            && std::os::unix::fs::fchown(temporary, Some(metadata.uid()), Some(metadata.gid())).is_err()
        {
            return Ok(false);
        }
    }
    // Before the mode: its group bits are only the mask where there is an access list.
    if !attributes::carry_over(&File::open(file)?, temporary)? {
        return Ok(false);
    }
    temporary.set_permissions(metadata.permissions())?;
    Ok(true)
}

/// Makes the new name last. Some file systems cannot; the content is safe either way.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::AsRawFd;

    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

    use super::*;

    /// A file that may be written over but not grow: the kernel refuses half-way, as a full disk does.
    #[test]
    fn a_write_that_fails_half_way_puts_the_old_bytes_back() {
        let descriptor = memfd_create("config", MemfdFlags::ALLOW_SEALING).expect("a file in memory");
        let mut file = File::from(descriptor);
        let old = "a: 1\n".repeat(3 * 4096);
        file.write_all(old.as_bytes()).expect("writes");
        fcntl_add_seals(&file, SealFlags::GROW).expect("seals");
        let path = std::path::PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        let begun = std::cell::Cell::new(false);
        let begin = || {
            begun.set(true);
            Ok(())
        };
        let new = "b: 22\n".repeat(3 * 4096);
        let error = in_place(&path, old.as_bytes(), new.as_bytes(), &begin).expect_err("it cannot grow");
        assert!(begun.get(), "refused before a byte was written: {error}");
        assert_eq!(fs::read_to_string(&path).expect("reads"), old);
        let shorter = "c\n".repeat(4096);
        assert!(matches!(in_place(&path, old.as_bytes(), shorter.as_bytes(), &begin), Ok(Replaced::Done)));
        assert_eq!(fs::read_to_string(&path).expect("reads"), shorter);
    }

    #[test]
    fn a_write_that_cannot_be_taken_back_says_so() {
        let descriptor = memfd_create("config", MemfdFlags::ALLOW_SEALING).expect("a file in memory");
        let mut file = File::from(descriptor);
        file.write_all(b"old").expect("writes");
        let path = std::path::PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        let seal = || Ok(fcntl_add_seals(&file, SealFlags::WRITE)?);
        let outcome = in_place(&path, b"old", b"new", &seal).expect("says what is in the file");
        assert!(matches!(outcome, Replaced::Torn(_)), "{outcome:?}");
    }
}
