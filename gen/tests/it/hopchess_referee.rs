//! Hop chess against its referee.

use std::collections::HashMap;

use crate::support::shipped_tables;
use num_rational::BigRational;
use tabletop::hopchess::index::{BoardRank, shapes};
use tabletop::hopchess::matrix;
use tabletop::hopchess::{Board, Case, Cells, Chance, ErrorFactor, Factors, Hopchess, Player, Position, Shape};
use tabletop::internal::hopchess::{Search, answer};
use tabletop::seeded::Seeded;
use tabletop::table::Places;
use tabletop_gen::hopchess::referee::{Referee, cells, is_exact_enough};

const LARGEST_FACTOR: u64 = matrix::LARGEST_FACTOR as u64;

fn factors(justin: u64, donald: u64) -> Factors {
    Factors { justin: ErrorFactor::new(justin).unwrap(), donald: ErrorFactor::new(donald).unwrap() }
}

fn all_pairs() -> impl Iterator<Item = Factors> {
    (1..=LARGEST_FACTOR).flat_map(|justin| (1..=LARGEST_FACTOR).map(move |donald| factors(justin, donald)))
}

fn first_move(board: Board, factors: Factors) -> Case {
    Case { position: Position { board, to_move: Player::Justin }, factors }
}

fn shipped() -> Hopchess {
    Hopchess::open(&Places::only(shipped_tables())).unwrap()
}

#[track_caller]
fn assert_is(chance: Chance, exact: &BigRational, case: Case) {
    assert!(is_exact_enough(chance, exact), "{chance:?} instead of {exact} for {case:?}");
}

#[test]
fn the_referee_agrees_on_all_boards_of_up_to_8_cells_with_all_pairs() {
    let answers = shipped();
    for shape in shapes().filter(|shape| shape.cells() <= 8) {
        for pair in all_pairs() {
            let mut referee = Referee::new(shape.columns(), pair.justin.moves(), pair.donald.moves());
            for justin in 0..=shape.all().0 {
                let case = first_move(Board::full(shape, Cells(justin)), pair);
                let exact = referee.solve(&cells(case.position.board), b'J');
                assert_is(answers.look_up(&case).unwrap().unwrap(), &exact, case);
            }
        }
    }
}

#[test]
fn the_referee_agrees_on_300_boards_of_9_to_13_cells() {
    let answers = shipped();
    let large: Vec<Shape> = shapes().filter(|shape| shape.cells() >= 9).collect();
    let mut seeded = Seeded(4);
    for i in 0..300 {
        let shape = large[i % large.len()];
        let justin = Cells(seeded.below(1 << shape.cells()) as u16);
        let pair = factors(1 + seeded.below(LARGEST_FACTOR), 1 + seeded.below(LARGEST_FACTOR));
        let case = first_move(Board::full(shape, justin), pair);
        assert_is(answers.look_up(&case).unwrap().unwrap(), &Referee::judge(case), case);
    }
}

/// A position with about a quarter of the cells empty, and either player to move.
fn position_in_mid_game(shape: Shape, seeded: &mut Seeded) -> Position {
    let (mut justin, mut donald) = (Cells::NONE, Cells::NONE);
    for cell in 0..shape.cells() {
        match seeded.below(8) {
            0..3 => justin = justin.or(Cells::only(cell)),
            3..6 => donald = donald.or(Cells::only(cell)),
            _ => {}
        }
    }
    let to_move = [Player::Justin, Player::Donald][seeded.below(2) as usize];
    Position { board: Board::new(shape, justin, donald).unwrap(), to_move }
}

#[test]
fn the_referee_agrees_on_positions_in_mid_game_and_on_larger_boards() {
    let mut seeded = Seeded(16);
    for (rows, columns) in [(1, 1), (1, 9), (2, 5), (3, 3), (4, 3), (3, 4), (13, 1), (2, 7), (3, 5), (4, 4)] {
        let shape = Shape::new(rows, columns).unwrap();
        let cases = if shape.cells() > 13 { 2 } else { 12 };
        for _ in 0..cases {
            let pair = factors(1 + seeded.below(20), 1 + seeded.below(20));
            let case = Case { position: position_in_mid_game(shape, &mut seeded), factors: pair };
            assert_is(answer::search(case), &Referee::judge(case), case);
        }
    }
}

#[test]
fn factors_above_13_act_like_the_number_of_moves() {
    let answers = shipped();
    let mut seeded = Seeded(14);
    let (mut looked_up, mut searched) = (0, 0);
    for _ in 0..60 {
        let shape = [Shape::new(1, 10), Shape::new(2, 5), Shape::new(3, 3)][seeded.below(3) as usize].unwrap();
        let board = Board::full(shape, Cells(seeded.below(1 << shape.cells()) as u16));
        let case = first_move(board, factors(14 + seeded.below(20), 1 + seeded.below(30)));
        let exact = Referee::judge(case);
        match answers.look_up(&case).unwrap() {
            Some(chance) => {
                looked_up += 1;
                assert_is(chance, &exact, case);
            }
            None => searched += 1,
        }
        assert_is(answer::search(case), &exact, case);
    }
    assert!(looked_up > 10 && searched > 5, "{looked_up} looked up, {searched} searched");

    // Justin has 22 first moves here, so factors above 13 still make a difference, up to 22.
    let board = Board::full(Shape::new(1, 13).unwrap(), Cells(0b1_1111_1110_1111));
    let chances = [13, 14, 20, 22, 1000].map(|justin| answer::search(first_move(board, factors(justin, 1))).to_f64());
    assert!(chances[0] > chances[1] && chances[1] > chances[2], "{chances:?}");
    assert_eq!(chances[3], chances[4]);
}

#[test]
fn reflection_transposition_and_exchanged_players_do_not_change_the_chance() {
    let answers = shipped();
    let mut seeded = Seeded(8);
    for (rows, columns) in [(1, 9), (2, 4), (3, 3), (3, 4), (2, 6)] {
        let shape = Shape::new(rows, columns).unwrap();
        for _ in 0..10 {
            let pair = factors(1 + seeded.below(LARGEST_FACTOR), 1 + seeded.below(LARGEST_FACTOR));
            let full = Board::full(shape, Cells(seeded.below(1 << shape.cells()) as u16));
            let mid_game = position_in_mid_game(shape, &mut seeded);
            for position in [mid_game, Position { board: full, to_move: mid_game.to_move }] {
                let case = Case { position, factors: pair };
                let chance = answer::search(case);
                let board = position.board;
                for image in [board.mirrored(), board.upside_down(), board.transposed()] {
                    let image = Case { position: Position { board: image, ..position }, factors: pair };
                    assert_eq!(answer::search(image), chance, "{image:?}");
                }
                assert_eq!(answer::search(case.exchanged()).rest(), chance, "{case:?}");
                let stored = answers.look_up(&case).unwrap();
                assert_eq!(stored, board.is_full().then_some(chance), "{case:?}");
            }
        }
    }
}

#[test]
fn a_larger_error_factor_never_helps() {
    let answers = shipped();
    for rank in BoardRank::all() {
        let row = answers.matrix(rank).unwrap();
        let chance = |justin, donald| row.chance(factors(justin, donald)).unwrap().to_f64();
        for factor in 1..LARGEST_FACTOR {
            for other in 1..=LARGEST_FACTOR {
                assert!(chance(factor + 1, other) <= chance(factor, other), "{:?}: Justin", rank.board());
                assert!(chance(other, factor + 1) >= chance(other, factor), "{:?}: Donald", rank.board());
            }
        }
    }
}

#[test]
fn a_search_with_a_filled_memo_gives_the_same_chance() {
    let shape = Shape::new(2, 4).unwrap();
    let mut search = Search::new(shape, factors(2, 3));
    for justin in 0..=shape.all().0 {
        let case = first_move(Board::full(shape, Cells(justin)), factors(2, 3));
        assert_eq!(search.chance(case.position), answer::search(case));
    }
}

/// What C's `%.3f` prints: the exact value of the double, rounded to thousandths, with ties to even.
fn printed_by_c(double: f64) -> String {
    let thousandths = BigRational::from_float(double).unwrap() * BigRational::from_integer(1000.into());
    let half = BigRational::new(1.into(), 2.into());
    let below = thousandths.floor();
    let is_odd = (&below * &half).floor() != &below * &half;
    let rest = &thousandths - &below;
    let up = rest > half || rest == half && is_odd;
    let rounded: u32 = (below.to_integer() + u32::from(up)).try_into().unwrap();
    format!("{}.{:03}", rounded / 1000, rounded % 1000)
}

#[test]
fn every_tie_of_the_tables_prints_as_c_prints_the_double_nearest_to_it() {
    let answers = shipped();
    let mut kinds: HashMap<u64, usize> = HashMap::new();
    let mut boards = 0;
    for rank in BoardRank::all() {
        let board = rank.board();
        if [Player::Justin, Player::Donald].iter().any(|&player| board.pieces_of(player).is_empty()) {
            continue;
        }
        boards += 1;
        let row = answers.matrix(rank).unwrap();
        for chance in all_pairs().map(|pair| row.chance(pair).unwrap()) {
            let denominator = chance.denominator();
            if denominator % 16 == 0 && 2000 % denominator == 0 {
                *kinds.entry(denominator).or_default() += 1;
                assert_eq!(chance.to_string(), printed_by_c(chance.to_f64()));
            }
        }
    }
    let mut denominators: Vec<u64> = kinds.keys().copied().collect();
    denominators.sort_unstable();
    assert_eq!((boards, denominators), (26_406, vec![16, 80, 400, 2000]));
    assert_eq!(kinds.values().sum::<usize>(), 7999);
}

#[test]
fn three_decimals_are_those_of_c_for_all_multiples_of_a_ten_thousandth() {
    for numerator in 0..=10_000 {
        let chance = Chance::new(numerator, 10_000).unwrap();
        assert_eq!(chance.to_string(), printed_by_c(chance.to_f64()), "{numerator}/10000");
    }
}
