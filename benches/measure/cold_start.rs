//! Whole query processes, and `true` to compare them with.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use tabletop::game::{Game, Kind, Visitor, visit_all};

use crate::{Contestant, Program};

/// A query, and its input.
struct Query {
    name: String,
    game: &'static str,
    input: String,
}

/// Queries that take another path through the program than the sample of their game.
const OTHERS: [(&str, &str, &str); 1] = [
    // With one block on the top level, the position is two moves away from those in the table, which is the maximum.
    ("jenga in mid-game", "jenga", "7\nRGB\nGRB\nBBG\nGGR\nBRR\nRB.\nB..\n"),
];

/// Returns the sample of a game, and its worst case if the game has tables.
struct Queries;

impl Visitor for Queries {
    type Output = Vec<Query>;

    fn visit<G: Game>(&mut self) -> Vec<Query> {
        let game = G::PROFILE.name;
        let mut queries = vec![Query { name: game.to_owned(), game, input: G::PROFILE.sample.to_owned() }];
        if !G::PROFILE.tables.is_empty() {
            let worst = G::sample(Kind::Worst, 1).to_string();
            queries.push(Query { name: format!("{game}, worst"), game, input: worst });
        }
        queries
    }
}

/// `true`, then the queries of every game in the list. Writes their inputs into `directory`.
pub fn contestants(program: &Program, directory: &Path) -> io::Result<Vec<Contestant<'static>>> {
    let mut queries: Vec<Query> = visit_all(&mut Queries).into_iter().flatten().collect();
    queries.extend(OTHERS.map(|(name, game, input)| Query { name: name.to_owned(), game, input: input.to_owned() }));
    let mut contestants = vec![Contestant::process("true", Command::new("true"))];
    for Query { name, game, input } in queries {
        let file = directory.join(&name);
        fs::write(&file, input)?;
        let mut command = program.query(game);
        command.arg(file);
        contestants.push(Contestant::process(name, command));
    }
    Ok(contestants)
}
