//! The errors of the library can be named by its users, and lead to their causes.

use std::error::Error;
use std::io;

use tabletop::balda::{IllegalGame, IllegalMove, NotALanguage, NotAWord, NotEnoughMemory};
use tabletop::dice::Dice;
use tabletop::game::call::Refusal;
use tabletop::game::{AnswerError, ReplyError, SampleError};
use tabletop::input::InputError;
use tabletop::table::{Places, Unread};

#[test]
fn every_error_has_a_name_and_is_an_error() {
    fn is_error<E: Error>() {}
    is_error::<NotAWord>();
    is_error::<NotALanguage>();
    is_error::<NotEnoughMemory>();
    is_error::<AnswerError>();
    is_error::<ReplyError>();
    is_error::<SampleError>();
    is_error::<Refusal>();
    is_error::<Unread>();
}

#[test]
fn errors_lead_to_their_causes() {
    let illegal = IllegalGame { number: 3, word: "cat".parse().unwrap(), reason: IllegalMove::WordUsedBefore };
    assert_eq!(illegal.source().unwrap().to_string(), IllegalMove::WordUsedBefore.to_string());
    let unreadable = InputError::Unreadable(io::Error::other("the disk is gone"));
    assert_eq!(unreadable.source().unwrap().to_string(), "the disk is gone");
    assert!(InputError::malformed(1, "nothing", "write something").source().is_none());
    let missing = || Dice::open(&Places::only("no/such/directory")).expect_err("no tables are there");
    let message = missing().to_string();
    for wrapper in [
        &ReplyError::Game(missing().into()) as &dyn Error,
        &SampleError::Game(missing().into()),
        &AnswerError::Game { line: 1, error: missing().into() },
    ] {
        assert_eq!((wrapper.to_string(), wrapper.source().unwrap().to_string()), (message.clone(), message.clone()));
    }
    let refusal = Refusal::from(InputError::malformed(2, "'x' is not a hand", "write five numbers"));
    assert_eq!(refusal.to_string(), "line 2: 'x' is not a hand, write five numbers");
    assert!(Refusal::from(missing()).source().is_some());
}
