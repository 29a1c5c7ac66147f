//! Signals, and processes that the tester must not leave behind.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

use crate::support::{PROBE, command, processes_in, wait_until};

/// Starts a test of a command that hangs and leaves processes behind. Waits until all six run: the tester, its runner,
/// the command, the child that it waits for, and the two that it has left.
fn hanging(directory: &TempDir) -> Child {
    let arguments = ["jenga", "--time-limit", "3600", "--", PROBE, "leave", "hang"];
    let child = command(env!("CARGO_BIN_EXE_tabletop-stress"), directory, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the command does not run", || processes_in(directory).len() >= 6);
    child
}

#[test]
fn a_signal_ends_all_processes_and_prints_the_partial_report() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let directory = tempdir().unwrap();
        let child = hanging(&directory);
        let started = Instant::now();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        // Takes about a second on an idle machine.
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        assert_eq!(processes_in(&directory), [0; 0]);
        assert_eq!(output.status.code(), Some(code));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text, "jenga: none judged, of 1000 inputs\nended by a signal after 0 inputs\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[test]
fn a_killed_tester_leaves_no_process_behind() {
    let directory = tempdir().unwrap();
    let mut child = hanging(&directory);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("processes are left behind", || processes_in(&directory).is_empty());
}
