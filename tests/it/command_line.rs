//! The parts of the command line that do not depend on a game.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::support::{directory_for_program, link_program, queries, shipped_tables, tabletop};
use tabletop::game::PROFILES;

/// Every command: the games of the list, then the others.
fn commands() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.name).chain(["tables", "completions"]).collect()
}

#[test]
fn no_command_in_a_pipe_is_a_usage_error_with_a_remedy() {
    tabletop(&[], "").fails(2, "arguments: no command, name a game such as `tabletop dice` or see `tabletop --help`");
}

#[test]
fn wrong_usage_is_explained_on_standard_error() {
    for (arguments, expected) in [
        (&["dicey"][..], "unrecognized subcommand 'dicey'"),
        (&["dice", "--mony"], "unexpected argument '--mony'"),
        (&["completions", "tcsh-42"], "invalid value 'tcsh-42'"),
        (&["dice", "a", "b"], "unexpected argument 'b'"),
    ] {
        let outcome = tabletop(arguments, "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(outcome.stderr.starts_with(&format!("tabletop: arguments: {expected}")), "{}", outcome.stderr);
    }
}

#[test]
fn the_help_of_every_command_has_an_example() {
    for command in commands() {
        let outcome = tabletop(&[command, "--help"], "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let (_, examples) = outcome.stdout.split_once("Example").expect(command);
        assert!(examples.contains(&format!("tabletop {command}")), "{examples}");
    }
    let overview = tabletop(&["--help"], "").stdout;
    assert!(commands().iter().all(|command| overview.contains(command)), "{overview}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = tabletop(&["completions", shell], "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let others = ["a-finished", "digits", "verify", "stress", "sample", "serve"];
        assert!(commands().into_iter().chain(others).all(|word| outcome.stdout.contains(word)), "{shell}");
    }
}

#[test]
fn completions_offer_no_options_that_a_program_does_not_have() {
    let script = tabletop(&["completions", "fish"], "").stdout;
    let offers = |command: &str, option: &str| {
        let condition = format!("__fish_tabletop_using_subcommand {command}\"");
        script.lines().any(|line| line.contains(&condition) && line.contains(option))
    };
    for option in ["-l no-map", "-l tables"] {
        assert!(script.lines().any(|line| line.contains("needs_command") && line.contains(option)), "{script}");
        assert!(commands().iter().all(|command| offers(command, option)), "{option}: {script}");
        assert!(!["stress", "sample", "serve"].iter().any(|program| offers(program, option)), "{option}: {script}");
    }
    assert!(offers("serve", "-l help"), "{script}");
}

#[test]
fn an_input_that_cannot_be_read_is_a_file_problem() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    for path in [missing.as_path(), directory.path()] {
        let outcome = tabletop(&["dice", path.to_str().unwrap()], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
        let start = format!("tabletop: {}: cannot be read: ", path.display());
        assert!(outcome.stderr.starts_with(&start), "{}", outcome.stderr);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_a_file_problem() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let outcome = tabletop(&["dice", "-o", path], "0\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.starts_with(&format!("tabletop: {path}: cannot be written: ")), "{}", outcome.stderr);
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = streaming_child();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let input = "1\n6 6 6 6 6\n1 2 3 4 5\n".repeat(200_000);
        stdin.write_all(input.as_bytes()).ok()
    });
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "0.999871\n");
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn a_stream_answers_each_input_before_it_reads_the_next() {
    let mut child = streaming_child();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"1\n6 6 6 6 6\n1 2 3 4 5\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, "0.999871\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

fn streaming_child() -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_tabletop"))
        .args(["dice", "--many"])
        .env("TABLETOP_TABLES", shipped_tables())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn every_help_and_the_overview_fit_into_80_columns() {
    let commands = PROFILES.iter().map(|profile| profile.name).chain(["tables", "completions"]);
    let mut helps: Vec<String> = commands.map(|name| tabletop(&[name, "--help"], "").stdout).collect();
    helps.push(tabletop(&["--help"], "").stdout);
    for line in helps.iter().flat_map(|help| help.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_mistyped_option_or_command_suggests_the_right_one() {
    let outcome = tabletop(&["dice", "--explian"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(outcome.stderr.contains("a similar argument exists: '--explain'"), "{}", outcome.stderr);
    let outcome = tabletop(&["jnega"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(outcome.stderr.contains("a similar subcommand exists: 'jenga'"), "{}", outcome.stderr);
}

/// Names and arguments are escaped before they are shown.
#[test]
fn no_escape_sequence_reaches_standard_error() {
    for arguments in [
        &["dice", "no\u{1b}[2Jsuch"][..],
        &["dice", "--no\u{1b}[2Jsuch"],
        &["\u{1b}[2J"],
        &["dice", "-o", "no/\u{9b}2J"],
        &["dice", "no\ntabletop: such"],
        &["dice", "--reroll", "no\ntabletop: such"],
        &["dice", "-o", "no\ntabletop: such/file"],
        &["dice", "--tables", "no\ntabletop: such"],
        &["jenga", "--tables", "\u{202e}x"],
    ] {
        let outcome = tabletop(arguments, "1\n1 2 3 4 5\n1 2 3 4 5\n");
        assert!(outcome.code == Some(1) || outcome.code == Some(2), "{outcome:?}");
        assert!(!outcome.stderr.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{:?}", outcome.stderr);
        assert!(!outcome.stderr.contains("\ntabletop:"), "a name forges a line: {:?}", outcome.stderr);
    }
}

#[cfg(unix)]
#[test]
fn an_unknown_command_runs_a_program_beside_this_one_or_on_the_path() {
    use crate::support::write_script;
    let home = directory_for_program();
    let (beside, path) = (home.path().join("bin"), home.path().join("path"));
    for (directory, says) in [(&beside, "beside"), (&path, "path")] {
        std::fs::create_dir(directory).unwrap();
        let script = format!("#!/bin/sh\necho {says} \"$@\" \"$TABLETOP_TABLES\"\nexit 7\n");
        write_script(&directory.join("tabletop-hello"), &script);
    }
    let own = beside.join("tabletop");
    link_program(&own);
    let run = |program: &std::path::Path, arguments: &[&str]| {
        let output =
            Command::new(program).args(arguments).env("PATH", &path).env_remove("TABLETOP_TABLES").output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run(&own, &["hello", "--world", "x y"]), (Some(7), String::from("beside --world x y \n")));
    assert_eq!(run(&own, &["--tables", "t", "hello"]), (Some(7), String::from("beside t\n")));
    assert_eq!(run(&own, &["--no-map", "hello"]), (Some(2), String::new()));
    std::fs::remove_file(beside.join("tabletop-hello")).unwrap();
    assert_eq!(run(&own, &["hello", "a"]), (Some(7), String::from("path a \n")));
    assert_eq!(run(&own, &["../path/hello"]), (Some(2), String::new()));
}

/// A shell passes over a file that cannot be run, too.
#[cfg(unix)]
#[test]
fn a_file_without_the_right_to_run_does_not_hide_a_program_on_the_path() {
    use crate::support::write_script;
    let home = directory_for_program();
    let (beside, path) = (home.path().join("bin"), home.path().join("path"));
    for directory in [&beside, &path] {
        std::fs::create_dir(directory).unwrap();
    }
    std::fs::write(beside.join("tabletop-hello"), "no program").unwrap();
    write_script(&path.join("tabletop-hello"), "#!/bin/sh\necho path\n");
    let own = beside.join("tabletop");
    link_program(&own);
    let output = Command::new(&own).arg("hello").env("PATH", &path).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"path\n"[..]), "{output:?}");
}

/// The names of files that a killed program may have left, for the process number of the next one. As the first process
/// of a container it always has the same number.
#[cfg(unix)]
#[test]
fn files_left_by_a_killed_program_are_neither_used_nor_followed() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("other"), "old").unwrap();
    // The shell makes the files under its own number, then becomes the program.
    let script = "cd \"$1\"; name() { printf '.out.%06x.tmp' $(($$ + $1)); }; \
                  echo left > $(name 0); ln -s other $(name 1); mkdir $(name 2); exec \"$0\" dice -o out";
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_tabletop")])
        .arg(directory.path())
        .env("TABLETOP_TABLES", shipped_tables())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1\n6 6 6 6 6\n1 2 3 4 5\n").unwrap();
    let number = child.id();
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read(path("out")).unwrap(), b"0.999871\n");
    assert_eq!(std::fs::read(path("other")).unwrap(), b"old");
    assert_eq!(std::fs::read(path(&format!(".out.{number:06x}.tmp"))).unwrap(), b"left\n");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 5);
}

#[test]
fn a_byte_order_mark_before_an_input_is_skipped() {
    for query in queries() {
        let marked = ["\u{feff}", query.input].concat();
        assert_eq!(tabletop(query.arguments, marked), tabletop(query.arguments, query.input), "{:?}", query.arguments);
        let outcome = tabletop(query.arguments, "\u{feff}");
        assert_eq!(outcome, tabletop(query.arguments, ""), "{:?}", query.arguments);
        assert_eq!(outcome.code, Some(2));
    }
}

#[test]
fn the_usage_of_an_option_that_replaces_the_file_does_not_ask_for_one() {
    let outcome = tabletop(&["dice", "--reroll", "1", "cases.txt"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(outcome.stderr.contains("\nUsage: tabletop dice --reroll <DICE>\n"), "{}", outcome.stderr);
}

#[test]
fn a_program_that_is_not_installed_is_named_with_the_command_that_installs_it() {
    let directory = directory_for_program();
    let program = directory.path().join("tabletop");
    link_program(&program);
    for (name, install) in [("stress", "stress"), ("sample", "stress"), ("serve", "serve --profile tools")] {
        let output = Command::new(&program).arg(name).env("PATH", "").output().unwrap();
        let message = format!(
            "tabletop: {name}: tabletop-{name} is neither beside this program nor on PATH, run `cargo install --path \
             {install}` in a checkout\n"
        );
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{name}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    }
}
