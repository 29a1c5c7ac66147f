//! Whole query processes, and `true` to compare them with.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tabletop::game::{Kind, PROFILES, Profile, Sizes, TestGame, exact_test_games};
use tabletop::table::Places;

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

/// The sample of a game, and its worst case if the game has tables.
fn queries(game: &Arc<dyn TestGame>, profile: &'static Profile<'static>) -> Vec<Query> {
    let name = profile.name;
    let mut queries = vec![Query { name: name.to_owned(), game: name, input: profile.sample.to_owned() }];
    if !profile.tables.is_empty() {
        let worst = Arc::clone(game).sample(Kind::Worst, &Sizes::one_case(profile), 1).expect("a sample");
        let input = String::from_utf8_lossy(&worst.text()).into_owned();
        queries.push(Query { name: format!("{name}, worst"), game: name, input });
    }
    queries
}

/// `true`, then the queries of every game in the list. Writes their inputs into `directory`.
pub fn contestants(program: &Program, directory: &Path) -> io::Result<Vec<Contestant<'static>>> {
    let games = exact_test_games(&Places::only(&program.tables)).into_iter();
    let mut queries: Vec<Query> = games.zip(PROFILES).flat_map(|(game, profile)| queries(&game, profile)).collect();
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
