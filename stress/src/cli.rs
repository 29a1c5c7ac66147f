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
        Failure::File(String::from("testing needs Linux, run it there")).report("tabletop-stress")
    }
}

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use tabletop::game::{Game, PROFILES, Visitor, visit_named};
use tabletop::table::Places;

use crate::balda::Balda;
use crate::exact::{Exact, Ties};
use crate::failure::Failure;
use crate::plan::{Draw, Shape};
use crate::subject::Subject;

/// The arguments of both programs that choose the inputs.
#[derive(Args)]
struct InputArguments {
    /// The game
    #[arg(value_name = "GAME", value_parser = game_parser())]
    game: String,
    /// Only this kind of inputs: tiny, ordinary, worst or edge; repeatable
    #[arg(long, value_name = "KIND", value_parser = draw_parser(), hide_possible_values = true)]
    kind: Vec<Draw>,
    /// The same seed gives the same inputs on every machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Sizes of the inputs, as in levels=4 or rows=2,columns=3-5
    #[arg(long, value_name = "SIZES", value_parser = Shape::parse)]
    shape: Option<Shape>,
    /// Look for tables in DIR and nowhere else
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl InputArguments {
    fn places(&self) -> Places {
        self.tables.as_ref().map_or_else(Places::from_environment, Places::only)
    }

    /// The requested sizes, checked against those of the game.
    fn shape_of(&self, subject: &impl Subject) -> Result<Shape, Failure> {
        let shape = self.shape.clone().unwrap_or_default();
        let offered = subject.sizes();
        shape.check(offered.into_iter()).map_err(|error| Failure::Usage(format!("--shape: {error}")))?;
        Ok(shape)
    }
}

fn game_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
}

fn draw_parser() -> impl TypedValueParser<Value = Draw> {
    let named = |name: String| Draw::ALL.into_iter().find(|draw| draw.name() == name).expect("a possible value");
    PossibleValuesParser::new(Draw::ALL.map(Draw::name)).map(named)
}

/// Work that is generic over the subject.
trait Work {
    fn on<S: Subject>(&self, subject: &S) -> Result<ExitCode, Failure>;
}

/// Runs `work` with the game of this name.
fn with_subject(name: &str, places: &Places, ties: Ties, work: &impl Work) -> Result<ExitCode, Failure> {
    struct Opened<'a, W> {
        places: &'a Places,
        ties: Ties,
        work: &'a W,
    }

    impl<W: Work> Visitor for Opened<'_, W> {
        type Output = Result<ExitCode, Failure>;

        fn visit<G: Game>(&mut self) -> Result<ExitCode, Failure> {
            self.work.on(&Exact::<G>::at(self.places, self.ties))
        }
    }

    match visit_named(name, &mut Opened { places, ties, work }) {
        Some(outcome) => outcome,
        // Balda is the only profile without exact answers.
        None => work.on(&Balda::new(places)),
    }
}

/// Runs a program with the arguments of this process.
fn run<A: FromArgMatches>(
    program: &'static str,
    command: Command,
    work: impl FnOnce(A) -> Result<ExitCode, Failure>,
) -> ExitCode {
    let parsed = command.try_get_matches().and_then(|matches: ArgMatches| A::from_arg_matches(&matches));
    let outcome = match parsed {
        Ok(arguments) => work(arguments),
        Err(message) if matches!(message.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            print(message.render().to_string().as_bytes()).map(|()| ExitCode::SUCCESS)
        }
        Err(message) => {
            let text = message.render().to_string();
            Err(Failure::Usage(format!("arguments: {}", text.trim_start_matches("error: ").trim_end())))
        }
    };
    outcome.unwrap_or_else(|failure| failure.report(program))
}

/// Writes to standard output.
fn print(text: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(Failure::output)
}
