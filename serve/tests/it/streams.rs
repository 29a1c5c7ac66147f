//! Server-sent events: their content, and that a closed connection cancels the work.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use tabletop::codenames::sample::Shape;
use tabletop::seeded::Seeded;

use crate::support::{Server, encode, wait_until};

/// The events of a stream with their data.
fn events(text: &str) -> Vec<(String, String)> {
    let field = |message: &str, name: &str| {
        let lines = message.lines().filter_map(|line| line.strip_prefix(name)).collect::<Vec<_>>();
        lines.join("\n")
    };
    let messages = text.split("\n\n").filter(|message| message.contains("event: "));
    messages.map(|message| (field(message, "event: "), field(message, "data: "))).collect()
}

/// A board of 22 cards that takes a few seconds.
fn large_board() -> String {
    let shape = Shape { red: 10, blue: 10, innocent: 1, assassins: 1, hints: 40, words: 5..=9 };
    shape.board(&mut Seeded(1)).unwrap().to_string()
}

#[test]
fn a_game_of_balda_gets_better_and_ends() {
    let server = Server::start();
    let stream = server.get("/api/balda/stream?lang=en&word=kenaf&seconds=1");
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    let events = events(stream.text());
    let points = |data: &str| serde_json::from_str::<serde_json::Value>(data).unwrap()["letters"].as_u64().unwrap();
    let (last, before) = events.split_last().unwrap();
    assert_eq!(last.0, "final");
    assert!(!before.is_empty() && before.iter().all(|(event, _)| event == "best"));
    assert!(before.is_sorted_by(|one, other| points(&one.1) < points(&other.1)));
    assert_eq!(points(&last.1), points(&before[before.len() - 1].1));
}

#[test]
fn an_error_is_the_last_event() {
    let server = Server::start();
    let stream = server.get("/api/balda/stream?lang=en&word=qqqqq&seconds=1");
    let events = events(stream.text());
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].0, "failed");
    assert!(events[0].1.contains("choose a word of the en list"), "{}", events[0].1);
}

#[test]
fn a_small_board_is_streamed_with_the_same_answer_as_the_plain_request() {
    let server = Server::start();
    let board = "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n";
    let stream = server.post("/api/codenames/stream", board);
    let events = events(stream.text());
    assert_eq!(events.last().unwrap().0, "final");
    assert_eq!(events.last().unwrap().1, server.post("/api/codenames", board).text().trim_end());
}

#[test]
fn a_closed_connection_cancels_the_search() {
    let server = Server::start();
    let working = |pool: &str| server.metric(&format!("tabletop_pool_working{{pool=\"{pool}\"}}"));
    let mut stream = BufReader::new(server.connect());
    stream
        .get_mut()
        .write_all(b"GET /api/balda/stream?lang=en&word=kenaf&seconds=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let mut line = String::new();
    while !line.starts_with("event: best") {
        line.clear();
        stream.read_line(&mut line).unwrap();
    }
    assert_eq!(working("play"), 1.0);
    let closed = Instant::now();
    drop(stream);
    wait_until("the search ends", || working("play") == 0.0);
    assert!(closed.elapsed() < Duration::from_secs(20));

    // A plain request is cancelled as well when its client is gone.
    let mut stream = server.connect();
    let request = format!("GET /api/codenames?input={} HTTP/1.1\r\nHost: localhost\r\n\r\n", encode(&large_board()));
    stream.write_all(request.as_bytes()).unwrap();
    wait_until("the board is being solved", || working("search") + working("large") == 1.0);
    drop(stream);
    wait_until("the board is given up", || working("search") + working("large") == 0.0);
}
