//! `tabletop hopchess`.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use tabletop::hopchess::index::BoardRank;
use tabletop::hopchess::{Advice, Answers, Board, Case, Chance, Choice, Shape, answer, judge};
use tabletop::input::InputError;
use tabletop::table::{MappedFile, Places};

use super::failure::Failure;
use super::paint::Paint;
use super::query::{self, Explain, Game, QueryArguments, Source};

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "Hop chess (\"Human Error\"): the probability that Justin wins";

/// The arguments of `tabletop hopchess`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "\
Input: the numbers of rows and columns, the rows of the board in letters J and D, then the error factors of Justin and
Donald. Beyond the contest a cell may be empty ('.'), a board may have up to 16 cells, error factors may be any size, and
a line 'to move: J' or 'to move: D' before the error factors says whose turn it is; without one, Justin began and the
number of empty cells tells.

Examples:
  printf '1 3\\nJJD\\n3 1\\n' | tabletop hopchess
  printf '2 2\\nJJ\\nDD\\n3 1\\n' | tabletop hopchess --explain
  printf '2 3\\nJ.D\\nDJJ\\nto move: J\\n2 2\\n' | tabletop hopchess --explain")]
pub(crate) struct HopchessArguments {
    #[command(flatten)]
    query: QueryArguments,
}

/// Answers the hop chess cases that the arguments name.
pub(super) fn run(arguments: &HopchessArguments, places: &Places) -> Result<(), Failure> {
    query::run(HopchessGame { places, answers: None, shape: None }, &arguments.query)
}

/// Opens the tables when the first full board needs them.
struct HopchessGame<'a> {
    places: &'a Places,
    answers: Option<Answers<MappedFile>>,
    /// The size of the board that is to be read.
    shape: Option<Shape>,
}

impl HopchessGame<'_> {
    fn look_up(&mut self, case: Case) -> Result<Option<Chance>, Failure> {
        if BoardRank::of(case.position.board).is_none() {
            return Ok(None);
        }
        let answers = match &mut self.answers {
            Some(open) => open,
            closed => closed.insert(Answers::open(self.places)?),
        };
        Ok(answers.look_up(case)?)
    }
}

impl Game for HopchessGame<'_> {
    const NAME: &'static str = "hopchess";
    const FORMAT: &'static str = "write the numbers of rows and columns, the rows of the board, then the error factors";
    type Case = Case;
    type Explanation = Explanation;

    fn begin(&mut self, lines: &mut Source) -> Result<Option<u32>, InputError> {
        self.shape = judge::read_shape(lines)?;
        Ok(self.shape.map(|_| 1))
    }

    fn read(&mut self, lines: &mut Source) -> Result<Case, InputError> {
        let shape = self.shape.expect("a case is read after its input was begun");
        judge::read_case(shape, lines)
    }

    fn answer(&mut self, case: &Case, out: &mut Vec<u8>) -> Result<(), Failure> {
        let chance = self.look_up(*case)?.unwrap_or_else(|| answer::search(*case));
        judge::write_answer(chance, out);
        Ok(())
    }

    fn explain(&mut self, case: &Case) -> Result<Explanation, Failure> {
        Ok(Explanation::from(&Advice::new(*case)))
    }
}

/// A position with every move of the side to move, as people and scripts read it.
#[derive(Serialize)]
struct Explanation {
    game: &'static str,
    board: Vec<String>,
    mover: char,
    factors: FactorsText,
    proposal_size: usize,
    #[serde(flatten)]
    chance: ChanceText,
    moves: Vec<MoveText>,
}

#[derive(Serialize)]
struct FactorsText {
    justin: usize,
    donald: usize,
}

#[derive(Serialize)]
struct MoveText {
    from: CellText,
    to: CellText,
    captured: char,
    proposed: bool,
    #[serde(flatten)]
    chance: ChanceText,
}

/// The row and the column of a cell, from 1.
#[derive(Serialize)]
struct CellText {
    row: usize,
    column: usize,
}

/// The probability that Justin wins, rounded, exact where that is short, and as a double.
#[derive(Serialize)]
struct ChanceText {
    answer: String,
    fraction: Option<String>,
    probability: f64,
}

impl From<&Advice> for Explanation {
    fn from(advice: &Advice) -> Explanation {
        let Case { position, factors } = advice.case;
        Explanation {
            game: HopchessGame::NAME,
            board: position.board.to_string().lines().map(str::to_owned).collect(),
            mover: position.to_move.letter(),
            factors: FactorsText { justin: factors.justin.moves(), donald: factors.donald.moves() },
            proposal_size: advice.choices.iter().filter(|choice| choice.proposed).count(),
            chance: advice.chance.into(),
            moves: advice.choices.iter().map(|choice| MoveText::new(position.board, choice)).collect(),
        }
    }
}

impl MoveText {
    fn new(board: Board, choice: &Choice) -> MoveText {
        let columns = board.shape().columns();
        let cell = |cell: usize| CellText { row: cell / columns + 1, column: cell % columns + 1 };
        MoveText {
            from: cell(choice.capture.from),
            to: cell(choice.capture.to),
            captured: board.owner(choice.capture.to).map_or('.', |player| player.letter()),
            proposed: choice.proposed,
            chance: choice.chance.into(),
        }
    }
}

impl From<Chance> for ChanceText {
    fn from(chance: Chance) -> ChanceText {
        ChanceText { answer: chance.to_string(), fraction: chance.fraction(), probability: chance.to_f64() }
    }
}

impl Explain for Explanation {
    fn to_text(&self, paint: Paint) -> String {
        let mut text = format!("{}\n", self.chance.answer);
        let mut line = |content: &str| writeln!(text, "{content}").expect("a string takes any text");
        let FactorsText { justin, donald } = self.factors;
        line(&format!("  {} to move, J = {justin}, D = {donald}", self.mover));
        line("");
        self.picture().iter().for_each(|row| line(row));
        line("");
        line(&format!("  {} proposes {} of {} moves", self.mover, self.proposal_size, self.moves.len()));
        if !self.moves.is_empty() {
            line("    from  to    takes  J wins  exactly");
        }
        for choice in &self.moves {
            let row = choice.to_text();
            line(&if choice.proposed { paint.bold(&row) } else { row });
        }
        text.push('\n');
        text
    }
}

impl Explanation {
    /// The board with the numbers of its rows and columns.
    fn picture(&self) -> Vec<String> {
        let columns = self.board.first().map_or(0, String::len);
        let width = columns.to_string().len().max(self.board.len().to_string().len());
        let row = |head: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| format!("{cell:>width$}")).collect();
            format!("    {head:>width$}  {}", cells.join(" "))
        };
        let heads = row("", &mut (1..=columns).map(|column| column.to_string()));
        let rows = self.board.iter().zip(1..);
        let rows = rows.map(|(cells, number)| row(&number.to_string(), &mut cells.chars().map(String::from)));
        std::iter::once(heads).chain(rows).collect()
    }
}

impl MoveText {
    fn to_text(&self) -> String {
        format!(
            "  {} {:<4}  {:<4}  {}      {}   {}",
            if self.proposed { '*' } else { ' ' },
            self.from.to_text(),
            self.to.to_text(),
            self.captured,
            self.chance.answer,
            self.chance.fraction.clone().unwrap_or_else(|| format!("about {}", self.chance.probability))
        )
    }
}

impl CellText {
    fn to_text(&self) -> String {
        format!("{},{}", self.row, self.column)
    }
}
