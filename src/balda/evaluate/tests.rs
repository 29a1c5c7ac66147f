use std::collections::HashMap;

use super::buckets::BUCKET;
use super::*;
use crate::balda::alphabet::Alphabet;
use crate::balda::cells::WideSet;
use crate::balda::dictionary::Dictionary;
use crate::seeded::Seeded;

fn random_words(seeded: &mut Seeded, count: usize, alphabet: u64) -> Vec<Vec<u8>> {
    (0..count).map(|_| (0..2 + seeded.below(5)).map(|_| seeded.below(alphabet) as u8).collect()).collect()
}

fn random_letters(seeded: &mut Seeded, side: usize, alphabet: u64) -> Vec<u8> {
    (0..side * side).map(|_| seeded.below(alphabet) as u8).collect()
}

fn random_order(seeded: &mut Seeded, side: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..side * side).filter(|cell| cell / side != side / 2).collect();
    seeded.shuffle(&mut order);
    order
}

fn letters(numbers: &[u8]) -> Vec<Letter> {
    numbers.iter().map(|&number| Letter::of(Alphabet::Latin, number)).collect()
}

fn index(words: &[Vec<u8>]) -> Gaddag {
    let words: Vec<Vec<Letter>> = words.iter().map(|word| letters(word)).collect();
    Gaddag::new(&Dictionary::new(Alphabet::Latin, words.iter().map(Vec::as_slice))).unwrap()
}

fn evaluate<'g, S: CellSet>(gaddag: &'g Gaddag, letters: &[u8], order: &[usize]) -> Evaluation<'g, S> {
    Evaluation::new(gaddag, letters, order, Clock::default())
}

/// The word in the middle row.
fn start(board: &[u8]) -> Start {
    let side = board.len().isqrt();
    Start::new(letters(&board[side / 2 * side..][..side]).into()).unwrap()
}

/// The entries of a bucket in an order that does not depend on how it was filled.
fn canonical<S: CellSet>(bucket: &[Entry<S>]) -> Vec<String> {
    let mut texts: Vec<String> = bucket.iter().map(|entry| format!("{entry:?}")).collect();
    texts.sort();
    texts
}

fn assert_consistent<S: CellSet>(evaluation: &Evaluation<'_, S>) {
    let fresh = evaluate::<S>(evaluation.gaddag, &evaluation.letters, evaluation.order());
    let mut words = HashMap::new();
    let (mut total, mut sum) = (0, 0);
    for (cell, held) in evaluation.held.iter().enumerate() {
        assert_eq!(canonical(&evaluation.buckets[cell]), canonical(&fresh.buckets[cell]), "bucket of cell {cell}");
        assert!(evaluation.buckets[cell].is_sorted_by_key(|entry| std::cmp::Reverse(entry.length)));
        if evaluation.turn(cell) == 0 {
            assert!(evaluation.buckets[cell].is_empty());
            continue;
        }
        assert_eq!(evaluation.order[evaluation.turn(cell)], cell);
        total += evaluation.worth.of(held.length);
        sum += worth::letters(held.length);
        if held.length > 0 {
            assert!(evaluation.buckets[cell].contains(held), "the word of cell {cell} is in its bucket");
            assert_eq!(words.insert(held.word, cell), None, "a word used twice");
        }
        let better = evaluation.buckets[cell]
            .iter()
            .find(|entry| entry.length > held.length && !evaluation.used.contains(entry.word));
        assert_eq!(better, None, "cell {cell} has a longer unused word");
    }
    assert_eq!((evaluation.total(), evaluation.word_letters()), (total, sum));
    if let Some(start) = evaluation.gaddag.find(&start(&evaluation.letters)) {
        assert_eq!(words.insert(start, 0), None, "the start word is not made again");
    }
    assert_eq!(evaluation.used.len(), words.len());
}

fn propose_at_random<S: CellSet>(evaluation: &mut Evaluation<'_, S>, seeded: &mut Seeded, alphabet: u64) -> bool {
    let min_total = evaluation.total() + (3 - seeded.below(12) as i32) * Worth::PER_LETTER;
    let turns = evaluation.order().len() as u64;
    let mut cell = || evaluation.order()[seeded.below(turns) as usize];
    let (one, other) = (cell(), cell());
    let accepted = match seeded.below(2) {
        0 => evaluation.try_letter(one, seeded.below(alphabet) as u8, min_total, i32::MAX),
        _ => {
            let (from, to) = (evaluation.turn(one), evaluation.turn(other));
            from != to && evaluation.try_turn(from, to, min_total)
        }
    };
    assert!(!accepted || evaluation.total() >= min_total, "an accepted proposal reaches its total");
    accepted
}

fn incremental_equals_from_scratch<S: CellSet>(side: usize, seed: u64) {
    let seeded = &mut Seeded(seed);
    let alphabet = 3 + seeded.below(3);
    let words = random_words(seeded, 150, alphabet);
    let gaddag = index(&words);
    let letters = random_letters(seeded, side, alphabet);
    let mut evaluation = evaluate::<S>(&gaddag, &letters, &random_order(seeded, side));
    evaluation.set_worth(Worth::new(0.05 * seeded.below(3) as f64));
    let mut accepted = 0;
    for _ in 0..60 {
        accepted += u32::from(propose_at_random(&mut evaluation, seeded, alphabet));
        assert_consistent(&evaluation);
    }
    assert!(accepted > 5, "the test must accept some proposals");
    let start = start(&letters);
    evaluation.into_game(&start).check(|word| gaddag.contains(word)).expect("a legal game");
}

#[test]
fn incremental_equals_from_scratch_on_small_boards() {
    for seed in 0..20 {
        incremental_equals_from_scratch::<u64>(3, seed);
        incremental_equals_from_scratch::<u64>(5, seed);
    }
}

#[test]
fn incremental_equals_from_scratch_on_large_boards() {
    incremental_equals_from_scratch::<u128>(9, 1);
    incremental_equals_from_scratch::<WideSet>(13, 2);
}

/// Every occurrence on a board, found by plain recursion over all paths: the word and the set of its cells.
fn plain_occurrences(letters: &[u8], side: usize, words: &[Vec<u8>]) -> Vec<(Vec<u8>, u64)> {
    fn extend(path: &mut Vec<usize>, letters: &[u8], side: usize, words: &[Vec<u8>], found: &mut Vec<(Vec<u8>, u64)>) {
        let text: Vec<u8> = path.iter().map(|&cell| letters[cell]).collect();
        if words.contains(&text) {
            found.push((text, path.iter().fold(0, |cells, &cell| cells | 1 << cell)));
        }
        if path.len() == 6 {
            return;
        }
        let last = path[path.len() - 1];
        for next in 0..side * side {
            let rows = (next / side).abs_diff(last / side);
            let columns = (next % side).abs_diff(last % side);
            if rows + columns == 1 && !path.contains(&next) {
                path.push(next);
                extend(path, letters, side, words, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    for cell in 0..side * side {
        extend(&mut vec![cell], letters, side, words, &mut found);
    }
    found
}

#[test]
fn buckets_hold_what_plain_recursion_finds() {
    for seed in 0..10 {
        let seeded = &mut Seeded(seed);
        let words = random_words(seeded, 100, 4);
        let gaddag = index(&words);
        let letters = random_letters(seeded, 3, 4);
        let order = random_order(seeded, 3);
        let evaluation = evaluate::<u64>(&gaddag, &letters, &order);
        let mut expected = Vec::new();
        for (word, cells) in plain_occurrences(&letters, 3, &words) {
            if let Some(&last) = order.iter().rev().find(|&&cell| cells >> cell & 1 != 0) {
                expected.push((last, gaddag.find(&super::tests::letters(&word)).unwrap(), cells));
            }
        }
        let mut found = Vec::new();
        for (cell, bucket) in evaluation.buckets.iter().enumerate() {
            found.extend(bucket.iter().map(|entry| (cell, entry.word, entry.cells)));
        }
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_board_of_one_letter_has_bounded_buckets_and_a_legal_game() {
    let words: Vec<Vec<u8>> = (2..=40).map(|length| vec![0; length]).collect();
    let gaddag = index(&words);
    let order: Vec<usize> = (0..225).filter(|cell| cell / 15 != 7).collect();
    let evaluation = evaluate::<WideSet>(&gaddag, &[0; 225], &order);
    let longest = evaluation.buckets.iter().map(Vec::len).max();
    assert_eq!(longest, Some(BUCKET), "the test must reach the limit");
    evaluation.into_game(&start(&[0; 225])).check(|word| gaddag.contains(word)).expect("a legal game");
}

#[test]
fn words_chosen_before_the_deadline_make_a_legal_game() {
    let seeded = &mut Seeded(3);
    let words = random_words(seeded, 200, 3);
    let gaddag = index(&words);
    let letters = random_letters(seeded, 5, 3);
    let order = random_order(seeded, 5);
    let whole = evaluate::<u64>(&gaddag, &letters, &order);
    let over = Clock { deadline: Some(std::time::Instant::now()), stop: None };
    let mut cut = Evaluation::<u64>::new(&gaddag, &letters, &order, over);
    assert!(cut.held().iter().all(|entry| entry.length == 0));
    cut.hold(whole.held());
    assert_eq!(cut.held(), whole.held());
    let start = start(&letters);
    let (cut, whole) = (cut.into_game(&start), whole.into_game(&start));
    cut.check(|word| gaddag.contains(word)).expect("a legal game");
    assert!(cut.letters() > 0 && cut.letters() <= whole.letters());
}

#[test]
fn a_game_ends_before_a_word_that_is_not_on_the_board() {
    let seeded = &mut Seeded(4);
    let gaddag = index(&random_words(seeded, 200, 3));
    let letters = random_letters(seeded, 5, 3);
    let evaluation = evaluate::<u64>(&gaddag, &letters, &random_order(seeded, 5));
    let start = start(&letters);
    let speller = Speller { gaddag: &gaddag, start: &start, letters: &letters, grid: &evaluation.grid };
    let order = || evaluation.order().iter().copied();
    let whole = speller.game(order(), evaluation.held());
    let third = order().filter(|&cell| evaluation.held()[cell].length > 0).nth(2).unwrap();
    let mut held = evaluation.held().to_vec();
    held[third].cells = 0;
    assert_eq!(speller.game(order(), &held).moves, whole.moves[..2]);
}
