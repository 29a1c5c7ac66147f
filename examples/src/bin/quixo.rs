//! Quixo on three by three cells: 32,027 positions, and the first player wins. On four by four cells, which `QUIXO_SIZE=4`
//! chooses, 3,213,236 positions are draws, and the first player wins in 21 moves. On five by five cells the game is a draw (S.
//! Tanaka, F. Bonnet, S. Tixeuil and Y. Tamura, "Quixo Is Solved", 2020). `QUIXO_SYMMETRIC=1` keeps one board of those that are
//! equal by turns, mirrors and a change of marks.
//!
//! A player takes a cube from the border that is blank or shows the own mark, and pushes it back with the own mark at
//! another end of its row or column. A full line of a player's marks wins. Who makes a line of the other player's marks
//! loses, even with a line of the own.

use std::env;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cycles, Node, Rules};

/// The cells of the player to move and of the other player, as bits row by row, and who is to move.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Board {
    size: u8,
    /// 0 for x, who begins, and 1 for o.
    player: u8,
    own: u16,
    other: u16,
}

/// The game. Values are those of the player to move.
///
/// ```text
/// rank = player * 3^cells + the cells as a number of base 3, the first cell the highest digit
/// ```
pub struct Quixo {
    size: usize,
    /// The lines as bits.
    lines: Vec<u16>,
    /// The moves: the cell that is taken, the end where it is pushed in, and the cells between them with both.
    pushes: Vec<Push>,
    /// The number of base 3 of each set of x, the first cell the highest digit.
    numbers: Vec<u32>,
    /// The marks of x and of o for each number of half of the cells, or of all of three by three.
    marks: Vec<[u16; 2]>,
    /// The eight turned and mirrored sets of each set of cells, if equal boards are one position.
    symmetries: Vec<[u16; 8]>,
}

#[derive(Clone, Copy)]
struct Push {
    from: usize,
    to: usize,
    moved: u16,
    step: usize,
}

/// A cube is taken from a cell and pushed in at another.
#[derive(Clone, Copy)]
pub struct Move {
    size: usize,
    from: usize,
    to: usize,
}

impl Push {
    fn new(from: usize, to: usize, size: usize) -> Push {
        let step = if from / size == to / size { 1 } else { size };
        let moved = (from.min(to)..=from.max(to)).step_by(step).fold(0, |cells, cell| cells | 1 << cell);
        Push { from, to, moved, step }
    }

    /// The marks of a player after the move, without the new mark.
    fn pushed(&self, marks: u16) -> u16 {
        let rest = marks & self.moved & !(1 << self.from);
        let shifted = if self.to > self.from { rest >> self.step } else { rest << self.step };
        marks & !self.moved | shifted
    }

    /// The marks of a player before the move, without the mark of the cube that was taken.
    fn unpushed(&self, marks: u16) -> u16 {
        let rest = marks & self.moved & !(1 << self.to);
        let shifted = if self.to > self.from { rest << self.step } else { rest >> self.step };
        marks & !self.moved | shifted
    }
}

impl Quixo {
    /// The game on three by three or four by four cells.
    pub fn new(size: usize) -> Quixo {
        let cells = size * size;
        let line = |start: usize, step: usize| (0..size).fold(0, |line, place| line | 1 << (start + place * step));
        let straight = (0..size).flat_map(|number| [line(number * size, 1), line(number, size)]);
        let lines = straight.chain([line(0, size + 1), line(size - 1, size - 1)]).collect();
        let is_end = |line: usize| line == 0 || line == size - 1;
        let border = (0..cells).filter(|cell| is_end(cell / size) || is_end(cell % size));
        let pushes = border.flat_map(|from| {
            let (row, column) = (from / size, from % size);
            let ends = [row * size, row * size + size - 1, column, cells - size + column];
            ends.into_iter().filter(move |&to| to != from).map(move |to| Push::new(from, to, size))
        });
        let number = |set: usize| (0..cells).fold(0, |number, cell| 3 * number + (set >> cell & 1) as u32);
        let numbers: Vec<u32> = (0..1 << cells).map(number).collect();
        let low = if size == 3 { cells } else { cells / 2 };
        let marks = (0..3_u32.pow(low as u32)).map(|mut number| {
            let mut marks = [0; 2];
            for cell in (cells - low..cells).rev() {
                if !number.is_multiple_of(3) {
                    marks[(number % 3) as usize - 1] |= 1 << cell;
                }
                number /= 3;
            }
            marks
        });
        let marks = marks.collect();
        Quixo { size, lines, pushes: pushes.collect(), numbers, marks, symmetries: Vec::new() }
    }

    /// The same game, in which boards that are equal by symmetry are one position.
    pub fn symmetric(size: usize) -> Quixo {
        let cells = size * size;
        let image = |set: usize, place: &dyn Fn(usize, usize) -> usize| {
            (0..cells)
                .filter(|cell| set >> cell & 1 == 1)
                .fold(0, |image, cell| image | 1 << place(cell / size, cell % size))
        };
        let last = size - 1;
        let images = |set: usize| {
            [
                image(set, &|row, column| row * size + column),
                image(set, &|row, column| row * size + last - column),
                image(set, &|row, column| (last - row) * size + column),
                image(set, &|row, column| (last - row) * size + last - column),
                image(set, &|row, column| column * size + row),
                image(set, &|row, column| column * size + last - row),
                image(set, &|row, column| (last - column) * size + row),
                image(set, &|row, column| (last - column) * size + last - row),
            ]
        };
        Quixo { symmetries: (0..1 << cells).map(images).collect(), ..Quixo::new(size) }
    }

    fn is_symmetric(&self) -> bool {
        !self.symmetries.is_empty()
    }

    /// The marks of x and of o as a number of base 3.
    fn number(&self, x: u16, o: u16) -> u64 {
        let number = |marks: u16| u64::from(self.numbers.get(usize::from(marks)).copied().unwrap_or(0));
        number(x) + 2 * number(o)
    }

    fn has_line(&self, marks: u16) -> bool {
        self.lines.iter().any(|line| marks & line == *line)
    }

    fn cells(&self) -> u32 {
        (self.size * self.size) as u32
    }
}

impl Rules for Quixo {
    type Position = Board;
    type Move = Move;

    fn name(&self) -> &str {
        match (self.size, self.is_symmetric()) {
            (3, false) => "quixo",
            (3, true) => "quixo-symmetric",
            (_, false) => "quixo-4",
            (_, true) => "quixo-4-symmetric",
        }
    }

    fn about(&self) -> &str {
        "Quixo: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board { size: self.size as u8, player: 0, own: 0, other: 0 }]
    }

    fn node(&self, board: &Board) -> Node<Self> {
        // The other player has just moved.
        if self.has_line(board.own) {
            return Node::over(1);
        }
        if self.has_line(board.other) {
            return Node::over(-1);
        }
        let free = self.pushes.iter().filter(|push| board.other >> push.from & 1 == 0);
        Node::max(free.map(|push| {
            let own = push.pushed(board.own) | 1 << push.to;
            let next = Board { player: 1 - board.player, own: push.pushed(board.other), other: own, ..*board };
            (Move { size: self.size, from: push.from, to: push.to }, Node::turn(next))
        }))
    }

    fn stage(&self, board: &Board) -> Option<u32> {
        // A mark never becomes blank again.
        Some(self.cells().saturating_sub((board.own | board.other).count_ones()))
    }

    /// The positions in which the other player took a cube with a mark. Who takes a blank cube leaves the stage.
    fn predecessors(&self, board: &Board) -> Option<Vec<Board>> {
        let pushed = self.pushes.iter().filter(|push| board.other >> push.to & 1 == 1);
        let before = pushed.map(|push| Board {
            player: 1 - board.player,
            own: push.unpushed(board.other) | 1 << push.from,
            other: push.unpushed(board.own),
            ..*board
        });
        Some(before.filter(|before| !self.has_line(before.own) && !self.has_line(before.other)).collect())
    }

    fn canonical(&self, board: Board) -> Board {
        let (own, other) = (usize::from(board.own), usize::from(board.other));
        let (Some(own), Some(other)) = (self.symmetries.get(own), self.symmetries.get(other)) else { return board };
        let pairs = own.iter().zip(other);
        let (&own, &other) = pairs.min_by_key(|&(&own, &other)| self.number(own, other)).expect("there are eight");
        Board { player: 0, own, other, ..board }
    }

    fn ranks(&self) -> Option<u64> {
        let players = if self.is_symmetric() { 1 } else { 2 };
        Some(players * 3_u64.pow(self.cells()))
    }

    fn rank(&self, board: &Board) -> u64 {
        let [x, o] = if board.player == 0 { [board.own, board.other] } else { [board.other, board.own] };
        let rank = u64::from(board.player) * 3_u64.pow(self.cells()) + self.number(x, o);
        if usize::from(board.size) == self.size { rank } else { 0 }
    }

    fn unrank(&self, rank: u64) -> Board {
        let (player, cells) = ((rank / 3_u64.pow(self.cells())) as usize, rank % 3_u64.pow(self.cells()));
        let half = self.marks.len() as u64;
        // The first cells are the lowest bits.
        let (first, last) = (self.marks[(cells / half) as usize], self.marks[(cells % half) as usize]);
        let shift = if self.size == 3 { 0 } else { self.cells() / 2 };
        let marks = [first[0] >> shift | last[0], first[1] >> shift | last[1]];
        Board { size: self.size as u8, player: player as u8, own: marks[player], other: marks[1 - player] }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            |cell: usize| format!("{}{}", char::from(b'a' + (cell % self.size) as u8), self.size - cell / self.size);
        write!(f, "{}-{}", name(self.from), name(self.to))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = ['x', 'o'];
        let (own, other) = (marks[usize::from(self.player)], marks[usize::from(1 - self.player)]);
        for cell in 0..self.size * self.size {
            let letter = match (self.own >> cell & 1, self.other >> cell & 1) {
                (1, _) => own,
                (_, 1) => other,
                _ => '.',
            };
            write!(f, "{}{letter}", if cell > 0 && cell % self.size == 0 { "/" } else { "" })?;
        }
        write!(f, " {own}")
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write the rows and who is to move, such as x.o/.x./... o";
        let (rows, player) = text.split_once(' ').ok_or(expected)?;
        let rows: Vec<&str> = rows.split('/').collect();
        let size = rows.len();
        if ![3, 4].contains(&size) || rows.iter().any(|row| row.chars().count() != size) {
            return Err(expected);
        }
        let player = ["x", "o"].iter().position(|letter| *letter == player).ok_or(expected)?;
        let mut marks = [0; 2];
        for (cell, letter) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            match letter {
                'x' => marks[0] |= 1 << cell,
                'o' => marks[1] |= 1 << cell,
                '.' => {}
                _ => return Err(expected),
            }
        }
        Ok(Board { size: size as u8, player: player as u8, own: marks[player], other: marks[1 - player] })
    }
}

fn main() -> ExitCode {
    let size = env::var("QUIXO_SIZE").unwrap_or_else(|_| String::from("3"));
    let is_symmetric = env::var_os("QUIXO_SYMMETRIC").is_some_and(|value| value == "1");
    match size.parse() {
        Ok(size @ 3..=4) if is_symmetric => kit::main(Quixo::symmetric(size)),
        Ok(size @ 3..=4) => kit::main(Quixo::new(size)),
        _ => {
            eprintln!("quixo: QUIXO_SIZE={size:?} is not a size, choose 3 or 4");
            ExitCode::from(2)
        }
    }
}
