//! Server-sent events: the progress of long work, and its answer as the last event.

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

/// Maximum number of events that wait for a slow client. Further progress events are dropped.
const WAITING_EVENTS: usize = 4;
/// After this time without an event, a comment keeps the connection alive.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Sends progress events to a client.
#[derive(Clone)]
pub struct EventSender(mpsc::Sender<Event>);

impl EventSender {
    /// Sends an event, or drops it if the queue is full.
    pub fn send(&self, event: &str, data: &[u8]) {
        let _ = self.0.try_send(message(event, data));
    }
}

fn message(event: &str, data: &[u8]) -> Event {
    Event::default().event(event).data(String::from_utf8_lossy(data).trim_end())
}

/// Runs the work in a pool and streams its events. The last event is its outcome, `final` or `failed`.
///
/// Closing the connection cancels the work.
pub fn stream(
    pool: &Pool,
    work: impl FnOnce(&AtomicBool, &EventSender) -> Outcome + Send + 'static,
) -> Result<Response, Failure> {
    let (sender, receiver) = mpsc::channel(WAITING_EVENTS);
    let ticket = pool.submit(Box::new(move |cancelled: &AtomicBool| {
        let outcome = work(cancelled, &EventSender(sender.clone()));
        let (event, data) = match &outcome {
            Ok(answer) => ("final", answer.clone()),
            Err(failure) => ("failed", failure.to_json()),
        };
        // The last event is never dropped. Sending fails only if the client is gone.
        let _ = sender.blocking_send(message(event, &data));
    }))?;
    let events = Events { receiver, _ticket: ticket };
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// The events of one client.
struct Events {
    receiver: mpsc::Receiver<Event>,
    /// Cancels the work when the client is gone.
    _ticket: Ticket<()>,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}
