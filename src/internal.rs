//! Modules that the generator, the benches and the tests share with the games. They are no part of the library's interface
//! and may change with every version.

macro_rules! modules {
    ($game:ident: $($module:ident),+) => {
        $(pub mod $module {
            pub use crate::$game::$module::*;
        })+
    };
}

pub mod balda {
    modules!(balda: anneal, library);
}

pub mod dice {
    modules!(dice: answer);
}

pub mod hopchess {
    modules!(hopchess: answer, search);
}
