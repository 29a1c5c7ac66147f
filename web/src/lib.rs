//! Games in a browser: the requests of the HTTP API, answered by this library in a worker instead of by a server.
//!
//! [`Site`] answers a request, or says which bytes of which tables it needs first. The module `exports` is what
//! `worker.js` calls. `Site::default` has the five games. A program with other games says what its site is:
//! ```ignore
//! tabletop_web::program!(Site::new(Store::new(SHIPPED), vec![Entry::solved(|| MyRules)]));
//! ```

#[cfg(target_family = "wasm")]
mod exports;
mod ours;
mod site;
mod store;

pub use site::{Entry, Reply, Site};
pub use store::{Range, Shipped, Store};

/// Says which site this WebAssembly program is. Other programs ignore it.
#[macro_export]
macro_rules! program {
    ($site:expr) => {
        /// The site of this program.
        #[cfg(target_family = "wasm")]
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        fn tabletop_site() -> $crate::Site {
            $site
        }
    };
}

#[cfg(feature = "program")]
program!(Site::default());
