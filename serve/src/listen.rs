//! Connections: their number, their timeouts, and the shutdown.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::budget::Holding;
use crate::client::Client;
use crate::metrics::Metrics;
use crate::write_limit::WriteLimit;

/// The head of a request must arrive within this time, on a new connection and on an idle one.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// The largest head of a request in bytes, including the address.
pub const HEAD_BYTES: usize = 1 << 16;
/// The pause after a failed accept, such as with too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// After a signal, running requests have this time to finish.
const GRACE: Duration = Duration::from_secs(4);

/// The limits on the number of open connections, and how a client is known.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Of all clients together.
    pub connections: usize,
    /// Of one client.
    pub per_address: usize,
    /// Whether a proxy states in `X-Forwarded-For` who sends a request.
    pub trusts_forwarded: bool,
}

/// The open connections.
struct Connections {
    limits: Limits,
    open: Mutex<HashMap<u64, Open>>,
    next: AtomicU64,
    began: Instant,
    metrics: Arc<Metrics>,
}

struct Open {
    client: Client,
    task: AbortHandle,
    activity: Arc<Activity>,
}

/// The requests of a connection.
struct Activity {
    /// Number of requests whose answers are not sent yet.
    requests: AtomicUsize,
    /// Arrival time of the last request, in microseconds since the start of the server.
    last: AtomicU64,
}

/// Serves until `ending` is true, then waits up to `GRACE` for running requests.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    metrics: Arc<Metrics>,
    mut ending: watch::Receiver<bool>,
) {
    let connections = Arc::new(Connections {
        limits,
        open: Mutex::default(),
        next: AtomicU64::new(0),
        began: Instant::now(),
        metrics,
    });
    loop {
        let stream = tokio::select! {
            _ = ending.wait_for(|ending| *ending) => break,
            accepted = listener.accept() => accepted,
        };
        match stream {
            Ok((stream, address)) => {
                connections.admit(stream, Client::at(address.ip()), app.clone(), ending.clone());
            }
            Err(error) => {
                if !is_of_one_connection(&error) {
                    connections.make_room(None);
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
    drop(listener);
    let deadline = Instant::now() + GRACE;
    while !connections.lock().is_empty() && Instant::now() < deadline {
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

/// Whether a failed accept concerns one connection only, so that the next accept may succeed at once.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Serves a connection. At a limit it closes the longest idle connection, or the new one if none is idle. At the
    /// limit of a client it closes only connections of this client.
    fn admit(self: &Arc<Self>, stream: TcpStream, client: Client, app: Router, ending: watch::Receiver<bool>) {
        let (all, own) = {
            let open = self.lock();
            (open.len(), open.values().filter(|open| open.client == client).count())
        };
        let is_admitted = if own >= self.limits.per_address {
            self.make_room(Some(client))
        } else {
            all < self.limits.connections || self.make_room(None)
        };
        if !is_admitted {
            return;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let activity = Arc::new(Activity { requests: AtomicUsize::new(0), last: AtomicU64::new(self.now()) });
        let connections = Arc::clone(self);
        let seen = Arc::clone(&activity);
        // The lock is held until the entry is inserted, so that the task cannot remove it earlier.
        let mut open = self.lock();
        let task = tokio::spawn(async move {
            let _entry = Entry { number, connections: Arc::clone(&connections) };
            connect(stream, client, app, &connections, seen, ending).await;
        });
        open.insert(number, Open { client, task: task.abort_handle(), activity });
        self.metrics.connections.store(open.len() as u64, Ordering::Relaxed);
    }

    /// Closes the longest idle connection, of one client if it is given. `false` if every connection has a running
    /// request.
    fn make_room(&self, client: Option<Client>) -> bool {
        let mut open = self.lock();
        let chosen = open.iter().filter(|(_, open)| client.is_none_or(|client| open.client == client));
        let idle = chosen.filter(|(_, open)| open.activity.requests.load(Ordering::Relaxed) == 0);
        let oldest = idle.min_by_key(|(_, open)| open.activity.last.load(Ordering::Relaxed)).map(|(&number, _)| number);
        let Some(ended) = oldest.and_then(|number| open.remove(&number)) else { return false };
        ended.task.abort();
        self.metrics.evicted.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// Removes a connection from the list when it is dropped, however the connection ends.
struct Entry {
    number: u64,
    connections: Arc<Connections>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.remove(&self.number);
        self.connections.metrics.connections.store(open.len() as u64, Ordering::Relaxed);
    }
}

/// Counts a request as running until its answer is sent.
struct RunningRequest(Arc<Activity>);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn connect(
    stream: TcpStream,
    client: Client,
    app: Router,
    connections: &Connections,
    activity: Arc<Activity>,
    mut ending: watch::Receiver<bool>,
) {
    // Answers are written in one piece, so there is nothing to wait for.
    let _ = stream.set_nodelay(true);
    let stream = WriteLimit::new(stream);
    let app = TowerToHyperService::new(app);
    let service = service_fn(|request: Request<Incoming>| {
        activity.requests.fetch_add(1, Ordering::Relaxed);
        activity.last.store(connections.now(), Ordering::Relaxed);
        let running = RunningRequest(Arc::clone(&activity));
        let behind_proxy = connections.limits.trusts_forwarded.then(|| Client::behind_proxy(request.headers()));
        let client = behind_proxy.flatten().unwrap_or(client);
        let answer = client.scope(hyper::service::Service::call(&app, request));
        async move {
            let response: Response<Body> = answer.await?;
            Ok::<_, Infallible>(response.map(|body| Holding::body(body, running)))
        }
    });
    let mut builder = http1::Builder::new();
    // The buffer may grow beyond this size in one read, so the router counts the bytes of a head.
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ending.wait_for(|ending| *ending) => connection.as_mut().graceful_shutdown(),
    }
    // An error of the client ends only its own connection.
    let _ = connection.await;
}
