//! King and rook against king: 28,056 positions with black to move, up to symmetry. White mates in at most 16 moves, and
//! 2,796 of these positions are draws (M. Bain and A. Hoff, "Chess (King-Rook vs. King)", UCI Machine Learning
//! Repository, 1994).

use std::fmt;
use std::process::ExitCode;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabletop::kit::{self, Cell, Colour, Cycles, Look, Node, Rules, Shape, Touch};

/// The pieces on their squares: `8 * rank + file`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    black_to_move: bool,
    white_king: u8,
    rook: u8,
    black_king: u8,
}

/// The game.
pub struct KingRookKing;

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

/// The squares at a step of a king.
fn neighbours(square: u8) -> impl Iterator<Item = u8> {
    let (rank, file) = (square / 8, square % 8);
    let near = |line: u8| line.saturating_sub(1)..=(line + 1).min(7);
    let squares = near(rank).flat_map(move |rank| near(file).map(move |file| 8 * rank + file));
    squares.filter(move |&other| other != square)
}

fn are_neighbours(one: u8, other: u8) -> bool {
    (one / 8).abs_diff(other / 8) <= 1 && (one % 8).abs_diff(other % 8) <= 1
}

/// The squares that a rook can move to. The other piece blocks it.
fn rook_moves(rook: u8, other: u8) -> impl Iterator<Item = u8> {
    let (rank, file) = (i16::from(rook / 8), i16::from(rook % 8));
    [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().flat_map(move |(up, right)| {
        let squares = (1..8).map(move |steps| (rank + steps * up, file + steps * right));
        let inside = squares.take_while(|(rank, file)| (0..8).contains(rank) && (0..8).contains(file));
        inside.map(|(rank, file)| (8 * rank + file) as u8).take_while(move |&square| square != other)
    })
}

impl Board {
    /// All positions with black to move, with the white king in the triangle a1, d1, d4.
    pub fn all_with_black_to_move() -> Vec<Board> {
        let triangle = (0..64).filter(|square| square % 8 <= 3 && square / 8 <= square % 8);
        let boards = triangle.flat_map(|white_king| {
            let rest = move |rook| (0..64).map(move |black_king| (rook, black_king));
            (0..64).flat_map(rest).map(move |(rook, black_king)| Board {
                black_to_move: true,
                white_king,
                rook,
                black_king,
            })
        });
        let is_legal = |board: &Board| {
            board.rook != board.white_king
                && board.rook != board.black_king
                && !are_neighbours(board.white_king, board.black_king)
        };
        boards.filter(is_legal).collect()
    }

    /// Whether the rook attacks a square. The black king does not block it.
    fn is_attacked(&self, square: u8) -> bool {
        rook_moves(self.rook, self.white_king).any(|attacked| attacked == square)
    }

    fn white_moves(self) -> Vec<(String, Node<KingRookKing>)> {
        let then = |board: Board| Node::turn(Board { black_to_move: true, ..board });
        let steps = neighbours(self.white_king)
            .filter(|&square| square != self.rook && !are_neighbours(square, self.black_king))
            .map(|square| (format!("K{}", name(square)), then(Board { white_king: square, ..self })));
        let slides = rook_moves(self.rook, self.white_king)
            .filter(|&square| rook_moves(self.rook, self.black_king).any(|other| other == square))
            .map(|square| (format!("R{}", name(square)), then(Board { rook: square, ..self })));
        steps.chain(slides).collect()
    }

    fn black_moves(self) -> Vec<(String, Node<KingRookKing>)> {
        let free = neighbours(self.black_king).filter(|&square| !are_neighbours(square, self.white_king));
        let moves = free.filter(|&square| !self.is_attacked(square)).map(|square| {
            if square == self.rook {
                // Without the rook nobody can mate.
                return (format!("kx{}", name(square)), Node::over(0));
            }
            let next = Board { black_to_move: false, black_king: square, ..self };
            (format!("k{}", name(square)), Node::turn(next))
        });
        moves.collect()
    }
}

impl Rules for KingRookKing {
    type Position = Board;
    type Move = String;

    fn name(&self) -> &str {
        "king-rook-king"
    }

    fn about(&self) -> &str {
        "King and rook against king: 1 is a win of the player to move, -1 a loss, 0 a draw"
    }

    fn rules(&self) -> &str {
        "The end of a game of chess: White has a king and a rook, Black a king. Mate wins, stalemate and the loss \
         of the rook are draws."
    }

    fn cycles(&self) -> Cycles {
        Cycles::Draw
    }

    fn players(&self) -> [&str; 2] {
        ["Black", "White"]
    }

    fn board(&self, board: &Board) -> Vec<String> {
        let glyph = |square: u8| match square {
            _ if square == board.white_king => 'K',
            _ if square == board.rook => 'R',
            _ if square == board.black_king => 'k',
            _ => '.',
        };
        (0..8).rev().map(|rank| (0..8).map(|file| glyph(8 * rank + file)).collect()).collect()
    }

    fn touch(&self, board: &Board, name: &String) -> Touch {
        let from = match name.as_bytes()[0] {
            b'K' => board.white_king,
            b'R' => board.rook,
            _ => board.black_king,
        };
        let to = (0..64).find(|&square| name.ends_with(&self::name(square))).unwrap_or(from);
        let cell = |square: u8| Cell(u32::from(7 - square / 8), u32::from(square % 8));
        Touch::from_to(cell(from), cell(to))
    }

    fn look(&self) -> Vec<Look> {
        let piece = |glyph, name, colour| Look::new(glyph, name, colour, Shape::Tile);
        vec![
            piece('K', "white king", Colour::White),
            piece('R', "white rook", Colour::White),
            piece('k', "black king", Colour::Black),
        ]
    }

    fn starts(&self) -> Vec<Board> {
        Board::all_with_black_to_move()
    }

    fn node(&self, board: &Board) -> Node<Self> {
        let moves = if board.black_to_move { board.black_moves() } else { board.white_moves() };
        if moves.is_empty() {
            // Mate, or stalemate.
            let is_mate = board.black_to_move && board.is_attacked(board.black_king);
            return Node::over(if is_mate { -1 } else { 0 });
        }
        Node::max(moves)
    }

    fn canonical(&self, board: Board) -> Board {
        let moved = |image: usize| {
            let square = |square: u8| {
                let (mut rank, mut file) = (square / 8, square % 8);
                rank = if image & 1 == 0 { rank } else { 7 - rank };
                file = if image & 2 == 0 { file } else { 7 - file };
                if image & 4 == 0 { 8 * rank + file } else { 8 * file + rank }
            };
            Board {
                white_king: square(board.white_king),
                rook: square(board.rook),
                black_king: square(board.black_king),
                ..board
            }
        };
        (0..8).map(moved).min().unwrap_or(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white_king, rook, black_king] = [self.white_king, self.rook, self.black_king].map(name);
        let turn = if self.black_to_move { "black" } else { "white" };
        write!(f, "K{white_king} R{rook} k{black_king} {turn}")
    }
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Board, &'static str> {
        let expected = "write the pieces and who is to move, such as Kc3 Rh1 kc1 black";
        let words: Vec<&str> = text.split(' ').collect();
        let [white_king, rook, black_king, turn] = words[..] else { return Err(expected) };
        let square = |word: &str, piece: &str| match word.strip_prefix(piece).map(str::as_bytes) {
            Some([file @ b'a'..=b'h', rank @ b'1'..=b'8']) => Ok(8 * (rank - b'1') + file - b'a'),
            _ => Err(expected),
        };
        let black_to_move = match turn {
            "black" => true,
            "white" => false,
            _ => return Err(expected),
        };
        let [white_king, rook, black_king] = [square(white_king, "K")?, square(rook, "R")?, square(black_king, "k")?];
        Ok(Board { black_to_move, white_king, rook, black_king })
    }
}

fn main() -> ExitCode {
    kit::main(KingRookKing)
}
