//! Three men's morris: who begins in the centre wins (H. J. R. Murray, "A History of Board-Games Other Than Chess", 1952).
//!
//! Each player has three men. The players first put them on the nine points in turn, then move a man in turn to a free
//! neighbour along a row, a column or a diagonal. Three men in one of these lines win. Who cannot move loses.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Cycles, Look, Node, Rules, Shape, Touch};

/// The men of the player to move and of the other player, as bits: `3 * row + column`, from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    own: u16,
    other: u16,
}

/// The game.
pub struct Morris;

const LINES: [[u32; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_line(men: u16) -> bool {
    LINES.iter().any(|line| line.iter().all(|point| men >> point & 1 == 1))
}

/// Whether a line joins two points without a third one between them.
fn are_joined(one: u32, other: u32) -> bool {
    LINES.iter().any(|line| line.windows(2).any(|pair| pair == [one, other] || pair == [other, one]))
}

fn name(point: u32) -> String {
    format!("{}{}", ["a", "b", "c"][point as usize % 3], 3 - point / 3)
}

impl Rules for Morris {
    type Position = Board;
    type Move = String;

    fn name(&self) -> &str {
        "three-mens-morris"
    }

    fn about(&self) -> &str {
        "Three men's morris: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "Put three men on free points, then move a man to a free neighbour on a line. Three men in a line win. \
         Who cannot move loses."
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn board(&self, board: &Board) -> Vec<String> {
        board.to_string().split('/').map(String::from).collect()
    }

    fn touch(&self, _board: &Board, name: &String) -> Touch {
        let cell = |point: &[u8]| Cell(u32::from(b'3' - point[1]), u32::from(point[0] - b'a'));
        name.as_bytes().split(|&letter| letter == b'-').fold(Touch::default(), |touch, point| touch.then(cell(point)))
    }

    fn look(&self) -> Vec<Look> {
        let man = |glyph, name, colour| Look::new(glyph, name, colour, Shape::Disc);
        vec![man('x', "own man", Colour::Blue), man('o', "other man", Colour::Red)]
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board { own: 0, other: 0 }]
    }

    fn node(&self, &Board { own, other }: &Board) -> Node<Self> {
        if has_line(other) {
            return Node::over(-1);
        }
        let then = |own: u16| Node::turn(Board { own: other, other: own });
        let free: Vec<u32> = (0..9).filter(|point| (own | other) >> point & 1 == 0).collect();
        if own.count_ones() < 3 {
            return Node::max(free.into_iter().map(|point| (name(point), then(own | 1 << point))));
        }
        let mut moves = Vec::new();
        for from in (0..9).filter(|point| own >> point & 1 == 1) {
            for &to in free.iter().filter(|&&to| are_joined(from, to)) {
                moves.push((format!("{}-{}", name(from), name(to)), then(own & !(1 << from) | 1 << to)));
            }
        }
        if moves.is_empty() { Node::over(-1) } else { Node::max(moves) }
    }

    fn canonical(&self, board: Board) -> Board {
        let image = |men: u16, number: u32| {
            let moved = |point: u32| {
                let (mut row, mut column) = (point / 3, point % 3);
                row = if number & 1 == 0 { row } else { 2 - row };
                column = if number & 2 == 0 { column } else { 2 - column };
                if number & 4 == 0 { 3 * row + column } else { 3 * column + row }
            };
            (0..9).filter(|point| men >> point & 1 == 1).fold(0, |image, point| image | 1 << moved(point))
        };
        let images = (0..8).map(|number| Board { own: image(board.own, number), other: image(board.other, number) });
        images.min().unwrap_or(board)
    }
}

impl fmt::Display for Board {
    /// Row by row; `x` is the player to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in 0..9 {
            let letter = match (self.own >> point & 1, self.other >> point & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            };
            write!(f, "{}{letter}", if point == 3 || point == 6 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write three rows of three, such as x.o/.x./..., where x is to move";
        let letters: Vec<char> = text.chars().filter(|letter| *letter != '/').collect();
        if letters.len() != 9 {
            return Err(expected);
        }
        let mut board = Board { own: 0, other: 0 };
        for (point, letter) in letters.into_iter().enumerate() {
            match letter {
                'x' => board.own |= 1 << point,
                'o' => board.other |= 1 << point,
                '.' => {}
                _ => return Err(expected),
            }
        }
        Ok(board)
    }
}

fn main() -> ExitCode {
    kit::main(Morris)
}
