//! A command for the tests. Its arguments choose how it behaves.

#![forbid(unsafe_code)]

use std::env;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use tabletop::game::{Game, Visitor, visit_named};
use tabletop::query::{self, Form};
use tabletop::table::Places;

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_secs(600);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["hang"] => sleep(FOREVER),
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
    struct Answer(Vec<u8>);

    impl Visitor for Answer {
        type Output = Vec<u8>;

        fn visit<G: Game>(&mut self) -> Vec<u8> {
            query::answer(&G::at(&Places::from_environment()), &self.0, Form::Judge).expect("a valid input")
        }
    }

    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).expect("an input");
    let text = String::from_utf8_lossy(&input).into_owned();
    let answer = visit_named(game, &mut Answer(input)).expect("a game");
    print!("{}", change(&text, &String::from_utf8_lossy(&answer)));
}
