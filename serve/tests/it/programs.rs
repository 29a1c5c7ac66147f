//! Games that are programs.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use tempfile::{TempDir, tempdir};

use crate::support::{Server, shipped_tables};

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
