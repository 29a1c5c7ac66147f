//! Games that are programs.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

use crate::support::{Server, shipped_tables, wait_until};

/// A game program that misbehaves in this manner.
fn speaker(directory: &TempDir, manner: &str) -> PathBuf {
    let program = directory.path().join(manner);
    symlink(env!("CARGO_BIN_EXE_serve-speaker"), &program).unwrap();
    program
}

/// A server with a game program that misbehaves in this manner.
fn server_with(directory: &TempDir, manner: &str) -> Server {
    let program = speaker(directory, manner);
    Server::with(&shipped_tables(), &["--game", program.to_str().unwrap()])
}

#[test]
fn a_reply_that_is_no_object_is_the_programs_fault() {
    let directory = tempdir().unwrap();
    let array = server_with(&directory, "array");
    let number = server_with(&directory, "number");
    for (server, path) in [(&array, "remainder/sample"), (&array, "remainder?input=7"), (&number, "remainder?input=7")]
    {
        let response = server.get(&format!("/api/{path}"));
        assert_eq!(response.status, 502, "{response:?}");
        assert!(
            response.error().contains("does not speak the protocol: a line that is no JSON object"),
            "{response:?}"
        );
    }
}

#[test]
fn a_game_cannot_be_called_like_something_of_the_server() {
    let directory = tempdir().unwrap();
    for name in ["about", "api", "games", "healthz", "metrics", "tables"] {
        let program = speaker(&directory, &format!("called-{name}"));
        let (code, message) = refused(&["--game", program.to_str().unwrap()]);
        assert_eq!(code, Some(2), "{message}");
        let expected = format!("the server has a page /{name} or /api/{name} itself, rename the game\n");
        assert!(message.ends_with(&expected), "{message}");
    }
    for name in ["page", "docs", "stream"] {
        let server = server_with(&directory, &format!("called-{name}"));
        assert_eq!(server.ask(name, "7").json()["value"], 1);
        assert_eq!(server.get(&format!("/{name}")).status, 200);
    }
    let (first, second) = (speaker(&directory, "first"), speaker(&directory, "second"));
    let (code, message) = refused(&["--game", first.to_str().unwrap(), "--game", second.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(message.contains("two games are called remainder, give one of them another name"), "{message}");
}

/// The exit code and the message of a server that does not start.
fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-serve"));
    let output = command.args(["--bind", "127.0.0.1:0"]).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn slow_samples_do_not_delay_other_requests() {
    let directory = tempdir().unwrap();
    let server = server_with(&directory, "slow");
    // One more than the threads that answer requests.
    let threads = thread::available_parallelism().unwrap().get() + 1;
    let waiting: Vec<TcpStream> = (0..threads).map(|_| ask_for_sample(&server)).collect();
    wait_until("the program is asked", || directory.path().join("slow-asked").exists());
    let asked = Instant::now();
    assert_eq!(server.get("/healthz").status, 200);
    // This waits for the pool of our own games.
    assert_eq!(server.get("/api/tables").status, 200);
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    drop(waiting);
}

/// A connection that waits for a sample.
fn ask_for_sample(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(b"GET /api/remainder/sample HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    stream
}

#[test]
fn a_program_at_work_ends_with_the_server() {
    for signal in ["-TERM", "-KILL"] {
        let directory = tempdir().unwrap();
        let mut server = server_with(&directory, "slow");
        let _waiting = ask_for_sample(&server);
        wait_until("the program is asked", || directory.path().join("slow-asked").exists());
        assert_eq!(processes_of(&directory.path().join("slow")), 1);
        let id = server.process().id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        server.process().wait().unwrap();
        wait_until("the program ends", || processes_of(&directory.path().join("slow")) == 0);
    }
}

/// The number of running processes of a program.
fn processes_of(program: &Path) -> usize {
    let is_of = |process: &fs::DirEntry| {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).next() == Some(program.as_os_str().as_bytes())
    };
    fs::read_dir("/proc").unwrap().map(Result::unwrap).filter(is_of).count()
}
