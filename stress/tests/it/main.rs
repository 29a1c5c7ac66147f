//! The tester and the sampler, as their users meet them.

#![cfg(target_os = "linux")]

mod games;
mod processes;
mod sample;
mod support;
mod verdicts;
