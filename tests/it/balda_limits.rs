//! Balda at its limits, through the real binary: time, memory, threads, signals, and forged tables.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Outcome, Seeded, copied_tables, shipped_tables, tabletop, tabletop_on};
use tabletop::balda::Language;
use tabletop::balda::index::spec;
use tabletop::input::Lines;

/// The most time for a game of the default length on a busy machine. The contest allows 3 seconds;
/// `cargo bench --bench balda_points` measures the time on an idle machine.
const GENEROUS: Duration = Duration::from_secs(8);

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop"));
    command.env("TABLETOP_TABLES", shipped_tables()).stdin(Stdio::null());
    command
}

/// An input of made-up words of these lengths, in the first `alphabet` letters of the alphabet.
fn made_up(words: usize, lengths: std::ops::RangeInclusive<u64>, alphabet: u64) -> String {
    let mut seeded = Seeded(7);
    let start = "abacabadabacaba";
    let mut text = format!("en\n{start}\n\n{start}\n");
    for _ in 0..words {
        let length = lengths.start() + seeded.below(lengths.end() - lengths.start() + 1);
        text.extend((0..length).map(|_| char::from(b'a' + seeded.below(alphabet) as u8)));
        text.push('\n');
    }
    text
}

/// The points of a legal answer, by the library's judge.
fn points(input: &str, answer: &str) -> u32 {
    let input = tabletop::balda::judge::read_input(&mut Lines::new(input.as_bytes())).unwrap();
    tabletop::balda::judge::check(&input, &mut Lines::new(answer.as_bytes())).expect("a legal game").points()
}

#[test]
fn a_game_of_the_default_time_ends_in_time() {
    for (language, word) in [("en", "allotropism"), ("ru", "история")] {
        let began = Instant::now();
        let outcome = tabletop(&["balda", "--lang", language, "--word", word], "");
        let taken = began.elapsed();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        assert!(Duration::from_secs(2) < taken && taken < GENEROUS, "{taken:?}");
    }
}

#[test]
fn large_and_made_up_dictionaries_are_played_in_time() {
    // Hardly any long word can be made; with two letters nearly every word can.
    for (input, least) in [(made_up(400_000, 15..=15, 26), 0), (made_up(30_000, 2..=14, 2), 1)] {
        let began = Instant::now();
        let outcome = tabletop(&["balda"], &input);
        let taken = began.elapsed();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        assert!(taken < GENEROUS, "{taken:?}");
        let points = points(&input, &outcome.stdout);
        assert!(points >= least, "{points}");
    }
}

#[test]
fn a_game_without_any_time_is_legal() {
    let input = made_up(50_000, 2..=9, 26);
    let outcome = tabletop(&["balda", "--time", "0"], &input);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    points(&input, &outcome.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn with_little_memory_there_is_a_game_or_a_message() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("input.txt");
    fs::write(&path, made_up(300_000, 2..=13, 26)).unwrap();
    let mut refused = 0;
    for mebibytes in [24, 32, 48, 64, 96, 160, 1000] {
        let limited = format!(
            "ulimit -v {}; exec {} balda --nodes 300 {}",
            mebibytes << 10,
            env!("CARGO_BIN_EXE_tabletop"),
            path.display()
        );
        let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(2) => {
                assert!(said.contains("memory") && output.stdout.is_empty(), "{mebibytes} MiB: {said}");
                refused += 1;
            }
            _ => panic!("{mebibytes} MiB: {:?} {said}", output.status),
        }
    }
    assert!(
        (1..7).contains(&refused),
        "some limits must be too low, and at least one must not: {refused} of 7 refused"
    );
}

#[test]
fn if_no_thread_can_be_started_every_seed_is_still_played() {
    let arguments = ["balda", "--lang", "en", "--word", "plain", "--nodes", "5000", "--threads", "3"];
    let with_threads = tabletop(&arguments, "").stdout;
    // A stack that is too large for any address space.
    let output = program().args(arguments).env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), with_threads);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_game() {
    let began = Instant::now();
    let arguments = ["balda", "--lang", "en", "--word", "plain", "--time", "60", "-o", "/no such directory/output.txt"];
    let outcome = tabletop(&arguments, "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert!(outcome.stderr.contains("/no such directory/output.txt"), "{}", outcome.stderr);
    assert!(began.elapsed() < Duration::from_secs(30), "the game was played first");
}

#[test]
fn a_bad_input_leaves_the_output_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("output.txt");
    fs::write(&output, "old").unwrap();
    let outcome = tabletop(&["balda", "-o", output.to_str().unwrap()], "en\nhouses\n");
    assert_eq!(outcome.code, Some(2));
    assert_eq!(fs::read_to_string(output).unwrap(), "old");
}

#[cfg(target_os = "linux")]
mod signals {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// The most time until the program has had a second of processor time, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(300);

    fn terminate(child: &Child) {
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    }

    /// Processor time of the process in clock ticks: the twelfth field after its name, which is in brackets.
    fn ticks(child: &Child) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(11).unwrap().parse().unwrap()
    }

    #[test]
    fn a_terminated_game_is_still_an_answer() {
        let mut child = program()
            .args(["balda", "--lang", "en", "--word", "kenaf", "--time", "600", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Indexing the words takes a small part of a second of processor time.
        let started = Instant::now();
        while ticks(&child) < 100 {
            std::thread::sleep(Duration::from_millis(20));
            if started.elapsed() > PATIENCE {
                child.kill().unwrap();
            }
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was terminated");
        }
        terminate(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let game: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(game["letters"].as_u64().unwrap() > 50, "{game}");
    }

    #[test]
    fn a_signal_ends_a_program_whose_output_is_not_read() {
        // The output is longer than the buffer of a pipe.
        let mut child = program()
            .args(["balda", "--lang", "en", "--word", "acclimatization", "--nodes", "30000", "--explain"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        terminate(&child);
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(15), "{status}");
    }
}

/// The shipped tables with another table of English words. It has these arcs and states that it has `words` words.
fn forged_words(arcs: &[u32], words: u32) -> tempfile::TempDir {
    let directory = copied_tables();
    let records = [&[1, 2, words][..], arcs].concat();
    let file = tabletop::table::encode(spec(Language::English), "a forger", &records);
    fs::write(directory.path().join("balda-en.tbl"), file).unwrap();
    directory
}

/// A chain of states with one arc each, for the letter a. Every prefix of the chain is a word.
fn chain(states: u32) -> Vec<u32> {
    const ENDS_AND_LAST: u32 = 0b11 << 5;
    (1..=states).map(|state| (state % states) << 7 | ENDS_AND_LAST).collect()
}

fn ask_board(tables: &Path, board: &str) -> Outcome {
    tabletop_on(tables, &["balda", "--board"], board)
}

#[test]
fn a_forged_table_with_too_many_or_too_long_words_is_refused() {
    for states in [65, 225, 50_000] {
        let tables = forged_words(&chain(states), states);
        let outcome = ask_board(tables.path(), "en\n...\naaa\n...\n");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{states}");
        assert!(
            outcome.stderr.contains("balda-en.tbl: ") && outcome.stderr.contains("run `tabletop-gen"),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_search_of_too_many_steps_is_refused() {
    let tables = forged_words(&chain(64), 64);
    let short = ask_board(tables.path(), "en\n...\naaa\n...\n");
    assert_eq!((short.code, short.stderr.as_str()), (Some(0), ""));
    // Four rows of the same letter, and one word for each letter outside the middle row.
    let rows = (0..15).map(|row| if (4..8).contains(&row) { "a".repeat(15) } else { ".".repeat(15) });
    let mut board = format!("en\n{}\n", rows.collect::<Vec<String>>().join("\n"));
    let words = (2..=64).filter(|&length| length != 15).take(45).map(|length| "a".repeat(length));
    board.extend(words.map(|word| word + "\n"));
    let outcome = ask_board(tables.path(), &board);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(
        outcome.stderr.contains("the search for words on this board takes more than 8388608 steps, check"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn used_words_are_checked_and_the_start_word_is_not_offered_again() {
    let list = |board: &str| tabletop(&["balda", "--board", "--json"], board);
    let typo = list("en\n.....\n..g..\nkenaf\n.....\n.....\n\nkenaf\nfanf\n");
    typo.fails(2, "stdin, line 9: fanf is not a word of the en list, correct it, or take back its move");
    let start = list("en\n...\nxzx\n...\n");
    start.fails(2, "stdin, line 3: xzx is not a word of the en list, correct it");
    // The start word counts as used, whether it is listed or not.
    let (listed, silent) = (list("en\n...\ncat\n...\ncat\n"), list("en\n...\ncat\n...\n"));
    assert_eq!((listed.code, &listed), (Some(0), &silent));
    assert!(!listed.stdout.contains("\"word\":\"cat\""), "{}", listed.stdout);
}

#[test]
fn boards_that_no_game_can_reach_are_refused_with_the_reason() {
    let each = "write every word that was made, one for each letter placed";
    let once = "write each word that was made on this board, once";
    for (board, message) in [
        (
            "en\n...\nca.\n...\n",
            "line 3: the middle row is not full, and the start word stands there, write the start word".to_owned(),
        ),
        (
            "en\ns..\n...\ncat\n",
            "line 3: the middle row is not full, and the start word stands there, write the start word".to_owned(),
        ),
        (
            "en\n....s\n.....\nkenaf\n.....\n.....\nfang\n",
            "line 2: no letters join row 1 column 5 to the middle row, write every letter placed so far".to_owned(),
        ),
        (
            "en\n.....\n..g..\nkenaf\n.....\n.....\n",
            format!("line 2: 1 letters were placed and 0 words made, and a move does both, {each}"),
        ),
        (
            "en\n.....\n.....\nkenaf\n.....\n.....\nfang\n",
            format!("line 2: 0 letters were placed and 1 words made, and a move does both, {each}"),
        ),
        (
            "en\n.....\n..g..\nkenaf\n.....\n.....\nfang\nfang\n",
            format!("line 8: fang: a word that is used twice, {once}"),
        ),
        (
            "en\n.....\n..g..\nkenaf\n.....\n.....\ngnat\n",
            format!("line 7: gnat: the word cannot be read on the board through a letter that was placed, {once}"),
        ),
        (
            // Both words need both letters, so neither can have been made first.
            "en\n.....\n..gt.\nkenaf\n.....\n.....\ngnat\ntang\n",
            "line 2: these letters cannot make these words in any order, compare the board with the words below it"
                .to_owned(),
        ),
    ] {
        tabletop(&["balda", "--board"], board).fails(2, &format!("stdin, {message}"));
    }
    let reached = tabletop(&["balda", "--board"], "en\n.....\n..gt.\nkenaf\n.....\n.....\nfang\ntang\n");
    assert_eq!((reached.code, reached.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_boards_of_a_whole_game_are_all_accepted() {
    let arguments = ["balda", "--lang", "en", "--word", "plain", "--nodes", "20000", "--json"];
    let game: serde_json::Value = serde_json::from_str(&tabletop(&arguments, "").stdout).unwrap();
    let mut rows = vec!["....."; 5].into_iter().map(|row| row.chars().collect::<Vec<char>>()).collect::<Vec<_>>();
    rows[2] = "plain".chars().collect();
    let mut used = vec!["plain".to_owned()];
    for made in game["moves"].as_array().unwrap() {
        let number = |name: &str| made[name].as_u64().unwrap() as usize;
        rows[number("row") - 1][number("column") - 1] = made["letter"].as_str().unwrap().chars().next().unwrap();
        used.push(made["word"].as_str().unwrap().to_owned());
        let board: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let outcome = tabletop(&["balda", "--board"], format!("en\n{}\n{}\n", board.join("\n"), used.join("\n")));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{board:?} {used:?}");
    }
    assert!(used.len() > 15);
}

#[test]
fn wrong_arguments_are_explained() {
    let time = tabletop(&["balda", "--time", "-1"], "");
    assert_eq!((time.code, time.stdout.as_str()), (Some(2), ""));
    assert!(time.stderr.contains("'-1'") && time.stderr.contains("write seconds from 0 to 1000000"), "{}", time.stderr);
    tabletop(&["balda", "--many"], "")
        .fails(2, "--many: a game of Balda takes all its time for one input, run the program once for each");
    let language = tabletop(&["balda", "--lang", "de", "--word", "haus"], "");
    assert_eq!(language.code, Some(2));
    assert!(language.stderr.contains("en, ru, tr"), "{}", language.stderr);
    let escape = tabletop(&["balda", "--lang", "en", "--word", "a\u{9b}31m\u{202e}b"], "");
    assert_eq!(escape.code, Some(2));
    assert!(escape.stderr.contains("'a\\u{9b}31m\\u{202e}b' cannot start a game"), "{:?}", escape.stderr);
}

#[test]
fn shell_completions_list_the_languages() {
    let bash = tabletop(&["completions", "bash"], "").stdout;
    let lang = bash.split("--lang)").nth(1).expect("a case of --lang").split(";;").next().unwrap();
    assert!(lang.contains("\"en ru tr\""), "{lang}");
    assert!(!tabletop(&["balda", "--help"], "").stdout.contains("--many"), "a refused option must not be listed");
    let zsh = tabletop(&["completions", "zsh"], "").stdout;
    let line = zsh.lines().find(|line| line.contains("--lang=[")).expect("a line for --lang");
    assert!(line.contains(":(en ru tr)"), "{line}");
}
