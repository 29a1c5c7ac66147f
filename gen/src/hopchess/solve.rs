//! Every position of a shape for all 169 pairs of error factors at once, fewest pieces first.
//!
//! A narrow board is a position of a wider one whose last cells are empty, so the widest shape with the same number of
//! rows covers all narrower ones. Positions are stored without isolated pieces, from the view of the side to move, and
//! once for all reflections. A layer is the positions with the same number of pieces. A move removes at least one
//! piece, so a layer needs only the layers before it, and its positions can be solved in parallel with the same result.
//! The moves of a position are found once for all pairs.

use rayon::prelude::*;
use tabletop::hopchess::Share;
use tabletop::hopchess::matrix::{Extent, FactorMatrix, LARGEST_FACTOR};
use tabletop::hopchess::rules::{Board, Cells, ErrorFactor, Grid, Pieces, Player, Shape};

/// The number of pairs of error factors.
const PAIRS: usize = LARGEST_FACTOR * LARGEST_FACTOR;

/// For every pair (own factor, opponent's factor), the probability that the side that moved last wins.
type Worths = [Share; PAIRS];

/// The most moves that each side can have at any time from a position on.
#[derive(Clone, Copy, Default)]
struct MostMoves {
    mover: u8,
    other: u8,
}

/// All positions of a shape that is not a square, numbered but not yet solved.
pub struct Open {
    numbering: Numbering,
    layers: Vec<Vec<Pieces>>,
}

impl Open {
    /// Numbers the positions of a shape.
    pub fn new(shape: Shape) -> Open {
        let (numbering, layers) = Numbering::new(shape);
        Open { numbering, layers }
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.layers.iter().map(Vec::len).sum()
    }

    /// Solves layer by layer. `progress` receives the number of positions of each layer.
    pub fn solve(self, progress: impl Fn(usize)) -> Solution {
        let mut worths = vec![[Share::NOTHING; PAIRS]; self.positions()];
        let mut most_moves = vec![MostMoves::default(); self.positions()];
        let mut solved = 0;
        for layer in &self.layers {
            let (known_worths, open_worths) = worths.split_at_mut(solved);
            let (known_moves, open_moves) = most_moves.split_at_mut(solved);
            let known = Known { numbering: &self.numbering, worths: known_worths, most_moves: known_moves };
            let open = open_worths.par_iter_mut().zip(open_moves);
            open.zip(layer).for_each(|((worths, moves), &pieces)| known.solve(pieces, worths, moves));
            solved += layer.len();
            progress(layer.len());
        }
        Solution { numbering: self.numbering, worths, most_moves }
    }
}

/// All positions of a shape, solved.
pub struct Solution {
    numbering: Numbering,
    worths: Vec<Worths>,
    most_moves: Vec<MostMoves>,
}

impl Solution {
    /// The matrix of a full board with as many rows as this shape and at most as many columns.
    pub fn matrix(&self, board: Board) -> FactorMatrix {
        let known = Known { numbering: &self.numbering, worths: &self.worths, most_moves: &self.most_moves };
        let pieces = self.numbering.embedded(board);
        let worths = known.worths_of(pieces);
        // Justin moves first, so Donald is the side that "moved last".
        let share = |line: usize, column: usize| worths[column * LARGEST_FACTOR + line].rest();
        let moves = known.most_moves_of(pieces);
        let extent = Extent {
            lines: distinct(|one, two, column| share(one, column) == share(two, column)),
            columns: distinct(|one, two, line| share(line, one) == share(line, two)),
            justin_goes_on: usize::from(moves.mover) > LARGEST_FACTOR,
            donald_goes_on: usize::from(moves.other) > LARGEST_FACTOR,
        };
        FactorMatrix::new(extent, |line, column| share(line, column).chance())
    }
}

/// The number of factors that differ in their effect; all larger ones act like the last of them. `same` compares two
/// factors for a given factor of the other player.
fn distinct(same: impl Fn(usize, usize, usize) -> bool) -> usize {
    let last = LARGEST_FACTOR - 1;
    let differs = |&factor: &usize| (0..LARGEST_FACTOR).any(|against| !same(factor, last, against));
    (0..last).rev().find(differs).map_or(1, |factor| factor + 2)
}

/// The positions solved so far.
struct Known<'a> {
    numbering: &'a Numbering,
    worths: &'a [Worths],
    most_moves: &'a [MostMoves],
}

impl Known<'_> {
    /// Solves one position for every pair.
    fn solve(&self, pieces: Pieces, worths: &mut Worths, most_moves: &mut MostMoves) {
        let grid = &self.numbering.grid;
        let children: Vec<Pieces> = grid.moves(pieces).map(|capture| grid.live(pieces.after(capture))).collect();
        let worths_of_moves: Vec<&Worths> = children.iter().map(|&child| self.worths_of(child)).collect();
        let mut values = vec![Share::NOTHING; children.len()];
        for (pair, place) in pairs().zip(0..) {
            for (value, worths) in values.iter_mut().zip(&worths_of_moves) {
                *value = worths[place];
            }
            worths[pair.seen_by_opponent()] = Share::of_proposal(&mut values, pair.mover).rest();
        }
        *most_moves = children.iter().map(|&child| self.most_moves_of(child)).fold(
            MostMoves { mover: children.len() as u8, other: 0 },
            |most, next| MostMoves { mover: most.mover.max(next.other), other: most.other.max(next.mover) },
        );
    }

    /// The worths of having moved to these pieces, none of which is isolated.
    fn worths_of(&self, pieces: Pieces) -> &Worths {
        if pieces.mover.is_empty() {
            return &[Share::ALL; PAIRS];
        }
        if pieces.other.is_empty() {
            return &[Share::NOTHING; PAIRS];
        }
        &self.worths[self.numbering.number(pieces)]
    }

    /// The most moves of both sides from these pieces on. Once a side has no pieces left the game is decided, whatever
    /// the error factors.
    fn most_moves_of(&self, pieces: Pieces) -> MostMoves {
        if pieces.mover.is_empty() || pieces.other.is_empty() {
            return MostMoves::default();
        }
        self.most_moves[self.numbering.number(pieces)]
    }
}

/// A pair of error factors, own and opponent's.
#[derive(Clone, Copy)]
struct Pair {
    mover: ErrorFactor,
    other: ErrorFactor,
}

impl Pair {
    /// The index in [`Worths`] of the same pair from the opponent's view.
    fn seen_by_opponent(self) -> usize {
        (self.other.moves() - 1) * LARGEST_FACTOR + self.mover.moves() - 1
    }
}

/// All pairs in the order of [`Worths`].
fn pairs() -> impl Iterator<Item = Pair> {
    let factors = || (1..=LARGEST_FACTOR as u64).filter_map(ErrorFactor::new);
    factors().flat_map(move |mover| factors().map(move |other| Pair { mover, other }))
}

/// The numbering of the positions of a shape.
struct Numbering {
    shape: Shape,
    grid: Grid,
    /// For every set of cells, the sum of 3^cell: two disjoint sets together give a number in base 3.
    ternary: Vec<u32>,
    /// For every reflection, the image of every set of cells.
    reflections: Vec<Vec<Cells>>,
    /// The number of every canonical position, by its number in base 3.
    numbers: Vec<u32>,
}

impl Numbering {
    /// Numbers the canonical positions in which both sides have pieces and no piece is isolated, layer by layer.
    fn new(shape: Shape) -> (Numbering, Vec<Vec<Pieces>>) {
        let size = 1 << shape.cells();
        let mut ternary = vec![0; size];
        for set in 1..size {
            ternary[set] = ternary[set & (set - 1)] + 3u32.pow(set.trailing_zeros());
        }
        let numbers = vec![u32::MAX; 3usize.pow(shape.cells() as u32)];
        let reflections = reflections(shape);
        let mut numbering = Numbering { shape, grid: Grid::new(shape), ternary, reflections, numbers };
        let layers = numbering.layers();
        for (pieces, number) in layers.iter().flatten().zip(0..) {
            let code = numbering.code(*pieces);
            numbering.numbers[code] = number;
        }
        (numbering, layers)
    }

    fn layers(&self) -> Vec<Vec<Pieces>> {
        let mut layers = vec![Vec::new(); self.shape.cells() + 1];
        for set in 1..=self.shape.all().0 {
            let occupied = Cells(set);
            let all_live = self.grid.live(Pieces { mover: occupied, other: Cells::NONE }).mover == occupied;
            if !all_live {
                continue;
            }
            let mut mover = Cells(set).0;
            loop {
                mover = mover.wrapping_sub(1) & set;
                if mover == 0 {
                    break;
                }
                let pieces = Pieces { mover: Cells(mover), other: occupied.without(Cells(mover)) };
                if self.code(pieces) == self.canonical_code(pieces) {
                    layers[occupied.count()].push(pieces);
                }
            }
        }
        layers
    }

    fn code(&self, pieces: Pieces) -> usize {
        self.ternary[usize::from(pieces.mover.0)] as usize + 2 * self.ternary[usize::from(pieces.other.0)] as usize
    }

    fn canonical_code(&self, pieces: Pieces) -> usize {
        let image = |set: Cells, reflection: &[Cells]| reflection[usize::from(set.0)];
        let codes = self.reflections.iter().map(|reflection| {
            self.code(Pieces { mover: image(pieces.mover, reflection), other: image(pieces.other, reflection) })
        });
        codes.min().unwrap_or_else(|| self.code(pieces))
    }

    fn number(&self, pieces: Pieces) -> usize {
        self.numbers[self.canonical_code(pieces)] as usize
    }

    /// The live pieces of a smaller full board in the corner of this shape, Justin to move.
    fn embedded(&self, board: Board) -> Pieces {
        let columns = board.shape().columns();
        let placed = |cells: Cells| {
            cells.fold(Cells::NONE, |set, cell| {
                set.or(Cells::only(cell / columns * self.shape.columns() + cell % columns))
            })
        };
        self.grid.live(Pieces {
            mover: placed(board.pieces_of(Player::Justin)),
            other: placed(board.pieces_of(Player::Donald)),
        })
    }
}

/// The images of all sets of cells under the reflections of a shape that is not a square.
fn reflections(shape: Shape) -> Vec<Vec<Cells>> {
    let images = |reflect: fn(Board) -> Board| -> Vec<Cells> {
        let sets = (0..=shape.all().0).map(Cells);
        sets.map(|set| reflect(Board::full(shape, set)).pieces_of(Player::Justin)).collect()
    };
    let sideways = [images(|board| board), images(Board::mirrored)];
    if shape.rows() == 1 {
        return sideways.to_vec();
    }
    let upright = [images(Board::upside_down), images(|board| board.mirrored().upside_down())];
    [sideways, upright].concat()
}
