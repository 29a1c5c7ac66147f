//! A limit on the memory of requests and answers.
//!
//! A request body takes its share as it arrives. An answer holds its share until it is sent. When the budget is used
//! up, further requests are refused.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::failure::Failure;

/// Shares are counted in units of this many bytes.
const UNIT_BYTES: usize = 1 << 10;

/// The memory that all requests and answers may take together.
pub struct Budget {
    units: Arc<Semaphore>,
    total: usize,
}

/// A part of the budget, given back when it is dropped.
pub struct Share {
    permit: OwnedSemaphorePermit,
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(bytes: usize) -> Budget {
        let total = bytes / UNIT_BYTES;
        Budget { units: Arc::new(Semaphore::new(total)), total }
    }

    /// The number of bytes in use.
    pub fn taken(&self) -> usize {
        (self.total - self.units.available_permits()) * UNIT_BYTES
    }

    /// Takes a share of this many bytes.
    pub fn take(&self, bytes: usize) -> Result<Share, Failure> {
        let units = u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX);
        match Arc::clone(&self.units).try_acquire_many_owned(units) {
            Ok(permit) => Ok(Share { permit }),
            Err(_) => Err(Failure::busy("the memory for requests and answers is used up")),
        }
    }
}

impl Share {
    /// Adds another share to this one.
    pub fn join(&mut self, other: Share) {
        self.permit.merge(other.permit);
    }

    /// Bytes that hold this share until the last reference to them is dropped. A body would not do: it is dropped when
    /// its bytes enter the connection's buffer, long before a slow client has read them.
    pub fn hold(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(HeldBytes { bytes, _share: self })
    }
}

struct HeldBytes {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A body that holds a value until the body is sent or dropped.
pub struct Holding<T> {
    body: Body,
    _held: T,
}

impl<T: Send + Unpin + 'static> Holding<T> {
    /// Wraps a body so that it holds `held`.
    pub fn body(body: Body, held: T) -> Body {
        Body::new(Holding { body, _held: held })
    }
}

impl<T: Unpin> http_body::Body for Holding<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hold_their_share_until_the_last_reference_is_dropped() {
        let budget = Budget::new(4 * UNIT_BYTES);
        let bytes = budget.take(3 * UNIT_BYTES).unwrap().hold(Bytes::from_static(b"answer"));
        let rest = bytes.slice(3..);
        drop(bytes);
        assert_eq!((&rest[..], budget.taken()), (&b"wer"[..], 3 * UNIT_BYTES));
        assert!(budget.take(2 * UNIT_BYTES).is_err());
        drop(rest);
        assert_eq!(budget.taken(), 0);
    }
}
