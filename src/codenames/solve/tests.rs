//! Compares the methods with each other, set by set.

use std::num::NonZeroUsize;

use super::blocks::WaitingWins;
use super::classes::ClassBoard;
use super::live::{LiveBoard, LiveSet};
use super::stop::Stop;
use super::threads::{PARALLEL_WIDTH, solve_blocks};
use super::turn::Chances;
use super::{counts, rows};
use crate::codenames::rules::Team;
use crate::codenames::sample::Shape;
use crate::game::Run;
use crate::seeded::Seeded;

const TOLERANCE: f64 = 1e-12;

#[test]
fn all_methods_agree_and_the_number_of_threads_changes_no_bit() {
    let shape = Shape { red: 7, blue: 6, innocent: 6, assassins: 1, hints: 12, words: 4..=7 };
    let board = shape.board(&mut Seeded(19)).unwrap();
    let (live, classes, chances) = (LiveBoard::new(&board), ClassBoard::new(&board), Chances::new(board.cards().len()));
    assert!(live.width() >= PARALLEL_WIDTH, "smaller boards are not divided into blocks");
    assert_eq!(
        classes.classes.len(),
        live.width(),
        "no two cards are interchangeable, so the index of a position is the set"
    );
    let stop = Stop::default();
    let by_rows = rows::solve(&live, &chances, stop).unwrap();
    let by_counts = counts::solve(&classes, &chances, stop, &|_| ()).unwrap();
    let [one, two, three] = [1, 2, 3].map(|threads| {
        let run = Run { threads: NonZeroUsize::new(threads).unwrap(), ..Run::default() };
        solve_blocks(&live, &chances, run, stop).unwrap()
    });
    for set in (0..=live.root().0).rev().step_by(97).map(LiveSet) {
        for team in Team::BOTH {
            let win = one.waiting_win(set, team);
            assert_eq!(win, two.waiting_win(set, team));
            assert_eq!(win, three.waiting_win(set, team));
            assert!((win - by_rows.waiting_win(set, team)).abs() < TOLERANCE, "{set:?} {team:?}");
            assert!((win - by_counts.waiting_win(set.index(), team)).abs() < TOLERANCE, "{set:?} {team:?}");
        }
    }
}
