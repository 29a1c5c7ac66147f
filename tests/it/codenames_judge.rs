//! The contest's text of Codenames, as properties.

use crate::support::codenames::{self, with_revealed};
use crate::support::{Seeded, read_or_refused};
use proptest::prelude::*;
use tabletop::codenames::sample::{self, Shape};
use tabletop::codenames::{Board, BoardError, Card, Codenames, Identity, Run, SolveError, Solver, Team};
use tabletop::game::{Error, Game, Judging, Verdict};
use tabletop::input::InputError;

fn read_input(text: &[u8]) -> Result<Vec<Board>, InputError> {
    Codenames::read_all(text)
}

fn any_board() -> impl Strategy<Value = Board> {
    let counts = prop::array::uniform5(0..4_usize);
    (counts, any::<u64>()).prop_map(|([red, blue, innocent, assassins, hints], seed)| {
        let (red, blue, hints) = (red + 1, blue + 1, hints + 1);
        let shape = Shape { red, blue, innocent, assassins, hints, words: 1..=red + blue };
        let board = codenames::board(shape, &mut Seeded(seed));
        // Some games are in mid-game, some are over.
        let revealed = match seed % 4 {
            0 => with_revealed(&board, |_, identity| identity == Identity::Innocent),
            1 => with_revealed(&board, |place, _| seed >> (8 + place) & 1 == 1),
            2 => with_revealed(&board, |_, identity| identity == Identity::Agent(Team::Red)),
            _ => return board,
        };
        revealed.unwrap_or(board)
    })
}

proptest! {
    #[test]
    fn a_board_is_read_as_it_was_written(board in any_board()) {
        prop_assert_eq!(read_input(board.to_string().as_bytes()).unwrap(), [board]);
    }

    #[test]
    fn a_board_is_parsed_as_it_is_displayed(board in any_board()) {
        prop_assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
    }

    #[test]
    fn a_board_of_any_allowed_words_is_parsed_as_it_is_displayed(
        words in prop::collection::vec("\\PC{0,4}|[ \t\r\na\u{85}\u{a0}\u{2028}]{0,3}", 2..5),
    ) {
        let identity = |place| if place == 0 { Identity::Agent(Team::Red) } else { Identity::Agent(Team::Blue) };
        let cards = words.iter().enumerate().map(|(place, word)| Card::new(word.clone(), identity(place)));
        if let Ok(board) = Board::new(Team::Red, cards, [&words]) {
            prop_assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
        }
    }

    #[test]
    fn tolerated_white_space_changes_nothing(board in any_board()) {
        let spread = board.to_string().replace(' ', " \t ").replace('\n', " \r\n\n\t\n");
        prop_assert_eq!(read_input(spread.as_bytes()).unwrap(), [board]);
    }

    #[test]
    fn a_damaged_board_is_read_or_refused_with_a_line(
        board in any_board(),
        place in any::<prop::sample::Index>(),
        byte: u8,
    ) {
        let mut damaged = board.to_string().into_bytes();
        let place = place.index(damaged.len());
        damaged[place] = byte;
        prop_assert!(read_or_refused(&damaged, read_input(&damaged)));
        damaged.truncate(place);
        prop_assert!(read_or_refused(&damaged, read_input(&damaged)));
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_line(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_or_refused(&text, read_input(&text)));
    }

    #[test]
    fn what_looks_like_an_input_is_read_or_refused_with_a_line(
        text in "[1-3] [RB]\n[a-c ]{1,9}\n[RBIA. ]{1,9}\n[0-3]\n[1-3a-c \n]{0,30}",
    ) {
        prop_assert!(read_or_refused(text.as_bytes(), read_input(text.as_bytes())));
    }
}

#[test]
fn an_invalid_board_cannot_be_built() {
    let agents = || vec![Card::new("a", Identity::Agent(Team::Red)), Card::new("b", Identity::Agent(Team::Blue))];
    let with = |word: &str, identity| agents().into_iter().chain([Card::new(word, identity)]).collect::<Vec<_>>();
    let innocent = Identity::Innocent;
    let long = "x".repeat(1001);
    let build =
        |cards: Vec<Card>, hints: &[&[&str]]| Board::new(Team::Red, cards, hints.iter().map(|hint| hint.iter()));
    let refused = |cards, hints: &[&[&str]]| build(cards, hints).unwrap_err();
    assert!(build(agents(), &[&["a"]]).is_ok());
    assert_eq!(refused(vec![], &[&["a"]]), BoardError::CardCount(0));
    assert_eq!(refused(agents(), &[]), BoardError::HintCount(0));
    assert_eq!(refused(agents(), &[&["a"][..]; 1001]), BoardError::HintCount(1001));
    assert_eq!(refused(agents(), &[&[]]), BoardError::EmptyHint);
    assert_eq!(refused(agents(), &[&["c"]]), BoardError::UnknownWord(String::from("c")));
    assert_eq!(refused(agents(), &[&["a", "a"]]), BoardError::WordTwiceInHint(String::from("a")));
    assert_eq!(refused(with("a", innocent), &[&["a"]]), BoardError::WordTwice(String::from("a")));
    for word in ["", " ", "c d", "c\t", "c\n", "c\r"] {
        assert_eq!(refused(with(word, innocent), &[&["a"]]), BoardError::NotAWord(word.to_owned()));
    }
    assert_eq!(refused(with(&long, innocent), &[&["a"]]), BoardError::LongWord(long.clone()));
    let many: Vec<Card> = (0..65).map(|place| Card::new(format!("w{place}"), Identity::Agent(Team::Red))).collect();
    assert_eq!(refused(many, &[&["w0"]]), BoardError::CardCount(65));
    let [red, blue] = [&agents()[..1], &agents()[1..]].map(<[Card]>::to_vec);
    assert_eq!(refused(red.clone(), &[&["a"]]), BoardError::NoAgent(Team::Blue));
    assert_eq!(refused(blue, &[&["b"]]), BoardError::NoAgent(Team::Red));
    let revealed = Card::new("c", Identity::Revealed);
    assert_eq!(refused(vec![revealed.clone()], &[&["c"]]), BoardError::BothWon);
    assert_eq!(build([red, vec![revealed]].concat(), &[&["a"]]).unwrap().winner(), Some(Team::Blue));
}

#[test]
fn an_answer_is_accepted_up_to_an_error_of_a_ten_thousandth() {
    let board = "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n";
    let solver = Solver::new(board.parse().unwrap()).unwrap();
    let half = solver.solve(Run::default()).unwrap().win();
    let accepts = |answer| Codenames::accepts(&half, answer, &Judging::default());
    for answer in ["0.5", "0.5000", ".5", "5e-1", "0.5001", "0.4999", "0.50009999"] {
        assert_eq!(accepts(answer), Verdict::Accepted, "{answer}");
    }
    for answer in ["0.50011", "0.4998", "-0.5"] {
        assert_eq!(accepts(answer), Verdict::Wrong, "{answer}");
    }
    for answer in ["", "0,5", "1/2", "nan", "inf", "0.5 0.5", "x"] {
        assert!(matches!(accepts(answer), Verdict::Malformed(_)), "{answer}");
    }
}

#[test]
fn samples_keep_to_the_limits_of_the_contest_and_never_get_stuck() {
    for seed in 0..300 {
        for (board, most_cards) in [(sample::tiny(seed), 5), (sample::ordinary(seed), 12), (sample::worst(seed), 15)] {
            assert!((3..=most_cards).contains(&board.cards().len()), "{board}");
            assert!(board.hints().len() <= 50, "{board}");
            let letters = |word: &str| word.len() <= 20 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(board.cards().iter().all(|card| letters(card.word())), "{board}");
            assert!(board.winner().is_none() && !board.can_get_stuck(), "{board}");
            assert!(Team::BOTH.iter().all(|&team| board.unmentioned_agents(team).is_empty()), "{board}");
        }
        assert_eq!(sample::ordinary(seed), sample::ordinary(seed));
        assert_ne!(sample::worst(seed), sample::worst(seed + 1));
    }
}

#[test]
fn a_board_that_is_too_large_to_be_solved_is_read_as_it_was_written() {
    let shape = Shape { red: 20, blue: 20, innocent: 20, assassins: 4, hints: 1000, words: 1..=64 };
    let board = codenames::board(shape, &mut Seeded(64));
    assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
    assert_eq!(Codenames::read_only(&board.to_string()).unwrap(), board);
    assert!(matches!(Codenames::default().value(&board), Err(Error::Limit { .. })));
    assert!(matches!(Solver::new(board), Err(SolveError::TooLarge { cards: 60, .. })));
}
