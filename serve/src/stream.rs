//! Server-sent events: the progress of long work, and its answer as the last event.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll, ready};
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
    let (sender, progress) = mpsc::channel(WAITING_EVENTS);
    let work = move |cancelled: &AtomicBool| work(cancelled, &EventSender(sender));
    let events = Events { progress, outcome: Some(pool.submit(Box::new(work))?) };
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// The events of one client: the progress, then the outcome. The outcome has its own channel, so that a thread of the
/// pool never waits for a slow client.
struct Events {
    progress: mpsc::Receiver<Event>,
    /// `None` after the last event. Dropping it cancels the work.
    outcome: Option<Ticket<Outcome>>,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(event) = ready!(self.progress.poll_recv(context)) {
            return Poll::Ready(Some(Ok(event)));
        }
        let Some(outcome) = &mut self.outcome else { return Poll::Ready(None) };
        let last = match ready!(Pin::new(outcome).poll(context)).flatten() {
            Ok(answer) => message("final", &answer),
            Err(failure) => message("failed", &failure.to_json()),
        };
        self.outcome = None;
        Poll::Ready(Some(Ok(last)))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    /// The text of a stream whose client reads only after the work is done.
    async fn read_late(work: impl FnOnce(&AtomicBool, &EventSender) -> Outcome + Send + 'static) -> String {
        let pool = Pool::start("test", 1, 2).unwrap();
        let response = stream(&pool, work).unwrap();
        // The thread is free for the next job although nobody reads.
        pool.submit(Box::new(|_| ())).unwrap().await.unwrap();
        String::from_utf8(to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_holds_no_thread_and_gets_the_last_event() {
        let text = read_late(|_, events| {
            (0..2 * WAITING_EVENTS).for_each(|_| events.send("progress", b"{}"));
            Ok(b"7".to_vec())
        })
        .await;
        assert_eq!(text.matches("event: progress").count(), WAITING_EVENTS);
        assert!(text.ends_with("event: final\ndata: 7\n\n"), "{text}");
    }

    #[tokio::test]
    async fn work_that_panics_is_a_failed_event() {
        let text = read_late(|_, _| panic!("a defect, for the test")).await;
        assert!(text.starts_with("event: failed\ndata: {\"error\":"), "{text}");
    }
}
