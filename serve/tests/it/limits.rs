//! One client cannot block the others.

use std::io::{BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::ops::Range;
use std::process::Command;
use std::time::{Duration, Instant};

use tabletop::codenames::sample::Shape;
use tabletop::seeded::Seeded;

use crate::support::{Response, Server, encode, read_response, shipped_tables, wait_until};

const CASE: &str = "1\n6 6 6 6 6\n1 2 3 4 5\n";

#[track_caller]
fn still_serves(server: &Server) {
    assert_eq!(server.ask("dice", CASE).status, 200);
}

#[test]
fn long_bodies_are_refused_before_they_are_read() {
    let server = Server::start();
    let stated = server.send("POST", "/api/dice", &[("Content-Length", "104857600")], b"");
    assert_eq!(stated.status, 413);
    assert_eq!(stated.error(), "the input is too long, send at most 65536 bytes");
    // A chunked body is cut off when it gets too long.
    let mut stream = server.connect();
    stream.write_all(b"POST /api/dice HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "1".repeat(1 << 16));
    let mut sent = 0;
    while sent < 100 << 20 && stream.write_all(chunk.as_bytes()).is_ok() {
        sent += 1 << 16;
    }
    assert!(sent < 100 << 20, "the server read it all");
    let before = server.resident_bytes();
    assert_eq!(server.post("/api/balda", vec![b'a'; (4 << 20) + 1]).status, 413);
    assert!(server.resident_bytes() < before + (64 << 20));
    still_serves(&server);
}

#[test]
fn incomplete_and_invalid_requests_end_only_their_own_connection() {
    let server = Server::start();
    for text in [
        &b"GET"[..],
        b"GET /api/dice HTTP/1.1\r\nHost",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(text).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        still_serves(&server);
    }
    let long = format!("/api/dice?input={}", "1".repeat(1 << 17));
    let mut stream = server.connect();
    let _ = stream.write_all(format!("GET {long} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    still_serves(&server);
}

#[test]
fn the_head_of_a_request_has_at_most_64_kib() {
    let server = Server::start();
    let status = |bytes: usize| server.send("GET", "/healthz", &[("X-Long", &"a".repeat(bytes))], b"").status;
    assert_eq!(status(65_000), 200);
    for bytes in [65_536, 70_000, 100_000, 1_000_000] {
        assert_eq!(status(bytes), 431, "{bytes} bytes");
    }
    still_serves(&server);
}

#[test]
fn the_longest_idle_connection_is_closed_for_a_new_one() {
    let server = Server::with(&shipped_tables(), &["--connections", "32"]);
    let idle: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for _ in 0..20 {
        still_serves(&server);
    }
    assert!(server.metric("tabletop_connections_evicted_total") >= 160.0);
    assert!(server.metric("tabletop_connections") <= 32.0);
    drop(idle);
}

#[test]
fn a_client_with_many_slow_requests_does_not_keep_others_out() {
    let server = Server::with(&shipped_tables(), &["--connections", "64", "--per-address", "8"]);
    let slow: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = server.connect_from(Ipv4Addr::new(127, 0, 0, 2));
            // A client beyond the limit is disconnected.
            let _ = stream.write_all(b"POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n1");
            stream
        })
        .collect();
    for _ in 0..20 {
        still_serves(&server);
    }
    wait_until("at most 8 connections and this one are open", || server.metric("tabletop_connections") <= 9.0);
    drop(slow);
}

/// Asks about large boards, each on a connection of its own. `fields` are header fields.
fn flood(seeds: Range<u64>, fields: &str, connect: impl Fn() -> TcpStream) -> Vec<TcpStream> {
    let shape = Shape { red: 10, blue: 10, innocent: 1, assassins: 1, hints: 40, words: 5..=9 };
    let ask = |seed| {
        let board = encode(&shape.board(&mut Seeded(seed)).unwrap().to_string());
        let mut stream = connect();
        let request = format!("GET /api/codenames?input={board} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    seeds.map(ask).collect()
}

/// Takes out the connections that have an answer, and returns the answers.
fn answers(flood: &mut Vec<TcpStream>) -> Vec<Response> {
    let is_answered = |stream: &mut TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let is_answered = stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).unwrap();
        is_answered
    };
    flood.extract_if(.., is_answered).map(|stream| read_response(&mut BufReader::new(stream))).collect()
}

#[test]
fn too_many_long_questions_are_refused_and_lookups_go_on() {
    let server = Server::with(&shipped_tables(), &["--workers", "1", "--queue", "2"]);
    let mut flood = flood(0..8, "", || server.connect());
    // One is solved, two wait, and five are refused. One fewer if the first is solved before the last arrives.
    let mut refused = Vec::new();
    wait_until("four are refused", || {
        refused.extend(answers(&mut flood).into_iter().filter(|response| response.status == 503));
        refused.len() >= 4
    });
    assert!(refused.iter().all(|response| response.headers["retry-after"] == "2"));
    assert_eq!(refused[0].error(), "too many long questions are waiting, ask again in a few seconds");
    still_serves(&server);
}

/// One client fills the queue of large questions. The question of another client makes room for itself and comes next.
/// `fields` are header fields of the two clients.
#[track_caller]
fn takes_turns(server: &Server, connect: impl Fn() -> TcpStream, fields: [&str; 2]) {
    let load = |name: &str| server.metric(&format!("tabletop_pool_{name}{{pool=\"large\"}}"));
    let running = flood(0..1, fields[0], &connect);
    wait_until("one is solved", || load("working") == 1.0);
    let mut waiting = flood(1..5, fields[0], &connect);
    wait_until("four wait", || load("waiting") == 4.0);
    let mut other = server.connect();
    let input = "en\ncat\n\nact\ncart\ncat\ntar\n";
    let head = format!("Host: localhost\r\nContent-Length: {}\r\n{}\r\n", input.len(), fields[1]);
    other.write_all(format!("POST /api/balda?nodes=10 HTTP/1.1\r\n{head}{input}").as_bytes()).unwrap();
    let mut lost = Vec::new();
    wait_until("one of the four makes room", || {
        lost.extend(answers(&mut waiting));
        !lost.is_empty()
    });
    assert_eq!((lost.len(), lost[0].status), (1, 503));
    let error = "too many long questions of this address are waiting, ask again in a few seconds";
    assert_eq!(lost[0].error(), error);
    drop(running);
    assert_eq!(read_response(&mut BufReader::new(other)).status, 200);
    assert!(answers(&mut waiting).is_empty(), "the three others come later");
}

#[test]
fn a_client_that_fills_a_queue_waits_behind_others() {
    let server = Server::with(&shipped_tables(), &["--workers", "1", "--queue", "4"]);
    takes_turns(&server, || server.connect_from(Ipv4Addr::new(127, 0, 0, 2)), ["", ""]);
}

#[test]
fn behind_a_proxy_clients_take_turns_by_the_address_that_it_states() {
    let server = Server::with(&shipped_tables(), &["--workers", "1", "--queue", "4", "--trust-forwarded"]);
    let fields = ["X-Forwarded-For: 192.0.2.3, 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n"];
    takes_turns(&server, || server.connect(), fields);
}

#[test]
fn searches_that_take_much_memory_run_one_at_a_time() {
    let server = Server::with(&shipped_tables(), &["--workers", "4"]);
    let asked: Vec<_> = ["2 3", "3 2", "3 3"]
        .map(|factors| {
            let mut stream = server.connect();
            let input = encode(&format!("4 4\nJDJD\nDJDJ\nJDJD\nDJDJ\n{factors}\n"));
            let request = format!("GET /api/hopchess?input={input} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .into();
    let load = |name: &str| server.metric(&format!("tabletop_pool_{name}{{pool=\"deep\"}}"));
    wait_until("one is searched and another waits", || load("working") == 1.0 && load("waiting") >= 1.0);
    still_serves(&server);
    drop(asked);
}

#[test]
fn clients_that_read_no_answers_hold_a_bounded_amount_of_memory() {
    let server = Server::start();
    let many = format!("100\n{}", "1 2 3 4 6\n".repeat(200));
    still_serves(&server);
    let unread: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = server.connect();
            let request =
                format!("POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{many}", many.len());
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let answered = "tabletop_request_seconds_count{path=\"/api/dice\"}";
    wait_until("all requests are answered", || server.metric(answered) >= 201.0);
    assert!(server.metric("tabletop_held_bytes") <= (128 << 20) as f64);
    assert!(server.resident_bytes() < 600 << 20, "{} bytes", server.resident_bytes());
    still_serves(&server);
    drop(unread);
}

#[test]
fn a_client_that_sends_long_bodies_leaves_memory_for_others() {
    let server = Server::start();
    let body = vec![b'a'; 4_000_000];
    let unfinished: Vec<_> = (0..40)
        .map(|_| {
            let mut stream = server.connect_from(Ipv4Addr::new(127, 0, 0, 2));
            stream
                .write_all(b"POST /api/balda HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000001\r\n\r\n")
                .unwrap();
            // The server closes the connection if the client holds too much.
            let _ = stream.write_all(&body);
            stream
        })
        .collect();
    wait_until("the server holds some bodies", || server.metric("tabletop_held_bytes") >= (16 << 20) as f64);
    assert!(server.metric("tabletop_held_bytes") <= (32 << 20) as f64);
    still_serves(&server);
    drop(unfinished);
}

#[test]
fn after_a_signal_running_requests_finish_and_the_server_ends_in_time() {
    let mut server = Server::start();
    // Loads the words, so that the next request only searches.
    assert_eq!(server.get("/api/balda?lang=en&word=kenaf&nodes=1").status, 200);
    let mut stream = server.connect();
    stream.write_all(b"GET /api/balda?lang=en&word=kenaf&seconds=1 HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    wait_until("the search begins", || server.metric("tabletop_pool_working{pool=\"play\"}") == 1.0);
    let mut idle = server.connect();
    let asked = Instant::now();
    let id = server.process().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(read_response(&mut BufReader::new(stream)).status, 200);
    assert_eq!(server.process().wait().unwrap().code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    let mut rest = Vec::new();
    let _ = idle.read_to_end(&mut rest);
    assert!(rest.is_empty());
}

#[test]
fn a_signal_cuts_off_a_long_search() {
    let mut server = Server::start();
    let mut stream = server.connect();
    stream
        .write_all(b"GET /api/balda/stream?lang=en&word=kenaf&seconds=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    wait_until("the search begins", || server.metric("tabletop_pool_working{pool=\"play\"}") == 1.0);
    let asked = Instant::now();
    let id = server.process().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(server.process().wait().unwrap().code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

#[test]
fn an_address_in_use_is_an_error_with_a_remedy() {
    let server = Server::start();
    let output = Command::new(env!("CARGO_BIN_EXE_tabletop-serve"))
        .args(["--bind", &server.address.to_string()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("tabletop-serve: ") && message.contains("name another address with --bind"),
        "{message}"
    );
}
