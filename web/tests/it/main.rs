//! The static site answers as the server does, from the bytes of tables that it asks for.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tabletop::game::{Kind, Run, Sizes, TextGame, exact_test_games};
use tabletop::request::Question;
use tabletop::table::{Places, Ranges};
use tabletop_web::{Range, Reply, Site};

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables");

/// The bytes of a range of a shipped table.
fn shipped(range: &Range) -> Vec<u8> {
    let file = fs::read(Path::new(TABLES).join(range.file)).unwrap();
    file[range.offset as usize..][..range.bytes as usize].to_vec()
}

fn request(path: &str, input: &str) -> Vec<u8> {
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("input", input).finish();
    format!("{path}?{query}").into_bytes()
}

/// Asks until the site has all bytes that it needs. Returns the last reply and the ranges of each round.
fn ask(site: &Site, request: &[u8]) -> (Reply, Vec<Vec<Range>>) {
    let mut rounds = Vec::new();
    loop {
        match site.ask(request, &|_| ()) {
            Reply::Needs(ranges) => {
                for range in &ranges {
                    assert!(site.store.put(range.file, range.offset, shipped(range)), "{range:?}");
                }
                rounds.push(ranges);
            }
            reply => return (reply, rounds),
        }
    }
}

fn answer(site: &Site, request: &[u8]) -> String {
    match ask(site, request).0 {
        Reply::Answer(answer) => String::from_utf8(answer).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn refusal(reply: Reply) -> String {
    match reply {
        Reply::Refusal(refusal) => String::from_utf8(refusal).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_game_is_answered_as_from_the_files() {
    let site = Site::default();
    for game in exact_test_games(&Places::only(TABLES)) {
        let name = game.profile().name.to_owned();
        let sizes = Sizes::one_case(&game.profile());
        let text = &(Arc::clone(&game) as Arc<dyn TextGame>);
        for (kind, seed) in
            [Kind::Tiny, Kind::Edge, Kind::Ordinary].into_iter().flat_map(|kind| (0..8).map(move |seed| (kind, seed)))
        {
            let input = Arc::clone(&game).sample(kind, &sizes, seed).map_err(|_| ()).unwrap().text();
            let expected = Question::read(text, &input).unwrap().answer(&Run::default()).unwrap();
            let found = answer(&site, &request(&name, str::from_utf8(&input).unwrap()));
            assert_eq!(found, String::from_utf8(expected).unwrap(), "{name} {kind:?} {seed}");
        }
    }
}

#[test]
fn advice_on_a_tower_needs_two_rounds_and_a_small_part_of_the_table() {
    for tower in ["3\nRGR\nBRG\nGRB\n", "5\nRGR\nB.G\nGRB\nRGB\nGB.\n"] {
        let site = Site::default();
        let (_, rounds) = ask(&site, &request("jenga", tower));
        assert_eq!(rounds.len(), 2, "{tower}: {rounds:?}");
        let bytes: u64 = rounds.iter().flatten().map(|range| range.bytes).sum();
        assert!(bytes < 256 << 10, "{tower}: {bytes} bytes, {rounds:?}");
        assert_eq!(ask(&site, &request("jenga", tower)).1, [] as [Vec<Range>; 0]);
    }
}

#[test]
fn a_search_beyond_the_table_needs_two_rounds() {
    let (reply, rounds) = ask(&Site::default(), &request("jenga", "7\nRGB\nGRG\nRGB\nGRG\nRGB\nGRG\nRGB\n"));
    assert!(matches!(reply, Reply::Answer(_)));
    assert_eq!(rounds.len(), 2, "{rounds:?}");
}

#[test]
fn near_ranges_are_one_request() {
    let store = Site::default().store;
    let need = |offsets: &[u64]| {
        offsets.iter().for_each(|&offset| assert_eq!(store.copy("jenga.tbl", offset, 1000), None));
        store.take_needed().iter().map(|range| (range.offset, range.bytes)).collect::<Vec<_>>()
    };
    assert_eq!(need(&[99_000, 90_000, 200_000, 90_000]), [(90_000, 10_000), (200_000, 1000)]);
    assert_eq!(need(&[]), []);
}

#[test]
fn other_bytes_than_the_shipped_ones_are_refused() {
    let site = Site::default();
    let dice = request("dice", "1\n1 3 1 2 2\n2 2 3 4 6\n");
    let Reply::Needs(ranges) = site.ask(&dice, &|_| ()) else { panic!("no bytes have arrived") };
    let mut bytes = shipped(&ranges[0]);
    bytes[100] ^= 1;
    assert!(!site.store.put(ranges[0].file, 0, bytes));
    assert!(!site.store.put("other.tbl", 0, vec![0; 100]));
    assert!(answer(&site, &dice).contains("\"cases\""));
}

#[test]
fn a_damaged_block_is_an_error_and_is_fetched_again() {
    let site = Site::default();
    let jenga = request("jenga", "2\nRGB\nGRG\n");
    let Reply::Needs(prelude) = site.ask(&jenga, &|_| ()) else { panic!("no bytes have arrived") };
    assert!(site.store.put(prelude[0].file, prelude[0].offset, shipped(&prelude[0])));
    let Reply::Needs(blocks) = site.ask(&jenga, &|_| ()) else { panic!("no block has arrived") };
    for range in &blocks {
        let mut bytes = shipped(range);
        bytes[5] ^= 1;
        assert!(site.store.put(range.file, range.offset, bytes));
    }
    let refused = refusal(site.ask(&jenga, &|_| ()));
    assert!(refused.contains("jenga.tbl: damaged") && refused.contains("load the page again"), "{refused}");
    assert!(answer(&site, &jenga).contains("\"minutes\""));
}

#[test]
fn bad_input_and_unknown_paths_are_refused_with_a_remedy() {
    let site = Site::default();
    let refused = refusal(ask(&site, &request("jenga", "1\nRGX\n")).0);
    assert!(refused.starts_with(r#"{"error":{"line":2,"what":"#), "{refused}");
    for path in ["", "chess", "dice/chess", "balda/chess", "codenames/time"] {
        let refused = refusal(ask(&site, &request(path, "1\n")).0);
        assert!(refused.contains("nothing is here"), "{path}: {refused}");
    }
    assert!(refusal(site.ask(b"dice?\xff", &|_| ())).contains("not UTF-8"));
    assert!(refusal(site.ask(b"dice", &|_| ())).contains("add input="));
}

#[test]
fn balda_plays_the_shipped_words_and_those_of_an_input() {
    let site = Site::default();
    let play = |path: &str| answer(&site, format!("{path}?lang=en&word=kenaf&nodes=2000&seed=3").as_bytes());
    assert_eq!(play("balda"), play("balda/stream"));
    let own = answer(&site, b"balda?nodes=500\nen\ncat\n\nact\ncart\ncat\ntar\n");
    assert!(own.contains(r#""start":"cat""#), "{own}");
    let next = answer(&site, &request("balda/next", "en\n...\ncat\n...\ncat\n"));
    assert!(next.contains("\"moves\""), "{next}");
    assert!(answer(&site, b"balda/start?lang=tr&letters=5&seed=9").contains("\"word\""));
}

#[test]
fn the_list_of_tables_has_their_digests() {
    let list = answer(&Site::default(), &request("tables", ""));
    for line in fs::read_to_string(Path::new(TABLES).join("SHA256SUMS")).unwrap().lines() {
        assert!(list.contains(&line[..64]), "{line}");
    }
}
