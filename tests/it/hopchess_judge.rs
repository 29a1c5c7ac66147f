//! The contest's text of hop chess, as properties.

use crate::support::read_or_refused;
use proptest::prelude::*;
use tabletop::game::Game;
use tabletop::hopchess::rules::MOST_CELLS;
use tabletop::hopchess::{Board, Case, Cells, ErrorFactor, Factors, Hopchess, Player, Position, Shape};
use tabletop::input::InputError;

fn boards() -> impl Strategy<Value = Board> {
    let shapes = (1..=MOST_CELLS).prop_flat_map(|rows| (Just(rows), 1..=MOST_CELLS / rows));
    (shapes, any::<u16>(), any::<u16>()).prop_map(|((rows, columns), occupied, justin)| {
        let shape = Shape::new(rows, columns).unwrap();
        let occupied = shape.all().and(Cells(occupied));
        let justin = occupied.and(Cells(justin));
        Board::new(shape, justin, occupied.without(justin)).unwrap()
    })
}

fn factors() -> impl Strategy<Value = Factors> {
    let factor = || (1..=u64::MAX).prop_map(|moves| ErrorFactor::new(moves).unwrap());
    (factor(), factor()).prop_map(|(justin, donald)| Factors { justin, donald })
}

fn read_input(text: &[u8]) -> Result<Vec<Case>, InputError> {
    Hopchess::read_all(text)
}

proptest! {
    #[test]
    fn a_case_is_read_back_from_its_text(
        board in boards(),
        factors in factors(),
        to_move in prop_oneof![Just(None), Just(Some(Player::Justin)), Just(Some(Player::Donald))],
        end in "[ \t]{0,2}\r?\n{1,2}",
    ) {
        let shape = board.shape();
        let rows = board.to_string().replace('\n', &end);
        let turn = to_move.map_or(String::new(), |player| format!("to move: {}{end}", player.letter()));
        let (justin, donald) = (factors.justin.moves(), factors.donald.moves());
        let text = format!("{} {}{end}{rows}{end}{turn}{justin} {donald}{end}", shape.rows(), shape.columns());
        let position = Position { board, to_move: to_move.unwrap_or(board.turn_by_parity()) };
        let case = Case { position, factors };
        prop_assert_eq!(case.to_string().parse::<Case>().unwrap(), case);
        prop_assert_eq!(read_input(text.as_bytes()).unwrap(), [case]);
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_line(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_or_refused(&text, read_input(&text)));
    }

    #[test]
    fn what_looks_like_an_input_is_read_or_refused_with_a_line(
        text in "[1-5] [1-5]\n([JD.]{1,5}\n){0,5}(to move:[ JDX]{0,2}\n)?[0-9JD. \n\r\t]{0,9}",
    ) {
        prop_assert!(read_or_refused(text.as_bytes(), read_input(text.as_bytes())));
    }
}
