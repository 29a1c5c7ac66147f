//! Modules of the games for the other packages of this workspace: the generator, the tester, the server, the benches and
//! the tests. They are no part of the library's interface and may change with every version.

macro_rules! modules {
    ($game:ident: $($module:ident),+) => {
        $(pub mod $module {
            pub use crate::$game::$module::*;
        })+
    };
}

pub mod balda {
    modules!(balda: anneal, answer, clock, dawg, index, judge, library, position);
    #[cfg(feature = "json")]
    modules!(balda: explain);
}

pub mod codenames {
    modules!(codenames: sample, solve);
}

pub mod dice {
    modules!(dice: answer, chance, index, rules);
}

pub mod hopchess {
    modules!(hopchess: answer, chance, index, matrix, rules, search);
}

pub mod jenga {
    modules!(jenga: form, index, rules);
}

#[cfg(feature = "digest")]
pub mod table {
    modules!(table: sums);
}
