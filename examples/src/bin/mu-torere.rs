//! Mū tōrere, a game of the Māori: 46 arrangements up to symmetry, and a draw (M. Ascher, "Mu Torere: An Analysis of a
//! Maori Game", Mathematics Magazine 60, 1987).
//!
//! Eight points lie on a circle around a ninth. Each player has four men, at first on neighbouring points of the circle.
//! A player moves a man to the free point: to a neighbour on the circle, from the centre to the circle, or from the circle
//! to the centre if a neighbour on the circle belongs to the other player. Who cannot move loses.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Cycles, Look, Node, Rules, Shape, Touch};

/// The men of the player to move and of the other player, as bits: 0 to 7 is the circle, 8 the centre.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    own: u16,
    other: u16,
}

const CENTRE: u16 = 8;

/// The points on a board of three by three.
const CELLS: [Cell; 9] =
    [Cell(0, 0), Cell(0, 1), Cell(0, 2), Cell(1, 2), Cell(2, 2), Cell(2, 1), Cell(2, 0), Cell(1, 0), Cell(1, 1)];

/// The game.
pub struct MuTorere;

impl Rules for MuTorere {
    type Position = Board;
    type Move = String;

    fn name(&self) -> &str {
        "mu-torere"
    }

    fn about(&self) -> &str {
        "Mū tōrere: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "Move a man to the free point: along the circle, out of the centre, or into it from beside a man of the \
         other player. Who cannot move loses."
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn board(&self, board: &Board) -> Vec<String> {
        let mut rows = [['.'; 3]; 3];
        for (letter, Cell(row, column)) in board.to_string().replace('/', "").chars().zip(CELLS) {
            rows[row as usize][column as usize] = letter;
        }
        rows.map(String::from_iter).to_vec()
    }

    fn touch(&self, _board: &Board, name: &String) -> Touch {
        let points = name.split('-').filter_map(|point| CELLS.get(point.parse::<usize>().ok()?));
        points.fold(Touch::default(), |touch, &cell| touch.then(cell))
    }

    fn look(&self) -> Vec<Look> {
        let man = |glyph, name, colour| Look::new(glyph, name, colour, Shape::Disc);
        vec![man('x', "own man", Colour::Blue), man('o', "other man", Colour::Red)]
    }

    fn starts(&self) -> Vec<Board> {
        // The start, then all arrangements: three of them cannot be reached from the start.
        let start = Board { own: 0b0000_1111, other: 0b1111_0000 };
        let men = || (0..1 << 9).filter(|men: &u16| men.count_ones() == 4);
        let all = men().flat_map(|own| men().map(move |other| Board { own, other }));
        [start].into_iter().chain(all.filter(|board| board.own & board.other == 0)).collect()
    }

    fn node(&self, &Board { own, other }: &Board) -> Node<Self> {
        let neighbours = |point: u16| [(point + 1) % 8, (point + 7) % 8];
        let free = (own | other).trailing_ones() as u16;
        let can_move = |from: u16| match (from, free) {
            (_, CENTRE) => neighbours(from).iter().any(|near| other >> near & 1 == 1),
            (CENTRE, _) => true,
            _ => neighbours(from).contains(&free),
        };
        let men = (0..9).filter(|point| own >> point & 1 == 1);
        let moves: Vec<_> = men
            .filter(|&from| can_move(from))
            .map(|from| {
                (format!("{from}-{free}"), Node::turn(Board { own: other, other: own & !(1 << from) | 1 << free }))
            })
            .collect();
        if moves.is_empty() { Node::over(-1) } else { Node::max(moves) }
    }

    fn canonical(&self, board: Board) -> Board {
        let image = |men: u16, number: u16| {
            let moved = |point: u16| match (point, number / 8) {
                (CENTRE, _) => CENTRE,
                (_, 0) => (point + number) % 8,
                _ => (number - point) % 8,
            };
            (0..9).filter(|point| men >> point & 1 == 1).fold(0, |image, point| image | 1 << moved(point))
        };
        let images = (0..16).map(|number| Board { own: image(board.own, number), other: image(board.other, number) });
        images.min().unwrap_or(board)
    }
}

impl fmt::Display for Board {
    /// The circle, then the centre; `x` is the player to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in 0..9 {
            let letter = match (self.own >> point & 1, self.other >> point & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            };
            write!(f, "{}{letter}", if point == CENTRE { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write the circle and the centre, such as xxxxoooo/., where x is to move";
        let letters: Vec<char> = text.chars().filter(|letter| *letter != '/').collect();
        let mut board = Board { own: 0, other: 0 };
        for (point, letter) in letters.iter().enumerate().take(9) {
            match letter {
                'x' => board.own |= 1 << point,
                'o' => board.other |= 1 << point,
                _ => {}
            }
        }
        let is_known = letters.iter().all(|letter| ['x', 'o', '.'].contains(letter));
        let is_full = letters.len() == 9 && [board.own, board.other].map(u16::count_ones) == [4, 4];
        if is_known && is_full { Ok(board) } else { Err(expected) }
    }
}

fn main() -> ExitCode {
    kit::main(MuTorere)
}
