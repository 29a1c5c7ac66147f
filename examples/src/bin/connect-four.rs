//! Connect four on four columns of six cells: 15,835,683 positions (John Tromp, "John's Connect Four Playground"), and
//! a draw. It is large enough to measure the kit. `solve` takes about a minute.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Node, Rules};

const COLUMNS: u32 = 4;
const ROWS: u32 = 6;
/// Bits per column: one more than its cells. The extra bit is always 0, so no line wraps into the next column.
const HEIGHT: u32 = ROWS + 1;

/// The cells of the player to move, and those of both players: bit `column * HEIGHT + row`.
#[derive(Serialize, Deserialize)]
pub struct Board {
    own: u32,
    all: u32,
}

/// The game.
pub struct ConnectFour;

fn has_four(cells: u32) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].into_iter().any(|step| {
        let pairs = cells & cells >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Rules for ConnectFour {
    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "Connect four on 4x6: 1 is a win of the player to move, -1 a loss, 0 a draw";
    type Position = Board;
    type Move = u32;

    fn starts(&self) -> Vec<Board> {
        vec![Board { own: 0, all: 0 }]
    }

    fn node(&self, &Board { own, all }: &Board) -> Node<Self> {
        if has_four(own ^ all) {
            return Node::over(-1);
        }
        if all.count_ones() == COLUMNS * ROWS {
            return Node::over(0);
        }
        let column = |column: u32| ((1 << ROWS) - 1) << (column * HEIGHT);
        let free = (0..COLUMNS).filter(|&number| all & column(number) != column(number));
        Node::max(free.map(|number| {
            // Adding the lowest bit of a column carries into its lowest empty cell.
            let next = (all + (1 << (number * HEIGHT))) & column(number) & !all;
            (number + 1, Node::turn(Board { own: own ^ all, all: all | next }))
        }))
    }

    fn layer(&self, board: &Board) -> Option<u32> {
        Some(COLUMNS * ROWS - board.all.count_ones())
    }
}

impl fmt::Display for Board {
    /// Column by column, each from the bottom up; `x` is the player to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..COLUMNS {
            f.write_str(if column == 0 { "" } else { "/" })?;
            for bit in (column * HEIGHT..).take(ROWS as usize).filter(|bit| self.all >> bit & 1 == 1) {
                f.write_str(if self.own >> bit & 1 == 1 { "x" } else { "o" })?;
            }
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write four columns from the bottom up, such as xo/x/o/";
        let mut board = Board { own: 0, all: 0 };
        let columns: Vec<&str> = text.split('/').collect();
        if columns.len() != COLUMNS as usize || columns.iter().any(|column| column.len() > ROWS as usize) {
            return Err(expected);
        }
        for (number, column) in (0..).zip(columns) {
            for (row, letter) in (0..).zip(column.bytes()) {
                let bit = 1 << (number * HEIGHT + row);
                board.all |= bit;
                match letter {
                    b'x' => board.own |= bit,
                    b'o' => {}
                    _ => return Err(expected),
                }
            }
        }
        Ok(board)
    }
}

fn main() -> ExitCode {
    kit::main(ConnectFour)
}
