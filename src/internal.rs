//! What the generator, the benches and the tests share with the games. It is no part of the library's interface and may
//! change with every version.

pub mod balda {
    pub use crate::balda::anneal::{Resumable, Temperatures};

    pub mod library {
        pub use crate::balda::library::{Library, SIDES, StoredBoard, spec};
    }
}

pub mod dice {
    pub use crate::dice::answer::{Adviser, Replies};
}

pub mod hopchess {
    pub use crate::hopchess::search::Search;

    pub mod answer {
        pub use crate::hopchess::answer::search;
    }
}
