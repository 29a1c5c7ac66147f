//! A limit on how slowly a client may read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A client must read this many bytes, or all that is left to send, …
pub const LEAST_BYTES: usize = 1 << 16;
/// … within this time.
pub const WRITE_TIME: Duration = Duration::from_secs(30);

/// A stream whose writes fail if the client reads too slowly. A limit on each single write would not be enough: a client
/// could then read one byte at a time and hold an answer for hours.
pub struct WriteLimit<S> {
    stream: S,
    /// Runs while bytes are waiting for the client.
    timer: Option<Pin<Box<Sleep>>>,
    /// Number of bytes that were written since the timer started.
    written: usize,
}

impl<S: Unpin> WriteLimit<S> {
    /// Limits the writes of a stream.
    pub fn new(stream: S) -> WriteLimit<S> {
        WriteLimit { stream, timer: None, written: 0 }
    }

    /// Does a write, and fails if it has to wait although the time is over.
    fn limit(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match write(Pin::new(&mut self.stream), context) {
            Poll::Pending => {
                let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(WRITE_TIME)));
                ready!(timer.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Ready(Ok(bytes)) => {
                self.written += bytes;
                if self.written >= LEAST_BYTES {
                    self.restart();
                }
                Poll::Ready(Ok(bytes))
            }
            failed => failed,
        }
    }

    fn restart(&mut self) {
        self.timer = None;
        self.written = 0;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteLimit<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteLimit<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.limit(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.limit(context, |stream, context| stream.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when nothing is left to write.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.restart();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::Instant;

    use super::*;

    /// A client that reads `bytes` every 14 seconds.
    struct Slow {
        bytes: usize,
        pause: Pin<Box<Sleep>>,
    }

    impl AsyncWrite for Slow {
        fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            ready!(self.pause.as_mut().poll(context));
            self.pause = Box::pin(sleep(Duration::from_secs(14)));
            Poll::Ready(Ok(self.bytes.min(bytes.len())))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// Sends an answer to a client that reads `bytes` every 14 seconds.
    async fn send(answer: usize, bytes: usize) -> io::Result<()> {
        let mut stream = WriteLimit::new(Slow { bytes, pause: Box::pin(sleep(Duration::ZERO)) });
        let mut left = answer;
        while left > 0 {
            let text = vec![b'x'; left];
            left -= poll_fn(|context| Pin::new(&mut stream).poll_write(context, &text)).await?;
        }
        poll_fn(|context| Pin::new(&mut stream).poll_flush(context)).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_a_byte_at_a_time_is_cut_off() {
        let began = Instant::now();
        let error = send(1 << 20, 1).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() < WRITE_TIME + Duration::from_secs(15), "{:?}", began.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_but_enough_gets_the_whole_answer() {
        send(1 << 20, LEAST_BYTES / 2).await.unwrap();
        // A short answer may take the whole time.
        send(2, 1).await.unwrap();
    }
}
