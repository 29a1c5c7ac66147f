//! Tests the real server over HTTP.

mod answers;
mod description;
mod hosts;
mod limits;
mod page;
mod programs;
mod streams;
mod support;
