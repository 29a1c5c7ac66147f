//! The functions that `worker.js` calls, and those that it provides.
//!
//! Bytes pass through two buffers. The worker calls `reserve`, writes into the memory at the returned address, and calls
//! `ask` or `put`. `ask` returns a number for the kind of reply; its bytes are at `reply_address`.

// Exported and imported names must be unique in the whole program, which the compiler cannot check.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::LazyLock;
use std::time::Duration;

use tabletop::text::to_json;

use crate::{Reply, Site};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Milliseconds since the worker began.
    safe fn now() -> f64;
    /// Progress of the current request: a JSON object at this address.
    safe fn progress(address: *const u8, bytes: usize);
    /// The message of a panic, which ends the instance.
    safe fn panicked(address: *const u8, bytes: usize);
}

unsafe extern "Rust" {
    /// The site of the program, see [`program!`](crate::program).
    safe fn tabletop_site() -> Site;
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

static SITE: LazyLock<Site> = LazyLock::new(|| {
    tabletop::clock::set(|| Duration::from_secs_f64(now() / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    tabletop_site()
});

/// Makes room for the bytes of the next call and returns their address.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *const u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_ptr()
    })
}

/// Answers the request in the buffer: 0 is an answer, 1 a refusal, 2 a list of ranges that are needed first.
#[unsafe(no_mangle)]
extern "C" fn ask() -> u32 {
    let request = INPUT.take();
    let (kind, bytes) = match SITE.ask(&request, &|object| progress(object.as_ptr(), object.len())) {
        Reply::Answer(bytes) => (0, bytes),
        Reply::Refusal(bytes) => (1, bytes),
        Reply::Needs(ranges) => (2, to_json(&ranges)),
    };
    REPLY.set(bytes);
    kind
}

/// Where the bytes of the reply are.
#[unsafe(no_mangle)]
extern "C" fn reply_address() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

/// How many bytes the reply has.
#[unsafe(no_mangle)]
extern "C" fn reply_bytes() -> usize {
    REPLY.with_borrow(Vec::len)
}

/// Keeps the bytes in the buffer: the name of a file, a line feed, then its bytes from `offset` on. Returns 1 if they are
/// those of the shipped table.
#[unsafe(no_mangle)]
extern "C" fn put(offset: f64) -> u32 {
    let input = INPUT.take();
    let Some(end) = input.iter().position(|&byte| byte == b'\n') else { return 0 };
    let name = String::from_utf8_lossy(&input[..end]);
    u32::from(SITE.store.put(&name, offset as u64, input[end + 1..].to_vec()))
}
