//! Signals, and processes that the tester must not leave behind.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tabletop_stress::runner::{Interrupt, Job, Limits, Namespace, Runner};
use tempfile::{TempDir, tempdir};

use crate::support::{PROBE, TIMEOUT, command, processes_in, stress, wait_until};

/// In a pid namespace where the kernel allows one, and without it.
const PLACES: [&[&str]; 2] = [&[], &["--no-namespace"]];

/// Whether the kernel allows this process a pid namespace.
fn has_namespaces() -> bool {
    let probe = |flags: &[&str]| Command::new("unshare").args(flags).arg("true").output().unwrap().status.success();
    probe(&["--fork", "--pid"]) || probe(&["--fork", "--pid", "--user"])
}

/// Starts a test of a command with this behaviour.
fn start(directory: &TempDir, options: &[&str], behaviour: &[&str]) -> Child {
    start_tester(directory, &[&["jenga", "--shrink-time", "0"], options, &["--", PROBE], behaviour].concat())
}

fn start_tester(directory: &TempDir, arguments: &[&str]) -> Child {
    command(env!("CARGO_BIN_EXE_tabletop-stress"), directory, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the tester has ended, with its output. Fails if it does not end, and ends it.
#[track_caller]
fn ended(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > TIMEOUT {
            child.kill().unwrap();
            panic!("the tester does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Starts a test of a command that hangs and leaves processes behind. Waits until all run: the tester, its runner, the
/// command, the child that it waits for, and the two that it has left; in a pid namespace also the supervisor.
fn hanging(directory: &TempDir, place: &[&str]) -> Child {
    let behaviour = ["leave", "hang", directory.path().to_str().unwrap()];
    let child = start(directory, &[&["--time-limit", "3600"], place].concat(), &behaviour);
    let count = if place.is_empty() && has_namespaces() { 7 } else { 6 };
    wait_until("the command does not run", || processes_in(directory).len() >= count);
    child
}

#[test]
fn a_signal_ends_all_processes_and_prints_the_partial_report() {
    for (signal, code, place) in
        [(Signal::INT, 130, PLACES[0]), (Signal::TERM, 143, PLACES[0]), (Signal::INT, 130, PLACES[1])]
    {
        let directory = tempdir().unwrap();
        let child = hanging(&directory, place);
        let started = Instant::now();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = ended(child);
        // Takes about a second on an idle machine.
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        assert_eq!(processes_in(&directory), [0; 0]);
        assert_eq!(output.status.code(), Some(code));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text, "jenga: none judged, of 1000 inputs\nended by a signal after 0 inputs\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

/// Starts a test whose game program does not answer, and waits until it is asked.
fn waiting(directory: &TempDir) -> Child {
    let program = directory.path().join("slow");
    symlink(PROBE, &program).unwrap();
    let child = start_tester(directory, &["--game", program.to_str().unwrap(), "--", PROBE, "nothing"]);
    wait_until("the game is not asked", || directory.path().join("slow-asked").exists());
    child
}

#[test]
fn a_signal_ends_the_wait_for_a_game_program() {
    let directory = tempdir().unwrap();
    let child = waiting(&directory);
    let started = Instant::now();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let output = ended(child);
    // The program would have 20 seconds.
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(processes_in(&directory), [0; 0]);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "remainder: none judged, of 1000 inputs\nended by a signal after 0 inputs\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_killed_tester_leaves_no_game_program_behind() {
    let directory = tempdir().unwrap();
    let mut child = waiting(&directory);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the game program is left behind", || processes_in(&directory).is_empty());
}

#[test]
fn a_killed_tester_leaves_no_process_behind() {
    for place in PLACES {
        let directory = tempdir().unwrap();
        let mut child = hanging(&directory, place);
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until("processes are left behind", || processes_in(&directory).is_empty());
    }
}

/// The tester is killed while everything that it has started is stopped, from outside.
#[test]
fn a_killed_tester_leaves_no_stopped_process_behind() {
    for place in PLACES {
        let directory = tempdir().unwrap();
        let mut child = hanging(&directory, place);
        // The tester first: it would continue a stopped runner.
        kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
        for process in processes_in(&directory) {
            kill_process(Pid::from_raw(process as i32).unwrap(), Signal::STOP).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until("processes are left behind", || processes_in(&directory).is_empty());
    }
}

/// In a pid namespace a command cannot reach the tester, whatever it sends: its run is judged as usual.
#[test]
fn a_command_in_a_namespace_cannot_signal_the_tester() {
    if !has_namespaces() {
        eprintln!("not tested: the kernel allows no pid namespace");
        return;
    }
    for whom in ["parent", "tester", "all"] {
        for signal in ["stop", "kill", "terminate"] {
            let directory = tempdir().unwrap();
            let output =
                ended(start(&directory, &["--json", "--time-limit", "60"], &["signal", whom, signal, "exit", "7"]));
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["failure"]["reason"], "exit code 7", "{whom} {signal}: {report}");
            assert_eq!(processes_in(&directory), [0; 0], "{whom} {signal}");
        }
    }
}

/// Without a namespace each of the two processes of the tester survives that the command stops or kills the other one.
#[test]
fn a_command_without_a_namespace_is_ended_when_it_signals_the_tester() {
    // Whom it signals, how, and the exit code and a part of the output of the tester.
    let cases = [
        ("parent", "stop", Some(3), "still running after 2 s"),
        ("tester", "stop", Some(3), "still running after 2 s"),
        ("parent", "terminate", Some(3), "still running after 2 s"),
        ("tester", "terminate", Some(143), "\"signal\":15"),
        ("parent", "stop-always", Some(3), "signal 9 (SIGKILL)"),
        ("parent", "kill", Some(1), "the process that runs the command has ended"),
        ("tester", "kill", None, ""),
    ];
    for (whom, signal, code, message) in cases {
        let directory = tempdir().unwrap();
        let rest: &[&str] = if signal == "stop-always" { &[] } else { &["hang"] };
        let time_limit = if message.starts_with("still running") { "2" } else { "60" };
        let options = ["--json", "--no-namespace", "--time-limit", time_limit];
        let output = ended(start(&directory, &options, &[&["signal", whom, signal], rest].concat()));
        assert_eq!(output.status.code(), code, "{whom} {signal}: {output:?}");
        let text = [output.stdout, output.stderr].concat();
        assert!(String::from_utf8_lossy(&text).contains(message), "{whom} {signal}: {text:?}");
        // A tester that still runs leaves nothing. A killed one cannot wait for that.
        if code.is_some() {
            assert_eq!(processes_in(&directory), [0; 0], "{whom} {signal}");
        }
        wait_until("processes are left behind", || processes_in(&directory).is_empty());
    }
}

/// The same where the kernel refuses: a user namespace in which no others may be created, and no privilege.
#[test]
fn a_command_is_run_and_ended_where_the_kernel_refuses_a_namespace() {
    let refuse = "echo 0 > /proc/sys/user/max_user_namespaces\n\
        exec setpriv --inh-caps=-all --bounding-set=-all --no-new-privs \"$@\"";
    let directory = tempdir().unwrap();
    let refused = |words: &[&str]| {
        let shell = ["--user", "--map-root-user", "sh", "-ec", refuse, "sh"];
        command("unshare", &directory, &[&shell[..], words].concat()).output().unwrap()
    };
    if !refused(&["true"]).status.success() {
        eprintln!("not tested: the kernel allows no user namespace");
        return;
    }
    assert!(!refused(&["unshare", "--fork", "--pid", "--user", "true"]).status.success());
    let arguments = ["jenga", "--json", "--shrink-time", "0", "--time-limit", "2", "--", PROBE];
    let tester = [&[env!("CARGO_BIN_EXE_tabletop-stress")], &arguments[..]].concat();
    let output = refused(&[&tester[..], &["signal", "parent", "stop", "hang"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["failure"]["reason"], "still running after 2 s", "{report}");
    assert_eq!(processes_in(&directory), [0; 0]);
}

#[test]
fn many_processes_and_daemons_are_ended() {
    let cases = [
        (["tree", "6"], "2", "time-limit-exceeded"),
        (["daemon", "0"], "60", "presentation-error"),
        (["daemon", "20"], "60", "presentation-error"),
    ];
    for place in PLACES {
        for (behaviour, time_limit, verdict) in cases {
            let directory = tempdir().unwrap();
            let arguments = ["jenga", "--json", "--shrink-time", "0", "--time-limit", time_limit];
            let report = stress(&directory, &[&arguments, place].concat(), &behaviour).json();
            assert_eq!(report["verdict"], verdict, "{behaviour:?} {place:?}: {report}");
        }
    }
}

/// The tester stops at the first wrong answer, while the runner may still write the next output.
#[test]
fn a_runner_whose_output_is_not_received_ends() {
    for (namespace, runners) in [(Namespace::Own, if has_namespaces() { 2 } else { 1 }), (Namespace::Shared, 1)] {
        let directory = tempdir().unwrap();
        // Prints more than fits into a pipe.
        let script = "head -c 1000000 /dev/zero; touch \"$0/printed\"";
        let command = vec!["sh".into(), "-c".into(), script.into(), directory.path().into()];
        let limits = Limits { time: Duration::from_secs(60), output: 1 << 20, memory: 1 << 30 };
        let job = Job { command, limits, namespace };
        let (ended, is_ended) = mpsc::channel();
        thread::spawn(move || {
            let interrupt = Interrupt::watch().unwrap();
            let program = Path::new(env!("CARGO_BIN_EXE_tabletop-stress"));
            let mut runner = Runner::start(program, &job, &interrupt).unwrap();
            runner.send(b"", limits.time).unwrap();
            let has_printed = || directory.path().join("printed").exists();
            wait_until("the command does not end", || has_printed() && processes_in(&directory).len() == runners);
            drop(runner);
            ended.send(()).unwrap();
        });
        is_ended.recv_timeout(TIMEOUT).expect("the runner ends");
    }
}
