//! Cold start: the run time of a whole query process against that of `true`, interleaved in one run.
//!
//! The machine may be shared, so the figure to compare is the ratio of the medians.

use std::io;

use tabletop_measure::{Program, cold_start, medians};

const ROUNDS: usize = 1000;

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let program = Program {
        binary: env!("CARGO_BIN_EXE_tabletop").into(),
        tables: concat!(env!("CARGO_MANIFEST_DIR"), "/tables").into(),
    };
    let mut contestants = cold_start::contestants(&program, directory.path())?;
    let medians = medians(ROUNDS, &mut contestants);
    for (contestant, median) in contestants.iter().zip(&medians) {
        println!("{:<18} {:>8.1} µs   {:.2} times `true`", contestant.name, median * 1e6, median / medians[0]);
    }
    Ok(())
}
