//! Answers are the same as those of the query, and errors are reported.

use std::sync::Arc;

use tabletop::codenames::sample::Shape;
use tabletop::game::{Form, Kind, Profile, Sizes, answer, exact_test_games};
use tabletop::seeded::Seeded;
use tabletop::table::Places;

use crate::support::{Server, encode, shipped_tables};

/// Compares the server's answers to inputs of every kind with the bytes that the command line prints.
#[test]
fn every_game_gives_the_same_answers_as_the_command_line() {
    let server = Server::start();
    for game in exact_test_games(&Places::only(shipped_tables())) {
        let Profile { name, sample, .. } = game.profile();
        let shape = Sizes::one_case(&game.profile());
        let draw = |(kind, seed)| {
            let text = Arc::clone(&game).sample(kind, &shape, seed).unwrap().text();
            String::from_utf8(text).unwrap()
        };
        let kinds = [(Kind::Tiny, 10), (Kind::Ordinary, 10), (Kind::Worst, 2), (Kind::Edge, 10)];
        let recipes = kinds.iter().flat_map(|&(kind, count)| (0..count).map(move |seed| (kind, seed)));
        for input in recipes.map(draw).chain([sample.to_owned()]) {
            let expected = answer(&game, input.as_bytes(), Form::Json).unwrap();
            let (got, posted) = (server.ask(name, &input), server.post(&format!("/api/{name}"), &input));
            assert_eq!(got.status, 200, "{name} {input:?}");
            assert!(got.body == expected, "{name} {input:?}");
            assert!(posted.body == expected, "{name} {input:?}");
            assert_eq!(got.headers["content-type"], "application/json");
        }
    }
}

#[test]
fn next_positions_rerolls_and_samples_are_answered() {
    let server = Server::start();
    let tower = server.ask("jenga", "2\nRGB\nGRG\n").json();
    let next = tower["faces"][1]["moves"][0]["next"].as_str().unwrap();
    assert_eq!(server.ask("jenga", next).json()["minutes"], tower["faces"][1]["moves"][0]["minutes"]);
    let reroll = server.get("/api/dice/reroll?value=1%201%201").json();
    assert_eq!(reroll["keep"], serde_json::json!([1, 1, 1]));
    let sample = server.get("/api/hopchess/sample?kind=tiny&seed=3").json();
    assert_eq!(server.ask("hopchess", sample["input"].as_str().unwrap()).status, 200);
}

#[test]
fn the_matrix_of_factors_equals_the_single_answers() {
    let server = Server::start();
    for board in ["2 3\nJDJ\nDJD\n", "2 3\nJ.J\nDJD\n", "2 3\nJ.J\nDJD\nto move: J\n"] {
        let map = server.ask("hopchess/factors", &format!("{board}1 1\n")).json();
        for (justin, donald) in [(1, 1), (1, 13), (2, 3), (13, 1), (13, 13)] {
            let single = server.ask("hopchess", &format!("{board}{justin} {donald}\n")).json();
            let place = &map["probabilities"][justin - 1][donald - 1];
            assert_eq!(*place, single["probability"], "{board} {justin} {donald}");
        }
    }
    let large = server.ask("hopchess/factors", "2 7\nJDJDJDJ\nDJDJDJD\n1 1\n");
    assert_eq!(large.status, 400);
    assert_eq!(large.error(), "a board of 14 cells, ask about boards of at most 13 cells");
}

#[test]
fn exact_answers_have_an_etag_and_are_cached() {
    let server = Server::start();
    let path = format!("/api/dice?input={}", encode("1\n6 6 6 6 6\n1 2 3 4 5\n"));
    let first = server.get(&path);
    let tag = first.headers["etag"].as_str();
    assert_eq!(first.headers["cache-control"], "public, max-age=3600");
    let again = server.send("GET", &path, &[("If-None-Match", tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.headers["etag"], tag);
    let weak = server.send("GET", &path, &[("If-None-Match", &format!("\"other\", W/{tag}"))], b"");
    assert_eq!(weak.status, 304);
    let other = server.send("GET", &path, &[("If-None-Match", "\"0000000000000000\"")], b"");
    assert_eq!((other.status, &other.body), (200, &first.body));
    // All but the first came from the cache.
    assert_eq!(server.metric("tabletop_cache_hits"), 3.0);
}

#[test]
fn wrong_inputs_are_refused_with_line_what_and_remedy() {
    let server = Server::start();
    for (path, expected) in [
        (
            format!("/api/dice?input={}", encode("1\n6 6 6 6 6\n")),
            "3: the input ends too early, write B's dice, five numbers from 1 to 6",
        ),
        (String::from("/api/dice"), "the parameter input is missing, add input=…"),
        (String::from("/api/dice?input=&inputs="), "no parameter is called 'inputs', write input"),
        (
            String::from("/api/jenga?input=1%0ARGX"),
            "2: 'RGX' is not a level, write three of R, G, B and . (an empty place)",
        ),
        (
            String::from("/api/hopchess/sample?kind=hard"),
            "this kind is not known, write one of tiny, ordinary, worst, edge",
        ),
        (String::from("/api/hopchess/sample?seed=x"), "the parameter seed is not a number, write a number"),
        (String::from("/api/balda?lang=de&word=kenaf"), "this language is not known, write en, ru or tr"),
        (
            String::from("/api/balda?lang=en&word=kena"),
            "the word cannot start a game, choose a word of 3, 5, 7, 9, 11, 13 or 15 letters",
        ),
        (
            String::from("/api/balda?lang=en&word=kenaf&seconds=1e9"),
            "the parameter seconds is out of range, write seconds from 0.1 to 30",
        ),
    ] {
        let response = server.get(&path);
        assert_eq!(response.status, 400, "{path}");
        assert_eq!(response.error(), expected, "{path}");
        assert_eq!(response.headers["cache-control"], "no-store");
    }
    let many = format!("101\n{}", "1 1 1 1 1\n".repeat(202));
    assert_eq!(server.post("/api/dice", many).error(), "101 cases in one request, ask about at most 100 at a time");
    assert_eq!(server.get("/api/chess").status, 404);
    assert_eq!(server.send("DELETE", "/api/dice", &[], b"").status, 405);
}

#[test]
fn a_missing_or_damaged_table_is_a_503_until_it_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::with(directory.path(), &[]);
    let tower = "2\nRGB\nGRG\n";
    let missing = server.ask("jenga", tower);
    assert_eq!(missing.status, 503);
    assert_eq!(missing.error(), "jenga.tbl: missing, run `tabletop-gen jenga` on the server");
    assert!(!missing.text().contains(directory.path().to_str().unwrap()));
    let good = std::fs::read(shipped_tables().join("jenga.tbl")).unwrap();
    std::fs::write(directory.path().join("jenga.tbl"), &good[..good.len() - 1]).unwrap();
    assert_eq!(server.ask("jenga", tower).error(), "jenga.tbl: damaged, run `tabletop-gen jenga` on the server");
    std::fs::write(directory.path().join("jenga.tbl"), &good).unwrap();
    assert_eq!(server.ask("jenga", tower).status, 200);
    // The table is in memory, so later changes of the file have no effect.
    std::fs::write(directory.path().join("jenga.tbl"), b"").unwrap();
    assert_eq!(server.ask("jenga", tower).status, 200);
    assert_eq!(server.get("/healthz").text(), "{\"status\":\"ok\"}\n");
    let tables = server.get("/api/tables").json();
    let states: Vec<&str> =
        tables["tables"].as_array().unwrap().iter().map(|table| table["state"].as_str().unwrap()).collect();
    assert!(states.contains(&"missing") && states.contains(&"damaged"), "{states:?}");
}

#[test]
fn an_error_of_a_table_is_logged_once() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let server = Server::logging_to(std::fs::File::create(&log).unwrap(), directory.path(), &[]);
    for _ in 0..3 {
        assert_eq!(server.ask("jenga", "2\nRGB\nGRG\n").status, 503);
    }
    assert_eq!(server.ask("dice", "1\n6 6 6 6 6\n1 2 3 4 5\n").status, 503);
    let logged = std::fs::read_to_string(&log).unwrap();
    assert_eq!(logged.lines().filter(|line| line.starts_with("tabletop-serve: ")).count(), 2, "{logged}");
}

#[test]
fn a_closed_standard_error_does_not_end_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::logging_to(std::process::Stdio::piped(), directory.path(), &[]);
    drop(server.process().stderr.take());
    assert_eq!(server.ask("jenga", "2\nRGB\nGRG\n").status, 503);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn tables_are_listed_with_their_digests() {
    let listing = Server::start().get("/api/tables").json();
    let tables = listing["tables"].as_array().unwrap();
    assert_eq!(tables.len(), tabletop::game::tables().count());
    let sums = std::fs::read_to_string(shipped_tables().join("SHA256SUMS")).unwrap();
    for table in tables {
        assert_eq!((&table["state"], &table["shipped"]), (&"ready".into(), &true.into()), "{table}");
        assert!(sums.contains(table["sha256"].as_str().unwrap()));
    }
}

#[test]
fn balda_games_are_repeatable_and_next_words_are_listed() {
    let server = Server::start();
    let game = server.get("/api/balda?lang=en&word=kenaf&nodes=3000&seed=5");
    assert_eq!(game.status, 200, "{}", game.text());
    assert_eq!(game.json()["start"], "kenaf");
    assert_eq!(game.body, server.get("/api/balda?lang=en&word=kenaf&nodes=3000&seed=5").body);
    let own = server.post("/api/balda?nodes=500", "en\ncat\n\nact\ncart\ncat\ntar\n").json();
    assert!(own["points"].as_u64().unwrap() > 0, "{own}");
    let next = server.ask("balda/next", "en\n...\ncat\n...\ncat\n").json();
    let car = next["moves"].as_array().unwrap().iter().find(|made| made["word"] == "car").unwrap();
    let board = car["next"].as_str().unwrap();
    assert!(board.ends_with("\ncat\ncar\n"), "{board}");
    assert!(!server.ask("balda/next", board).json()["moves"].as_array().unwrap().is_empty());
    let start = server.get("/api/balda/start?lang=ru&letters=7&seed=11").json();
    assert_eq!(start["word"].as_str().unwrap().chars().count(), 7);
}

#[test]
fn a_board_that_takes_too_long_is_refused_at_once() {
    let shape = Shape { red: 12, blue: 12, innocent: 1, assassins: 0, hints: 200, words: 20..=25 };
    let board = shape.board(&mut Seeded(1)).unwrap().to_string();
    let response = Server::start().post("/api/codenames", board);
    assert_eq!(response.status, 400);
    assert!(response.error().contains("leave out cards or hints that matter least"), "{}", response.error());
}

#[test]
fn odd_encodings_are_refused_or_kept_as_text() {
    let server = Server::start();
    for query in ["input=%FF%FE", "input=%", "input=%zz", "input=%00", "input=1%0A%E2%80%AE", "=&=&&", "input=\u{7f}"] {
        let response = server.get(&format!("/api/codenames?{query}"));
        assert_eq!(response.status, 400, "{query}");
    }
    assert_eq!(server.post("/api/codenames", b"\xff\xfe\x00\n").status, 400);
    let words = "2 R\n<img/src=x> </script>\nR B\n1\n2 <img/src=x> </script>\n";
    let response = server.ask("codenames", words);
    assert_eq!(response.headers["content-type"], "application/json");
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
    assert_eq!(response.json()["moves"][0]["words"][0], "<img/src=x>");
}
