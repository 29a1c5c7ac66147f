//! Dobutsu shogi: of 246,803,167 reachable positions the player to move wins 196,773,087 and loses 47,347,380, and
//! 2,682,700 are draws. The first player loses in 78 moves, and the longest win takes 173 (T. Tanaka, "An Analysis of a
//! Board Game 'Doubutsu Shogi'", 2009).
//!
//! Each player has a lion, an elephant, a giraffe and a chick on a board of three by four. Captured pieces change sides
//! and can be dropped on any free square. A chick that moves to the last row becomes a hen; a captured hen is a chick
//! again. Who takes the lion wins, and so does a lion on the last row that is not taken at once.

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Cycles, Look, Node, Rules, Shape, Touch};

/// The pieces as the player to move sees them, who plays upwards. Left and right are symmetric.
///
/// ```text
/// 4   0  1  2      g l e   the other player's pieces are small letters
/// 3   3  4  5      . c .
/// 2   6  7  8      . C .
/// 1   9 10 11      E L G
///     a  b  c
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    squares: [u8; 12],
    /// The chicks, elephants and giraffes in the hands of the player to move and of the other player.
    hands: [[u8; 3]; 2],
}

const FREE: u8 = 0;
const CHICK: u8 = 1;
const LION: u8 = 4;
const HEN: u8 = 5;
/// Added to a piece of the other player.
const OTHER: u8 = 8;
/// The first square of the row where the other player's lion wins.
const LAST_ROW: usize = 9;
const LETTERS: [char; 6] = ['.', 'C', 'E', 'G', 'L', 'H'];

/// The steps of a piece of the player to move, as rows and columns.
const STEPS: [&[(i8, i8)]; 6] = [
    &[],
    &[(-1, 0)],
    &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
    &[(-1, 0), (0, -1), (0, 1), (1, 0)],
    &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
    &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)],
];

/// A step of a piece, or a drop from the hand.
#[derive(Clone, Copy)]
pub struct Move {
    piece: u8,
    from: Option<u8>,
    to: u8,
}

/// The squares that a piece of the player to move can step to.
fn steps(piece: u8, from: usize) -> impl Iterator<Item = usize> {
    let (row, column) = ((from / 3) as i8, (from % 3) as i8);
    let squares = STEPS[usize::from(piece)].iter().map(move |(down, right)| (row + down, column + right));
    let inside = squares.filter(|(row, column)| (0..4).contains(row) && (0..3).contains(column));
    inside.map(|(row, column)| (3 * row + column) as usize)
}

impl Board {
    const START: Board = Board { squares: [11, 12, 10, 0, 9, 0, 0, 1, 0, 2, 4, 3], hands: [[0; 3]; 2] };

    /// The board as the other player sees it.
    fn turned(&self) -> Board {
        let mut squares = self.squares;
        squares.reverse();
        squares.iter_mut().filter(|piece| **piece != FREE).for_each(|piece| *piece ^= OTHER);
        Board { squares, hands: [self.hands[1], self.hands[0]] }
    }

    fn mirrored(&self) -> Board {
        let mut board = *self;
        board.squares.chunks_mut(3).for_each(|row| row.swap(0, 2));
        board
    }

    fn place(&self, piece: u8) -> usize {
        self.squares.iter().position(|&other| other == piece).unwrap_or(0)
    }

    fn own_pieces(&self) -> impl Iterator<Item = (usize, u8)> {
        self.squares.into_iter().enumerate().filter(|(_, piece)| (CHICK..OTHER).contains(piece))
    }

    fn stepped(mut self, from: usize, to: usize) -> Board {
        let piece = std::mem::replace(&mut self.squares[from], FREE);
        let taken = self.squares[to];
        if taken != FREE {
            let kind = if taken == HEN + OTHER { CHICK } else { taken - OTHER };
            self.hands[0][usize::from(kind - 1)] += 1;
        }
        self.squares[to] = if piece == CHICK && to < 3 { HEN } else { piece };
        self.turned()
    }

    /// The pieces that can take the lion, with their squares.
    fn takers(&self) -> impl Iterator<Item = (usize, u8)> {
        let lion = self.place(LION + OTHER);
        self.own_pieces().filter(move |&(from, piece)| steps(piece, from).any(|to| to == lion))
    }

    /// Whether the game goes on after the next move, whatever it is.
    fn is_open(&self) -> bool {
        self.place(LION + OTHER) < LAST_ROW && self.takers().next().is_none()
    }

    /// The boards before the last move, as the player saw them who made it.
    fn before(&self) -> Vec<Board> {
        let (after, mut boards) = (self.turned(), Vec::with_capacity(64));
        for (to, piece) in after.own_pieces() {
            let mut free = after;
            free.squares[to] = FREE;
            let was_promoted = piece == HEN && to < 3;
            let kinds = if was_promoted { &[HEN, CHICK][..] } else { &[piece] };
            // A chick on the last row was dropped there.
            for &kind in kinds.iter().filter(|&&kind| kind != CHICK || was_promoted || to >= 3) {
                for from in (0..12).filter(|&from| after.squares[from] == FREE) {
                    if steps(kind, from).any(|step| step == to) {
                        let mut before = free;
                        before.squares[from] = kind;
                        boards.push(before);
                        boards.extend(before.with_taken(to));
                    }
                }
            }
            if piece < LION {
                free.hands[0][usize::from(piece - 1)] += 1;
                boards.push(free);
            }
        }
        boards
    }

    /// The same board with a piece from the own hand where it was taken.
    fn with_taken(&self, square: usize) -> impl Iterator<Item = Board> {
        let taken = [(CHICK, 0), (HEN, 0), (2, 1), (3, 2)].into_iter().filter(|&(_, kind)| self.hands[0][kind] > 0);
        taken.map(move |(piece, kind)| {
            let mut board = *self;
            board.hands[0][kind] -= 1;
            board.squares[square] = piece + OTHER;
            board
        })
    }

    fn moves(&self) -> Vec<(Move, Node<DobutsuShogi>)> {
        let mut moves = Vec::with_capacity(40);
        for (from, piece) in self.own_pieces() {
            let free = |to: &usize| self.squares[*to] == FREE || self.squares[*to] >= OTHER;
            for to in steps(piece, from).filter(free) {
                let name = Move { piece, from: Some(from as u8), to: to as u8 };
                moves.push((name, Node::turn(self.stepped(from, to))));
            }
        }
        for kind in (0..3).filter(|&kind| self.hands[0][kind] > 0) {
            for to in (0..12).filter(|&to| self.squares[to] == FREE) {
                let (piece, mut next) = (kind as u8 + 1, *self);
                next.squares[to] = piece;
                next.hands[0][kind] -= 1;
                moves.push((Move { piece, from: None, to: to as u8 }, Node::turn(next.turned())));
            }
        }
        moves
    }
}

/// The game. Its ranks are those of the pairs of lions times those of the other pieces.
///
/// ```text
/// rank = pair of lions * others.total + others.first[chicks, elephants, giraffes on the board] + digits
///
/// digits, for the chicks, then the elephants, then the giraffes, the first one the lowest:
///   their squares, among those that are still free
///   for each of them, whose it is; for a chick also whether it is a hen
///   how many of the others are in the hand of the player to move
/// ```
pub struct DobutsuShogi {
    /// The number of each pair of squares of the own and the other lion, up to the mirror.
    pairs: Vec<[usize; 2]>,
    numbers: [[u64; 12]; 12],
    /// The first rank of the other pieces, by `9 * chicks + 3 * elephants + giraffes`, and the number of all.
    firsts: [u64; 28],
}

/// How a chick, an elephant or a giraffe can stand on a square.
const STATES: [u64; 3] = [4, 2, 2];

/// The ways to choose at most two places.
fn choices(places: usize, chosen: usize) -> u64 {
    [1, places, places * places.saturating_sub(1) / 2][chosen] as u64
}

impl Default for DobutsuShogi {
    fn default() -> DobutsuShogi {
        let all = (0..12).flat_map(|own| (0..12).map(move |other| [own, other]));
        // The own lion is on the left, or it is in the middle and the other lion is not on the right.
        let is_left = |[own, other]: &[usize; 2]| own != other && (own % 3 == 0 || own % 3 == 1 && other % 3 < 2);
        let pairs: Vec<[usize; 2]> = all.filter(is_left).collect();
        let mut numbers = [[0; 12]; 12];
        (0..).zip(&pairs).for_each(|(number, pair)| numbers[pair[0]][pair[1]] = number);
        let mut firsts = [0; 28];
        for class in 0..27 {
            let (mut ways, mut free) = (1, 10);
            for (count, states) in [class / 9, class / 3 % 3, class % 3].into_iter().zip(STATES) {
                ways *= choices(free, count) * states.pow(count as u32) * (3 - count as u64);
                free -= count;
            }
            firsts[class + 1] = firsts[class] + ways;
        }
        DobutsuShogi { pairs, numbers, firsts }
    }
}

/// At most twelve squares or pieces.
#[derive(Default)]
struct Places {
    items: [u8; 12],
    len: usize,
}

impl Places {
    fn push(&mut self, item: u8) {
        self.items[self.len] = item;
        self.len += 1;
    }

    fn all(&self) -> &[u8] {
        &self.items[..self.len]
    }
}

/// A number of digits with different bases, the lowest first.
struct Digits {
    number: u64,
    weight: u64,
}

impl Digits {
    fn push(&mut self, digit: u64, base: u64) {
        self.number += digit * self.weight;
        self.weight *= base;
    }

    fn pop(&mut self, base: u64) -> u64 {
        let digit = self.number % base;
        self.number /= base;
        digit
    }
}

impl Rules for DobutsuShogi {
    type Position = Board;
    type Move = Move;

    fn name(&self) -> &str {
        "dobutsu-shogi"
    }

    fn about(&self) -> &str {
        "Dobutsu shogi: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    /// The hands are beside the board: the other player's on the left, the own on the right.
    fn board(&self, board: &Board) -> Vec<String> {
        let held = |side: usize, kind: usize| {
            let count = board.hands[side].get(kind).map_or(0, |&count| usize::from(count));
            letter(kind as u8 % 3 + 1 + OTHER * side as u8).to_string().repeat(count)
        };
        let squares = |row: usize| board.squares[3 * row..][..3].iter().map(|&piece| letter(piece)).collect::<String>();
        (0..4).map(|row| format!("{:2}{}{:>2}", held(1, row), squares(row), held(0, row.wrapping_sub(1)))).collect()
    }

    fn touch(&self, _board: &Board, step: &Move) -> Touch {
        let cell = |square: u8| Cell(u32::from(square / 3), u32::from(square % 3 + 2));
        Touch::from_to(step.from.map_or(Cell(step.piece.into(), 6), cell), cell(step.to))
    }

    fn look(&self) -> Vec<Look> {
        let own = ["own chick", "own elephant", "own giraffe", "own lion", "own hen"].map(|name| (Colour::Blue, name));
        let other = ["other chick", "other elephant", "other giraffe", "other lion", "other hen"];
        let all = own.into_iter().chain(other.map(|name| (Colour::Red, name))).zip([1, 2, 3, 4, 5, 9, 10, 11, 12, 13]);
        all.map(|((colour, name), piece)| Look::new(letter(piece), name, colour, Shape::Tile)).collect()
    }

    fn starts(&self) -> Vec<Board> {
        vec![Board::START]
    }

    fn node(&self, board: &Board) -> Node<Self> {
        let mut takers = board.takers().peekable();
        if takers.peek().is_some() {
            let to = board.place(LION + OTHER) as u8;
            let taking = |(from, piece): (usize, u8)| Move { piece, from: Some(from as u8), to };
            return Node::max(takers.map(|taker| (taking(taker), Node::over(1))));
        }
        if board.place(LION + OTHER) >= LAST_ROW {
            // The other lion has reached the last row and cannot be taken.
            return Node::over(-1);
        }
        let moves = board.moves();
        if moves.is_empty() { Node::over(-1) } else { Node::max(moves) }
    }

    fn predecessors(&self, board: &Board) -> Option<Vec<Board>> {
        let mut before = board.before();
        before.retain(Board::is_open);
        Some(before)
    }

    fn canonical(&self, board: Board) -> Board {
        match (board.place(LION) % 3, board.place(LION + OTHER) % 3) {
            (0, _) | (1, 0) => board,
            (1, 1) => board.min(board.mirrored()),
            _ => board.mirrored(),
        }
    }

    fn ranks(&self) -> Option<u64> {
        Some(self.pairs.len() as u64 * self.firsts[27])
    }

    fn rank(&self, board: &Board) -> u64 {
        let mut free = Places::default();
        board.squares.into_iter().filter(|piece| piece % OTHER != LION).for_each(|piece| free.push(piece));
        let (mut digits, mut class) = (Digits { number: 0, weight: 1 }, 0);
        for (kind, states) in STATES.into_iter().enumerate() {
            let (mut own, mut rest) = (Places::default(), Places::default());
            let (mut number, mut count) = (0, 0);
            for (place, &piece) in free.all().iter().enumerate() {
                if piece % OTHER == kind as u8 + 1 || kind == 0 && piece % OTHER == HEN {
                    count += 1;
                    number += choices(place, count);
                    own.push(piece);
                } else {
                    rest.push(piece);
                }
            }
            digits.push(number, choices(free.len, count));
            for &piece in own.all() {
                let is_hen = u64::from(piece % OTHER == HEN);
                digits.push(u64::from(piece / OTHER) + 2 * is_hen, states);
            }
            digits.push(u64::from(board.hands[0][kind]), 3 - count as u64);
            (free, class) = (rest, 3 * class + count);
        }
        let pair = self.numbers[board.place(LION)][board.place(LION + OTHER)];
        pair * self.firsts[27] + self.firsts[class] + digits.number
    }

    fn unrank(&self, rank: u64) -> Board {
        let [own, other] = self.pairs[(rank / self.firsts[27]) as usize];
        let rest = rank % self.firsts[27];
        let class = self.firsts.partition_point(|&first| first <= rest) - 1;
        let mut digits = Digits { number: rest - self.firsts[class], weight: 1 };
        let mut board = Board { squares: [FREE; 12], hands: [[0; 3]; 2] };
        board.squares[own] = LION;
        board.squares[other] = LION + OTHER;
        let mut free = Places::default();
        (0..12).filter(|&square| board.squares[usize::from(square)] == FREE).for_each(|square| free.push(square));
        for (kind, count) in [class / 9, class / 3 % 3, class % 3].into_iter().enumerate() {
            let mut number = digits.pop(choices(free.len, count));
            let mut places = [0; 2];
            for chosen in (1..=count).rev() {
                let place = (chosen - 1..free.len).rfind(|&place| choices(place, chosen) <= number).unwrap_or(0);
                number -= choices(place, chosen);
                places[chosen - 1] = place;
            }
            for place in &places[..count] {
                let state = digits.pop(STATES[kind]) as u8;
                let piece = if state < 2 { kind as u8 + 1 } else { HEN };
                board.squares[usize::from(free.items[*place])] = piece + OTHER * (state % 2);
            }
            board.hands[0][kind] = digits.pop(3 - count as u64) as u8;
            board.hands[1][kind] = 2 - count as u8 - board.hands[0][kind];
            let mut rest = Places::default();
            free.all()
                .iter()
                .filter(|&&square| board.squares[usize::from(square)] == FREE)
                .for_each(|&square| rest.push(square));
            free = rest;
        }
        board
    }
}

fn letter(piece: u8) -> char {
    let letter = LETTERS[usize::from(piece % OTHER)];
    if piece < OTHER { letter } else { letter.to_ascii_lowercase() }
}

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), 4 - square / 3)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (piece, to) = (letter(self.piece), name(self.to));
        match self.from {
            Some(from) => write!(f, "{piece}{}-{to}", name(from)),
            None => write!(f, "{piece}*{to}"),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, squares) in self.squares.chunks(3).enumerate() {
            let pieces: String = squares.iter().map(|&piece| letter(piece)).collect();
            write!(f, "{}{pieces}", if row > 0 { "/" } else { "" })?;
        }
        let hand = |side: usize| {
            let pieces = (0..3).map(|kind| {
                let piece = letter(kind as u8 + 1 + OTHER * side as u8);
                piece.to_string().repeat(usize::from(self.hands[side][kind]))
            });
            pieces.collect::<String>()
        };
        let hands = hand(0) + &hand(1);
        write!(f, " {}", if hands.is_empty() { "-" } else { &hands })
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write four rows and the pieces in the hands, such as gle/.../.c./ELG Cc or gle/.c./.C./ELG -";
        let piece = |letter: char| {
            let kind = LETTERS.iter().position(|other| *other == letter.to_ascii_uppercase()).map(|kind| kind as u8)?;
            Some(if letter.is_ascii_lowercase() { kind + OTHER } else { kind })
        };
        let (rows, hands) = text.split_once(' ').ok_or(expected)?;
        let squares: Option<Vec<u8>> = rows.split('/').flat_map(str::chars).map(piece).collect();
        let squares: [u8; 12] = squares.and_then(|squares| squares.try_into().ok()).ok_or(expected)?;
        let mut board = Board { squares, hands: [[0; 3]; 2] };
        for letter in hands.chars().filter(|letter| *letter != '-') {
            let piece = piece(letter).filter(|piece| (1..4).contains(&(piece % OTHER))).ok_or(expected)?;
            let count = &mut board.hands[usize::from(piece / OTHER)][usize::from(piece % OTHER) - 1];
            *count = count.saturating_add(1);
        }
        let on_board = |wanted: u8| squares.iter().filter(|&&piece| piece % OTHER == wanted).count();
        let is_pair = |kind: u8| {
            let hens = if kind == CHICK { on_board(HEN) } else { 0 };
            let held = board.hands.iter().map(|hand| usize::from(hand[usize::from(kind) - 1])).sum::<usize>();
            on_board(kind) + hens + held == 2
        };
        let has_lions = on_board(LION) == 2 && squares.contains(&LION) && squares.contains(&(LION + OTHER));
        if has_lions && (1..4).all(is_pair) {
            Ok(board)
        } else {
            Err("there are two pieces of each kind, and a lion each")
        }
    }
}

fn main() -> ExitCode {
    kit::main(DobutsuShogi::default())
}
