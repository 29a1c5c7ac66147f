//! How a position looks on a page, and what a move touches there.

use serde::Serialize;

/// A cell of a board: its row from the top and its column from the left, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell(pub u32, pub u32);

/// What a player touches on the board to make a move: groups of cells, one after the other. The cells of a group are
/// touched in any order. A move that touches nothing is a button.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Touch(Vec<Vec<Cell>>);

impl Touch {
    /// The move is a button beside the board.
    pub fn button() -> Touch {
        Touch::default()
    }

    /// One cell.
    pub fn cell(cell: Cell) -> Touch {
        Touch(vec![vec![cell]])
    }

    /// Some cells in any order.
    pub fn cells(cells: impl IntoIterator<Item = Cell>) -> Touch {
        Touch(vec![cells.into_iter().collect()])
    }

    /// A piece and its target.
    pub fn from_to(from: Cell, to: Cell) -> Touch {
        Touch::cell(from).then(to)
    }

    /// One more cell after these.
    #[must_use]
    pub fn then(mut self, cell: Cell) -> Touch {
        self.0.push(vec![cell]);
        self
    }

    /// Whether the move is a button.
    pub(super) fn is_button(&self) -> bool {
        self.0.is_empty()
    }
}

/// How a character of a board looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Look {
    glyph: char,
    name: &'static str,
    colour: Colour,
    shape: Shape,
}

impl Look {
    /// A character with its name, such as "cross".
    pub fn new(glyph: char, name: &'static str, colour: Colour, shape: Shape) -> Look {
        Look { glyph, name, colour, shape }
    }
}

/// A colour of the page. It differs in light and dark mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Colour {
    Red,
    Green,
    Blue,
    Yellow,
    Black,
    White,
}

/// The shape of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A round piece without its character.
    Disc,
    /// A square that fills its cell, without its character.
    Block,
    /// A square with its character.
    Tile,
    /// The character alone.
    Text,
}
