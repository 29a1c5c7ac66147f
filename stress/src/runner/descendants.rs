//! The processes that descend from this one.

use std::path::Path;
use std::{fs, io};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};

/// Adopts every process that a killed runner leaves behind, and ends it when dropped.
pub struct Orphans {
    /// The children that this process had before, for example those of a shell that became this program.
    earlier: Vec<Pid>,
}

impl Orphans {
    /// From now on, orphaned descendants become children of this process.
    pub fn adopt() -> io::Result<Orphans> {
        set_child_subreaper(Some(getpid()))?;
        Ok(Orphans { earlier: children()? })
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        let _ = end_children(&self.earlier);
    }
}

/// Kills and reaps the children of this thread except `spared`, and every process that they leave behind. This process
/// must adopt orphans.
pub(super) fn end_children(spared: &[Pid]) -> io::Result<()> {
    loop {
        let children: Vec<Pid> = children()?.into_iter().filter(|child| !spared.contains(child)).collect();
        if children.is_empty() {
            return Ok(());
        }
        for &child in &children {
            // A child that has just ended stays a zombie until it is reaped below, so its id is not reused.
            let _ = kill_process(child, Signal::KILL);
        }
        for child in children {
            // Its own children then become ours.
            while matches!(waitpid(Some(child), WaitOptions::empty()), Err(Errno::INTR)) {}
        }
    }
}

/// All processes that descend from this thread, numbered as in `/proc`. Some may have ended already.
pub(super) fn all() -> io::Result<Vec<Pid>> {
    Ok(with_descendants(children()?))
}

/// Kills all processes that descend from another one.
pub(super) fn kill_below(process: Pid) {
    for descendant in with_descendants(vec![process]).into_iter().skip(1) {
        let _ = kill_process(descendant, Signal::KILL);
    }
}

/// These processes, then all that descend from them.
fn with_descendants(mut processes: Vec<Pid>) -> Vec<Pid> {
    let mut place = 0;
    while let Some(process) = processes.get(place) {
        // A child belongs to the thread that started it.
        if let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) {
            let children = |thread: fs::DirEntry| listed(&thread.path().join("children")).unwrap_or_default();
            processes.extend(threads.flatten().flat_map(children));
        }
        place += 1;
    }
    processes
}

fn children() -> io::Result<Vec<Pid>> {
    listed("/proc/thread-self/children".as_ref())
}

/// The process ids in a file of the kernel.
fn listed(file: &Path) -> io::Result<Vec<Pid>> {
    let list = fs::read_to_string(file)?;
    Ok(list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect())
}
