//! The keys of many positions. Keys are numbered in the order in which they are found.

use xxhash_rust::xxh3::xxh3_64;

use super::error::{BadRules, Fault};
use super::key::position_of;
use super::rules::Rules;

/// The position of a key that was made by [`append_key`](super::key::append_key).
pub(super) fn decode<R: Rules>(key: &[u8]) -> Result<R::Position, BadRules> {
    position_of::<R>(key).ok_or_else(|| Fault::Encoding.at(format!("of the bytes {key:02x?}")))
}

/// Marks a free place of an index.
pub(super) const FREE: u32 = u32::MAX;

/// All keys in one buffer. A key is identified by its number.
#[derive(Debug, Default)]
pub(super) struct Keys {
    bytes: Vec<u8>,
    /// The length of every key, while all keys have the same length.
    stride: usize,
    count: usize,
    /// The end of each key in `bytes`, once keys differ in length; empty before that.
    ends: Vec<u64>,
}

impl Keys {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        if self.ends.is_empty() {
            return &self.bytes[number * self.stride..][..self.stride];
        }
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// The length of every key, if all keys have the same length.
    pub(super) fn stride(&self) -> Option<usize> {
        (self.count > 0 && self.stride > 0 && self.ends.is_empty()).then_some(self.stride)
    }

    pub(super) fn push(&mut self, key: &[u8]) {
        if self.count == 0 {
            self.stride = key.len();
        }
        if self.ends.is_empty() && key.len() != self.stride {
            self.ends = (1..=self.count).map(|number| (number * self.stride) as u64).collect();
        }
        self.bytes.extend_from_slice(key);
        self.count += 1;
        if !self.ends.is_empty() || key.len() != self.stride {
            self.ends.push(self.bytes.len() as u64);
        }
    }

    /// The number of bytes of all keys.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u64>()
    }
}

/// A hash table of the numbers of keys, with linear probing.
#[derive(Default)]
pub(super) struct KeyIndex {
    places: Vec<u32>,
    used: usize,
}

impl KeyIndex {
    /// Makes room for `new` keys. At most two thirds of the places are used.
    pub(super) fn reserve(&mut self, new: usize, keys: &Keys) {
        let needed = ((self.used + new) * 3 / 2 + 1).next_power_of_two();
        if needed <= self.places.len() {
            return;
        }
        let old = std::mem::replace(&mut self.places, vec![FREE; needed]);
        for number in old.into_iter().filter(|&number| number != FREE) {
            let place = self.place(xxh3_64(keys.get(number)), |_| false);
            self.places[place] = number;
        }
    }

    /// The place of the number that `is_key` accepts, or a free place for it.
    fn place(&self, hash: u64, is_key: impl Fn(u32) -> bool) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place] != FREE && !is_key(self.places[place]) {
            place = (place + 1) & mask;
        }
        place
    }

    /// Inserts a key for which there is room. Returns its place and the number there, which is another one if the key
    /// was known.
    pub(super) fn insert(&mut self, hash: u64, number: u32, is_key: impl Fn(u32) -> bool) -> (usize, u32) {
        let place = self.place(hash, is_key);
        if self.places[place] == FREE {
            self.places[place] = number;
            self.used += 1;
        }
        (place, self.places[place])
    }

    /// Gives the key of a place another number.
    pub(super) fn renumber(&mut self, place: usize, number: u32) {
        self.places[place] = number;
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }
}
