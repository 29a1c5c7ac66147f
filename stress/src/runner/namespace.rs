//! The pid namespace of a runner.

use std::ffi::OsString;
use std::process::Command;
use std::{env, fs, io};

use rustix::process::{Pid, Signal, getegid, geteuid, getppid, set_parent_process_death_signal};
use rustix::thread::UnshareFlags;

/// Starts this program as the first process of a new pid namespace and waits for it. Dies with `tester`, its parent, and
/// the namespace dies with it.
pub(super) fn supervise(tester: Pid, arguments: Vec<OsString>) -> io::Result<()> {
    create()?;
    // After the unsharing, because a change of credentials resets it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(tester) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    let status = Command::new(env::current_exe()?).args(arguments).spawn()?.wait()?;
    if status.success() { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
}

/// Puts the next child process into a new pid namespace. Only a privileged process may do that in its own user
/// namespace. Any other needs a new user namespace, in which it keeps its user and group.
fn create() -> io::Result<()> {
    if unshare(UnshareFlags::NEWPID).is_ok() {
        return Ok(());
    }
    let (user, group) = (geteuid(), getegid());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1", user = user.as_raw()))?;
    // The kernel demands this before an unprivileged process may set its group.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1", group = group.as_raw()))
}

#[expect(deprecated, reason = "it is deprecated for `FILES`, which separates the file descriptors of threads")]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(flags)?)
}
