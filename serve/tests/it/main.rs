//! Tests the real server over HTTP.

mod answers;
mod description;
mod limits;
mod page;
mod streams;
mod support;
