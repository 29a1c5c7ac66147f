//! Memory that may not be there: taking it fails with an error instead of ending the process.

use std::hint::black_box;

use super::SolveError;

/// What a run takes beside the values: threads, their stacks and heaps, and small things.
const MARGIN_BYTES: u128 = 96 << 20;

/// Whether the allocator would give this many bytes and a margin now. It is asked and gives them back untouched, which
/// takes no time. Small boards need no margin: the program itself takes as much.
pub fn is_there(bytes: u128) -> bool {
    let margin = MARGIN_BYTES.min(bytes);
    let mut probe: Vec<u8> = Vec::new();
    usize::try_from(bytes + margin).is_ok_and(|bytes| black_box(&mut probe).try_reserve_exact(bytes).is_ok())
}

/// An empty vector with room for `length` items.
pub fn reserved<T>(length: usize) -> Result<Vec<T>, SolveError> {
    let mut items = Vec::new();
    items.try_reserve_exact(length).map_err(|_| SolveError::OutOfMemory)?;
    Ok(items)
}
