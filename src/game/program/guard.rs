//! Game programs that die with the program that asks them, even if that one is killed.
//!
//! A process can ask the kernel only for itself to be killed with its parent. So the program that asks starts itself
//! again, and the new process asks for that and becomes the game program.

use std::ffi::OsString;
use std::process::ExitCode;

/// Becomes a game program if this process was started for that. Then it returns only if that fails.
///
/// A program that uses [`ProgramGame::open_guarded`](super::ProgramGame::open_guarded) calls this first of all, and ends
/// with the exit code if there is one.
pub fn become_program() -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    return linux::become_program();
    #[cfg(not(target_os = "linux"))]
    None
}

/// The start of a command that runs the rest of it under guard.
pub(super) fn prefix() -> Vec<OsString> {
    #[cfg(target_os = "linux")]
    return linux::prefix();
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, ExitCode};
    use std::{env, io};

    use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
    use serde_json::json;

    /// The first argument of a process that becomes a game program. The id of its parent and the command follow.
    const ARGUMENT: &str = "--be-the-game";

    pub(super) fn prefix() -> Vec<OsString> {
        // Not the path: the file may have been replaced since the start.
        vec!["/proc/self/exe".into(), ARGUMENT.into(), getpid().to_string().into()]
    }

    pub(super) fn become_program() -> Option<ExitCode> {
        let mut arguments = env::args_os().skip(1);
        if arguments.next()? != ARGUMENT {
            return None;
        }
        let error = run(arguments).unwrap_or_else(|| io::ErrorKind::InvalidInput.into());
        // The reply to the first request.
        let _ = io::stdin().read_line(&mut String::new());
        let what = format!("cannot be started: {error}");
        println!("{}", json!({ "error": { "what": what, "remedy": "name a program that can be run" } }));
        Some(ExitCode::FAILURE)
    }

    /// Becomes the command of these arguments, or returns why that fails; `None` if they are not such arguments.
    fn run(mut arguments: impl Iterator<Item = OsString>) -> Option<io::Error> {
        let parent = Pid::from_raw(arguments.next()?.to_str()?.parse().ok()?)?;
        let program = arguments.next()?;
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            return Some(error.into());
        }
        // It may have died before.
        if getppid() != Some(parent) {
            return Some(io::ErrorKind::BrokenPipe.into());
        }
        Some(Command::new(program).args(arguments).exec())
    }
}
