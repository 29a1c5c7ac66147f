//! Tic-tac-toe: 5,478 positions, 765 up to symmetry, and a draw.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Colour, Look, Node, Rules, Shape, Touch};

/// Nine cells, row by row. Crosses begin, so the number of marks determines whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board([Cell; 9]);

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Cell {
    Empty,
    Cross,
    Nought,
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
/// The source of each cell in a quarter turn, and in a reflection.
const TURNED: [usize; 9] = [6, 3, 0, 7, 4, 1, 8, 5, 2];
const MIRRORED: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];

/// Whether rotations and reflections of a board count as the same position.
#[derive(PartialEq)]
pub enum Symmetry {
    /// They count as one position.
    Used,
    /// They are different positions.
    Ignored,
}

/// The game.
pub struct TicTacToe {
    /// Which boards count as the same position.
    pub symmetry: Symmetry,
}

impl Rules for TicTacToe {
    type Position = Board;
    type Move = String;

    fn name(&self) -> &str {
        "tic-tac-toe"
    }

    fn about(&self) -> &str {
        "Tic-tac-toe: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "Each player marks an empty cell in turn. Three marks in a line win."
    }

    fn players(&self) -> [&str; 2] {
        ["Crosses", "Noughts"]
    }

    fn board(&self, board: &Board) -> Vec<String> {
        board.to_string().split('/').map(String::from).collect()
    }

    fn touch(&self, _board: &Board, name: &String) -> Touch {
        let (column, row) = name.split_at(1);
        Touch::cell(kit::Cell(3 - row.parse().unwrap_or(3), u32::from(column.as_bytes()[0] - b'a')))
    }

    fn look(&self) -> Vec<Look> {
        vec![Look::new('x', "cross", Colour::Blue, Shape::Text), Look::new('o', "nought", Colour::Red, Shape::Text)]
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board([Cell::Empty; 9])]
    }

    fn node(&self, board: &Board) -> Node<Self> {
        let Board(cells) = board;
        let marks = cells.iter().filter(|cell| **cell != Cell::Empty).count();
        let (own, other) = if marks % 2 == 0 { (Cell::Cross, Cell::Nought) } else { (Cell::Nought, Cell::Cross) };
        if LINES.iter().any(|line| line.iter().all(|&place| cells[place] == other)) {
            return Node::over(-1);
        }
        if marks == 9 {
            return Node::over(0);
        }
        let free = (0..9).filter(|&place| cells[place] == Cell::Empty);
        Node::max(free.map(|place| {
            let mut next = *board;
            next.0[place] = own;
            (format!("{}{}", ["a", "b", "c"][place % 3], 3 - place / 3), Node::turn(next))
        }))
    }

    fn canonical(&self, board: Board) -> Board {
        if self.symmetry == Symmetry::Ignored {
            return board;
        }
        let moved = |board: Board, from: [usize; 9]| Board(from.map(|place| board.0[place]));
        let turns = std::iter::successors(Some(board), |board| Some(moved(*board, TURNED))).take(4);
        turns.flat_map(|board| [board, moved(board, MIRRORED)]).min().unwrap_or(board)
    }

    fn stage(&self, board: &Board) -> Option<u32> {
        Some(board.0.iter().filter(|cell| **cell == Cell::Empty).count() as u32)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, cell) in self.0.iter().enumerate() {
            let letter = match cell {
                Cell::Empty => '.',
                Cell::Cross => 'x',
                Cell::Nought => 'o',
            };
            write!(f, "{}{letter}", if place == 3 || place == 6 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let cells: Result<Vec<Cell>, String> = text
            .chars()
            .filter(|letter| *letter != '/')
            .map(|letter| match letter {
                '.' => Ok(Cell::Empty),
                'x' => Ok(Cell::Cross),
                'o' => Ok(Cell::Nought),
                other => Err(format!("'{other}' is no mark")),
            })
            .collect();
        Ok(Board(cells?.try_into().map_err(|_| "write three rows of three, such as x.o/.x./...")?))
    }
}

fn main() -> ExitCode {
    kit::main(TicTacToe { symmetry: Symmetry::Used })
}
