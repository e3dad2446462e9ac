//! Replacing a file's content so that a reader sees the old bytes or the new ones, and a foreign writer loses nothing.
//!
//! A temporary file beside the real one gets mode and owner, is synced, and changes places with it in one step. What
//! came out is compared with what was expected: a write that slipped in between is noticed, not lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// What became of a replacement.
pub(super) enum Replaced {
    Done,
    /// Somebody else wrote in between; their content is in the file again.
    Raced,
}

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
pub(super) fn replace(file: &Path, expected: Option<&[u8]>, new: &[u8]) -> io::Result<Replaced> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let Some(expected) = expected else { return create(file, folder, new) };
    let metadata = fs::metadata(file)?;
    if has_other_names(&metadata) {
        return in_place(file, expected, new);
    }
    let mut temporary = tempfile::Builder::new().prefix(&prefix(file)).tempfile_in(folder)?;
    temporary.write_all(new)?;
    if !take_over(temporary.as_file(), &metadata)? {
        return in_place(file, expected, new);
    }
    temporary.as_file().sync_all()?;
    // A last look, so that what comes out differs as good as never: for that instant a reader would see ours.
    if fs::read(file)? != expected {
        return Ok(Replaced::Raced);
    }
    let replaced = match exchange(temporary.path(), file) {
        Ok(()) => after_exchange(&temporary, file, expected, new)?,
        Err(error) if is_busy(&error) => return in_place(file, expected, new),
        // A file system without exchange.
        Err(_) => match temporary.persist(file) {
            Ok(_) => Replaced::Done,
            Err(error) if is_busy(&error.error) => return in_place(file, expected, new),
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

/// For files that must stay the same inode: hard links, and single files mounted into a container. The previous
/// content has been kept elsewhere.
fn in_place(file: &Path, expected: &[u8], new: &[u8]) -> io::Result<Replaced> {
    if fs::read(file)? != expected {
        return Ok(Replaced::Raced);
    }
    let mut open = OpenOptions::new().write(true).open(file)?;
    open.write_all(new)?;
    open.set_len(new.len() as u64)?;
    open.sync_all()?;
    Ok(Replaced::Done)
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

/// Gives the temporary file the mode and owner of the real one; false if we may not.
fn take_over(temporary: &File, metadata: &fs::Metadata) -> io::Result<bool> {
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
