//! The processes around a runner.

use std::io;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getppid, kill_process, kill_process_group, wait};

use super::descendants;

/// Which processes the runner and the command can signal.
pub(super) enum Surroundings {
    /// The runner is the first process of its pid namespace.
    First,
    /// The runner shares its pid namespace with its parent, the tester.
    Shared {
        /// The tester.
        tester: Pid,
    },
}

impl Surroundings {
    /// Kills the command and all other processes that it started, except those that have left the process group of the
    /// command in a shared namespace. `command` is not reaped yet.
    pub(super) fn kill(&self, command: Pid) {
        let _ = match self {
            // Group 1 means every process that the sender may signal: the whole namespace without its first process.
            // The kernel does this at once, so no process can escape by starting others.
            Surroundings::First => kill_process_group(Pid::INIT, Signal::KILL),
            // The process group has the id of the command, so the id cannot belong to another group.
            Surroundings::Shared { .. } => kill_process_group(command, Signal::KILL),
        };
        // It may have changed its process group.
        let _ = kill_process(command, Signal::KILL);
    }

    /// Ends every process that the command left behind.
    pub(super) fn end_orphans(&self) -> io::Result<()> {
        match self {
            // All of them are killed already, and the first process adopts them.
            Surroundings::First => loop {
                match wait(WaitOptions::empty()) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(Errno::CHILD) => return Ok(()),
                    Err(error) => return Err(error.into()),
                }
            },
            Surroundings::Shared { .. } => descendants::end_children(&[]),
        }
    }

    /// Continues the tester: in a shared namespace the command can stop it. It is not looked at first: a signal to stop
    /// may still be on its way.
    pub(super) fn continue_tester(&self) {
        if let Surroundings::Shared { tester } = self
            && getppid() == Some(*tester)
        {
            let _ = kill_process(*tester, Signal::CONT);
        }
    }
}
