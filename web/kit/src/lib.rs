//! The example games for the static site. Each is a line of the list at the end.

#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/connect-four.rs"]
mod connect_four;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/king-rook-king.rs"]
mod king_rook_king;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/l-game.rs"]
mod l_game;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/mu-torere.rs"]
mod mu_torere;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/pig.rs"]
mod pig;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/quixo.rs"]
mod quixo;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/shut-the-box.rs"]
mod shut_the_box;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/three-mens-morris.rs"]
mod three_mens_morris;
#[allow(dead_code, missing_docs)]
#[path = "../../../examples/src/bin/tic-tac-toe.rs"]
mod tic_tac_toe;

use tabletop_web::{Entry, Shipped, Site, Store};

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Defines the list of games.
macro_rules! games {
    ($($rules:expr),+ $(,)?) => {
        /// The site of these games.
        pub fn site() -> Site {
            Site::new(Store::new(SHIPPED), vec![$(Entry::solved(|| $rules)),+])
        }

        /// The names of the games.
        pub fn names() -> Vec<String> {
            vec![$(tabletop::kit::Rules::name(&$rules).to_owned()),+]
        }

        /// Runs the program of a game: its name, then the arguments. `None` if there is no such game.
        #[cfg(feature = "solve")]
        pub fn run(arguments: Vec<std::ffi::OsString>) -> Option<std::process::ExitCode> {
            $({
                let rules = $rules;
                if arguments.first()?.as_os_str() == tabletop::kit::Rules::name(&rules) {
                    return Some(tabletop::kit::main_with(&rules, arguments));
                }
            })+
            None
        }
    };
}

games![
    tic_tac_toe::TicTacToe { symmetry: tic_tac_toe::Symmetry::Used },
    connect_four::ConnectFour::new(4, 4).expect("a size that it knows"),
    three_mens_morris::Morris,
    l_game::LGame::default(),
    quixo::Quixo::new(3),
    mu_torere::MuTorere,
    king_rook_king::KingRookKing,
    shut_the_box::ShutTheBox,
    pig::Pig,
];

tabletop_web::program!(site());
