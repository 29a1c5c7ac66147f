//! The names that the server answers to.

use std::io::{BufReader, Write};
use std::process::Command;

use crate::support::{Response, Server, read_response, shipped_tables};

fn ask(server: &Server, head: &str) -> Response {
    let mut stream = server.connect();
    stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
    read_response(&mut BufReader::new(stream))
}

#[test]
fn a_foreign_name_is_refused_with_the_remedy() {
    let server = Server::start();
    for head in [
        "GET /healthz HTTP/1.1\r\nHost: rebound.example:8017",
        "GET / HTTP/1.1\r\nHost: rebound.example",
        "GET http://rebound.example/healthz HTTP/1.1\r\nHost: localhost",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example",
    ] {
        let refused = ask(&server, head);
        assert_eq!(refused.status, 421, "{head}");
        assert!(refused.error().contains("rebound.example"), "{}", refused.error());
        let remedy = "is not a name of this server, use its address or localhost, or start it with --allow-host NAME";
        assert!(refused.error().ends_with(remedy), "{}", refused.error());
    }
}

#[test]
fn addresses_and_own_names_are_accepted() {
    let server =
        Server::with(&shipped_tables(), &["--allow-host", "games.example.org", "--allow-host", "b.example.org"]);
    let named = format!("GET /healthz HTTP/1.1\r\nHost: {}", server.address);
    for head in [
        named.as_str(),
        "GET /healthz HTTP/1.0",
        "GET /healthz HTTP/1.1\r\nHost: LocalHost:1",
        "GET /healthz HTTP/1.1\r\nHost: [::1]:8017",
        "GET /healthz HTTP/1.1\r\nHost: 192.0.2.7",
        "GET /healthz HTTP/1.1\r\nHost: Games.example.org:443",
        "GET /healthz HTTP/1.1\r\nHost: b.example.org",
    ] {
        assert_eq!(ask(&server, head).status, 200, "{head}");
    }
    assert_eq!(ask(&server, "GET /healthz HTTP/1.1\r\nHost: c.example.org").status, 421);
    let open = Server::with(&shipped_tables(), &["--allow-host", "*"]);
    assert_eq!(ask(&open, "GET /healthz HTTP/1.1\r\nHost: c.example.org").status, 200);
}

#[test]
fn a_wrong_name_on_the_command_line_is_an_error_of_usage() {
    let output = Command::new(env!("CARGO_BIN_EXE_tabletop-serve"))
        .args(["--allow-host", "https://example.org"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("write a name without scheme and port"));
}
