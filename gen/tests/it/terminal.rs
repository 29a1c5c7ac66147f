//! The progress bar on a terminal.

#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use tabletop_measure::terminal::Terminal;

#[test]
fn a_progress_bar_is_shown_and_cleared_at_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let terminal = Terminal::open().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    command.args(["dice", "--out"]).arg(directory.path()).env("TERM", "xterm").env_remove("NO_COLOR");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(terminal.stream().unwrap());
    let session = terminal.run(&mut command, b"").unwrap();
    assert!(session.status.success(), "{session:?}");
    let of_all = "/63,504 ";
    assert!(session.shown.contains("dice ") && session.shown.contains(of_all), "{session:?}");
    let after_bar = session.shown.rsplit(of_all).next().unwrap();
    let clear_line = "\x1b[2K";
    assert!(after_bar.ends_with(clear_line), "{session:?}");
}
