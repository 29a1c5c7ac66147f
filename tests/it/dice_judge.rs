//! The contest's text of dice poker, as properties.

use crate::support::read_or_refused;
use proptest::prelude::*;
use tabletop::dice::{Case, Dice, Hand};
use tabletop::game::Game;
use tabletop::input::InputError;

fn read_input(text: &[u8]) -> Result<Vec<Case>, InputError> {
    Dice::read_all(text)
}

fn hand() -> impl Strategy<Value = [u8; 5]> {
    prop::array::uniform5(1..=6_u8)
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", "\t", "  ", " \t "])
}

fn line_end() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["\n", "\r\n", " \n", "\t\r\n", "\n\n", "\n \t\r\n"])
}

proptest! {
    #[test]
    fn tolerated_white_space_changes_nothing(
        hands in prop::collection::vec((hand(), hand()), 0..6),
        blanks in prop::collection::vec(blank(), 60),
        ends in prop::collection::vec(line_end(), 13),
    ) {
        let (mut blanks, mut ends) = (blanks.into_iter(), ends.into_iter());
        let mut text = format!("{}{}", hands.len(), ends.next().unwrap());
        for (a, b) in &hands {
            for dice in [a, b] {
                for die in dice {
                    text.push_str(&die.to_string());
                    text.push_str(blanks.next().unwrap());
                }
                text.push_str(ends.next().unwrap());
            }
        }
        let expected: Vec<Case> =
            hands.iter().map(|&(a, b)| Case::first_rolls(Hand::new(a).unwrap(), Hand::new(b).unwrap())).collect();
        prop_assert_eq!(read_input(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_line(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_or_refused(&text, read_input(&text)));
    }

    #[test]
    fn what_looks_like_an_input_is_read_or_refused_with_a_line(text in "[0-7 \n\r\t]{0,80}") {
        prop_assert!(read_or_refused(text.as_bytes(), read_input(text.as_bytes())));
    }
}
