//! Plays the example games with scripted input.

use std::path::Path;

use crate::published::{pig, tic_tac_toe};
use crate::support::{PIG, Program, SHUT_THE_BOX, TIC_TAC_TOE};
use crate::tutorial::shut_the_box;

/// What a game shows, which must end without an error.
#[track_caller]
fn played(program: Program, directory: &Path, arguments: &[&str], input: &str) -> String {
    let output = program.run_with(directory, &[&["play"], arguments].concat(), input);
    assert_eq!((output.code, output.error.as_str()), (Some(0), ""), "{}", output.out);
    output.out
}

#[test]
fn a_person_plays_a_game_of_two_players_against_the_table() {
    let greeting = "Tic-tac-toe: 1 is a win of the player to move, -1 a loss, 0 a draw\n\
                    you are the first player; write a number, the name of a move, hint, undo, quit or help\n";
    let choice = "\nposition xx./oo./...\nyou choose a move:\n  1  c3 -> xxx/oo./...\n  2  c2 -> xx./oox/...\n  \
                  3  a1 -> xx./oo./x..\n  4  b1 -> xx./oo./.x.\n  5  c1 -> xx./oo./..x\n";
    let lost = "you play a1 -> xx./oo./x..\n\nposition xx./oo./x..\nthe table plays c2 -> xx./ooo/x..\n\n\
                position xx./ooo/x..\n\nthe game is over: the table wins, -1 for the first player\n\
                best play from 'xx./oo./...' is worth 1 in 1 move\n";
    let play = |input: &str| played(TIC_TAC_TOE, &tic_tac_toe(), &["xx./oo./..."], input);
    for a1 in ["a1", "3"] {
        assert_eq!(play(a1), format!("{greeting}{choice}{lost}"));
    }
    let hint = "  c3  1, the game is over -> xxx/oo./...\n  c2  0 in 4 moves -> xx./oox/...\n  \
                a1  -1 in 1 move -> xx./oo./x..\n  b1  -1 in 1 move -> xx./oo./.x.\n  \
                c1  -1 in 1 move -> xx./oo./..x\n";
    let won = "you play c3 -> xxx/oo./...\n\nposition xxx/oo./...\n\nthe game is over: you win, 1 for the first player\n\
               best play from 'xx./oo./...' is worth 1 in 1 move\n";
    assert_eq!(play("hint\n1\n"), format!("{greeting}{choice}{hint}{won}"));
    let wrong = "'0' is no move here, write a number from 1 to 5, the name of a move, or help\n";
    assert_eq!(play("0\n"), format!("{greeting}{choice}{wrong}"), "and the end of the input is a quiet end");
    assert!(play("?\nquit\nc3\n").ends_with("  help, ?             this list\n"), "nothing is read after `quit`");
}

#[test]
fn a_move_is_taken_back_with_the_answer_to_it() {
    let output = played(TIC_TAC_TOE, &tic_tac_toe(), &[], "u\nb2\nundo\nu\na1\n");
    let positions: Vec<&str> = output.lines().filter_map(|line| line.strip_prefix("position ")).collect();
    let [start, after, answered, again, other, ..] = positions[..] else { panic!("{output}") };
    assert_eq!([start, after, again, other], [".../.../...", ".../.x./...", ".../.../...", ".../.../x.."]);
    assert_eq!(answered.matches('o').count(), 1, "{output}");
    assert_eq!(output.matches("there is no move of yours to take back\n").count(), 2, "{output}");
}

#[test]
fn the_table_plays_both_sides_and_two_people_play_without_it() {
    let output = played(TIC_TAC_TOE, &tic_tac_toe(), &["--side", "none"], "");
    let end =
        "\nthe game is over: a draw, 0 for the first player\nbest play from '.../.../...' is worth 0 in 9 moves\n";
    assert!(output.ends_with(end), "{output}");
    assert_eq!(
        [output.matches("\nthe first player plays ").count(), output.matches("\nthe second player plays ").count()],
        [5, 4]
    );
    let output = played(TIC_TAC_TOE, &tic_tac_toe(), &["--side", "both"], "a3\nb3\na2\nb2\na1\n");
    assert!(output.contains("\nthe second player plays b2 -> xo./xo./...\n"), "{output}");
    assert!(output.contains("\nthe game is over: the first player wins, 1 for the first player\n"), "{output}");
    let output = played(TIC_TAC_TOE, &tic_tac_toe(), &["--side", "second"], "");
    assert!(output.contains("\nyou are the second player; "), "{output}");
    assert!(output.contains("\nposition .../.../...\nthe table plays "), "{output}");
}

#[test]
fn chance_is_thrown_with_a_seed() {
    let seeded = |seed: &str, input: &str| played(PIG, &pig(), &["--seed", seed], input);
    let output = seeded("1", "roll\nroll\n1\n");
    let expected = "\nposition 0 0 0\nyou choose a move:\n  1  roll\nyou play roll\nchance: 1 of 6 -> 0 0 6\n\n\
                    position 0 0 6\nyou choose a move:\n  1  roll\n  2  hold -> 0 6 0\nyou play roll\n\
                    chance: 1 of 6 -> 0 0 8\n\nposition 0 0 8\nyou choose a move:\n  1  roll\n  2  hold -> 0 8 0\n\
                    you play roll\nchance: 1 of 6 -> 0 0 0\n\nposition 0 0 0\nthe table plays roll\n";
    assert!(output.contains(expected), "{output}");
    assert_eq!(seeded("1", "roll\nroll\n1\n"), output);
    assert_ne!(seeded("2", "roll\nroll\n1\n"), output);
    // A throw that is taken back comes again.
    let output = seeded("1", "roll\nu\nroll\n");
    assert_eq!(output.matches("you play roll\nchance: 1 of 6 -> 0 0 6\n").count(), 2, "{output}");
}

#[test]
fn the_winner_is_named_for_both_sides() {
    for (side, winner) in [("first", "you win"), ("second", "the table wins"), ("both", "the first player wins")] {
        let output = played(PIG, &pig(), &["99 0 0", "--seed", "1", "--side", side], "roll\n");
        let end = format!("chance: 1 of 6, the game is over\n\nthe game is over: {winner}, 1 for the first player\n");
        assert!(output.contains(&end), "{output}");
        assert!(output.contains("best play from '99 0 0' is worth 0.99796"), "{output}");
    }
    // Without a seed of the user, the new one is told.
    let output = played(PIG, &pig(), &["99 0 0", "--side", "none"], "");
    assert!(output.lines().last().unwrap().starts_with("for the same throws again, pass --seed "), "{output}");
}

#[test]
fn one_player_plays_with_dice() {
    let directory = shut_the_box();
    let output = played(SHUT_THE_BOX, &directory, &["--seed", "1"], "4\n2\n");
    let expected = "\nwrite a number, the name of a move, hint, undo, quit or help\n\nposition 123456789\n\
                    chance: 4, 3 of 36\nyou choose a move:\n  1  13 -> 2456789\n  2  4 -> 12356789\n\
                    you play 4 -> 12356789\n\nposition 12356789\nchance: 5, 4 of 36\nyou choose a move:\n  \
                    1  23 -> 156789\n  2  5 -> 1236789\nyou play 5 -> 1236789\n";
    assert!(output.contains(expected), "{output}");
    let output = played(SHUT_THE_BOX, &directory, &["1", "--seed", "1"], "");
    let end =
        "\nposition 1\nchance: 4, 3 of 36, the game is over\n\nthe game is over: 1\nbest play from '1' is worth 1\n";
    assert!(output.ends_with(end), "{output}");
}

#[test]
fn a_position_that_is_not_one_is_refused() {
    let output = TIC_TAC_TOE.run(&tic_tac_toe(), &["play", "xxx/xxx/xxx"]);
    let error = "tic-tac-toe: arguments: 'xxx/xxx/xxx' is not reached from the start, \
                 write a position such as '.../.../...' that is\n";
    assert_eq!((output.code, output.out.as_str(), output.error.as_str()), (Some(2), "", error));
    let output = TIC_TAC_TOE.run_with(&tic_tac_toe(), &["play"], "\u{0}\n");
    assert_eq!(output.code, Some(2), "{}", output.error);
}
