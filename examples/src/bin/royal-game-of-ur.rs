//! The royal game of Ur by Finkel's rules (I. Finkel, "On the Rules for the Royal Game of Ur", 2007). With seven pieces a
//! player there are 137,913,936 placements, 43,839 of them with all pieces of a player off the board (royalur.net, "How
//! we solved the Royal Game of Ur", 2024). `UR_PIECES` chooses from one to seven pieces; without it there are three.
//!
//! Each player moves the own pieces along a path of fourteen squares and off the board. A throw of four dice with two
//! sides says how far a piece moves; the last step must be exact. A piece that lands on a piece of the other player sends
//! it back. A rosette gives another throw, and the one on square 8 is safe. A move must be made if there is one.

use std::env;
use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cycles, Node, Rules};

/// A position before a throw.
///
/// ```text
///  4* 3  2  1        14* 13     the squares of one player; * is a rosette
///  5  6  7  8* 9  10  11 12     the squares of both players
///  4* 3  2  1        14* 13     the squares of the other player
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    own: Side,
    other: Side,
}

/// The pieces of a player.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Side {
    /// The squares with a piece: bit `n` is the square `n`.
    squares: u16,
    /// The number of pieces that are still to enter.
    waiting: u8,
    /// The number of pieces that are borne off.
    off: u8,
}

/// A move from a square to a square.
#[derive(Clone, Copy)]
pub struct Move {
    from: u32,
    to: u32,
}

const MOST_PIECES: u8 = 7;
/// The names of the games with one to seven pieces.
const NAMES: [&str; MOST_PIECES as usize] = [
    "royal-game-of-ur-1",
    "royal-game-of-ur-2",
    "royal-game-of-ur-3",
    "royal-game-of-ur-4",
    "royal-game-of-ur-5",
    "royal-game-of-ur-6",
    "royal-game-of-ur",
];
/// The place of pieces that are still to enter.
const WAITING: u32 = 0;
/// The place of pieces that are borne off.
const OFF: u32 = 15;
const ROSETTES: [u32; 3] = [4, 8, 14];
const SAFE: u32 = 8;
/// The ways to throw 0 to 4, of sixteen.
const WAYS: [u64; 5] = [1, 4, 6, 4, 1];

fn is_shared(square: u32) -> bool {
    (5..13).contains(&square)
}

impl Side {
    /// From the squares 1 to 4, 13 and 14 as six bits, and the squares 5 to 12 as eight bits.
    fn new(private: u16, shared: u16, off: u8, pieces: u8) -> Side {
        let squares = (private & 0b1111) << 1 | (private >> 4) << 13 | shared << 5;
        Side { squares, off, waiting: pieces - off - squares.count_ones() as u8 }
    }

    fn private(&self) -> u16 {
        self.squares >> 1 & 0b1111 | self.squares >> 13 << 4
    }

    fn shared(&self) -> u16 {
        self.squares >> 5 & 0xff
    }

    fn has(&self, square: u32) -> bool {
        self.squares >> square & 1 == 1
    }

    fn on_board(&self) -> u8 {
        self.squares.count_ones() as u8
    }

    fn pieces(&self) -> u8 {
        self.waiting + self.on_board() + self.off
    }
}

impl Board {
    /// The position for the other player.
    fn turned(&self) -> Board {
        Board { own: self.other, other: self.own }
    }

    fn moves(&self, dots: u32) -> Vec<(Move, Node<Ur>)> {
        let entering = (self.own.waiting > 0).then_some(WAITING);
        let places = entering.into_iter().chain((1..OFF).filter(|&square| self.own.has(square)));
        let moves = places.map(|from| Move { from, to: from + dots });
        let is_free = |to: u32| !(self.own.has(to) || to == SAFE && self.other.has(to));
        let legal = moves.filter(|step| step.to <= OFF && (step.to == OFF || is_free(step.to)));
        legal.map(|step| (step, self.moved(step))).collect()
    }

    fn moved(&self, Move { from, to }: Move) -> Node<Ur> {
        let mut next = *self;
        match from {
            WAITING => next.own.waiting -= 1,
            from => next.own.squares &= !(1 << from),
        }
        if to == OFF {
            next.own.off += 1;
            let is_last = next.own.squares == 0 && next.own.waiting == 0;
            return if is_last { Node::over(1) } else { Node::turn(next.turned()) };
        }
        next.own.squares |= 1 << to;
        if is_shared(to) && next.other.has(to) {
            next.other.squares &= !(1 << to);
            next.other.waiting += 1;
        }
        if ROSETTES.contains(&to) { Node::go(next) } else { Node::turn(next.turned()) }
    }
}

/// Pieces off the board and pieces on it, for both players: a range of ranks.
#[derive(Clone, Copy)]
struct Class {
    first: u64,
    off: [u8; 2],
    on: [u8; 2],
}

/// The game. Every position has a rank, and there are no others.
///
/// ```text
/// rank = first rank of the numbers of pieces on and off the board, those with few pieces off first
///      + first of these with as many pieces on the shared squares
///      + own squares 1-4, 13, 14 · other squares 1-4, 13, 14 · own squares 5-12 · other squares 5-12, of those left free
/// ```
pub struct Ur {
    pieces: u8,
    classes: Vec<Class>,
    /// The number of each class, by `off` and `on`.
    numbers: Vec<usize>,
    /// The masks of eight bits, by their numbers of bits and in order.
    masks: [Vec<u16>; 9],
    /// The place of each mask among those with as many bits.
    places: [u64; 256],
}

fn number([own_off, other_off]: [u8; 2], [own_on, other_on]: [u8; 2]) -> usize {
    [own_off, other_off, own_on, other_on].into_iter().fold(0, |number, digit| 8 * number + usize::from(digit))
}

fn choices(from: u8, chosen: u8) -> u64 {
    (0..chosen).fold(1, |ways, one| ways * u64::from(from - one) / (u64::from(one) + 1))
}

/// The ways to place pieces with `shared` of them on the shared squares.
fn ways(on: [u8; 2], shared: [u8; 2]) -> u64 {
    let private = [on[0] - shared[0], on[1] - shared[1]];
    if private.iter().any(|&count| count > 6) || shared[0] + shared[1] > 8 {
        return 0;
    }
    choices(6, private[0]) * choices(6, private[1]) * choices(8, shared[0]) * choices(8 - shared[0], shared[1])
}

/// The numbers of own and other pieces on the shared squares, and the number of ways to place the pieces.
fn splits(on: [u8; 2]) -> impl Iterator<Item = ([u8; 2], u64)> {
    let all = (0..=on[0]).flat_map(move |own| (0..=on[1]).map(move |other| [own, other]));
    all.map(move |shared| (shared, ways(on, shared)))
}

/// The bits of `mask` at the places where `at` has bits.
fn gather(mask: u16, at: u16) -> u16 {
    let places = (0..8).filter(|place| at >> place & 1 == 1);
    places.enumerate().fold(0, |bits, (bit, place)| bits | (mask >> place & 1) << bit)
}

/// The inverse of [`gather`].
fn scatter(bits: u16, at: u16) -> u16 {
    let places = (0..8).filter(|place| at >> place & 1 == 1);
    places.enumerate().fold(0, |mask, (bit, place)| mask | (bits >> bit & 1) << place)
}

impl Ur {
    /// The game with a number of pieces from 1 to 7.
    pub fn new(pieces: u8) -> Ur {
        let below = |end: u8| (0..end).flat_map(move |one| (0..end).map(move |other| [one, other]));
        let mut offs: Vec<[u8; 2]> = below(pieces).collect();
        offs.sort_by_key(|off| off[0] + off[1]);
        let (mut classes, mut numbers, mut first) = (Vec::new(), vec![0; 8 * 8 * 8 * 8], 0);
        for off in offs {
            for on in below(pieces + 1).filter(|on| on[0] + off[0] <= pieces && on[1] + off[1] <= pieces) {
                numbers[number(off, on)] = classes.len();
                classes.push(Class { first, off, on });
                first += splits(on).map(|(_, ways)| ways).sum::<u64>();
            }
        }
        classes.push(Class { first, off: [0; 2], on: [0; 2] });
        let masks: [Vec<u16>; 9] =
            std::array::from_fn(|count| (0..256_u16).filter(|mask| mask.count_ones() == count as u32).collect());
        let mut places = [0; 256];
        masks.iter().for_each(|all| (0..).zip(all).for_each(|(place, &mask)| places[usize::from(mask)] = place));
        Ur { pieces, classes, numbers, masks, places }
    }
}

impl Rules for Ur {
    type Position = Board;
    type Move = Move;

    fn name(&self) -> &str {
        NAMES[usize::from(self.pieces) - 1]
    }

    fn about(&self) -> &str {
        "The royal game of Ur: the probability that the player to move wins"
    }

    fn sum(&self) -> i64 {
        1
    }

    fn cycles(&self) -> Cycles {
        Cycles::Iterate { tolerance: 1e-6 }
    }

    fn digits(&self) -> Option<u16> {
        Some(6)
    }

    fn starts(&self) -> Vec<Board> {
        let side = Side::new(0, 0, 0, self.pieces);
        vec![Board { own: side, other: side }]
    }

    fn node(&self, board: &Board) -> Node<Self> {
        Node::chance_of((0..).zip(WAYS).map(|(dots, ways)| {
            let moves = if dots == 0 { Vec::new() } else { board.moves(dots) };
            (dots, ways, if moves.is_empty() { Node::turn(board.turned()) } else { Node::max(moves) })
        }))
    }

    /// The pieces of both players that are not borne off. Positions with the same numbers of them are a stage, whoever is
    /// to move.
    fn stage(&self, board: &Board) -> Option<u32> {
        let left = [board.own, board.other].map(|side| u32::from(self.pieces - side.off));
        Some(16 * (left[0] + left[1]) + left[0].min(left[1]))
    }

    fn ranks(&self) -> Option<u64> {
        self.classes.last().map(|end| end.first)
    }

    fn rank(&self, board: &Board) -> u64 {
        let sides = [board.own, board.other];
        if sides.iter().any(|side| side.pieces() != self.pieces || side.off == self.pieces) {
            return 0;
        }
        let on = sides.map(|side| side.on_board());
        let [own, other] = sides.map(|side| side.shared());
        let shared = [own, other].map(|mask| mask.count_ones() as u8);
        let before: u64 = splits(on).take_while(|(other, _)| *other != shared).map(|(_, ways)| ways).sum();
        let place = |mask: u16| self.places[usize::from(mask)];
        let mut rank = place(sides[0].private());
        rank = rank * choices(6, on[1] - shared[1]) + place(sides[1].private());
        rank = rank * choices(8, shared[0]) + place(own);
        rank = rank * choices(8 - shared[0], shared[1]) + place(gather(other, !own));
        self.classes[self.numbers[number(sides.map(|side| side.off), on)]].first + before + rank
    }

    fn unrank(&self, rank: u64) -> Board {
        let class = self.classes[self.classes.partition_point(|class| class.first <= rank) - 1];
        let (mut rest, mut shared) = (rank - class.first, [0; 2]);
        for (split, ways) in splits(class.on) {
            shared = split;
            if rest < ways {
                break;
            }
            rest -= ways;
        }
        let mut pop = |from: u8, chosen: u8| {
            let base = choices(from, chosen);
            let mask = self.masks[usize::from(chosen)][(rest % base) as usize];
            rest /= base;
            mask
        };
        let free = pop(8 - shared[0], shared[1]);
        let own = pop(8, shared[0]);
        let other_private = pop(6, class.on[1] - shared[1]);
        let own_private = pop(6, class.on[0] - shared[0]);
        Board {
            own: Side::new(own_private, own, class.off[0], self.pieces),
            other: Side::new(other_private, scatter(free, !own), class.off[1], self.pieces),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (WAITING, to) => write!(f, "in-{to}"),
            (from, OFF) => write!(f, "{from}-off"),
            (from, to) => write!(f, "{from}-{to}"),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares: Vec<String> =
            (1..OFF).filter(|&square| self.has(square)).map(|square| square.to_string()).collect();
        let squares = if squares.is_empty() { String::from("-") } else { squares.join(",") };
        write!(f, "{} {squares} {}", self.waiting, self.off)
    }
}

impl fmt::Display for Board {
    /// For the player to move, then for the other: the pieces that wait, the squares, the pieces that are off.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.own, self.other)
    }
}

impl FromStr for Side {
    type Err = ();

    fn from_str(text: &str) -> Result<Side, ()> {
        let words: Vec<&str> = text.split(' ').collect();
        let [waiting, squares, off] = words[..] else { return Err(()) };
        let count = |word: &str| word.parse().ok().filter(|count| *count <= MOST_PIECES).ok_or(());
        let mut side = Side { squares: 0, waiting: count(waiting)?, off: count(off)? };
        for square in squares.split(',').filter(|square| *square != "-") {
            let square: u32 = square.parse().map_err(|_| ())?;
            if !(1..OFF).contains(&square) || side.has(square) {
                return Err(());
            }
            side.squares |= 1 << square;
        }
        if side.pieces() <= MOST_PIECES { Ok(side) } else { Err(()) }
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write the pieces that wait, the squares and the pieces that are off, such as 1 4,8 0 / 3 - 0";
        let (own, other) = text.split_once(" / ").ok_or(expected)?;
        let [own, other] = [own, other].map(|side| side.parse::<Side>().map_err(|()| expected));
        let board = Board { own: own?, other: other? };
        if board.own.shared() & board.other.shared() == 0 { Ok(board) } else { Err("a square has one piece") }
    }
}

fn main() -> ExitCode {
    let pieces = env::var("UR_PIECES").unwrap_or_else(|_| String::from("3"));
    match pieces.parse() {
        Ok(pieces @ 1..=MOST_PIECES) => kit::main(Ur::new(pieces)),
        _ => {
            eprintln!(
                "royal-game-of-ur: UR_PIECES={pieces:?} is not a number of pieces, choose from 1 to {MOST_PIECES}"
            );
            ExitCode::from(2)
        }
    }
}
