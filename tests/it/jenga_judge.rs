//! Coloured Jenga as properties: symmetries that do not change the answer, and the contest's text.

use std::sync::LazyLock;

use crate::support::{read_or_refused, shipped_tables};
use proptest::prelude::*;
use tabletop::game::Game;
use tabletop::input::InputError;
use tabletop::jenga::{Jenga, Level, Tower};
use tabletop::table::Places;

/// A level below the top.
fn level_below() -> impl Strategy<Value = Level> {
    "[RGB]{3}|[RGB]{2}\\.|\\.[RGB]{2}|[RGB]\\.[RGB]|\\.[RGB]\\.".prop_map(|text| text.parse().unwrap())
}

fn top() -> impl Strategy<Value = Level> {
    "[RGB]{3}|[RGB]{2}\\.|[RGB]\\.[RGB]|\\.[RGB]\\.|[RGB]\\.\\.".prop_map(|text| text.parse().unwrap())
}

/// The levels of a tower within the table's bound, so that no case takes long.
fn levels() -> impl Strategy<Value = Vec<Level>> {
    (prop::collection::vec(level_below(), 0..=5), top()).prop_map(|(mut levels, top)| {
        levels.push(top);
        levels
    })
}

fn read_input(text: &[u8]) -> Result<Vec<Tower>, InputError> {
    Jenga::read_all(text)
}

static ANSWERS: LazyLock<Jenga> = LazyLock::new(|| Jenga::open(&Places::only(shipped_tables())).unwrap());

proptest! {
    #[test]
    fn order_mirror_images_and_a_swap_of_green_and_blue_do_not_change_the_answer(
        (original, shuffled) in levels().prop_flat_map(|levels| {
            let (below, top) = (levels[..levels.len() - 1].to_vec(), levels[levels.len() - 1]);
            let shuffled = Just(below).prop_shuffle().prop_map(move |mut below| {
                below.push(top);
                below
            });
            (Just(levels), shuffled)
        }),
        mirrored in prop::collection::vec(any::<bool>(), 6),
    ) {
        let bits = |levels: Vec<Level>| ANSWERS.value(&Tower::new(levels).unwrap()).unwrap().0.to_bits();
        let turned = shuffled.iter().zip(mirrored).map(|(&level, turn)| if turn { level.mirrored() } else { level });
        let turned: Vec<Level> = turned.collect();
        let expected = bits(original);
        prop_assert_eq!(bits(turned.iter().map(|level| level.swapped()).collect()), expected);
        prop_assert_eq!(bits(turned), expected);
    }

    #[test]
    fn a_tower_is_read_back_from_its_text(levels in levels(), end in "[ \t]{0,2}\r?\n{1,2}") {
        let mut text = format!("{}{end}", levels.len());
        for level in &levels {
            text.push_str(&format!("{level}{end}"));
        }
        let tower = Tower::new(levels).unwrap();
        prop_assert_eq!(tower.to_string().parse::<Tower>().unwrap(), tower.clone());
        prop_assert_eq!(read_input(text.as_bytes()).unwrap(), [tower]);
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_line(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_or_refused(&text, read_input(&text)));
    }

    #[test]
    fn what_looks_like_an_input_is_read_or_refused_with_a_line(text in "[1-6]\n([RGB.]{3}\n){0,7}[0-9RGB. \n\r\t]{0,9}") {
        prop_assert!(read_or_refused(text.as_bytes(), read_input(text.as_bytes())));
    }
}
