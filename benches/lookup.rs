//! Warm lookups: judge inputs per second through `--many`, and lookups per second through the library.

use std::io;

use tabletop_measure::{Program, lookup, medians};

const CASES: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() -> io::Result<()> {
    let directory = tempfile::tempdir()?;
    let program = Program {
        binary: env!("CARGO_BIN_EXE_tabletop").into(),
        tables: concat!(env!("CARGO_MANIFEST_DIR"), "/tables").into(),
    };
    let streams = lookup::streams(&program, directory.path(), CASES)?;
    for (through, mut contestants) in [("--many", streams), ("library", lookup::calls(&program))] {
        let medians = medians(ROUNDS, &mut contestants);
        for (contestant, seconds) in contestants.iter().zip(medians) {
            let millions = contestant.count as f64 / seconds / 1e6;
            println!("{:<9} {through} {millions:>8.2} million {} per second", contestant.name, contestant.unit);
        }
    }
    Ok(())
}
