//! What a file carries beside content, mode and owner: access lists and extended attributes.
//!
//! A replacement without them could widen who reads the file: the mode's group bits are the mask of an access list, and
//! become the group's own rights once the list is gone.

use std::fs::File;
use std::io;

/// The access list as Linux keeps it.
#[cfg(target_os = "linux")]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Gives `to` the attributes of `from` and takes away an access list that only `to` has (inherited from its folder);
/// false where that is not possible. Labels of the kernel's own (`security.`, `trusted.`) are tried only: where they
/// cannot be set, the system decides on them anyway.
#[cfg(target_os = "linux")]
pub(super) fn carry_over(from: &File, to: &File) -> io::Result<bool> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};
    let names = names(from)?;
    for name in &names {
        let set = value(from, name).and_then(|value| Ok(fsetxattr(to, name.as_str(), &value, XattrFlags::empty())?));
        let kernels_own = name.starts_with("security.") || name.starts_with("trusted.");
        if set.is_err() && !kernels_own {
            return Ok(false);
        }
    }
    let has_list = |names: &[String]| names.iter().any(|name| name == ACCESS_LIST);
    if !has_list(&names) && has_list(&self::names(to)?) {
        return Ok(fremovexattr(to, ACCESS_LIST).is_ok());
    }
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn carry_over(_from: &File, _to: &File) -> io::Result<bool> {
    Ok(true)
}

/// Names of a file's attributes; none on a file system without them.
#[cfg(target_os = "linux")]
fn names(file: &File) -> io::Result<Vec<String>> {
    // The kernel's limit for a list of names.
    let mut room = vec![0; 1 << 16];
    match rustix::fs::flistxattr(file, &mut room[..]) {
        Ok(length) => Ok(room[..length]
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()),
        Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(target_os = "linux")]
fn value(file: &File, name: &str) -> io::Result<Vec<u8>> {
    // The kernel's limit for a value.
    let mut room = vec![0; 1 << 16];
    let length = rustix::fs::fgetxattr(file, name, &mut room[..])?;
    room.truncate(length);
    Ok(room)
}
