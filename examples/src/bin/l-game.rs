//! The L game of Edward de Bono: 2,296 arrangements up to symmetry. The player to move has lost at once in 15 of them and
//! loses soon in 14; the other 2,267 can be held for ever (Wikipedia, "L game", from de Bono's "The Five-Day Course in
//! Thinking").
//!
//! Each player has an L of four cells on a board of four by four. A player moves the own L to another place (it may be
//! turned and turned over), then moves one of the two neutral pieces or none. Who cannot move the own L loses.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Cycles, Look, Node, Rules, Shape, Touch};

/// Cells as bits: `4 * row + column`, from the top left.
type Cells = u16;

/// The L of the player to move, the L of the other player, and the neutral pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    own: Cells,
    other: Cells,
    neutral: Cells,
}

/// The game.
pub struct LGame {
    /// The 48 places of an L.
    places: Vec<Cells>,
}

/// The image of cells under one of the eight rotations and reflections.
fn image(cells: Cells, number: u32) -> Cells {
    let moved = |cell: u32| {
        let (mut row, mut column) = (cell / 4, cell % 4);
        row = if number & 1 == 0 { row } else { 3 - row };
        column = if number & 2 == 0 { column } else { 3 - column };
        if number & 4 == 0 { 4 * row + column } else { 4 * column + row }
    };
    each(cells).fold(0, |image, cell| image | 1 << moved(cell))
}

/// The numbers of some cells.
fn each(cells: Cells) -> impl Iterator<Item = u32> {
    (0..16).filter(move |cell| cells >> cell & 1 == 1)
}

fn names(cells: Cells) -> String {
    each(cells).map(|cell| format!("{}{}", ["a", "b", "c", "d"][cell as usize % 4], 4 - cell / 4)).collect()
}

impl Default for LGame {
    fn default() -> LGame {
        let mut places = Vec::new();
        for (down, right) in (0..2).flat_map(|down| (0..3).map(move |right| (down, right))) {
            // Three cells down and a foot to the right, and their images.
            let place: Cells = 0b0011_0001_0001 << (4 * down + right);
            places.extend((0..8).map(|number| image(place, number)));
        }
        places.sort_unstable();
        places.dedup();
        LGame { places }
    }
}

impl LGame {
    /// All arrangements.
    pub fn arrangements(&self) -> Vec<Board> {
        let pairs = self.places.iter().flat_map(|&own| self.places.iter().map(move |&other| (own, other)));
        let mut boards = Vec::new();
        for (own, other) in pairs.filter(|(own, other)| own & other == 0) {
            let free: Vec<u32> = each(!(own | other)).collect();
            for (place, one) in free.iter().enumerate() {
                boards.extend(free[..place].iter().map(|another| Board {
                    own,
                    other,
                    neutral: 1 << one | 1 << another,
                }));
            }
        }
        boards
    }
}

impl Rules for LGame {
    type Position = Board;
    type Move = String;

    fn name(&self) -> &str {
        "l-game"
    }

    fn about(&self) -> &str {
        "The L game: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "Move your L to another place, turned and mirrored as you like. Then you may move a neutral piece. Who \
         cannot move the L loses."
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn board(&self, board: &Board) -> Vec<String> {
        board.to_string().split('/').map(String::from).collect()
    }

    fn touch(&self, _board: &Board, name: &String) -> Touch {
        let squares: Vec<u8> = name.bytes().filter(u8::is_ascii_alphanumeric).collect();
        let mut cells = squares.chunks(2).map(|name| Cell(u32::from(b'4' - name[1]), u32::from(name[0] - b'a')));
        let own = Touch::cells(cells.by_ref().take(4));
        cells.fold(own, Touch::then)
    }

    fn look(&self) -> Vec<Look> {
        let piece = |glyph, name, colour| Look::new(glyph, name, colour, Shape::Block);
        let neutral = Look::new('n', "neutral", Colour::Black, Shape::Disc);
        vec![piece('x', "own L", Colour::Blue), piece('o', "other L", Colour::Red), neutral]
    }

    fn starts(&self) -> Vec<Board> {
        "nxx./.ox./.ox./.oon".parse().into_iter().collect()
    }

    fn node(&self, board: &Board) -> Node<Self> {
        let Board { own, other, neutral } = *board;
        let mut moves = Vec::new();
        for &place in self.places.iter().filter(|&&place| place != own && place & (other | neutral) == 0) {
            let then = |neutral: Cells| Node::turn(Board { own: other, other: place, neutral });
            moves.push((names(place), then(neutral)));
            let free = !(place | other | neutral);
            for (from, to) in each(neutral).flat_map(|from| each(free).map(move |to| (from, to))) {
                let name = format!("{} {}-{}", names(place), names(1 << from), names(1 << to));
                moves.push((name, then(neutral & !(1 << from) | 1 << to)));
            }
        }
        if moves.is_empty() { Node::over(-1) } else { Node::max(moves) }
    }

    fn canonical(&self, board: Board) -> Board {
        let image = |number: u32| Board {
            own: image(board.own, number),
            other: image(board.other, number),
            neutral: image(board.neutral, number),
        };
        (0..8).map(image).min().unwrap_or(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..16 {
            let letters = [(self.own, 'x'), (self.other, 'o'), (self.neutral, 'n')];
            let letter = letters.iter().find(|(cells, _)| cells >> cell & 1 == 1).map_or('.', |(_, letter)| *letter);
            write!(f, "{}{letter}", if cell > 0 && cell % 4 == 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write four rows of four, such as nxx./.ox./.ox./.oon, where x is to move";
        let letters: Vec<char> = text.chars().filter(|letter| *letter != '/').collect();
        if letters.len() != 16 {
            return Err(expected);
        }
        let mut board = Board { own: 0, other: 0, neutral: 0 };
        for (cell, letter) in letters.into_iter().enumerate() {
            match letter {
                'x' => board.own |= 1 << cell,
                'o' => board.other |= 1 << cell,
                'n' => board.neutral |= 1 << cell,
                '.' => {}
                _ => return Err(expected),
            }
        }
        Ok(board)
    }
}

fn main() -> ExitCode {
    kit::main(LGame::default())
}
