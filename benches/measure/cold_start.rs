//! Whole query processes, and `true` to compare them with.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::{Contestant, Program};

/// A query, and its input.
struct Query {
    name: &'static str,
    game: &'static str,
    input: &'static str,
}

const QUERIES: &[Query] = &[
    Query { name: "dice", game: "dice", input: "1\n1 2 3 1 1\n1 2 3 4 5\n" },
    Query { name: "jenga", game: "jenga", input: "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n" },
    // The first block of a level is the furthest from the table: two moves.
    Query { name: "jenga in mid-game", game: "jenga", input: "7\nRGB\nGRB\nBBG\nGGR\nBRR\nRB.\nB..\n" },
    Query { name: "hopchess", game: "hopchess", input: "1 13\nJDJDDJJDJDDJD\n13 13\n" },
    Query {
        name: "codenames",
        game: "codenames",
        input: "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n",
    },
];

/// `true`, then a query of each kind; their inputs are written into `directory`.
pub fn contestants(program: &Program, directory: &Path) -> io::Result<Vec<Contestant<'static>>> {
    let mut contestants = vec![Contestant::process("true", Command::new("true"))];
    for &Query { name, game, input } in QUERIES {
        let file = directory.join(name);
        fs::write(&file, input)?;
        let mut command = program.query(game);
        command.arg(file);
        contestants.push(Contestant::process(name, command));
    }
    Ok(contestants)
}
