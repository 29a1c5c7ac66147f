use super::*;

const WORDS: &str = "tango tang gnat enate fang tan ant ante ten net neat eat tea ate kenaf gene agent gate get tag \
                     nag fan fen keen knee teen age cage tenant tangent";

fn lexicon() -> Lexicon {
    let words: Vec<Vec<u8>> = WORDS.split_whitespace().map(codes).collect();
    let slices: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    Lexicon::new(&slices, 26)
}

fn codes(word: &str) -> Vec<u8> {
    word.bytes().map(|letter| letter - b'a').collect()
}

fn count(proposals: u64) -> Budget {
    Budget { proposals: Some(proposals), deadline: None }
}

static GO_ON: AtomicBool = AtomicBool::new(false);

#[test]
fn games_are_legal_on_every_side() {
    let lexicon = lexicon();
    for side in (3..=15).step_by(2) {
        let start: Vec<u8> = codes("kenafgtangoteen")[..side].to_vec();
        let game = play(&lexicon, &start, &count(3000), 7, &GO_ON, &[]).game;
        game.check(|word| lexicon.find(word).is_some()).expect("a legal game");
        assert!(game.points() > 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let lexicon = lexicon();
    let play_once = |seed| play(&lexicon, &codes("kenaf"), &count(5000), seed, &GO_ON, &[]).game;
    assert_eq!(play_once(1), play_once(1));
    let reversed: Vec<Vec<u8>> = WORDS.split_whitespace().rev().map(codes).collect();
    let slices: Vec<&[u8]> = reversed.iter().map(Vec::as_slice).collect();
    let other = Lexicon::new(&slices, 26);
    assert_eq!(play(&other, &codes("kenaf"), &count(5000), 1, &GO_ON, &[]).game, play_once(1));
}

#[test]
fn a_dictionary_of_the_start_word_alone_gives_no_moves() {
    let start = codes("kenaf");
    let lexicon = Lexicon::new(&[&start], 26);
    let game = play(&lexicon, &start, &count(1000), 1, &GO_ON, &[]).game;
    assert_eq!(game.moves, []);
}

#[test]
fn an_empty_dictionary_gives_no_moves() {
    let game = play(&Lexicon::new(&[], 26), &codes("kenaf"), &count(1000), 1, &GO_ON, &[]).game;
    assert_eq!(game.moves, []);
}

#[test]
fn the_stop_flag_and_a_passed_deadline_end_at_once_with_a_legal_game() {
    let lexicon = lexicon();
    let unlimited = Budget::default();
    let stopped = play(&lexicon, &codes("kenaf"), &unlimited, 1, &AtomicBool::new(true), &[]).game;
    stopped.check(|word| lexicon.find(word).is_some()).expect("a legal game");
    let passed = Budget { proposals: None, deadline: Some(Instant::now()) };
    let late = play(&lexicon, &codes("kenaf"), &passed, 1, &GO_ON, &[]).game;
    late.check(|word| lexicon.find(word).is_some()).expect("a legal game");
}

#[test]
fn warm_boards_are_used_and_bad_ones_passed_over() {
    let lexicon = lexicon();
    let cold = play(&lexicon, &codes("kenaf"), &count(20_000), 1, &GO_ON, &[]);
    let bad = WarmBoard { letters: vec![99; 25], order: vec![0; 20] };
    let warm = [bad.clone(), cold.board.clone()];
    assert_eq!(strongest::<u64>(&lexicon, &codes("kenaf"), &warm), Some(cold.board));
    let other = play(&lexicon, &codes("agent"), &count(2000), 2, &GO_ON, &warm).game;
    other.check(|word| lexicon.find(word).is_some()).expect("a legal game");
    assert_eq!(play(&lexicon, &codes("kenaf"), &count(500), 3, &GO_ON, &[bad]).game, {
        play(&lexicon, &codes("kenaf"), &count(500), 3, &GO_ON, &[]).game
    });
}

#[test]
fn mirroring_twice_changes_nothing() {
    let board = WarmBoard { letters: (0..25).collect(), order: (0..10).chain(15..25).collect() };
    assert_eq!(board.mirrored(5).mirrored(5), board);
    assert!(board.mirrored(5).fits(5, 26));
}

#[test]
fn breeding_ends_with_the_last_start_word_and_a_legal_game() {
    let lexicon = lexicon();
    let starts = ["kenaf", "tango", "agent"].map(codes);
    let bred = breed(&lexicon, &starts, 6000, 3);
    assert_eq!(bred.game.start, codes("agent"));
    assert_eq!(bred.board.letters[10..15], codes("agent"));
    bred.game.check(|word| lexicon.find(word).is_some()).expect("a legal game");
    assert!(bred.board.fits(5, 26));
    assert_eq!(bred.game, breed(&lexicon, &starts, 6000, 3).game);
}

#[test]
fn every_letter_has_its_share_of_the_company() {
    let lexicon = lexicon();
    let company = lexicon.company(0);
    let share = |letter: u8| company.slots.iter().filter(|&&slot| slot == letter - b'a').count();
    assert!(share(b'n') > share(b'k') && share(b'g') > 0, "in these words n stands beside a most often");
    assert_eq!(share(b'z'), 0);
}
