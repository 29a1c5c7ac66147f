//! What the game is: the board, a move, and the check of every rule of the statement.
//!
//! Nothing here knows how good games are found; the checks share no code with the engine,
//! so that a game accepted here is legal whatever the engine believes.

use std::collections::HashSet;
use std::fmt;

/// Shortest start word, and so the smallest board side.
pub const MIN_SIDE: usize = 3;
/// Longest start word, and so the largest board side.
pub const MAX_SIDE: usize = 15;
/// Most letters an alphabet may have: letter sets are kept in 32 bits.
pub const MAX_ALPHABET: u8 = 32;

/// A place on the board; row and column count from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// From 0 at the top.
    pub row: u8,
    /// From 0 at the left.
    pub column: u8,
}

impl Cell {
    /// Whether the two cells share an edge.
    pub fn touches(self, other: Cell) -> bool {
        self.row.abs_diff(other.row) + self.column.abs_diff(other.column) == 1
    }
}

/// One turn: a letter put into an empty cell, and the word made with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the letter is put.
    pub cell: Cell,
    /// The code of the letter.
    pub letter: u8,
    /// The word as letter codes.
    pub word: Vec<u8>,
    /// The cell of each letter of the word, in its order.
    pub path: Vec<Cell>,
}

/// A start word and the moves made on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The word in the middle row, as letter codes.
    pub start: Vec<u8>,
    /// The moves in the order in which they are made.
    pub moves: Vec<Move>,
}

impl Game {
    /// Sum of the lengths of all words made, in letters.
    pub fn points(&self) -> u32 {
        self.moves.iter().map(|made| made.word.len() as u32).sum()
    }

    /// The contest's score: 1000 times the points per cell of the board, rounded.
    pub fn score(&self) -> u32 {
        let area = (self.start.len() * self.start.len()) as u32;
        (2000 * self.points() + area) / (2 * area)
    }

    /// Replays the game by the rules; `is_word` says whether the dictionary holds a word.
    pub fn check(&self, is_word: impl Fn(&[u8]) -> bool) -> Result<(), IllegalGame> {
        let mut board = Board::new(&self.start).ok_or(IllegalGame::Start { length: self.start.len() })?;
        for (number, made) in self.moves.iter().enumerate() {
            board.apply(made, &is_word).map_err(|reason| IllegalGame::Move { number: number + 1, reason })?;
        }
        Ok(())
    }
}

/// Why a game is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalGame {
    /// The start word has an even, too small or too large number of letters.
    Start {
        /// Its letters.
        length: usize,
    },
    /// A move breaks a rule.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The rule.
        reason: IllegalMove,
    },
}

impl fmt::Display for IllegalGame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalGame::Start { length } => {
                write!(out, "start word of {length} letters, expected an odd number from {MIN_SIDE} to {MAX_SIDE}")
            }
            IllegalGame::Move { number, reason } => write!(out, "move {number}: {reason}"),
        }
    }
}

impl std::error::Error for IllegalGame {}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// A cell is not on the board.
    OutsideBoard(Cell),
    /// The letter is put where one stands already.
    CellTaken(Cell),
    /// The letter is put where no neighbour has one.
    CellNotAdjacent(Cell),
    /// The path has another number of cells than the word has letters.
    PathLength {
        /// Letters of the word.
        word: usize,
        /// Cells of the path.
        path: usize,
    },
    /// Two cells of the path that follow each other share no edge.
    PathJumps {
        /// The first of the two.
        from: Cell,
        /// The second.
        to: Cell,
    },
    /// The path passes a cell twice.
    CellRepeated(Cell),
    /// The path passes a cell without a letter.
    EmptyCellInPath(Cell),
    /// The board's letter at this cell is not the word's.
    WrongLetter(Cell),
    /// The word does not use the letter just placed.
    PlacedLetterUnused,
    /// The word has been made before, or is the start word.
    WordUsedBefore,
    /// The word is not in the dictionary.
    NotAWord,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |cell: &Cell| format!("row {} column {}", cell.row + 1, cell.column + 1);
        match self {
            IllegalMove::OutsideBoard(cell) => write!(out, "{} is outside the board", place(cell)),
            IllegalMove::CellTaken(cell) => write!(out, "{} already holds a letter", place(cell)),
            IllegalMove::CellNotAdjacent(cell) => write!(out, "{} touches no filled cell", place(cell)),
            IllegalMove::PathLength { word, path } => {
                write!(out, "a path of {path} cells, expected {word} as the word has letters")
            }
            IllegalMove::PathJumps { from, to } => {
                write!(out, "the path jumps from {} to {}", place(from), place(to))
            }
            IllegalMove::CellRepeated(cell) => write!(out, "the path uses {} twice", place(cell)),
            IllegalMove::EmptyCellInPath(cell) => write!(out, "the path uses the empty {}", place(cell)),
            IllegalMove::WrongLetter(cell) => write!(out, "the word has another letter than {}", place(cell)),
            IllegalMove::PlacedLetterUnused => write!(out, "the word does not use the placed letter"),
            IllegalMove::WordUsedBefore => write!(out, "the word was used before"),
            IllegalMove::NotAWord => write!(out, "the word is not in the dictionary"),
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Whether a board can have so many cells in a row.
pub fn is_side(cells: usize) -> bool {
    !cells.is_multiple_of(2) && (MIN_SIDE..=MAX_SIDE).contains(&cells)
}

/// A board in play: the letters placed and the words made so far.
#[derive(Clone, Debug)]
pub struct Board {
    side: usize,
    /// Row by row; `None` is an empty cell.
    letters: Vec<Option<u8>>,
    used: HashSet<Vec<u8>>,
}

impl Board {
    /// The board with the start word in its middle row; `None` when its length is no legal side.
    pub fn new(start: &[u8]) -> Option<Board> {
        let side = start.len();
        if !is_side(side) {
            return None;
        }
        let mut letters = vec![None; side * side];
        for (column, &letter) in start.iter().enumerate() {
            letters[side / 2 * side + column] = Some(letter);
        }
        Some(Board { side, letters, used: HashSet::from([start.to_vec()]) })
    }

    /// A board in mid-game: its rows from top to bottom, `None` for an empty cell, and the words that are used up.
    /// `None` if it is not square, has no legal side, or is empty.
    pub fn from_rows(rows: &[Vec<Option<u8>>], used: impl IntoIterator<Item = Vec<u8>>) -> Option<Board> {
        let side = rows.len();
        if !is_side(side) || rows.iter().any(|row| row.len() != side) {
            return None;
        }
        let letters = rows.concat();
        let filled = letters.iter().any(Option::is_some);
        filled.then(|| Board { side, letters, used: used.into_iter().collect() })
    }

    /// Whether a letter may be put into a cell now: it is empty and touches a filled one.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.check_placement(cell).is_ok()
    }

    /// Whether a word has been made, or is the start word.
    pub fn is_used(&self, word: &[u8]) -> bool {
        self.used.contains(word)
    }

    /// Cells per row.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The letter in a cell of the board, if it has one.
    pub fn letter(&self, cell: Cell) -> Option<u8> {
        self.letters[self.index(cell)]
    }

    /// Checks a move by every rule and makes it; an illegal move leaves the board as it was.
    pub fn apply(&mut self, made: &Move, is_word: impl Fn(&[u8]) -> bool) -> Result<(), IllegalMove> {
        self.check_placement(made.cell)?;
        let index = self.index(made.cell);
        self.letters[index] = Some(made.letter);
        let verdict = self.check_word(made, is_word);
        match verdict {
            Ok(()) => {
                self.used.insert(made.word.clone());
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

    fn check_word(&self, made: &Move, is_word: impl Fn(&[u8]) -> bool) -> Result<(), IllegalMove> {
        if made.word.len() != made.path.len() {
            return Err(IllegalMove::PathLength { word: made.word.len(), path: made.path.len() });
        }
        for (step, (&cell, &letter)) in made.path.iter().zip(&made.word).enumerate() {
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
        if self.used.contains(&made.word) {
            return Err(IllegalMove::WordUsedBefore);
        }
        if !is_word(&made.word) {
            return Err(IllegalMove::NotAWord);
        }
        Ok(())
    }

    /// The cells that share an edge with a cell.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let Cell { row, column } = cell;
        let side = self.side as u8;
        let above = row.checked_sub(1).map(|row| Cell { row, column });
        let left = column.checked_sub(1).map(|column| Cell { row, column });
        let right = (column + 1 < side).then_some(Cell { row, column: column + 1 });
        let below = (row + 1 < side).then_some(Cell { row: row + 1, column });
        [above, left, right, below].into_iter().flatten()
    }

    fn holds(&self, cell: Cell) -> bool {
        usize::from(cell.row) < self.side && usize::from(cell.column) < self.side
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.row) * self.side + usize::from(cell.column)
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

    fn codes(word: &str) -> Vec<u8> {
        word.bytes().map(|letter| letter - b'a').collect()
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
        Move { cell, letter: codes(fields[2])[0], word: codes(fields[3]), path }
    }

    const SAMPLE: [&str; 5] = [
        "2 3 g fang 3 5 llu",
        "2 4 t gnat 2 3 dru",
        "1 3 o tango 2 4 dluu",
        "1 4 e enate 3 2 rruu",
        "4 3 g tang 2 4 dld",
    ];

    fn sample() -> Game {
        Game { start: codes("kenaf"), moves: SAMPLE.iter().map(|line| judge_move(line)).collect() }
    }

    fn first_violation(change: impl Fn(&mut Game)) -> IllegalMove {
        let mut game = sample();
        change(&mut game);
        match game.check(|_| true) {
            Err(IllegalGame::Move { reason, .. }) => reason,
            other => panic!("expected an illegal move, found {other:?}"),
        }
    }

    #[test]
    fn the_sample_is_legal_and_scores_880() {
        assert_eq!(sample().check(|_| true), Ok(()));
        assert_eq!(sample().score(), 880);
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
            first_violation(|game| game.moves[4].word = codes("gnat")),
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
            sample().check(|word| word != codes("tango")),
            Err(IllegalGame::Move { number: 3, reason: IllegalMove::NotAWord })
        );
    }

    #[test]
    fn sides_are_odd_from_3_to_15() {
        for side in 0..20 {
            let legal = side % 2 == 1 && (3..=15).contains(&side);
            assert_eq!(Board::new(&vec![0; side]).is_some(), legal, "side {side}");
        }
    }
}
