//! The time that deadlines are measured by.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web::{Instant, set};

/// The standard library has no clock in a browser, so the program that uses this library sets one.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod web {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: the time since any fixed moment. Until it is set, no time passes.
    pub fn set(now: fn() -> Duration) {
        let _ = NOW.set(now);
    }

    /// A moment, as in the standard library.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(NOW.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time since this moment.
        pub fn elapsed(self) -> Duration {
            Instant::now().saturating_duration_since(self)
        }

        /// The time from an earlier moment to this one, or zero.
        pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The moment after this time, unless it is too far away.
        pub fn checked_add(self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// The moment before this time, unless the clock had not begun.
        pub fn checked_sub(self, time: Duration) -> Option<Instant> {
            self.0.checked_sub(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
