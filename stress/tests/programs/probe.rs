//! A command for the tests. Its arguments choose how it behaves.

#![forbid(unsafe_code)]

mod speaker;

use std::env;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio, exit};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tabletop::game::{Form, TestGame, games};
use tabletop::table::Places;

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_secs(600);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        // The rest is for who reads the command line.
        ["hang", ..] => sleep(FOREVER),
        ["ignore-sigterm"] => {
            let flag = std::sync::Arc::default();
            signal_hook::flag::register(signal_hook::consts::SIGTERM, flag).expect("a handler");
            sleep(FOREVER);
        }
        ["print"] => print_endlessly(),
        ["complain"] => complain_endlessly(),
        ["exit", code] => exit(code.parse().expect("an exit code")),
        ["abort"] => std::process::abort(),
        // Does not read its input.
        ["unread"] => println!("0"),
        ["fill", mebibytes] => fill(mebibytes.parse().expect("a number")),
        // Removes its memory limits first. Only a privileged process can raise the hard one.
        ["raise", mebibytes] => {
            let own = getrlimit(Resource::Data).maximum;
            let unlimited = Rlimit { current: None, maximum: None };
            let raised = setrlimit(Resource::Data, unlimited);
            raised.or_else(|_| setrlimit(Resource::Data, Rlimit { current: own, maximum: own })).expect("a soft limit");
            fill(mebibytes.parse().expect("a number"));
            sleep(FOREVER);
        }
        // Holds memory and waits.
        ["hold", mebibytes] => {
            let memory = vec![1_u8; mebibytes.parse::<usize>().expect("a number") << 20];
            sleep(FOREVER);
            drop(memory);
        }
        // Starts `count` processes that behave as `rest` says, and waits.
        ["many", count, ref rest @ ..] => {
            (0..count.parse().expect("a number")).for_each(|_| start(rest));
            sleep(FOREVER);
        }
        // A binary tree of processes. Each waits.
        ["tree", depth] => {
            let depth: u32 = depth.parse().expect("a number");
            if depth > 0 {
                (0..2).for_each(|_| start(&["tree", &(depth - 1).to_string()]));
            }
            sleep(FOREVER);
        }
        // Leaves a process in its own session and directory, without any of our streams. It does the same and ends, and
        // so on `depth` times. The last one waits.
        ["daemon", depth] => daemon(depth.parse().expect("a number")),
        // Sends a signal to its parent, or to every process of the tester, then behaves as `rest` says.
        ["signal", whom, "stop-always"] => loop {
            send_signal(whom, "stop");
            sleep(Duration::from_millis(1));
        },
        ["signal", whom, signal, ref rest @ ..] => {
            send_signal(whom, signal);
            leave(rest);
        }
        // Leaves processes behind.
        ["leave", ref rest @ ..] => leave(rest),
        ["answer", game] => answer(game, |_, answer| answer.to_owned()),
        // Wrong on inputs of more than `lines` lines.
        ["long", game, lines] => {
            let limit: usize = lines.parse().expect("a number");
            answer(game, |input, answer| if input.lines().count() > limit { wrong(answer) } else { answer.to_owned() });
        }
        // Wrong on inputs that contain `text`.
        ["without", game, text] => {
            answer(game, |input, answer| if input.contains(text) { wrong(answer) } else { answer.to_owned() });
        }
        ["speak"] => speaker::speak(),
        // The remainder by 3, wrong from `limit` on.
        ["remainder", limit] => {
            let mut line = String::new();
            io::stdin().read_line(&mut line).expect("a position");
            let number: u64 = line.trim().parse().expect("a number");
            println!("{}", if number < limit.parse().expect("a number") { number % 3 } else { 7 });
        }
        ["print-line", line] => println!("{line}"),
        ["nothing"] => {}
        _ => panic!("no such behaviour"),
    }
}

fn print_endlessly() {
    let mut stdout = io::stdout().lock();
    while stdout.write_all(&[b'7'; 4096]).is_ok() {}
}

fn complain_endlessly() {
    let mut stderr = io::stderr().lock();
    while stderr.write_all(&[b'7'; 4096]).is_ok() {}
}

fn fill(mebibytes: usize) {
    let mut memory = Vec::new();
    if memory.try_reserve_exact(mebibytes << 20).is_err() {
        exit(9);
    }
    memory.resize(mebibytes << 20, 1_u8);
    println!("{}", memory.iter().map(|&byte| usize::from(byte)).sum::<usize>());
}

/// Starts this program with this behaviour and does not wait for it.
fn start(behaviour: &[&str]) {
    let own = env::current_exe().expect("a path");
    std::mem::forget(Command::new(own).args(behaviour).stdin(Stdio::null()).spawn().expect("this program runs"));
}

fn daemon(depth: u32) {
    let behaviour = if depth > 0 { vec!["daemon".into(), (depth - 1).to_string()] } else { vec!["hang".into()] };
    let own = env::current_exe().expect("a path");
    let mut child = Command::new("setsid");
    child.arg("--fork").arg(own).args(behaviour).current_dir("/");
    child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("setsid runs");
}

fn send_signal(whom: &str, signal: &str) {
    let signal = match signal {
        "stop" => Signal::STOP,
        "kill" => Signal::KILL,
        "terminate" => Signal::TERM,
        _ => panic!("no such signal"),
    };
    let processes = match whom {
        "parent" => vec![rustix::process::getppid().expect("a parent")],
        "tester" => vec![*ancestors().last().expect("a tester")],
        "all" => ancestors(),
        _ => panic!("no such processes"),
    };
    for process in processes {
        // In another pid namespace the process has no number that this program could use.
        let _ = kill_process(process, signal);
    }
}

/// The processes of the tester above this one, the tester last, with their numbers in `/proc`.
fn ancestors() -> Vec<Pid> {
    let parent = |process: &str| -> Option<Pid> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
        let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).ok()?;
        Pid::from_raw(parent).filter(|_| name.trim() == "tabletop-stress")
    };
    std::iter::successors(parent("self"), |process| parent(&process.to_string())).collect()
}

/// Starts a hanging process in this process group and another in its own session, then behaves as `rest` says.
fn leave(rest: &[&str]) {
    let own = env::current_exe().expect("a path");
    let mut child = Command::new("setsid");
    child.arg("--fork").arg(&own).arg("hang").stdin(Stdio::null()).status().expect("setsid runs");
    let left = Command::new(&own).arg("hang").stdin(Stdio::null()).spawn().expect("this program runs");
    // Not waited for, on purpose.
    std::mem::forget(left);
    if !rest.is_empty() {
        exit(Command::new(own).args(rest).status().expect("this program runs").code().unwrap_or(1));
    }
}

/// Changes the first decimal of each answer, or the last digit of a whole number.
fn wrong(answers: &str) -> String {
    let change = |answer: &str| {
        let mut digits: Vec<char> = answer.chars().collect();
        let place = digits.iter().position(|&digit| digit == '.').map_or(digits.len() - 1, |point| point + 1);
        digits[place] = if digits[place] == '5' { '1' } else { '5' };
        digits.into_iter().chain(['\n']).collect::<String>()
    };
    answers.lines().map(change).collect()
}

/// Prints the library's answer to the input, after `change`.
fn answer(game: &str, change: impl Fn(&str, &str) -> String) {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).expect("an input");
    let text = String::from_utf8_lossy(&input).into_owned();
    let mut games = games(&Places::from_environment()).into_iter();
    let game = games.find(|other: &Arc<dyn TestGame>| other.profile().name == game).expect("a game");
    let answer = tabletop::game::answer(&game, &input, Form::Judge).expect("a valid input");
    print!("{}", change(&text, &String::from_utf8_lossy(&answer)));
}
