//! The games in a browser: the requests of the HTTP API, answered by this library in a worker instead of by a server.
//!
//! [`Site`] answers a request, or says which bytes of which tables it needs first. The module `exports` is what
//! `worker.js` calls.

#[cfg(target_family = "wasm")]
mod exports;
mod site;
mod store;

pub use site::{Reply, Site};
pub use store::{Range, Store};
