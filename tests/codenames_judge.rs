//! The contest's text of Codenames, as properties.

mod support;

use proptest::prelude::*;
use support::codenames::{Shape, text};
use support::{Seeded, read_or_refused};
use tabletop::codenames::{Board, Identity, judge};
use tabletop::input::{InputError, Lines};

fn read_input(text: &[u8]) -> Result<Option<Board>, InputError> {
    let mut lines = Lines::new(text);
    let Some(header) = judge::read_header(&mut lines)? else { return Ok(None) };
    let board = judge::read_board(header, &mut lines)?;
    lines.require_end("nothing")?;
    Ok(Some(board))
}

fn any_board() -> impl Strategy<Value = Board> {
    let counts = prop::array::uniform5(0..4_usize);
    (counts, any::<u64>()).prop_map(|([red, blue, innocent, assassins, hints], seed)| {
        let (red, blue, hints) = (red + 1, blue + 1, hints + 1);
        let shape = Shape { red, blue, innocent, assassins, hints, words: [1, red + blue] };
        let mut board = shape.board(&mut Seeded(seed));
        for card in &mut board.cards {
            if card.identity == Identity::Innocent && seed % 2 == 0 {
                card.identity = Identity::Revealed;
            }
        }
        board
    })
}

proptest! {
    #[test]
    fn a_board_is_read_as_it_was_written(board in any_board()) {
        prop_assert_eq!(read_input(text(&board).as_bytes()).unwrap(), Some(board));
    }

    #[test]
    fn tolerated_white_space_changes_nothing(board in any_board()) {
        let spread = text(&board).replace(' ', " \t ").replace('\n', " \r\n\n\t\n");
        prop_assert_eq!(read_input(spread.as_bytes()).unwrap(), Some(board));
    }

    #[test]
    fn a_damaged_board_is_read_or_refused_with_a_line(
        board in any_board(),
        place in any::<prop::sample::Index>(),
        byte: u8,
    ) {
        let mut damaged = text(&board).into_bytes();
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
