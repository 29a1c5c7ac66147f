//! Shut the box: throw two dice and shut tiles with the same sum. Tiles that stay open count against you.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Look, Node, Rules, Shape, Touch};

/// Open tiles: bit `n` is the tile `n`, from 1 to 9.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tiles(u16);

impl Tiles {
    const ALL: Tiles = Tiles(0b11_1111_1110);

    fn numbers(self) -> impl Iterator<Item = u32> {
        (1..=9).filter(move |number| self.0 >> number & 1 == 1)
    }

    fn sum(self) -> u32 {
        self.numbers().sum()
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return write!(f, "-");
        }
        self.numbers().try_for_each(|number| write!(f, "{number}"))
    }
}

impl FromStr for Tiles {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Tiles, &'static str> {
        let mut tiles = Tiles(0);
        for letter in text.chars().filter(|letter| *letter != '-') {
            let number = letter.to_digit(10).filter(|number| *number > 0);
            tiles.0 |= 1 << number.ok_or("write the open tiles, from 1 to 9")?;
        }
        Ok(tiles)
    }
}

/// The game.
pub struct ShutTheBox;

impl Rules for ShutTheBox {
    type Position = Tiles;
    type Move = Tiles;

    fn name(&self) -> &str {
        "shut-the-box"
    }

    fn about(&self) -> &str {
        "Shut the box: the sum of the tiles that stay open, on average"
    }

    fn unit(&self) -> &str {
        "points, on average"
    }

    fn board(&self, open: &Tiles) -> Vec<String> {
        vec![('1'..='9').map(|tile| if open.to_string().contains(tile) { tile } else { '.' }).collect()]
    }

    fn touch(&self, _open: &Tiles, set: &Tiles) -> Touch {
        Touch::cells(set.numbers().map(|number| Cell(0, number - 1)))
    }

    fn look(&self) -> Vec<Look> {
        ('1'..='9').map(|tile| Look::new(tile, "open", Colour::Green, Shape::Tile)).collect()
    }

    fn starts(&self) -> Vec<Tiles> {
        vec![Tiles::ALL]
    }

    fn node(&self, open: &Tiles) -> Node<Self> {
        if open.sum() == 0 {
            return Node::over(0);
        }
        // Of the 36 throws of two dice, one has the sum 2, two have the sum 3, six have the sum 7, one has the sum 12.
        let ways = |dots: u32| 6 - u64::from(dots.abs_diff(7));
        Node::chance_of((2..=12).map(|dots| (dots, ways(dots), after_throw(*open, dots))))
    }
}

fn after_throw(open: Tiles, dots: u32) -> Node<ShutTheBox> {
    let sets = (1..=Tiles::ALL.0).map(Tiles).filter(|set| set.0 & !open.0 == 0 && set.sum() == dots);
    let moves: Vec<_> = sets.map(|set| (set, Node::go(Tiles(open.0 & !set.0)))).collect();
    if moves.is_empty() { Node::over(open.sum()) } else { Node::min(moves) }
}

fn main() -> ExitCode {
    kit::main(ShutTheBox)
}
