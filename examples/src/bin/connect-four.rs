//! Connect four on a small board. Four columns of six cells have 15,835,683 positions, five columns of five have
//! 69,763,700, and both are draws (John Tromp, "John's Connect Four Playground"). `CONNECT_FOUR=5x5` chooses the columns
//! and the cells of each; without it they are 4x6.

use std::env;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Look, Node, Rules, Shape, Touch};

/// Bits per column. The topmost one is always 0, so no line wraps into the next column.
const HEIGHT: u32 = 8;

/// The cells of the player to move, and those of both players: bit `column * HEIGHT + row`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    columns: u8,
    own: u64,
    all: u64,
}

/// The game. Its ranks are in the order of the number of discs.
///
/// ```text
/// rank = first rank of the heights of the columns + the place of the own discs among all choices of half of the discs,
///        which are counted column by column and from the bottom up
/// ```
pub struct ConnectFour {
    name: String,
    columns: u32,
    rows: u32,
    /// The first rank of each combination of heights, and the heights as discs; in the order of the ranks.
    firsts: Vec<(u64, u64)>,
    /// The first rank by the heights as a number with a digit for each column.
    by_heights: Vec<u64>,
    /// `choices[n][k]` is the number of ways to choose `k` of `n`.
    choices: Vec<Vec<u64>>,
}

fn has_four(cells: u64) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].into_iter().any(|step| {
        let pairs = cells & cells >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The bits of a number, the lowest first.
fn bits(mut number: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (number != 0).then(|| number.trailing_zeros());
        number &= number.wrapping_sub(1);
        bit
    })
}

impl ConnectFour {
    /// The sizes that fit: at most seven cells in a column, and at most 36 in all.
    pub fn new(columns: u32, rows: u32) -> Option<ConnectFour> {
        if !(1..=8).contains(&columns) || !(1..HEIGHT).contains(&rows) || columns * rows > 36 {
            return None;
        }
        let cells = (columns * rows) as usize;
        let mut choices = vec![vec![0; cells + 1]; cells + 1];
        for from in 0..=cells {
            choices[from][0] = 1;
            for chosen in 1..=from {
                choices[from][chosen] = choices[from - 1][chosen - 1] + choices[from - 1][chosen];
            }
        }
        let combinations = u64::from(rows + 1).pow(columns);
        let discs = |heights: u64| {
            let height = |column: u32| heights / u64::from(rows + 1).pow(column) % u64::from(rows + 1);
            (0..columns).fold(0_u64, |all, column| all | ((1 << height(column)) - 1) << (column * HEIGHT))
        };
        let mut order: Vec<(u32, u64)> =
            (0..combinations).map(|heights| (discs(heights).count_ones(), heights)).collect();
        order.sort_unstable();
        let (mut firsts, mut by_heights, mut first) = (Vec::new(), vec![0; combinations as usize], 0);
        for (count, heights) in order {
            firsts.push((first, discs(heights)));
            by_heights[heights as usize] = first;
            first += choices[count as usize][count as usize / 2];
        }
        firsts.push((first, 0));
        let name = format!("connect-four-{columns}x{rows}");
        Some(ConnectFour { name, columns, rows, firsts, by_heights, choices })
    }

    fn column(&self, number: u32) -> u64 {
        ((1 << self.rows) - 1) << (number * HEIGHT)
    }
}

impl Rules for ConnectFour {
    type Position = Board;
    type Move = u32;

    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        "Connect four: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "A disc falls to the lowest free cell of a column. Four discs in a line win."
    }

    fn players(&self) -> [&str; 2] {
        ["Yellow", "Red"]
    }

    fn board(&self, board: &Board) -> Vec<String> {
        let yellow = if board.all.count_ones().is_multiple_of(2) { board.own } else { board.own ^ board.all };
        let disc = |row: u32, column: u32| match column * HEIGHT + row {
            bit if yellow >> bit & 1 == 1 => 'y',
            bit if board.all >> bit & 1 == 1 => 'r',
            _ => '.',
        };
        (0..self.rows).rev().map(|row| (0..self.columns).map(|column| disc(row, column)).collect()).collect()
    }

    fn touch(&self, board: &Board, column: &u32) -> Touch {
        let discs = (board.all & self.column(column - 1)).count_ones();
        Touch::cell(Cell(self.rows - 1 - discs, column - 1))
    }

    fn look(&self) -> Vec<Look> {
        vec![Look::new('y', "yellow", Colour::Yellow, Shape::Disc), Look::new('r', "red", Colour::Red, Shape::Disc)]
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board { columns: self.columns as u8, own: 0, all: 0 }]
    }

    fn node(&self, &Board { columns, own, all }: &Board) -> Node<Self> {
        if has_four(own ^ all) {
            return Node::over(-1);
        }
        if all.count_ones() == self.columns * self.rows {
            return Node::over(0);
        }
        let free = (0..self.columns).filter(|&number| all & self.column(number) != self.column(number));
        Node::max(free.map(|number| {
            // Adding the lowest bit of a column carries into its lowest empty cell.
            let next = (all + (1 << (number * HEIGHT))) & self.column(number) & !all;
            (number + 1, Node::turn(Board { columns, own: own ^ all, all: all | next }))
        }))
    }

    fn stage(&self, board: &Board) -> Option<u32> {
        Some((self.columns * self.rows).saturating_sub(board.all.count_ones()))
    }

    fn ranks(&self) -> Option<u64> {
        self.firsts.last().map(|end| end.0)
    }

    fn rank(&self, board: &Board) -> u64 {
        if u32::from(board.columns) != self.columns {
            return 0;
        }
        let height = |column: u32| (board.all >> (column * HEIGHT) & 0xff).trailing_ones();
        let heights = (0..self.columns).rev().try_fold(0, |number, column| {
            let height = height(column);
            (height <= self.rows).then_some(number * u64::from(self.rows + 1) + u64::from(height))
        });
        let Some(heights) = heights else { return 0 };
        let discs = bits(board.all).enumerate().filter(|(_, bit)| board.own >> bit & 1 == 1);
        // The combinatorial number system.
        let places = discs.zip(1..).map(|((place, _), chosen)| self.choices[place][chosen]);
        self.by_heights[heights as usize] + places.sum::<u64>()
    }

    fn unrank(&self, rank: u64) -> Board {
        let (first, all) = self.firsts[self.firsts.partition_point(|(first, _)| *first <= rank) - 1];
        let discs: Vec<u32> = bits(all).collect();
        let (mut rest, mut own, mut chosen) = (rank - first, 0, discs.len() / 2);
        for place in (0..discs.len()).rev() {
            if chosen > 0 && self.choices[place][chosen] <= rest {
                rest -= self.choices[place][chosen];
                own |= 1 << discs[place];
                chosen -= 1;
            }
        }
        Board { columns: self.columns as u8, own, all }
    }
}

impl fmt::Display for Board {
    /// Column by column, each from the bottom up; `x` is the player to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..u32::from(self.columns) {
            f.write_str(if column == 0 { "" } else { "/" })?;
            for bit in (column * HEIGHT..(column + 1) * HEIGHT).filter(|bit| self.all >> bit & 1 == 1) {
                f.write_str(if self.own >> bit & 1 == 1 { "x" } else { "o" })?;
            }
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write the columns from the bottom up, such as xo/x/o/";
        let columns: Vec<&str> = text.split('/').collect();
        if columns.len() > 8 || columns.iter().any(|column| column.len() >= HEIGHT as usize) {
            return Err(expected);
        }
        let mut board = Board { columns: columns.len() as u8, own: 0, all: 0 };
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
        let is_fair = board.own.count_ones() == board.all.count_ones() / 2;
        if is_fair { Ok(board) } else { Err("the players take turns, so x has as many discs as o, or one less") }
    }
}

fn main() -> ExitCode {
    let size = env::var("CONNECT_FOUR").unwrap_or_else(|_| String::from("4x6"));
    let numbers = size.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    match numbers.and_then(|(columns, rows)| ConnectFour::new(columns, rows)) {
        Some(game) => kit::main(game),
        None => {
            eprintln!(
                "connect-four: CONNECT_FOUR={size:?} is not a size, write columns and rows such as 5x5, at most 36 cells"
            );
            ExitCode::from(2)
        }
    }
}
