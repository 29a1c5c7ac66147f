#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabletop_fuzz::board_library(bytes));
