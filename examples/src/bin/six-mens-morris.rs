//! Six men's morris without flying: a draw (D. De Clercq, "5-6-7 Men's Morris"). With the rules below 24,620,171 positions
//! can be reached; the source counts 42,372,745. `MORRIS_MEN` chooses from three to six men; without it there are three.
//!
//! The players first put their men on the sixteen points in turn, then move a man in turn to a free neighbour. Who closes
//! a mill, three men in a line, takes a man of the other player, which must not be in a mill unless all are. Who has two
//! men left, or cannot move, loses.

use std::env;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cycles, Node, Rules};

/// The men of the player to move and of the other player, as bits, and the numbers of men that they still have to place.
///
/// ```text
///  0-----1-----2
///  |  3--4--5  |
///  |  |     |  |
///  6--7     8--9
///  |  |     |  |
///  | 10-11-12  |
/// 13----14----15
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    own: u16,
    other: u16,
    own_left: u8,
    other_left: u8,
}

const POINTS: u32 = 16;
const MOST_MEN: u8 = 6;
const LINES: [[u32; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [10, 11, 12], [13, 14, 15], [0, 6, 13], [3, 7, 10], [5, 8, 12], [2, 9, 15]];
/// The lines between the squares.
const BRIDGES: [[u32; 2]; 4] = [[1, 4], [6, 7], [8, 9], [11, 14]];

/// A move: a man is placed or moved, and a man may be taken.
#[derive(Clone, Copy)]
pub struct Move {
    from: Option<u32>,
    to: u32,
    taken: Option<u32>,
}

fn mask(line: &[u32]) -> u16 {
    line.iter().fold(0, |mask, point| mask | 1 << point)
}

fn points(men: u16) -> impl Iterator<Item = u32> {
    (0..POINTS).filter(move |point| men >> point & 1 == 1)
}

/// The men that are in a mill.
fn in_mills(men: u16) -> u16 {
    LINES.iter().map(|line| mask(line)).filter(|line| men & line == *line).fold(0, |all, line| all | line)
}

/// The game. A position has a rank by the numbers of men left and on the board, then the own and the other men.
///
/// ```text
/// rank = first rank of these numbers + own men · other men, on the points that the own men leave free
/// ```
pub struct Morris {
    men: u8,
    neighbours: [u16; 16],
    classes: Vec<Class>,
    /// The sets of points, by the number of points and in order.
    sets: Vec<Vec<u16>>,
    /// The place of each set among those of its size.
    places: Vec<u32>,
}

/// Men left and men on the board, for both players: a range of ranks.
#[derive(Clone, Copy)]
struct Class {
    first: u64,
    left: [u8; 2],
    on: [u8; 2],
}

fn choices(from: u32, chosen: u8) -> u64 {
    (0..u64::from(chosen)).fold(1, |ways, one| ways * (u64::from(from) - one) / (one + 1))
}

fn ways(on: [u8; 2]) -> u64 {
    choices(POINTS, on[0]) * choices(POINTS - u32::from(on[0]), on[1])
}

/// The bits of `mask` at the places where `at` has bits.
fn gather(mask: u16, at: u16) -> u16 {
    points(at).enumerate().fold(0, |bits, (bit, place)| bits | (mask >> place & 1) << bit)
}

/// The inverse of [`gather`].
fn scatter(bits: u16, at: u16) -> u16 {
    points(at).enumerate().fold(0, |mask, (bit, place)| mask | (bits >> bit & 1) << place)
}

impl Morris {
    /// The game with a number of men from 3 to 6.
    pub fn new(men: u8) -> Morris {
        let mut neighbours = [0; 16];
        let pairs = LINES.iter().flat_map(|line| line.windows(2)).chain(BRIDGES.iter().map(|bridge| &bridge[..]));
        for pair in pairs {
            neighbours[pair[0] as usize] |= 1 << pair[1];
            neighbours[pair[1] as usize] |= 1 << pair[0];
        }
        let (mut classes, mut first) = (Vec::new(), 0);
        // The second player has one man more to place after each move of the first.
        for left in (0..=men).flat_map(|own| [[own, own], [own + 1, own]]).filter(|left| left[0] <= men) {
            let most = left.map(|left| men - left);
            for on in (0..=most[0]).flat_map(|own| (0..=most[1]).map(move |other| [own, other])) {
                classes.push(Class { first, left, on });
                first += ways(on);
            }
        }
        classes.push(Class { first, left: [men + 1; 2], on: [0; 2] });
        let sets: Vec<Vec<u16>> =
            (0..=6).map(|size| (0..=u16::MAX).filter(|set| set.count_ones() == size).collect()).collect();
        let mut places = vec![0; 1 << 16];
        sets.iter().for_each(|all| (0..).zip(all).for_each(|(place, &set)| places[usize::from(set)] = place));
        Morris { men, neighbours, classes, sets, places }
    }

    /// The moves that follow when a man is at a new point.
    fn placed(&self, board: &Board, from: Option<u32>, to: u32, moves: &mut Vec<(Move, Node<Morris>)>) {
        let own = board.own & !from.map_or(0, |from| 1 << from) | 1 << to;
        let own_left = board.own_left - u8::from(from.is_none());
        let mut push = |other: u16, taken: Option<u32>| {
            let next = Board { own: other, other: own, own_left: board.other_left, other_left: own_left };
            moves.push((Move { from, to, taken }, Node::turn(next)));
        };
        if in_mills(own) >> to & 1 == 0 {
            return push(board.other, None);
        }
        let safe = in_mills(board.other);
        let takeable = if safe == board.other { board.other } else { board.other & !safe };
        points(takeable).for_each(|taken| push(board.other & !(1 << taken), Some(taken)));
        // Nothing can be taken if all men of the other player are still to be placed.
        if board.other == 0 {
            push(0, None);
        }
    }
}

impl Rules for Morris {
    type Position = Board;
    type Move = Move;

    fn name(&self) -> &str {
        ["three-men", "four-men", "five-men", "six-mens-morris"][usize::from(self.men) - 3]
    }

    fn about(&self) -> &str {
        "Men's morris on sixteen points: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board { own: 0, other: 0, own_left: self.men, other_left: self.men }]
    }

    fn node(&self, board: &Board) -> Node<Self> {
        if board.own.count_ones() + u32::from(board.own_left) < 3 {
            return Node::over(-1);
        }
        let free = !(board.own | board.other);
        let mut moves = Vec::new();
        if board.own_left > 0 {
            points(free).for_each(|to| self.placed(board, None, to, &mut moves));
        } else {
            for from in points(board.own) {
                let targets = points(free & self.neighbours[from as usize]);
                targets.for_each(|to| self.placed(board, Some(from), to, &mut moves));
            }
        }
        if moves.is_empty() { Node::over(-1) } else { Node::max(moves) }
    }

    fn stage(&self, board: &Board) -> Option<u32> {
        let on_board = (board.own | board.other).count_ones();
        // Placing a man takes one from the first sum and adds one to the second.
        Some(2 * u32::from(board.own_left + board.other_left) + on_board)
    }

    fn ranks(&self) -> Option<u64> {
        self.classes.last().map(|end| end.first)
    }

    fn rank(&self, board: &Board) -> u64 {
        let left = [board.own_left, board.other_left];
        let on = [board.own, board.other].map(|men| men.count_ones() as u8);
        let found = self.classes.iter().find(|class| class.left == left && class.on == on);
        let place = |set: u16| u64::from(self.places[usize::from(set)]);
        let rank = |class: &Class| {
            let base = choices(POINTS - u32::from(on[0]), on[1]);
            class.first + place(board.own) * base + place(gather(board.other, !board.own))
        };
        found.map_or(0, rank)
    }

    fn unrank(&self, rank: u64) -> Board {
        let Class { first, left, on } = self.classes[self.classes.partition_point(|class| class.first <= rank) - 1];
        let base = choices(POINTS - u32::from(on[0]), on[1]);
        let set = |size: u8, place: u64| self.sets[usize::from(size)][place as usize];
        let own = set(on[0], (rank - first) / base);
        let other = scatter(set(on[1], (rank - first) % base), !own);
        Board { own, other, own_left: left[0], other_left: left[1] }
    }
}

fn name(point: u32) -> char {
    char::from(b'a' + point as u8)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from.map_or(Ok(()), |from| write!(f, "{}-", name(from)))?;
        write!(f, "{}", name(self.to))?;
        self.taken.map_or(Ok(()), |taken| write!(f, "x{}", name(taken)))
    }
}

impl fmt::Display for Board {
    /// The sixteen points from the top, then the men that are left; `x` is the player to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in 0..POINTS {
            let letter = match (self.own >> point & 1, self.other >> point & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            };
            write!(f, "{}{letter}", if [3, 6, 10, 13].contains(&point) { "/" } else { "" })?;
        }
        write!(f, " {} {}", self.own_left, self.other_left)
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write sixteen points and the men left, such as x.../..../.o../.... 5 5, where x is to move";
        let words: Vec<&str> = text.split(' ').collect();
        let [points, own_left, other_left] = words[..] else { return Err(expected) };
        let left = |word: &str| word.parse().ok().filter(|left| *left <= MOST_MEN).ok_or(expected);
        let mut board = Board { own: 0, other: 0, own_left: left(own_left)?, other_left: left(other_left)? };
        let letters: Vec<char> = points.chars().filter(|letter| *letter != '/').collect();
        if letters.len() != POINTS as usize {
            return Err(expected);
        }
        for (point, letter) in letters.into_iter().enumerate() {
            match letter {
                'x' => board.own |= 1 << point,
                'o' => board.other |= 1 << point,
                '.' => {}
                _ => return Err(expected),
            }
        }
        let men = |men: u16, left: u8| men.count_ones() + u32::from(left);
        let most = u32::from(MOST_MEN);
        if men(board.own, board.own_left).max(men(board.other, board.other_left)) > most {
            Err(expected)
        } else {
            Ok(board)
        }
    }
}

fn main() -> ExitCode {
    let men = env::var("MORRIS_MEN").unwrap_or_else(|_| String::from("3"));
    match men.parse() {
        Ok(men @ 3..=MOST_MEN) => kit::main(Morris::new(men)),
        _ => {
            eprintln!("six-mens-morris: MORRIS_MEN={men:?} is not a number of men, choose from 3 to {MOST_MEN}");
            ExitCode::from(2)
        }
    }
}
