//! Verdicts, reports and counterexamples.

use std::fs;

use tabletop::game::PROFILES;
use tempfile::tempdir;

use crate::support::{command, stress};

/// A behaviour of the probe, its verdict, and the reason.
const BEHAVIOURS: &[(&[&str], &str, &str)] = &[
    (&["hang"], "time-limit-exceeded", "still running after 0.2 s"),
    (&["ignore-sigterm"], "time-limit-exceeded", "still running after 0.2 s"),
    (&["complain"], "time-limit-exceeded", "still running after 0.2 s"),
    (&["leave", "hang"], "time-limit-exceeded", "still running after 0.2 s"),
];

#[test]
fn a_command_that_does_not_end_is_killed() {
    for (behaviour, verdict, reason) in BEHAVIOURS {
        let directory = tempdir().unwrap();
        let arguments = ["jenga", "--json", "--time-limit", "0.2", "--shrink-time", "0"];
        let outcome = stress(&directory, &arguments, behaviour);
        let report = outcome.json();
        assert_eq!((outcome.code, report["verdict"].as_str()), (Some(3), Some(*verdict)), "{behaviour:?}");
        assert_eq!(report["failure"]["reason"], *reason, "{behaviour:?}");
    }
}

#[test]
fn every_other_ending_gets_its_verdict_and_leaves_no_process_behind() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["print"], "output-limit-exceeded", "more than 1048576 bytes"),
        (&["nothing"], "presentation-error", "found nothing"),
        (&["exit", "7"], "run-time-error", "exit code 7"),
        (&["abort"], "run-time-error", "signal 6 (SIGABRT)"),
        (&["unread"], "wrong-answer", "found 0"),
        (&["leave"], "presentation-error", "found nothing"),
        (&["leave", "print"], "output-limit-exceeded", "more than 1048576 bytes"),
        (&["leave", "exit", "1"], "run-time-error", "exit code 1"),
    ];
    for (behaviour, verdict, reason) in cases {
        let directory = tempdir().unwrap();
        let arguments = ["jenga", "--json", "--time-limit", "60", "--shrink-time", "0"];
        let outcome = stress(&directory, &arguments, behaviour);
        let report = outcome.json();
        assert_eq!((outcome.code, report["verdict"].as_str()), (Some(3), Some(*verdict)), "{behaviour:?}: {report}");
        let found = report["failure"]["reason"].as_str().unwrap();
        assert!(found.contains(reason), "{behaviour:?}: {found}");
        assert_eq!(report["inputs"], 1);
    }
}

#[test]
fn memory_is_limited_and_measured() {
    let directory = tempdir().unwrap();
    let arguments = ["jenga", "--json", "--time-limit", "60", "--shrink-time", "0"];
    let report = stress(&directory, &arguments, &["fill", "64"]).json();
    let peak = report["peak_memory"].as_u64().unwrap();
    assert!((64 << 20..80 << 20).contains(&peak), "{peak}");
    assert_eq!(report["verdict"], "wrong-answer");
    let limited = [&arguments[..], &["--memory-limit", "32"]].concat();
    let report = stress(&directory, &limited, &["fill", "64"]).json();
    assert_eq!(report["failure"]["reason"], "exit code 9");
    let peak = report["peak_memory"].as_u64().unwrap();
    assert!(peak < 32 << 20, "{peak}");
}

#[test]
fn memory_is_limited_for_all_processes_together_and_cannot_be_raised() {
    let directory = tempdir().unwrap();
    let limited = ["jenga", "--json", "--shrink-time", "0", "--memory-limit", "64", "--time-limit"];
    for place in [&[][..], &["--no-namespace"]] {
        let within = |seconds: &'static str| [&limited[..], &[seconds], place].concat();
        // A privileged process can raise its limit, and is then killed. Any other fails to allocate.
        let report = stress(&directory, &within("60"), &["raise", "400"]).json();
        let reason = report["failure"]["reason"].as_str().unwrap();
        assert!(["more than 64 MiB of memory", "exit code 9"].contains(&reason), "{report}");
        // Each process stays below the limit.
        let report = stress(&directory, &within("60"), &["many", "4", "hold", "40"]).json();
        assert_eq!(report["verdict"], "memory-limit-exceeded", "{report}");
        assert_eq!(report["failure"]["reason"], "more than 64 MiB of memory");
        let report = stress(&directory, &within("2"), &["many", "4", "hold", "10"]);
        assert_eq!(report.json()["verdict"], "time-limit-exceeded", "{report:?}");
    }
}

/// Our own answers are accepted, with the same counts for one job and for two.
#[test]
fn own_answers_are_accepted_for_every_game() {
    for game in PROFILES.iter().map(|profile| profile.name).filter(|&game| game != "balda") {
        let directory = tempdir().unwrap();
        for jobs in ["1", "2"] {
            let arguments = [game, "--json", "--cases", "40", "--time-limit", "60", "--jobs", jobs];
            let kinds = ["--kind", "tiny", "--kind", "edge", "--kind", "ordinary"];
            let outcome = stress(&directory, &[&arguments[..], &kinds].concat(), &["answer", game]);
            let report = outcome.json();
            assert_eq!((outcome.code, report["verdict"].as_str()), (Some(0), Some("accepted")), "{report}");
            assert_eq!((&report["inputs"], &report["counts"]["accepted"]), (&40.into(), &40.into()), "{report}");
            assert!(report["slowest"]["seconds"].as_f64().unwrap() > 0.0);
        }
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "nothing to save");
    }
}

#[test]
fn the_failing_input_is_shrunk_and_saved_and_can_be_judged_again() {
    let directory = tempdir().unwrap();
    let arguments = ["jenga", "--kind", "worst", "--time-limit", "60", "--shrink-time", "120"];
    // The probe is wrong on towers of more than three levels. The smallest has four levels of the first colour.
    let outcome = stress(&directory, &arguments, &["long", "jenga", "4"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let small = "4\nRRR\nRRR\nRRR\nRRR\n";
    assert_eq!(fs::read_to_string(directory.path().join("jenga-1-1.in")).unwrap(), small);
    assert!(outcome.stdout.starts_with("wrong answer: expected "), "{outcome:?}");
    assert!(outcome.stdout.contains("(levels 4):\n  4\n  RRR\n  RRR\n  RRR\n  RRR\nexpected:\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("judge it again: tabletop stress jenga --data jenga-1-1.in --time-limit 60 -- "));
    let again = ["jenga", "--data", "jenga-1-1.in", "--time-limit", "60"];
    let again = stress(&directory, &again, &["long", "jenga", "4"]);
    assert_eq!(again.code, Some(3));
    assert!(again.stdout.starts_with("wrong answer on jenga-1-1.in: expected "), "{again:?}");
}

#[test]
fn the_same_seed_finds_the_same_small_input_with_any_number_of_jobs() {
    let directory = tempdir().unwrap();
    let found = |jobs: &str, seed: &str| {
        let arguments =
            ["dice", "--json", "--seed", seed, "--jobs", jobs, "--time-limit", "60", "--shrink-time", "120"];
        let report = stress(&directory, &arguments, &["without", "dice", "6 5 "]).json();
        assert_eq!(report["verdict"], "wrong-answer", "{report}");
        assert_eq!(report["failure"]["is_smallest"], true, "{report}");
        (report["failure"]["number"].clone(), report["failure"]["input"].clone(), report["inputs"].clone())
    };
    let first = found("1", "4");
    // Only an input with unsorted dice contains the text, so shrinking must keep their order.
    let input = first.1.as_str().unwrap();
    assert!(input.starts_with("1\n") && input.contains("6 5 "), "{input}");
    assert_eq!(first, found("3", "4"));
    assert_ne!(first.0, found("1", "5").0);
}

#[test]
fn ties_are_accepted_except_with_strict_ties() {
    let directory = tempdir().unwrap();
    let tie = tie();
    fs::write(directory.path().join("tie.in"), tie.0).unwrap();
    let other = ["print-line", &tie.1];
    let outcome = stress(&directory, &["hopchess", "--json", "--data", "tie.in"], &other);
    assert_eq!((outcome.code, &outcome.json()["ties"]), (Some(0), &1.into()), "{outcome:?}");
    let strict = stress(&directory, &["hopchess", "--data", "tie.in", "--strict-ties"], &other);
    assert_eq!(strict.code, Some(3));
    assert!(strict.stdout.contains("the other rounding of a tie"), "{strict:?}");
}

/// A board whose value lies halfway between two roundings, and the rounding that we do not print.
fn tie() -> (String, String) {
    use tabletop::game::{Game, Judging, Kind, Sample, Verdict};
    use tabletop::hopchess::Hopchess;
    use tabletop::table::Places;

    let game = Hopchess::open(&Places::only(crate::support::tables())).unwrap();
    for seed in 0..100_000 {
        let case = game.sample(Kind::Ordinary, seed).unwrap();
        let value = game.value(&case).unwrap();
        let printed: f64 = value.to_string().parse().unwrap();
        for other in [printed - 0.001, printed + 0.001] {
            let other = format!("{other:.3}");
            if Hopchess::accepts(&value, &other, &Judging::default()) == Verdict::Tie {
                return (case.to_string(), other);
            }
        }
    }
    panic!("no tie among the samples");
}

#[test]
fn bad_arguments_data_and_commands_are_reported() {
    let directory = tempdir().unwrap();
    let run = |arguments: &[&str]| stress(&directory, arguments, &["nothing"]);
    run(&["chess"]).fails(2, "tabletop-stress: arguments: invalid value 'chess' for '[GAME]'");
    run(&["jenga", "--shape", "rows=2"]).fails(2, "--shape: 'rows' is no size of this game, ask for one of: levels");
    run(&["jenga", "--shape", "levels=9"]).fails(2, "--shape: levels go from 2 to 8, ask for a number between them");
    run(&["jenga", "--shape", "levels=x"]).fails(2, "'x' is no number");
    run(&["hopchess", "--shape", "rows=5,columns=5"]).fails(2, "a board of 5 by 5 cells, ask for 2 to 16 cells");
    run(&["jenga", "--time-limit", "0"]).fails(2, "write a number of seconds above 0");
    run(&["jenga", "--tables", "nowhere"]).fails(1, "tabletop-stress: jenga.tbl: table missing (looked in nowhere)");
    run(&["jenga", "--data", "nothing.in"]).fails(1, "nothing.in: cannot be read");
    run(&["jenga", "--data", "."]).fails(1, ".: holds no inputs, name a directory with .in files");
    fs::write(directory.path().join("bad.in"), "2\nRGB\n").unwrap();
    run(&["jenga", "--data", "bad.in"]).fails(2, "bad.in, line 3: the input ends too early");
    let start = |program: &str| {
        let output =
            command(env!("CARGO_BIN_EXE_tabletop-stress"), &directory, &["jenga", "--", program]).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    let message = start("./absent");
    assert!(message.starts_with("tabletop-stress: ./absent: cannot be started: "), "{message}");
    assert!(message.ends_with(", name a program that can be run\n"), "{message}");
    // A program in the working directory, which is not on PATH.
    fs::write(directory.path().join("hop-solution"), "").unwrap();
    let message = start("hop-solution");
    assert!(message.starts_with("tabletop-stress: hop-solution: cannot be started: "), "{message}");
    assert!(message.ends_with(", did you mean ./hop-solution\n"), "{message}");
}

#[test]
fn balda_is_judged_by_its_rules_and_both_scores_are_reported() {
    let directory = tempdir().unwrap();
    let kinds = ["balda", "--json", "--cases", "2", "--kind", "tiny", "--time-limit", "60"];
    let report = stress(&directory, &kinds, &["print-line", "0"]).json();
    assert_eq!(report["verdict"], "accepted", "{report}");
    assert_eq!(report["points"]["command"], 0);
    let illegal =
        stress(&directory, &[&kinds[..], &["--shrink-time", "120"]].concat(), &["print-line", "1\n1 1 a aa 1 1 r"]);
    let report = illegal.json();
    assert_eq!(report["verdict"], "wrong-answer", "{report}");
    // The start word alone is the smallest dictionary.
    assert_eq!(report["failure"]["input"].as_str().unwrap().split_whitespace().count(), 3, "{report}");
    let malformed = stress(&directory, &[&kinds[..], &["--shrink-time", "0"]].concat(), &["nothing"]).json();
    assert_eq!(malformed["verdict"], "presentation-error");
}
