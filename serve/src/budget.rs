//! A limit on the memory of requests and answers.
//!
//! A request body takes its share as it arrives. An answer holds its share until it is sent. When the budget is used
//! up, further requests are refused. One client may take only a part of it, so that others are still answered.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};

use crate::client::Client;
use crate::failure::Failure;

/// One client may take this part of the budget.
const PART_OF_A_CLIENT: usize = 4;

/// The memory that all requests and answers may take together, in bytes.
pub struct Budget {
    total: usize,
    taken: Arc<Mutex<Taken>>,
}

/// The bytes in use.
#[derive(Default)]
struct Taken {
    all: usize,
    by_client: HashMap<Client, usize>,
}

/// A part of the budget, given back when it is dropped.
pub struct Share {
    bytes: usize,
    client: Client,
    taken: Arc<Mutex<Taken>>,
}

impl Budget {
    /// A budget of this many bytes.
    pub fn new(bytes: usize) -> Budget {
        Budget { total: bytes, taken: Arc::default() }
    }

    /// The number of bytes in use.
    pub fn taken(&self) -> usize {
        lock(&self.taken).all
    }

    /// Takes a share of this many bytes for the client of the current request.
    pub fn take(&self, bytes: usize) -> Result<Share, Failure> {
        let client = Client::current();
        let mut taken = lock(&self.taken);
        let own = taken.by_client.get(&client).copied().unwrap_or_default();
        if own + bytes > self.total / PART_OF_A_CLIENT {
            return Err(Failure::busy("requests and answers of this address take too much memory"));
        }
        if taken.all + bytes > self.total {
            return Err(Failure::busy("the memory for requests and answers is used up"));
        }
        taken.all += bytes;
        taken.by_client.insert(client, own + bytes);
        Ok(Share { bytes, client, taken: Arc::clone(&self.taken) })
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.all -= self.bytes;
        if let Some(own) = taken.by_client.get_mut(&self.client) {
            *own -= self.bytes;
            if *own == 0 {
                taken.by_client.remove(&self.client);
            }
        }
    }
}

impl Share {
    /// Adds another share of the same client to this one.
    pub fn join(&mut self, mut other: Share) {
        self.bytes += std::mem::take(&mut other.bytes);
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
        let budget = Budget::new(40);
        let bytes = budget.take(7).unwrap().hold(Bytes::from_static(b"answer"));
        let rest = bytes.slice(3..);
        drop(bytes);
        assert_eq!((&rest[..], budget.taken()), (&b"wer"[..], 7));
        assert!(budget.take(4).is_err());
        drop(rest);
        assert_eq!(budget.taken(), 0);
    }

    #[tokio::test]
    async fn one_client_takes_only_a_part() {
        let budget = Budget::new(40);
        let mut shares = Vec::new();
        for number in 1..=4 {
            let client = Client::at([192, 0, 2, number].into());
            let mut share = client.scope(async { budget.take(6) }).await.unwrap();
            assert!(client.scope(async { budget.take(5) }).await.is_err());
            share.join(client.scope(async { budget.take(4) }).await.unwrap());
            shares.push(share);
        }
        assert!(budget.take(1).is_err(), "all is taken");
        shares.pop();
        assert!(budget.take(10).is_ok());
        drop(shares);
        assert_eq!((budget.taken(), lock(&budget.taken).by_client.len()), (0, 0));
    }
}
