//! Balda through the real binary.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::support::{Outcome, Seeded, copied_tables, tabletop, tabletop_on};
use tabletop::balda::{Alphabet, Language};

const NODES: &str = "20000";

/// The statement's samples: language, start word, the other words needed, the answer, its points.
const SAMPLES: &[(&str, &str, &[&str], &str, &str)] = &[
    (
        "en",
        "kenaf",
        &["fang", "gnat", "tango", "enate", "tang"],
        "5\n2 3 g fang 3 5 llu\n2 4 t gnat 2 3 dru\n1 3 o tango 2 4 dluu\n1 4 e enate 3 2 rruu\n4 3 g tang 2 4 dld\n",
        "880\n",
    ),
    (
        "ru",
        "сыщик",
        &["сын", "щит", "китч", "икс", "стих"],
        "5\n2 2 н сын 3 1 ru\n2 4 т щит 3 3 ru\n1 4 ч китч 3 5 luu\n2 5 с икс 3 4 ru\n4 4 х стих 2 5 ldd\n",
        "680\n",
    ),
    (
        "tr",
        "havuc",
        &["cuval", "havut", "tuval", "havuz", "hala"],
        "5\n2 2 l cuval 3 5 lllu\n2 4 t havut 3 1 rrru\n4 2 l tuval 2 4 dlld\n4 4 z havuz 3 1 rrrd\n1 2 a hala 3 1 ruu\n",
        "960\n",
    ),
];

/// Text in the contest's encoding, independent of the library.
fn contest(text: &str) -> Vec<u8> {
    let byte = |character: char| match character {
        'а'..='п' => (character as u32 - 'а' as u32 + 0xA0) as u8,
        'р'..='я' => (character as u32 - 'р' as u32 + 0xE0) as u8,
        ascii => u8::try_from(ascii).unwrap(),
    };
    text.chars().map(byte).collect()
}

fn judge_input(language: &str, start: &str, words: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<u8> {
    let mut text = format!("{language}\n{start}\n\n");
    for word in words {
        text.push_str(word.as_ref());
        text.push('\n');
    }
    contest(&text)
}

fn source_words(language: Language) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("gen/words/{language}.txt"));
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn check(input: &[u8], output: &[u8]) -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    let (input_path, output_path) = (directory.path().join("input.txt"), directory.path().join("output.txt"));
    fs::write(&input_path, input).unwrap();
    fs::write(&output_path, output).unwrap();
    let mut outcome = tabletop(&["balda", "--check", input_path.to_str().unwrap(), output_path.to_str().unwrap()], "");
    outcome.stderr = outcome.stderr.replace(directory.path().to_str().unwrap(), "…");
    outcome
}

/// Plays an input in judge mode and returns the bytes of the answer.
fn play(input: &[u8], arguments: &[&str]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("output.txt");
    let arguments = [&["balda", "-o", output.to_str().unwrap()], arguments].concat();
    tabletop(&arguments, input).answers("");
    fs::read(output).unwrap()
}

/// A second judge, written from the statement alone: returns the sum of the words' lengths.
fn second_judge(start: &str, words: &HashSet<String>, answer: &str) -> Result<usize, String> {
    let start: Vec<char> = start.chars().collect();
    let side = start.len() as i32;
    let mut board = std::collections::HashMap::new();
    for (column, &letter) in start.iter().enumerate() {
        board.insert((side / 2 + 1, column as i32 + 1), letter);
    }
    let mut used = HashSet::from([start.iter().collect::<String>()]);
    let mut lines = answer.lines();
    let count: usize = lines.next().ok_or("no count")?.parse().map_err(|_| "count")?;
    let mut sum = 0;
    for number in 1..=count {
        let line = lines.next().ok_or(format!("move {number} is missing"))?;
        let parts: Vec<&str> = line.split(' ').collect();
        let [row, column, letter, word, first_row, first_column, steps] = parts[..] else {
            return Err(format!("move {number} has {} parts", parts.len()));
        };
        let number_of = |text: &str| text.parse::<i32>().map_err(|_| format!("move {number}: {text}"));
        let cell = (number_of(row)?, number_of(column)?);
        let inside = |(row, column): (i32, i32)| (1..=side).contains(&row) && (1..=side).contains(&column);
        let beside = [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(down, right)| (cell.0 + down, cell.1 + right));
        if !inside(cell) || board.contains_key(&cell) || !beside.iter().any(|cell| board.contains_key(cell)) {
            return Err(format!("move {number}: the cell"));
        }
        board.insert(cell, letter.chars().next().ok_or("letter")?);
        let mut at = (number_of(first_row)?, number_of(first_column)?);
        let mut visited = vec![at];
        for step in steps.chars() {
            let (down, right) = match step {
                'r' => (0, 1),
                'l' => (0, -1),
                'u' => (-1, 0),
                'd' => (1, 0),
                _ => return Err(format!("move {number}: the step {step}")),
            };
            at = (at.0 + down, at.1 + right);
            visited.push(at);
        }
        let distinct: HashSet<_> = visited.iter().collect();
        let spelled: Option<String> = visited.iter().map(|cell| board.get(cell)).collect();
        let fine = distinct.len() == visited.len() && visited.contains(&cell) && spelled.as_deref() == Some(word);
        if !fine || !words.contains(word) || !used.insert(word.to_owned()) {
            return Err(format!("move {number}: the word {word}"));
        }
        sum += visited.len();
    }
    if lines.next().is_some() { Err(String::from("a line too many")) } else { Ok(sum) }
}

#[test]
fn the_samples_of_the_statement_score_what_it_says() {
    for (language, start, words, answer, points) in SAMPLES {
        let input = judge_input(language, start, [&[*start], *words].concat());
        check(&input, &contest(answer)).answers(points);
    }
}

#[test]
fn every_rule_is_judged_with_the_line_that_breaks_it() {
    let (_, start, words, answer, _) = SAMPLES[0];
    let input = judge_input("en", start, [&[start], words].concat());
    let zero = "such an output scores 0 points";
    let format = "write: row, column, letter, word, row and column of its first letter, steps of r, l, u and d";
    for (from, to, message) in [
        ("2 3 g fang", "1 1 g fang", format!("line 2: move 1, 'fang': row 1 column 1 touches no filled cell, {zero}")),
        ("2 3 g fang", "3 3 g fang", format!("line 2: move 1, 'fang': row 3 column 3 already holds a letter, {zero}")),
        ("2 3 g fang", "2 6 g fang", format!("line 2: '6' is not on the board, {format}")),
        ("2 3 g fang", "2 +3 g fang", format!("line 2: '+3' is not on the board, {format}")),
        ("2 3 g fang", "02 3 g fang", format!("line 2: '02' is not on the board, {format}")),
        (
            "2 3 g fang",
            "2 3 g fAng",
            String::from("line 2: 'A' is not a letter of en, write words in letters from a to z"),
        ),
        (
            "2 3 g fang",
            "2 3 h fang",
            format!("line 2: move 1, 'fang': the word has another letter than row 2 column 3, {zero}"),
        ),
        (
            "4 3 g tang 2 4 dld",
            "4 3 g gnat 2 3 dru",
            format!("line 6: move 5, 'gnat': the word does not use the placed letter, {zero}"),
        ),
        (
            "4 3 g tang 2 4 dld",
            "4 3 g gan 4 3 uru",
            format!("line 6: move 5, 'gan': a path of 4 cells, expected 3 as the word has letters, {zero}"),
        ),
        (
            "4 3 g tang 2 4 dld",
            "4 3 x tanx 2 4 dld",
            format!("line 6: move 5, 'tanx': the word is not in the dictionary, {zero}"),
        ),
        (
            "4 3 g tang 2 4 dld",
            "4 3 g fang 3 5 lld",
            format!("line 6: move 5, 'fang': the word was used before, {zero}"),
        ),
        (
            "4 3 g tang 2 4 dld",
            "4 3 g tang 2 4 dlx",
            format!("line 6: a step that is not r, l, u or d, or that leaves the board, {format}"),
        ),
        ("4 3 g tang 2 4 dld", "4 3 g tang 2 4", format!("line 6: a move of 6 words, {format}")),
        ("4 3 g tang 2 4 dld", "4 3 gg tang 2 4 dld", format!("line 6: more than one letter for the cell, {format}")),
        (
            "5\n",
            "4\n",
            String::from("line 6: '4' after the end of the input, write as many moves as the first line says"),
        ),
        ("5\n", "6\n", String::from("line 7: the input ends too early, write as many moves as the first line says")),
    ] {
        let changed = answer.replacen(from, to, 1);
        assert_ne!(changed, answer, "{from}");
        check(&input, changed.as_bytes()).fails(2, &format!("…/output.txt, {message}"));
    }
}

#[test]
fn an_answer_in_another_encoding_is_refused_with_the_right_one() {
    let (language, start, words, answer, _) = SAMPLES[1];
    let input = judge_input(language, start, [&[start], words].concat());
    check(&input, answer.as_bytes()).fails(
        2,
        "…/output.txt, line 2: the byte 0xD0 is not a letter of ru, write words in letters from а to я, encoded in CP866",
    );
}

#[test]
fn a_byte_order_mark_is_refused_in_an_answer() {
    let (language, start, words, answer, _) = SAMPLES[0];
    let input = judge_input(language, start, [&[start], words].concat());
    let outcome = check(&input, format!("\u{feff}{answer}").as_bytes());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(outcome.stderr.starts_with("tabletop: …/output.txt, line 1: "), "{outcome:?}");
}

#[test]
fn every_mistake_of_an_input_is_named_with_its_line() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "line 1: the input ends too early, write the language, en, ru or tr, on the first line"),
        (b"de\nhaus\n\nhaus\n", "line 1: 'de' is not a language, write en, ru or tr"),
        (b"en\n", "line 2: the input ends too early, write the start word on the second line"),
        (b"en\nhouses\n\nhouses\n", "line 2: a start word of 6 letters, write one of 3, 5, 7, 9, 11, 13 or 15 letters"),
        (b"en\ncat\n\ndog\n", "line 2: the start word cat is not in the dictionary, choose a word that is, or add it"),
        (b"en\ncat\n", "line 4: the dictionary is empty, write its words, one a line"),
        (b"\n\nen\ncat\n", "line 6: the dictionary is empty, write its words, one a line"),
        (b"en\ncat\n\ncat\ndOg\n", "line 5: 'O' is not a letter of en, write one word a line in letters from a to z"),
        (
            b"en\ncat\n\ncat\ndog bird\n",
            "line 5: more than one word on a line, write one word a line in letters from a to z",
        ),
        (
            b"ru\n\xaa\xae\xe2\n\n\xaa\xae\xe2\n\xf2\xa6\n",
            "line 5: the byte 0xF2 is not a letter of ru, write one word a line in letters from а to я, encoded in CP866",
        ),
        (
            b"ru\n\xaa\xae\xe2\n\n\xaa\xae\xe2\n\xf1\xa6\n",
            "line 5: the byte 0xF1 is not a letter of ru, write е for ё, words have only letters from а to я",
        ),
    ];
    for (input, message) in cases {
        tabletop(&["balda", "--nodes", "1"], input).fails(2, &format!("stdin, {message}"));
    }
}

#[test]
fn a_letter_that_the_contest_does_not_have_is_refused_with_the_one_to_write() {
    for (letter, instead) in
        [("ç", "c"), ("ğ", "g"), ("ı", "i"), ("ö", "o"), ("ş", "s"), ("ü", "u"), ("â", "a"), ("î", "i"), ("û", "u")]
    {
        let remedy = format!("write {instead} for {letter}, words have only letters from a to z");
        let byte = letter.as_bytes()[0];
        let start = format!("the byte 0x{byte:02X} is not a letter of tr, {remedy}");
        tabletop(&["balda"], format!("tr\na{letter}ac\n\nagac\n")).fails(2, &format!("stdin, line 2: {start}"));
        let cell = format!("'{letter}' is not a letter of the language, {remedy}");
        tabletop(&["balda", "--board"], format!("tr\n...\na{letter}a\n...\n"))
            .fails(2, &format!("stdin, line 3: {cell}"));
        let word = format!("a{letter}ac");
        let outcome = tabletop(&["balda", "--lang", "tr", "--word", &word], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert!(outcome.stderr.contains(&format!("'{word}' cannot start a game, {remedy}")), "{}", outcome.stderr);
    }
    let remedy = "write е for ё, words have only letters from а to я";
    let outcome = tabletop(&["balda", "--lang", "ru", "--word", "ёлка"], "");
    assert!(outcome.stderr.contains(remedy), "{}", outcome.stderr);
}

#[test]
fn games_are_legal_and_repeat_with_the_same_nodes_and_seed() {
    for (language, start) in [
        (Language::English, "cat"),
        (Language::English, "kenaf"),
        (Language::Russian, "история"),
        (Language::Turkish, "sosyalizm"),
        (Language::English, "allotropism"),
    ] {
        let words = source_words(language);
        let input = judge_input(language.code(), start, &words);
        let answer = play(&input, &["--nodes", NODES, "--seed", "7"]);
        assert_eq!(play(&input, &["--nodes", NODES, "--seed", "7"]), answer, "{start}");
        assert_ne!(play(&input, &["--nodes", NODES, "--seed", "8"]), answer, "{start}");

        let alphabet = language.alphabet();
        let readable: String = answer
            .iter()
            .map(|&byte| match (alphabet, alphabet.from_contest(byte)) {
                (Alphabet::Russian, Some(letter)) => letter.to_char(),
                _ => char::from(byte),
            })
            .collect();
        let known: HashSet<String> = words.into_iter().collect();
        let sum = second_judge(start, &known, &readable).unwrap();
        let area = start.chars().count().pow(2);
        let points = (2000 * sum + area) / (2 * area);
        check(&input, &answer).answers(&format!("{points}\n"));
    }
}

#[test]
fn a_judge_input_with_the_shipped_words_in_any_order_gives_the_same_game() {
    for (language, start) in [
        (Language::English, "kenaf"),
        (Language::Russian, "искра"),
        (Language::Turkish, "sosyalizm"),
        // Every language has stored boards of this side.
        (Language::English, "allotropism"),
        (Language::Russian, "пикантность"),
        (Language::Turkish, "asilmisadam"),
    ] {
        let mut words = source_words(language);
        words.reverse();
        words.extend_from_within(..100);
        let from_input = play(&judge_input(language.code(), start, &words), &["--nodes", NODES]);
        let from_table = tabletop(&["balda", "--lang", language.code(), "--word", start, "--nodes", NODES], "");
        assert_eq!(from_input, contest(&from_table.stdout));
    }
}

/// A short game from a start word, on the shipped words.
fn short_game(tables: &Path, start: &str) -> Outcome {
    tabletop_on(tables, &["balda", "--lang", "en", "--word", start, "--nodes", "1000"], "")
}

fn sum_of_lengths(start: &str, words: &[String], answer: &str) -> usize {
    second_judge(start, &words.iter().cloned().collect(), answer).unwrap()
}

#[test]
fn stored_boards_make_a_short_game_better() {
    let words = source_words(Language::English);
    let (with, without) = (copied_tables(), copied_tables());
    fs::remove_file(without.path().join("balda-boards-en.tbl")).unwrap();
    for start in ["competition", "allotropism"] {
        let points = |tables: &Path| sum_of_lengths(start, &words, &short_game(tables, start).stdout);
        let (warm, cold) = (points(with.path()), points(without.path()));
        assert!(warm > cold, "{start}: {warm} from a stored board, {cold} from nothing");
    }
}

#[test]
fn without_the_table_of_boards_a_game_is_played_with_one_warning() {
    let directory = copied_tables();
    fs::remove_file(directory.path().join("balda-boards-en.tbl")).unwrap();
    let warning = format!(
        "tabletop: balda-boards-en.tbl: table missing (looked in {0}), run `tabletop-gen boards --out {0}` or name its \
         directory with --tables; this game is played without it\n",
        directory.path().display()
    );
    let outcome = short_game(directory.path(), "competition");
    assert_eq!((outcome.code, outcome.stderr), (Some(0), warning.clone()));
    let words = source_words(Language::English);
    assert!(sum_of_lengths("competition", &words, &outcome.stdout) > 100);
    let input = judge_input("en", "competition", &words);
    let judged = tabletop_on(directory.path(), &["balda", "--nodes", "1000"], input);
    assert_eq!((judged.code, judged.stderr, judged.stdout), (Some(0), warning, outcome.stdout));
    // No boards of this side are stored, so nothing is missing.
    let small = short_game(directory.path(), "kenaf");
    assert_eq!((small.code, small.stderr.as_str()), (Some(0), ""));
}

#[test]
fn stored_boards_are_used_with_most_of_the_words_and_not_with_few() {
    let start = "competition";
    let all = source_words(Language::English);
    let without = copied_tables();
    fs::remove_file(without.path().join("balda-boards-en.tbl")).unwrap();
    let arguments = ["balda", "--nodes", "1000"];
    let games = |is_left: &dyn Fn(usize) -> bool| {
        let left = all.iter().enumerate().filter(|(number, word)| is_left(*number) || *word == start);
        let words: Vec<String> = left.map(|(_, word)| word.clone()).collect();
        let input = judge_input("en", start, &words);
        let warm = tabletop(&arguments, &input);
        assert_eq!(warm.stderr, "");
        let cold = tabletop_on(without.path(), &arguments, &input);
        let points =
            |outcome: &Outcome| second_judge(start, &words.iter().cloned().collect(), &outcome.stdout).unwrap();
        (points(&warm), points(&cold), warm.stdout == cold.stdout)
    };
    for most in [&(|number: usize| number != 7) as &dyn Fn(usize) -> bool, &|number| !number.is_multiple_of(5)] {
        let (warm, cold, _) = games(most);
        assert!(warm > cold, "{warm} from stored boards, {cold} from nothing");
    }
    let (_, _, are_equal) = games(&|number| number.is_multiple_of(5));
    assert!(are_equal, "with a fifth of the words no stored board is used");
}

#[test]
fn a_game_from_a_stored_board_fills_every_cell() {
    // With this number of proposals, the search from a stored board kept a gap for the first start word.
    for (language, start) in [("ru", "излучение"), ("ru", "коннектор"), ("en", "patroller"), ("tr", "sosyalizm")]
    {
        let game = tabletop(&["balda", "--lang", language, "--word", start, "--nodes", "50000"], "").stdout;
        assert_eq!(game.lines().next(), Some("72"), "{start}");
    }
}

#[test]
fn more_threads_play_other_seeds_and_keep_the_best_game() {
    let game = |threads: &str, seed: &str| {
        let arguments = ["balda", "--lang", "en", "--word", "plain", "--json", "--nodes", NODES];
        tabletop(&[&arguments[..], &["--threads", threads, "--seed", seed]].concat(), "").stdout
    };
    let points = |game: &str| serde_json::from_str::<serde_json::Value>(game).unwrap()["points"].as_u64().unwrap();
    let singles = ["1", "2", "3"].map(|seed| game("1", seed));
    let best = singles.iter().map(|game| points(game)).max().unwrap();
    let first_best = singles.iter().find(|game| points(game) == best).unwrap();
    assert_eq!(game("3", "1"), *first_best);
}

#[test]
fn a_game_is_explained_move_by_move() {
    let arguments = ["balda", "--lang", "ru", "--word", "искра", "--nodes", NODES];
    let answer = tabletop(&arguments, "").stdout;
    let explained = tabletop(&[&arguments[..], &["--explain"]].concat(), "").stdout;
    let moves: usize = answer.lines().next().unwrap().parse().unwrap();
    let pictures = explained.lines().filter(|line| line.starts_with("      ")).count();
    assert_eq!(pictures, moves * 5);
    assert!(explained.lines().nth(1).unwrap().starts_with("  искра on 5 x 5: "), "{explained}");
}

#[test]
fn a_word_that_cannot_start_is_a_usage_error() {
    let refusals = [
        ("houses", "choose a word of 3, 5, 7, 9, 11, 13 or 15 letters"),
        ("xyzzy", "choose a word of the en list"),
        ("KENAF", "write it in small letters from a to z"),
        ("Кот", "write it in small letters from a to z"),
        ("façade", "write c for ç, words have only letters from a to z"),
    ];
    for (word, remedy) in refusals {
        let outcome = tabletop(&["balda", "--lang", "en", "--word", word], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        let refusal = format!("'{word}' cannot start a game, {remedy}");
        assert!(outcome.stderr.contains(&refusal), "{}", outcome.stderr);
    }
}

/// Every `next` of the listed words is the board with the letter and the word added, and is accepted again. The games
/// go on until no word is left.
#[test]
fn boards_can_be_played_on_by_feeding_back_next() {
    let mut seeded = Seeded(5);
    for start in
        ["en\n...\ncat\n...\ncat\n", "ru\n...\nкот\n...\nкот\n", "tr\n.....\n.....\nhavuc\n.....\n.....\nhavuc\n"]
    {
        let mut board = String::from(start);
        let mut made = 0;
        loop {
            let outcome = tabletop(&["balda", "--board", "--json"], &board);
            assert_eq!(outcome.code, Some(0), "{board}{}", outcome.stderr);
            let object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
            let moves = object["moves"].as_array().unwrap();
            for made in moves {
                assert_eq!(made["next"].as_str().unwrap(), after(&board, made));
            }
            let Some(chosen) = moves.get(seeded.below(moves.len().max(1) as u64) as usize) else { break };
            board = chosen["next"].as_str().unwrap().to_owned();
            made += 1;
        }
        assert!(made >= 3, "{board}");
    }
}

/// The text of a board after a move of `--json`: the letter is placed, and the word is added.
fn after(board: &str, made: &serde_json::Value) -> String {
    let [row, column] = ["row", "column"].map(|field| made[field].as_u64().unwrap() as usize);
    let mut lines: Vec<String> = board.lines().map(str::to_owned).collect();
    let mut cells: Vec<&str> = lines[row].split("").filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells[column - 1], ".");
    cells[column - 1] = made["letter"].as_str().unwrap();
    lines[row] = cells.concat();
    lines.push(made["word"].as_str().unwrap().to_owned());
    lines.join("\n") + "\n"
}

#[test]
fn the_next_words_of_a_board_are_listed_longest_first() {
    let board = "en\n.....\n..g..\nkenaf\n.....\n.....\n\nkenaf\nfang\n";
    let outcome = tabletop(&["balda", "--board", "--json"], board);
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let moves = object["moves"].as_array().unwrap();
    let words: Vec<&str> = moves.iter().map(|made| made["word"].as_str().unwrap()).collect();
    assert!(words.is_sorted_by_key(|word| (usize::MAX - word.len(), *word)));
    assert!(words.contains(&"gnat") && !words.contains(&"fang") && !words.contains(&"kenaf"));
    let text = tabletop(&["balda", "--board"], board).stdout;
    assert_eq!(text.lines().next().unwrap(), words[0].len().to_string());
    assert!(text.contains(&format!("{} words can be made next", words.len())));

    tabletop(&["balda", "--board"], "en\n...\n.A.\n...\n").fails(
        2,
        "stdin, line 3: 'A' is not a letter of the language, write lower-case letters, and '.' for an empty cell of the board",
    );
    let rows = "write as many rows as a row has cells, 3, 5, 7, 9, 11, 13 or 15, with '.' for an empty cell";
    for (board, message) in [
        ("en\n...\n...\n...\n", "line 2: a board without a letter, write the letters placed so far".to_owned()),
        ("en\na\n", format!("line 2: a row of 1 cells, {rows}")),
        ("en\n\n....\n", format!("line 3: a row of 4 cells, {rows}")),
        ("en\n...\ncat\n.....\n", format!("line 4: a row of 5 cells on a board 3 wide, {rows}")),
        ("en\n...\ncat\n", format!("line 4: the input ends too early, {rows}")),
    ] {
        tabletop(&["balda", "--board"], board).fails(2, &format!("stdin, {message}"));
    }
}
