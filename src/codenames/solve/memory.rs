//! Allocations that return an error instead of aborting the process.

use std::hint::black_box;

use super::SolveError;

/// Memory that a run needs besides the values, mostly for threads, in bytes.
const MARGIN_BYTES: u128 = 96 << 20;

/// Whether `bytes` plus a margin can be allocated now. The memory is allocated and freed without being touched, which
/// takes no time. The margin is at most `bytes`: a small board needs little memory besides its values.
pub fn is_available(bytes: u128) -> bool {
    let margin = MARGIN_BYTES.min(bytes);
    let mut probe: Vec<u8> = Vec::new();
    usize::try_from(bytes + margin).is_ok_and(|bytes| black_box(&mut probe).try_reserve_exact(bytes).is_ok())
}

/// An empty vector with capacity for `length` items.
pub fn reserved<T>(length: usize) -> Result<Vec<T>, SolveError> {
    let mut items = Vec::new();
    items.try_reserve_exact(length).map_err(|_| SolveError::OutOfMemory)?;
    Ok(items)
}
