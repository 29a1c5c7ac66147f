//! A cache of exact answers. Computing an answer and writing it as JSON is the slowest part of a lookup.
//!
//! The cache has two generations of equal size. New answers enter the young one. When it is full, it becomes the old
//! one and the previous old one is dropped. A hit in the old generation moves the answer to the young one.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::http::HeaderValue;
use xxhash_rust::xxh3::xxh3_64;

/// Approximate size of an entry in bytes, without its input and its answer.
const ENTRY_BYTES: usize = 256;

/// An exact answer with its ETag.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The JSON object.
    pub bytes: Bytes,
    /// The ETag.
    pub tag: HeaderValue,
}

impl Answer {
    /// The answer with these bytes.
    pub fn new(bytes: Vec<u8>) -> Answer {
        let tag = format!("\"{:016x}\"", xxh3_64(&bytes));
        let tag = HeaderValue::try_from(tag).expect("hexadecimal digits in quotes are visible ASCII");
        Answer { bytes: bytes.into(), tag }
    }
}

/// A cache of answers by path and input.
pub struct Cache {
    /// Maximum size of one generation in bytes.
    most: usize,
    generations: Mutex<Generations>,
    /// Number of hits.
    pub hits: AtomicU64,
}

#[derive(Default)]
struct Generations {
    young: HashMap<Box<[u8]>, Answer>,
    young_bytes: usize,
    old: HashMap<Box<[u8]>, Answer>,
}

impl Cache {
    /// A cache of about this many bytes.
    pub fn new(bytes: usize) -> Cache {
        Cache { most: bytes / 2, generations: Mutex::default(), hits: AtomicU64::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached answer of a path to an input.
    pub fn get(&self, path: &str, input: &[u8]) -> Option<Answer> {
        let key = key(path, input);
        let mut generations = self.lock();
        let found = match generations.young.get(&key) {
            Some(answer) => answer.clone(),
            None => {
                let answer = generations.old.remove(&key)?;
                self.insert(&mut generations, key, answer.clone());
                answer
            }
        };
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }

    /// Stores the answer of a path to an input.
    pub fn put(&self, path: &str, input: &[u8], answer: Answer) {
        self.insert(&mut self.lock(), key(path, input), answer);
    }

    fn insert(&self, generations: &mut Generations, key: Box<[u8]>, answer: Answer) {
        let bytes = key.len() + answer.bytes.len() + ENTRY_BYTES;
        if bytes > self.most {
            return;
        }
        if generations.young_bytes + bytes > self.most {
            generations.old = mem::take(&mut generations.young);
            generations.young_bytes = 0;
        }
        generations.young_bytes += bytes;
        generations.young.insert(key, answer);
    }
}

/// The key of an entry. A path contains no zero byte, so keys are unique.
fn key(path: &str, input: &[u8]) -> Box<[u8]> {
    [path.as_bytes(), b"\0", input].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Answer {
        Answer::new(text.into())
    }

    fn found(cache: &Cache, path: &str, input: &str) -> Option<Bytes> {
        cache.get(path, input.as_bytes()).map(|answer| answer.bytes)
    }

    #[test]
    fn answers_are_keyed_by_path_and_input() {
        let cache = Cache::new(1 << 20);
        cache.put("/a", b"1", answer("one"));
        cache.put("/b", b"1", answer("other"));
        assert_eq!(found(&cache, "/a", "1").as_deref(), Some(&b"one"[..]));
        assert_eq!(found(&cache, "/b", "1").as_deref(), Some(&b"other"[..]));
        assert_eq!(found(&cache, "/a", "2"), None);
        assert_eq!(cache.hits.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn used_answers_stay_and_others_are_evicted() {
        let cache = Cache::new(100 * (ENTRY_BYTES + 1000));
        let long = "x".repeat(1000);
        cache.put("/", b"kept", answer(&long));
        for number in 0..1000 {
            cache.put("/", number.to_string().as_bytes(), answer(&long));
            assert!(found(&cache, "/", "kept").is_some(), "after {number}");
        }
        assert_eq!(found(&cache, "/", "0"), None);
        let generations = cache.lock();
        assert!(generations.young.len() + generations.old.len() <= 100);
    }

    #[test]
    fn an_answer_that_is_too_long_is_not_stored() {
        let cache = Cache::new(1000);
        cache.put("/", b"1", answer(&"x".repeat(600)));
        assert_eq!(found(&cache, "/", "1"), None);
    }
}
