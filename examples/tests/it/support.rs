//! Runs the example programs, each in its own directory.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tabletop::kit::{Cycles, Node, Rules};
use tempfile::TempDir;

/// The path of an example program.
#[derive(Clone, Copy)]
pub struct Program(pub &'static str);

pub const TIC_TAC_TOE: Program = Program(env!("CARGO_BIN_EXE_tic-tac-toe"));
pub const PIG: Program = Program(env!("CARGO_BIN_EXE_pig"));
pub const YAHTZEE: Program = Program(env!("CARGO_BIN_EXE_yahtzee"));
pub const KING_ROOK_KING: Program = Program(env!("CARGO_BIN_EXE_king-rook-king"));
pub const THREE_MENS_MORRIS: Program = Program(env!("CARGO_BIN_EXE_three-mens-morris"));
pub const MU_TORERE: Program = Program(env!("CARGO_BIN_EXE_mu-torere"));
pub const QUIXO: Program = Program(env!("CARGO_BIN_EXE_quixo"));
pub const SIX_MENS_MORRIS: Program = Program(env!("CARGO_BIN_EXE_six-mens-morris"));
pub const ROYAL_GAME_OF_UR: Program = Program(env!("CARGO_BIN_EXE_royal-game-of-ur"));
pub const SHUT_THE_BOX: Program = Program(env!("CARGO_BIN_EXE_shut-the-box"));

/// The exit code and the output of a program.
#[derive(Debug, PartialEq, Eq)]
pub struct RunOutput {
    pub code: Option<i32>,
    pub out: String,
    pub error: String,
}

impl Program {
    /// Runs the program in a directory, with `input` on its standard input.
    pub fn run_with(self, directory: &Path, arguments: &[&str], input: &str) -> RunOutput {
        self.run_all(directory, &[], arguments, input)
    }

    /// Runs the program in a directory, with these variables of the environment.
    pub fn run_in(self, directory: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> RunOutput {
        self.run_all(directory, variables, arguments, "")
    }

    fn run_all(self, directory: &Path, variables: &[(&str, &str)], arguments: &[&str], input: &str) -> RunOutput {
        // A file without a name: tests that share a directory run at the same time.
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(input.as_bytes()).and_then(|()| file.rewind()).unwrap();
        let output = Command::new(self.0)
            .args(arguments)
            .current_dir(directory)
            .env_remove("TABLETOP_TABLES")
            .envs(variables.iter().copied())
            .stdin(Stdio::from(file))
            .output()
            .unwrap();
        RunOutput::from(output)
    }

    /// Runs the program in a directory, with nothing on its standard input.
    pub fn run(self, directory: &Path, arguments: &[&str]) -> RunOutput {
        self.run_with(directory, arguments, "")
    }

    /// The standard output of the program, which must succeed and print no error.
    #[track_caller]
    pub fn answer(self, directory: &Path, arguments: &[&str]) -> String {
        let output = self.run(directory, arguments);
        assert_eq!((output.code, output.error.as_str()), (Some(0), ""), "{arguments:?}");
        output.out
    }
}

impl From<Output> for RunOutput {
    fn from(output: Output) -> RunOutput {
        RunOutput {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            error: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A directory in which a game has been solved, once for all tests.
pub fn solved(program: Program, arguments: &[&str], cell: &'static OnceLock<TempDir>) -> PathBuf {
    let directory = cell.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let output = program.run(directory.path(), &[&["solve"], arguments].concat());
        assert_eq!((output.code, output.error.as_str()), (Some(0), ""));
        directory
    });
    directory.path().to_path_buf()
}

/// A game whose positions are numbers and whose rules are a function. The solver is compiled for every type of rules,
/// so small games share this one.
pub struct Toy {
    pub name: &'static str,
    pub starts: fn() -> Vec<i32>,
    pub cycles: Cycles,
    pub sum: i64,
    pub node: Box<dyn Fn(i32) -> Node<Toy> + Sync>,
}

impl Toy {
    /// The game starts at 0 and has no cycles.
    pub fn new(node: impl Fn(i32) -> Node<Toy> + Sync + 'static) -> Toy {
        Toy { name: "toy", starts: || vec![0], cycles: Cycles::Refuse, sum: 0, node: Box::new(node) }
    }
}

impl Rules for Toy {
    type Position = i32;
    type Move = i32;

    fn name(&self) -> &str {
        self.name
    }

    fn starts(&self) -> Vec<i32> {
        (self.starts)()
    }

    fn cycles(&self) -> Cycles {
        self.cycles
    }

    fn sum(&self) -> i64 {
        self.sum
    }

    fn node(&self, position: &i32) -> Node<Toy> {
        (self.node)(*position)
    }
}
