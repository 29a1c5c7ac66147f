//! Tests of the real `tabletop-stress` and `tabletop-sample` programs.

#![cfg(target_os = "linux")]

mod games;
mod processes;
mod programs;
mod sample;
mod support;
mod verdicts;
