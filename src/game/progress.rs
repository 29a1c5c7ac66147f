//! The progress of long computations.

/// The progress of a long computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Finished steps.
    pub done: u64,
    /// All steps.
    pub total: u64,
}

/// An observer of a long computation.
pub type Watch = Box<dyn Fn(Progress) + Send + Sync>;
