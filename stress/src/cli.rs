//! The command lines of `tabletop-stress` and `tabletop-sample`.

pub mod sample;
#[cfg(target_os = "linux")]
pub mod stress;
/// The runner needs Linux to limit and kill the processes of a command.
#[cfg(not(target_os = "linux"))]
pub mod stress {
    use std::process::ExitCode;

    use crate::failure::Failure;

    /// Reports that the tester needs Linux.
    pub fn main() -> ExitCode {
        Failure::new("testing needs Linux, run it there").report("tabletop-stress")
    }
}

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use tabletop::door;
use tabletop::game::{Kind, PROFILES, ProgramGame, Sizes, TestGame, become_program, games};
use tabletop::table::Places;

use crate::failure::Failure;

/// The arguments of both programs that choose the inputs.
#[derive(Args)]
struct InputArguments {
    /// The game
    #[arg(value_name = "GAME", value_parser = game_parser(), required_unless_present = "program")]
    game: Option<String>,
    /// A program that is the game, in place of GAME
    #[arg(long = "game", value_name = "PROGRAM", conflicts_with = "game")]
    program: Option<PathBuf>,
    /// Only this kind of inputs: tiny, ordinary, worst or edge; repeatable
    #[arg(long, value_name = "KIND", value_parser = kind_parser(), hide_possible_values = true)]
    kind: Vec<Kind>,
    /// The same seed gives the same inputs on every machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Sizes of the inputs, as in levels=4 or rows=2,columns=3-5
    #[arg(long, value_name = "SIZES", value_parser = Sizes::parse)]
    shape: Option<Sizes>,
    /// Look for tables in DIR and nowhere else
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl InputArguments {
    fn places(&self) -> Places {
        self.tables.as_ref().map_or_else(Places::from_environment, Places::only)
    }

    /// The game that the arguments name.
    fn game(&self) -> Result<Arc<dyn TestGame>, Failure> {
        if let Some(program) = &self.program {
            return Ok(Arc::new(ProgramGame::open_guarded(program, self.tables.as_deref())?));
        }
        let mut games = games(&self.places()).into_iter();
        Ok(games.find(|game| Some(game.profile().name) == self.game.as_deref()).expect("a possible value"))
    }

    /// The requested sizes, checked against those of the game.
    fn shape_of(&self, game: &dyn TestGame) -> Result<Sizes, Failure> {
        let shape = self.shape.clone().unwrap_or_default();
        shape.check(&game.sizes()).map_err(|error| Failure::Usage(format!("--shape: {error}")))?;
        Ok(shape)
    }
}

fn game_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| Kind::named(&name).expect("a possible value"))
}

/// Runs a program with the arguments of this process.
fn run<A: FromArgMatches>(
    program: &'static str,
    command: Command,
    work: impl FnOnce(A) -> Result<ExitCode, Failure>,
) -> ExitCode {
    if let Some(code) = become_program() {
        return code;
    }
    let parsed = command.try_get_matches().and_then(|matches: ArgMatches| A::from_arg_matches(&matches));
    let outcome = match parsed {
        Ok(arguments) => work(arguments),
        Err(message) => door::show(&message),
    };
    outcome.unwrap_or_else(|failure| failure.report(program))
}
