//! Tests of `tabletop-sample` and the test data that it writes.

use std::fs;

use tabletop::game::{Form, Kind, PROFILES, answer, exact_test_games, read};
use tabletop::table::Places;
use tempfile::tempdir;

use crate::support::{sample, stress, tables};

/// The same arguments print the same input, for each kind, without tables.
#[test]
fn every_game_has_a_repeatable_sample_of_every_kind() {
    for game in exact_test_games(&Places::only("nowhere")) {
        let directory = tempdir().unwrap();
        for kind in Kind::ALL.map(Kind::name) {
            let arguments = [game.profile().name, "--kind", kind, "--seed", "3", "--tables", "nowhere"];
            let first = sample(&directory, &arguments);
            assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""), "{first:?}");
            let cases = read(&game, first.stdout.as_bytes()).unwrap().cases();
            assert!((1..=20).contains(&cases), "{cases}");
            assert_eq!(first, sample(&directory, &arguments));
        }
    }
}

#[test]
fn the_inputs_of_a_seed_never_change() {
    let directory = tempdir().unwrap();
    let print = |arguments: &[&str]| sample(&directory, arguments).stdout;
    assert_eq!(print(&["jenga", "--seed", "3"]), "5\nRRB\nRGR\nGBR\nRRG\nGGR\n");
    assert_eq!(
        print(&["dice", "--count", "2"]),
        "1\n6 6 6 6 6\n5 3 2 6 3\n4\n3 6 1 6 6\n3 2 1 4 5\n3 2 6 5 6\n4 4 3 4 6\n2 1 6 6 4\n6 1 1 5 5\n3 3 5 2 3\n1 1 4 5 4\n"
    );
    assert_eq!(print(&["codenames", "--kind", "edge"]), "3 B\napple arrow badge\nB I R\n1\n3 apple arrow badge\n");
}

#[test]
fn inputs_have_the_requested_sizes() {
    let directory = tempdir().unwrap();
    let first_line = |arguments: &[&str]| {
        let outcome = sample(&directory, arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stdout.lines().next().unwrap().to_owned()
    };
    assert_eq!(first_line(&["jenga", "--shape", "levels=7"]), "7");
    assert_eq!(first_line(&["hopchess", "--shape", "rows=2,columns=8"]), "2 8");
    assert!(first_line(&["codenames", "--shape", "cards=20"]).starts_with("20 "));
    assert_eq!(first_line(&["dice", "--shape", "cases=21"]), "21");
    assert_eq!(first_line(&["dice", "--shape", "cases=4-4"]), "4");
}

/// Test data contains the answers of the query, and our own answers are accepted on it.
#[test]
fn test_data_contains_the_answers_of_the_query_and_can_be_judged() {
    for game in exact_test_games(&Places::only(tables())) {
        let directory = tempdir().unwrap();
        let name = game.profile().name;
        // No worst inputs, so that the test is fast for the slowest game too.
        let kinds = ["--kind", "tiny", "--kind", "ordinary", "--kind", "edge"];
        let written = sample(&directory, &[&[name, "--count", "12", "--out", "data/secret"][..], &kinds].concat());
        assert_eq!((written.code, written.stdout.as_str(), written.stderr.as_str()), (Some(0), "", ""));
        let secret = directory.path().join("data/secret");
        let mut files: Vec<String> =
            fs::read_dir(&secret).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        assert_eq!(files.len(), 36);
        assert_eq!(files[..4], ["01.ans", "01.desc", "01.in", "02.ans"]);
        for number in 1..=12 {
            let file = |extension: &str| fs::read(secret.join(format!("{number:02}.{extension}"))).unwrap();
            assert_eq!(answer(&game, &file("in"), Form::Judge).unwrap(), file("ans"));
            let kind = ["tiny", "ordinary", "edge"][(number - 1) / 4];
            let description = String::from_utf8(file("desc")).unwrap();
            assert!(description.starts_with(&format!("{name}, {kind}, seed ")), "{description}");
        }
        let again = sample(&directory, &[name, "--count", "2", "--out", "data/secret"]);
        again.fails(1, "data/secret: holds test data already, remove it or name another directory");

        let judged = ["--json", "--data", "data/secret", "--time-limit", "60"];
        let report = stress(&directory, &[&[name][..], &judged].concat(), &["answer", name]).json();
        assert_eq!((&report["verdict"], &report["inputs"]), (&"accepted".into(), &12.into()), "{report}");
        let report = stress(&directory, &[&[name][..], &judged].concat(), &["nothing"]).json();
        assert_eq!(report["counts"]["presentation error"], 12, "{report}");
        assert_eq!(report["refused"].as_array().unwrap().len(), 12);

        fs::write(secret.join("03.ans"), "17.5\n").unwrap();
        let wrong = stress(&directory, &[name, "--data", "data/secret"], &["nothing"]);
        wrong.fails(2, "data/secret/03.ans: is not the answer: ");
    }
}

#[test]
fn balda_has_test_data_too() {
    let directory = tempdir().unwrap();
    assert!(PROFILES.iter().any(|profile| profile.name == "balda"));
    let written = sample(&directory, &["balda", "--kind", "tiny", "--count", "2", "--out", "data"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let judged = stress(&directory, &["balda", "--data", "data", "--time-limit", "60"], &["print-line", "0"]);
    assert_eq!(judged.code, Some(0), "{judged:?}");
    fs::write(directory.path().join("data/01.ans"), "1\n1 1 a aa 1 1 r\n").unwrap();
    stress(&directory, &["balda", "--data", "data"], &["print-line", "0"]).fails(2, "01.ans: is not the answer: ");
}
