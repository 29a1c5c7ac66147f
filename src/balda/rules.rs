//! The rules: the board, moves, and the check of every rule of the contest's statement.
//!
//! The checks share no code with the engine, so a bug in the engine cannot make an illegal game pass.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use super::letter::{Letter, NotAWord, Word};
use super::reach::{self, Unreachable};
use crate::input::quote;

/// Length of the shortest start word, and so the smallest side of a board.
pub(super) const MIN_SIDE: usize = 3;
/// Length of the longest start word, and so the largest side of a board.
pub(super) const MAX_SIDE: usize = 15;

/// A cell of the board; row and column count from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// From 0 at the top.
    pub row: u8,
    /// From 0 at the left.
    pub column: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} column {}", u16::from(self.row) + 1, u16::from(self.column) + 1)
    }
}

impl Cell {
    /// Whether the two cells share an edge.
    pub fn touches(self, other: Cell) -> bool {
        let apart = u16::from(self.row.abs_diff(other.row)) + u16::from(self.column.abs_diff(other.column));
        apart == 1
    }

    /// The cells of a board that share an edge with this one; `side` is the number of cells per row.
    pub(super) fn neighbours(self, side: usize) -> impl Iterator<Item = Cell> + use<> {
        let Cell { row, column } = self;
        let above = row.checked_sub(1).map(|row| Cell { row, column });
        let left = column.checked_sub(1).map(|column| Cell { row, column });
        let right = column.checked_add(1).map(|column| Cell { row, column });
        let below = row.checked_add(1).map(|row| Cell { row, column });
        let inside = move |cell: &Cell| usize::from(cell.row.max(cell.column)) < side;
        [above, left, right, below].into_iter().flatten().filter(inside)
    }

    /// The number of the cell, from 0 row by row.
    pub(super) fn number(self, side: usize) -> usize {
        usize::from(self.row) * side + usize::from(self.column)
    }

    /// The cell with this number.
    pub(super) fn numbered(number: usize, side: usize) -> Cell {
        Cell { row: (number / side) as u8, column: (number % side) as u8 }
    }
}

/// A start word. Its length is the side of the board, and its letters are of one alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start(Word);

impl Start {
    /// Checks that a word can be a start word.
    pub fn new(word: Word) -> Result<Start, NotAStart> {
        if !is_side(word.len()) {
            return Err(NotAStart::Length { found: word.len() });
        }
        if word.iter().any(|letter| letter.alphabet() != word[0].alphabet()) {
            return Err(NotAStart::Alphabets);
        }
        Ok(Start(word))
    }

    /// Cells per row of the board.
    pub fn side(&self) -> usize {
        self.0.len()
    }

    /// The word.
    pub fn word(&self) -> &Word {
        &self.0
    }
}

impl Deref for Start {
    type Target = [Letter];

    fn deref(&self) -> &[Letter] {
        &self.0
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Start {
    type Err = NotAStart;

    fn from_str(text: &str) -> Result<Start, NotAStart> {
        Start::new(text.parse().map_err(NotAStart::Text)?)
    }
}

/// Why a word cannot be a start word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAStart {
    /// The text is not a word.
    #[error("{0}")]
    Text(NotAWord),
    /// The number of letters is even, too small or too large.
    #[error("a start word of {found} letters, write one of 3, 5, 7, 9, 11, 13 or 15 letters")]
    Length {
        /// The number of letters.
        found: usize,
    },
    /// The letters are of two alphabets.
    #[error("a start word of two alphabets, write it in one")]
    Alphabets,
}

/// One turn: a letter put into an empty cell, and the word made with it.
///
/// It is written in the contest's format: row and column of the cell, the letter, the word, row and column of the first
/// letter of the word, and the steps from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the letter is put.
    pub cell: Cell,
    /// The letter.
    pub letter: Letter,
    /// The word.
    pub word: Word,
    /// The cells of the letters of the word, in order.
    pub path: Vec<Cell>,
}

impl Move {
    /// The cell of the word's first letter. For a move without a path, which is illegal, the cell of the new letter.
    pub fn first(&self) -> Cell {
        self.path.first().copied().unwrap_or(self.cell)
    }

    /// The steps from cell to cell along the word: `r`, `l`, `u` and `d` for right, left, up and down.
    pub fn steps(&self) -> String {
        let step = |pair: &[Cell]| match (pair[0], pair[1]) {
            (from, to) if to.column > from.column => 'r',
            (from, to) if to.column < from.column => 'l',
            (from, to) if to.row < from.row => 'u',
            _ => 'd',
        };
        self.path.windows(2).map(step).collect()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { cell, letter, word, .. } = self;
        let first = self.first();
        let (row, column) = (u16::from(cell.row) + 1, u16::from(cell.column) + 1);
        let (first_row, first_column) = (u16::from(first.row) + 1, u16::from(first.column) + 1);
        write!(f, "{row} {column} {letter} {word} {first_row} {first_column} {}", self.steps())
    }
}

/// A start word and the moves made on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The word in the middle row.
    pub start: Start,
    /// The moves in the order in which they are made.
    pub moves: Vec<Move>,
}

impl PlayedGame {
    /// The number of letters of all words made: the score by the rules.
    pub fn letters(&self) -> u32 {
        self.moves.iter().map(|made| made.word.len() as u32).sum()
    }

    /// The points that the contest gives: 1000 times the letters per cell of the board, rounded.
    pub fn points(&self) -> u32 {
        let area = self.start.side().pow(2) as u64;
        ((2000 * u64::from(self.letters()) + area) / (2 * area)) as u32
    }

    /// Checks every move of the game; `is_word` tells whether a word is in the dictionary.
    pub fn check(&self, is_word: impl Fn(&[Letter]) -> bool) -> Result<(), IllegalGame> {
        let mut board = Board::new(&self.start);
        for (number, made) in (1..).zip(&self.moves) {
            board.apply(made, &is_word).map_err(|reason| IllegalGame { number, word: made.word.clone(), reason })?;
        }
        Ok(())
    }
}

impl fmt::Display for PlayedGame {
    /// The contest's answer: the number of moves, then a line per move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.moves.len())?;
        self.moves.iter().try_for_each(|made| writeln!(f, "{made}"))
    }
}

/// The first move of a game that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {}, {}: {}", .number, quote(.word.to_string().as_bytes()), .reason)]
pub struct IllegalGame {
    /// The number of the move, from 1.
    pub number: usize,
    /// The word of the move.
    pub word: Word,
    /// The rule.
    #[source]
    pub reason: IllegalMove,
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A cell is not on the board.
    #[error("{0} is outside the board")]
    OutsideBoard(Cell),
    /// The letter is put into a cell that already has one.
    #[error("{0} already holds a letter")]
    CellTaken(Cell),
    /// The letter is put into a cell without a filled neighbour.
    #[error("{0} touches no filled cell")]
    CellNotAdjacent(Cell),
    /// The number of cells of the path is not the number of letters of the word.
    #[error("a path of {path} cells, expected {word} as the word has letters")]
    PathLength {
        /// The number of letters.
        word: usize,
        /// The number of cells.
        path: usize,
    },
    /// Two consecutive cells of the path do not share an edge.
    #[error("the path jumps from {from} to {to}")]
    PathJumps {
        /// The first of the two.
        from: Cell,
        /// The second.
        to: Cell,
    },
    /// The path uses a cell twice.
    #[error("the path uses {0} twice")]
    CellRepeated(Cell),
    /// The path uses an empty cell.
    #[error("the path uses the empty {0}")]
    EmptyCellInPath(Cell),
    /// The letter of this cell is not the letter of the word.
    #[error("the word has another letter than {0}")]
    WrongLetter(Cell),
    /// The word does not use the letter just placed.
    #[error("the word does not use the placed letter")]
    PlacedLetterUnused,
    /// The word has been made before, or is the start word.
    #[error("the word was used before")]
    WordUsedBefore,
    /// The word is not in the dictionary.
    #[error("the word is not in the dictionary")]
    NotAWord,
}

/// Whether a board can have this number of cells per row.
pub(super) fn is_side(cells: usize) -> bool {
    !cells.is_multiple_of(2) && (MIN_SIDE..=MAX_SIDE).contains(&cells)
}

/// A board in play: the letters placed and the words made so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    side: usize,
    /// Row by row; `None` is an empty cell.
    letters: Vec<Option<Letter>>,
    /// The start word, then the words made.
    used: Vec<Word>,
}

impl Board {
    /// The board with the start word in its middle row.
    pub fn new(start: &Start) -> Board {
        let side = start.side();
        let mut letters = vec![None; side * side];
        for (cell, &letter) in letters[side / 2 * side..].iter_mut().zip(start.iter()) {
            *cell = Some(letter);
        }
        Board { side, letters, used: vec![start.word().clone()] }
    }

    /// A board in mid-game: its rows from top to bottom, with `None` for an empty cell, and the words made so far in
    /// any order, with or without the start word. Boards that no game can reach are refused.
    pub fn from_rows(rows: &[Vec<Option<Letter>>], used: Vec<Word>) -> Result<Board, Unreachable> {
        let side = rows.len();
        if !is_side(side) || rows.iter().any(|row| row.len() != side) {
            return Err(Unreachable::Shape);
        }
        let letters = rows.concat();
        let start = reach::check(side, &letters, &used)?;
        let mut board = Board { side, letters, used: vec![start.clone()] };
        board.used.extend(used.into_iter().filter(|word| *word != start));
        Ok(board)
    }

    /// The start word, then the words made.
    pub fn used(&self) -> &[Word] {
        &self.used
    }

    /// Whether a letter may be put into a cell: the cell is empty and has a filled neighbour.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.check_placement(cell).is_ok()
    }

    /// Whether a word has been made, or is the start word.
    pub fn is_used(&self, word: &[Letter]) -> bool {
        self.used.iter().any(|used| used[..] == *word)
    }

    /// Cells per row.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The letter in a cell; `None` if the cell is empty or outside the board.
    pub fn letter(&self, cell: Cell) -> Option<Letter> {
        if self.holds(cell) { self.letters[cell.number(self.side)] } else { None }
    }

    /// Checks a move by every rule and makes it. An illegal move does not change the board.
    pub fn apply(&mut self, made: &Move, is_word: impl Fn(&[Letter]) -> bool) -> Result<(), IllegalMove> {
        self.apply_checked(made, &is_word)
    }

    // Not generic and not inlined, so that the program contains one copy of the rules.
    #[inline(never)]
    fn apply_checked(&mut self, made: &Move, is_word: &dyn Fn(&[Letter]) -> bool) -> Result<(), IllegalMove> {
        self.check_placement(made.cell)?;
        let index = made.cell.number(self.side);
        self.letters[index] = Some(made.letter);
        let verdict = self.check_word(made, is_word);
        match verdict {
            Ok(()) => {
                self.used.push(made.word.clone());
            }
            Err(_) => self.letters[index] = None,
        }
        verdict
    }

    fn check_placement(&self, cell: Cell) -> Result<(), IllegalMove> {
        if !self.holds(cell) {
            return Err(IllegalMove::OutsideBoard(cell));
        }
        if self.letter(cell).is_some() {
            return Err(IllegalMove::CellTaken(cell));
        }
        if !self.cells().any(|other| other.touches(cell) && self.letter(other).is_some()) {
            return Err(IllegalMove::CellNotAdjacent(cell));
        }
        Ok(())
    }

    fn check_word(&self, made: &Move, is_word: &dyn Fn(&[Letter]) -> bool) -> Result<(), IllegalMove> {
        if made.word.len() != made.path.len() {
            return Err(IllegalMove::PathLength { word: made.word.len(), path: made.path.len() });
        }
        for (step, (&cell, &letter)) in made.path.iter().zip(made.word.iter()).enumerate() {
            if !self.holds(cell) {
                return Err(IllegalMove::OutsideBoard(cell));
            }
            if step > 0 && !made.path[step - 1].touches(cell) {
                return Err(IllegalMove::PathJumps { from: made.path[step - 1], to: cell });
            }
            if made.path[..step].contains(&cell) {
                return Err(IllegalMove::CellRepeated(cell));
            }
            match self.letter(cell) {
                None => return Err(IllegalMove::EmptyCellInPath(cell)),
                Some(found) if found != letter => return Err(IllegalMove::WrongLetter(cell)),
                Some(_) => {}
            }
        }
        if !made.path.contains(&made.cell) {
            return Err(IllegalMove::PlacedLetterUnused);
        }
        if self.is_used(&made.word) {
            return Err(IllegalMove::WordUsedBefore);
        }
        if !is_word(&made.word) {
            return Err(IllegalMove::NotAWord);
        }
        Ok(())
    }

    /// The cells of the board that share an edge with a cell.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        cell.neighbours(self.side)
    }

    fn holds(&self, cell: Cell) -> bool {
        usize::from(cell.row) < self.side && usize::from(cell.column) < self.side
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = self.side as u8;
        (0..side).flat_map(move |row| (0..side).map(move |column| Cell { row, column }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        text.parse().unwrap()
    }

    /// A move in the judge's notation: row and column from 1, and steps l, r, u, d.
    fn judge_move(text: &str) -> Move {
        let fields: Vec<&str> = text.split(' ').collect();
        let number = |field: &str| field.parse::<u8>().unwrap() - 1;
        let mut at = Cell { row: number(fields[4]), column: number(fields[5]) };
        let mut path = vec![at];
        for step in fields[6].bytes() {
            match step {
                b'l' => at.column -= 1,
                b'r' => at.column += 1,
                b'u' => at.row -= 1,
                _ => at.row += 1,
            }
            path.push(at);
        }
        let cell = Cell { row: number(fields[0]), column: number(fields[1]) };
        Move { cell, letter: word(fields[2])[0], word: word(fields[3]), path }
    }

    const SAMPLE: [&str; 5] = [
        "2 3 g fang 3 5 llu",
        "2 4 t gnat 2 3 dru",
        "1 3 o tango 2 4 dluu",
        "1 4 e enate 3 2 rruu",
        "4 3 g tang 2 4 dld",
    ];

    fn sample() -> PlayedGame {
        PlayedGame { start: "kenaf".parse().unwrap(), moves: SAMPLE.iter().map(|line| judge_move(line)).collect() }
    }

    fn first_violation(change: impl Fn(&mut PlayedGame)) -> IllegalMove {
        let mut game = sample();
        change(&mut game);
        match game.check(|_| true) {
            Err(IllegalGame { reason, .. }) => reason,
            other => panic!("expected an illegal move, found {other:?}"),
        }
    }

    #[test]
    fn the_sample_is_legal_and_gets_880_points() {
        assert_eq!(sample().check(|_| true), Ok(()));
        assert_eq!((sample().letters(), sample().points()), (22, 880));
    }

    #[test]
    fn moves_and_games_are_written_in_the_contests_format() {
        assert_eq!(sample().moves[3].to_string(), SAMPLE[3]);
        assert_eq!(sample().to_string(), format!("5\n{}\n", SAMPLE.join("\n")));
        let pathless = Move { path: Vec::new(), ..sample().moves[0].clone() };
        assert_eq!(pathless.to_string(), "2 3 g fang 2 3 ");
    }

    #[test]
    fn cells_outside_the_board_have_no_letter_and_are_not_open() {
        let board = Board::new(&"cat".parse().unwrap());
        for cell in [Cell { row: 3, column: 0 }, Cell { row: 0, column: 255 }, Cell { row: 255, column: 255 }] {
            assert_eq!((board.letter(cell), board.is_open(cell)), (None, false));
            assert!(board.neighbours(cell).count() <= 1);
        }
    }

    #[test]
    fn each_rule_is_enforced() {
        let far = Cell { row: 0, column: 0 };
        let outside = Cell { row: 5, column: 0 };
        assert_eq!(first_violation(|game| game.moves[0].cell = far), IllegalMove::CellNotAdjacent(far));
        assert_eq!(first_violation(|game| game.moves[0].cell = outside), IllegalMove::OutsideBoard(outside));
        let taken = Cell { row: 2, column: 2 };
        assert_eq!(first_violation(|game| game.moves[0].cell = taken), IllegalMove::CellTaken(taken));
        assert_eq!(
            first_violation(|game| {
                game.moves[0].path.pop();
            }),
            IllegalMove::PathLength { word: 4, path: 3 }
        );
        assert!(matches!(first_violation(|game| game.moves[0].path.swap(0, 1)), IllegalMove::WrongLetter(_)));
        assert!(matches!(
            first_violation(|game| game.moves[1].path[2] = Cell { row: 4, column: 4 }),
            IllegalMove::PathJumps { .. }
        ));
        assert_eq!(
            first_violation(|game| game.moves[4].word = word("gnat")),
            IllegalMove::WrongLetter(Cell { row: 1, column: 3 })
        );
        assert_eq!(
            first_violation(|game| game.moves[1] = judge_move("2 4 t kenaf 3 1 rrrr")),
            IllegalMove::PlacedLetterUnused
        );
        assert_eq!(
            first_violation(|game| game.moves[1] = judge_move("4 3 g fang 3 5 lld")),
            IllegalMove::WordUsedBefore
        );
        assert_eq!(
            first_violation(|game| game.moves[0] = judge_move("2 3 n nnn 2 3 du")),
            IllegalMove::CellRepeated(Cell { row: 1, column: 2 })
        );
        assert!(matches!(
            first_violation(|game| game.moves[0] = judge_move("2 3 g gab 2 3 ul")),
            IllegalMove::EmptyCellInPath(_)
        ));
        assert_eq!(
            sample().check(|made| *made != word("tango")[..]),
            Err(IllegalGame { number: 3, word: word("tango"), reason: IllegalMove::NotAWord })
        );
    }

    #[test]
    fn sides_are_the_odd_numbers_from_3_to_15() {
        for side in 1..20 {
            let legal = side % 2 == 1 && (3..=15).contains(&side);
            let start = Start::new(word(&"a".repeat(side)));
            assert_eq!(start.is_ok(), legal, "side {side}");
        }
    }
}
