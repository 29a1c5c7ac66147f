//! Long work that is watched: server-sent events, the last of which has the answer.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio_stream::Stream;

use crate::failure::Failure;
use crate::games::Outcome;
use crate::pool::{Pool, Ticket};

/// Events that wait for a slow client; what comes meanwhile is left out.
const WAITING_EVENTS: usize = 4;
/// Without an event for this long, a comment says that the connection is alive.
const ALIVE: Duration = Duration::from_secs(5);

/// Tells a client how far its work has got. The client may be slow: what does not fit is left out.
#[derive(Clone)]
pub struct Teller(mpsc::Sender<Event>);

impl Teller {
    /// Sends an event, if there is room for it.
    pub fn tell(&self, event: &str, data: &[u8]) {
        let _ = self.0.try_send(message(event, data));
    }
}

fn message(event: &str, data: &[u8]) -> Event {
    Event::default().event(event).data(String::from_utf8_lossy(data).trim_end())
}

/// Does the work in a pool and streams what it tells; its outcome is the last event, `final` or `failed`.
///
/// A client that closes the connection cancels the work.
pub fn stream(
    pool: &Pool,
    work: impl FnOnce(&AtomicBool, &Teller) -> Outcome + Send + 'static,
) -> Result<Response, Failure> {
    let (sender, told) = mpsc::channel(WAITING_EVENTS);
    let ticket = pool.submit(Box::new(move |cancelled: &AtomicBool| {
        let outcome = work(cancelled, &Teller(sender.clone()));
        let (event, data) = match &outcome {
            Ok(answer) => ("final", answer.clone()),
            Err(failure) => ("failed", failure.to_json()),
        };
        // The last event is never left out; who has closed the connection does not miss it.
        let _ = sender.blocking_send(message(event, &data));
    }))?;
    let events = Events { told, _ticket: ticket };
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response())
}

/// The events of one client.
struct Events {
    told: mpsc::Receiver<Event>,
    /// Cancels the work when the client is gone.
    _ticket: Ticket<()>,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.told.poll_recv(context).map(|event| event.map(Ok))
    }
}
