use std::ops::RangeInclusive;

use super::annealer::{CONTEST_PROPOSALS, heat_of_words};
use super::*;
use crate::balda::dictionary::Dictionary;
use crate::balda::letter::Word;

const WORDS: &str = "tango tang gnat enate fang tan ant ante ten net neat eat tea ate kenaf gene agent gate get tag \
                     nag fan fen keen knee teen age cage tenant tangent";

fn index(words: &[Word]) -> Gaddag {
    Gaddag::new(&Dictionary::new(Alphabet::Latin, words.iter().map(|word| &word[..]))).unwrap()
}

fn gaddag() -> Gaddag {
    index(&WORDS.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<Word>>())
}

fn start(word: &str) -> Start {
    word.parse().unwrap()
}

fn annealed(gaddag: &Gaddag, word: &str, proposals: u64, seed: u64, warm: &[WarmBoard]) -> Annealed {
    Annealing::new(gaddag, &start(word)).unwrap().proposals(proposals).seed(seed).warm_boards(warm).run()
}

#[test]
fn games_are_legal_on_every_side() {
    let gaddag = gaddag();
    for side in (3..=15).step_by(2) {
        let game = annealed(&gaddag, &"kenafgtangoteen"[..side], 3000, 7, &[]).game;
        game.check(|word| gaddag.contains(word)).expect("a legal game");
        assert!(game.letters() > 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let gaddag = gaddag();
    let game = annealed(&gaddag, "kenaf", 5000, 1, &[]).game;
    assert_eq!(annealed(&gaddag, "kenaf", 5000, 1, &[]).game, game);
    let reversed: Vec<Word> = WORDS.split_whitespace().rev().map(|word| word.parse().unwrap()).collect();
    assert_eq!(annealed(&index(&reversed), "kenaf", 5000, 1, &[]).game, game);
}

#[test]
fn a_dictionary_of_the_start_word_alone_gives_no_moves() {
    let gaddag = index(&["kenaf".parse().unwrap()]);
    assert_eq!(annealed(&gaddag, "kenaf", 1000, 1, &[]).game.moves, []);
}

#[test]
fn an_empty_dictionary_gives_no_moves() {
    assert_eq!(annealed(&index(&[]), "kenaf", 1000, 1, &[]).game.moves, []);
}

#[test]
fn a_start_word_of_another_alphabet_is_refused() {
    let (gaddag, start) = (gaddag(), start("искра"));
    let refusal = Annealing::new(&gaddag, &start).unwrap_err();
    assert_eq!(refusal, OtherAlphabet { expected: Alphabet::Latin, found: Alphabet::Russian });
    assert!(Resumable::begin(&gaddag, &start, 1, &[]).is_none());
}

#[test]
fn a_set_stop_flag_or_a_past_deadline_gives_a_legal_game_at_once() {
    let (gaddag, start) = (gaddag(), start("kenaf"));
    let stop = AtomicBool::new(true);
    let stopped = Annealing::new(&gaddag, &start).unwrap().stop(&stop).run().game;
    stopped.check(|word| gaddag.contains(word)).expect("a legal game");
    let late = Annealing::new(&gaddag, &start).unwrap().deadline(Instant::now()).run().game;
    late.check(|word| gaddag.contains(word)).expect("a legal game");
}

/// The cells of a board of side 5, row by row, alternately from left to right and from right to left.
fn snake() -> Vec<u8> {
    (0..25).map(|step| if step / 5 % 2 == 0 { step } else { step / 5 * 5 + 4 - step % 5 }).collect()
}

/// A word for every run of this number of cells of the snake.
fn runs(board: &WarmBoard, lengths: RangeInclusive<usize>) -> Vec<Word> {
    let letter = |cell: u8| Alphabet::Latin.letter(board.letters[usize::from(cell)]).unwrap();
    let letters: Vec<_> = snake().into_iter().map(letter).collect();
    lengths.flat_map(|length| letters.windows(length)).map(Word::from).collect()
}

/// A dictionary with a word for every run of at least 6 cells of the snake, on a board of the letters a to y.
fn long_words() -> Gaddag {
    index(&runs(&rich_and_less_rich()[0], 6..=25))
}

/// The board of the letters a to y, filled along the snake from the middle row outwards: each cell completes a word
/// through all filled cells. And the same board with another letter in the cell that is filled last.
fn rich_and_less_rich() -> [WarmBoard; 2] {
    let order = snake()[15..].iter().chain(snake()[..10].iter().rev()).copied().collect();
    let rich = WarmBoard { letters: (0..25).collect(), order };
    let mut less_rich = rich.clone();
    less_rich.letters[0] = 25;
    [rich, less_rich]
}

#[test]
fn the_strongest_warm_board_is_used_and_invalid_ones_are_ignored() {
    let [rich, less_rich] = rich_and_less_rich();
    let bad = WarmBoard { letters: vec![99; 25], order: vec![0; 20] };
    let boards = [bad.clone(), less_rich, rich.clone()];
    assert_eq!(strongest::<u64>(&long_words(), &start("klmno"), &boards, 1, Clock::default()), [rich]);
    let gaddag = gaddag();
    assert_eq!(annealed(&gaddag, "kenaf", 500, 3, &[bad]).game, annealed(&gaddag, "kenaf", 500, 3, &[]).game);
}

#[test]
fn warm_boards_of_unknown_words_are_not_used() {
    let gaddag = gaddag();
    let boards = rich_and_less_rich();
    assert_eq!(strongest::<u64>(&gaddag, &start("kenaf"), &boards, 1, Clock::default()), []);
    assert_eq!(annealed(&gaddag, "kenaf", 500, 3, &boards).game, annealed(&gaddag, "kenaf", 500, 3, &[]).game);
}

#[test]
fn the_choice_among_warm_boards_ends_at_the_deadline() {
    let [rich, less_rich] = rich_and_less_rich();
    let boards = [less_rich.clone(), rich.clone()];
    let (gaddag, start) = (long_words(), start("klmno"));
    let over = Clock { deadline: Some(Instant::now()), stop: None };
    assert_eq!(strongest::<u64>(&gaddag, &start, &boards, 1, Clock::default()), [rich]);
    assert_eq!(strongest::<u64>(&gaddag, &start, &boards, 1, over), [less_rich]);
}

#[test]
fn of_several_warm_boards_the_one_that_does_best_in_a_trial_is_used() {
    let [rich, _] = rich_and_less_rich();
    // The two cells that are filled last have no words, but could have the longest.
    let mut improvable = rich.clone();
    improvable.letters[..2].fill(25);
    // Every cell has a word, but of 18 letters at most.
    let mut limited = rich.clone();
    limited.letters[..10].reverse();
    limited.letters[15..].reverse();
    let gaddag = index(&[runs(&rich, 6..=25), runs(&limited, 6..=18)].concat());
    let (start, boards) = (start("klmno"), [limited.clone(), improvable]);
    let search = Annealing::new(&gaddag, &start).unwrap().proposals(100_000).warm_boards(&boards);

    assert_eq!(strongest::<u64>(&gaddag, &start, &boards, 1, Clock::default()), [limited]);
    let (tried, proposals) = search.start_warm::<u64>().unwrap();
    let tried = tried.finish(&start, Clock::default());
    assert_eq!(tried.board.letters[2..], rich.letters[2..]);
    assert!((12..=25_000).contains(&proposals), "{proposals}");

    let (_, proposals) = search.proposals(300).start_warm::<u64>().unwrap();
    assert!((1..300).contains(&proposals), "{proposals}");
    let over = Annealing::new(&gaddag, &start).unwrap().deadline(Instant::now()).warm_boards(&boards);
    for over in [over, over.proposals(100_000)] {
        assert_eq!(over.start_warm::<u64>().unwrap().1, 0);
        over.run().game.check(|word| gaddag.contains(word)).expect("a legal game");
    }
}

#[test]
fn a_longer_search_starts_hotter_from_a_warm_board() {
    let hot = |proposals: f64| Tuning::default().warm(proposals).hot;
    assert_eq!(hot(0.0), Tuning::default().warm_hot);
    assert_eq!(hot(CONTEST_PROPOSALS), Tuning::default().warm_hot);
    assert!(hot(CONTEST_PROPOSALS) < hot(10.0 * CONTEST_PROPOSALS));
    assert_eq!(hot(32.0 * CONTEST_PROPOSALS), Tuning::default().hot);
    assert_eq!(hot(1000.0 * CONTEST_PROPOSALS), Tuning::default().hot);
    assert_eq!(hot(f64::INFINITY), Tuning::default().hot);
}

/// A dictionary of one word of this length.
fn one_word(length: usize) -> Gaddag {
    index(&["a".repeat(length).parse().unwrap()])
}

#[test]
fn a_search_on_a_large_board_is_hotter_for_longer_words() {
    assert_eq!(heat_of_words(&index(&[])), 1.0);
    assert_eq!([2, 6, 9, 200].map(|length| heat_of_words(&one_word(length))), [1.0, 1.0, 1.5, 1.5]);
    let between = heat_of_words(&one_word(8));
    assert!(1.3 < between && between < 1.4, "{between}");

    let tuning = |side| Tuning::of_game(&one_word(8), side);
    let default = Tuning::default();
    assert_eq!((tuning(7).hot, tuning(7).cold), (default.hot, default.cold));
    assert_eq!((tuning(9).hot, tuning(9).cold), (default.hot * between, default.cold * between));

    let long = tuning(9).warm(f64::INFINITY);
    assert_eq!((long.hot, long.cold), (default.hot * between, default.cold), "from a warm board");
}

#[test]
fn annealing_in_parts_begins_with_the_strongest_board_of_the_parents() {
    let [rich, less_rich] = rich_and_less_rich();
    let start = start("klmno");
    let begin = |words: &Gaddag, seed, parents: &[WarmBoard]| Resumable::begin(words, &start, seed, parents).unwrap();
    let words = long_words();
    assert_eq!(begin(&words, 3, &[less_rich.clone(), rich.clone()]).board, rich);
    assert_eq!(begin(&words, 3, std::slice::from_ref(&less_rich)).board, less_rich);
    assert_ne!(begin(&words, 3, &[]).board, begin(&words, 4, &[]).board);
    assert_eq!(begin(&gaddag(), 3, &[rich]), begin(&gaddag(), 3, &[]), "the parents are too weak");
}
