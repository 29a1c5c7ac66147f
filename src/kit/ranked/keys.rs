//! The keys of all positions of a game without ranks: a mapped file for each stage. The rank of a position is its place.
//!
//! ```text
//! content of a file, all numbers of 64 bits
//!
//! n        the number of keys
//! length   of every key, or 0
//! n ends   of the keys among their bytes, if the length is 0
//! keys     sorted by hash, then by bytes
//! ```

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::super::keys::{KeyIndex, Keys};
use super::work::MappedFile;

/// Shards of a set of keys. A key belongs to the shard with the number of its first bits of hash.
const SHARDS: usize = 1 << 6;
/// Shards that are sorted at the same time.
const SHARDS_AT_ONCE: usize = 1 << 3;
/// Keys that a bucket has on average.
const BUCKET: u64 = 4;
/// Size of a number in a file, in bytes.
const NUMBER: usize = 8;

/// The keys of all stages, in ascending order of the stages.
#[derive(Default)]
pub(in super::super) struct KeyFiles(Vec<StageKeys>);

/// The keys of a stage.
struct StageKeys {
    stage: u32,
    /// The rank of the first one.
    first: u64,
    file: MappedFile,
    layout: Layout,
    /// Keys whose first `bits` bits of hash are `b` have the places `buckets[b]..buckets[b + 1]`.
    buckets: Vec<u32>,
    bits: u32,
}

/// Where the keys of a file are.
struct Layout {
    count: usize,
    /// The length of every key, or 0 if they differ.
    length: usize,
}

impl KeyFiles {
    /// Adds the file of the next stage in ascending order. `None` if its content is not as it should be.
    pub(super) fn push(&mut self, stage: u32, file: MappedFile) -> Option<()> {
        let layout = Layout::of(file.content())?;
        let bits = (layout.count as u64 / BUCKET).max(1).ilog2();
        let mut buckets = vec![0; (1 << bits) + 1];
        for place in 0..layout.count {
            buckets[bucket(xxh3_64(layout.key(file.content(), place)), bits) + 1] += 1;
        }
        for place in 1..buckets.len() {
            buckets[place] += buckets[place - 1];
        }
        self.0.push(StageKeys { stage, first: self.len(), file, layout, buckets, bits });
        Some(())
    }

    /// The number of keys.
    pub(super) fn len(&self) -> u64 {
        self.0.last().map_or(0, |last| last.first + last.layout.count as u64)
    }

    /// The rank of a key.
    pub(super) fn rank(&self, stage: u32, key: &[u8]) -> Option<u64> {
        let keys = &self.0[self.0.binary_search_by_key(&stage, |keys| keys.stage).ok()?];
        let bucket = bucket(xxh3_64(key), keys.bits);
        let places = keys.buckets[bucket] as usize..keys.buckets[bucket + 1] as usize;
        let place = places.into_iter().find(|&place| keys.get(place) == key)?;
        Some(keys.first + place as u64)
    }

    /// The key of a rank.
    pub(in super::super) fn get(&self, rank: u64) -> &[u8] {
        let keys = &self.0[self.0.partition_point(|keys| keys.first <= rank) - 1];
        keys.get((rank - keys.first) as usize)
    }

    /// The ranks of each stage.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.0.iter().map(|keys| keys.first..keys.first + keys.layout.count as u64)
    }

    /// The length of every key, if all keys have the same length.
    pub(in super::super) fn length(&self) -> Option<usize> {
        let length = self.0.first()?.layout.length;
        (length > 0 && self.0.iter().all(|keys| keys.layout.length == length)).then_some(length)
    }

    /// Memory in bytes. The files are not in memory.
    pub(super) fn memory(&self) -> usize {
        self.0.iter().map(|keys| keys.buckets.len() * size_of::<u32>()).sum()
    }
}

impl StageKeys {
    fn get(&self, place: usize) -> &[u8] {
        self.layout.key(self.file.content(), place)
    }
}

fn bucket(hash: u64, bits: u32) -> usize {
    hash.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
}

impl Layout {
    /// Reads the numbers of a file and checks them.
    fn of(content: &[u8]) -> Option<Layout> {
        let number = |place| usize::try_from(number(content, place)?).ok();
        let layout = Layout { count: number(0)?, length: number(1)? };
        let bytes = content.len().checked_sub(layout.bytes_start()?)?;
        let is_right = match layout.length {
            0 => {
                let ends = (0..layout.count).map(|place| number(2 + place)).collect::<Option<Vec<usize>>>()?;
                ends.is_sorted() && ends.last().copied().unwrap_or(0) == bytes
            }
            length => layout.count.checked_mul(length)? == bytes,
        };
        (is_right && u32::try_from(layout.count).is_ok()).then_some(layout)
    }

    /// Where the bytes of the keys begin.
    fn bytes_start(&self) -> Option<usize> {
        let ends = if self.length == 0 { self.count } else { 0 };
        ends.checked_add(2)?.checked_mul(NUMBER)
    }

    fn key<'a>(&self, content: &'a [u8], place: usize) -> &'a [u8] {
        let bytes = &content[self.bytes_start().expect("the layout was checked")..];
        if self.length > 0 {
            return &bytes[place * self.length..][..self.length];
        }
        let end = |place: usize| number(content, 2 + place).expect("the layout was checked") as usize;
        &bytes[if place == 0 { 0 } else { end(place - 1) }..end(place)]
    }
}

/// A number of a file.
fn number(content: &[u8], place: usize) -> Option<u64> {
    let bytes = content.get(place.checked_mul(NUMBER)?..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// Keys of a stage that threads add together.
pub(super) struct KeySet(Vec<Mutex<Shard>>);

/// A part of the keys.
#[derive(Default)]
pub(super) struct Shard {
    keys: Keys,
    index: KeyIndex,
    /// The number of keys that were taken by [`Shard::take_new`].
    taken: usize,
}

impl Shard {
    fn insert(&mut self, key: &[u8], hash: u64) {
        self.index.reserve(1, &self.keys);
        let new = self.keys.len() as u32;
        if self.index.insert(hash, new, |number| self.keys.get(number) == key).1 == new {
            self.keys.push(key);
        }
    }

    /// The keys that were added since the last call, up to a number of keys, sorted.
    pub(super) fn take_new(&mut self, until: usize) -> Keys {
        let mut numbers: Vec<u32> = (self.taken as u32..until as u32).collect();
        self.taken = until;
        numbers.sort_unstable_by(|&one, &other| self.keys.get(one).cmp(self.keys.get(other)));
        let mut taken = Keys::default();
        numbers.into_iter().for_each(|number| taken.push(self.keys.get(number)));
        taken
    }

    /// All keys in the order of a file.
    fn sorted(&self) -> Vec<&[u8]> {
        let mut keys: Vec<(u64, &[u8])> =
            (0..self.keys.len() as u32).map(|number| self.keys.get(number)).map(|key| (xxh3_64(key), key)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key).collect()
    }

    fn memory(&self) -> usize {
        self.keys.memory() + self.index.memory()
    }
}

impl KeySet {
    pub(super) fn new() -> KeySet {
        KeySet((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    /// Adds a key. Returns how much the memory grew, in bytes.
    pub(super) fn insert(&self, key: &[u8]) -> usize {
        let hash = xxh3_64(key);
        let mut shard = self.shard((hash >> (u64::BITS - SHARDS.ilog2())) as usize);
        let before = shard.memory();
        shard.insert(key, hash);
        shard.memory() - before
    }

    pub(super) fn shard(&self, number: usize) -> MutexGuard<'_, Shard> {
        // A shard is whole even if a thread panicked.
        self.0[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of keys.
    pub(super) fn len(&self) -> u64 {
        self.lengths().into_iter().map(|length| length as u64).sum()
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        (0..SHARDS).map(|number| self.shard(number).memory()).sum()
    }

    /// The number of keys in each shard.
    pub(super) fn lengths(&self) -> Vec<usize> {
        (0..SHARDS).map(|number| self.shard(number).keys.len()).collect()
    }

    /// The least key of the first shard that has keys.
    pub(super) fn example(&self) -> Option<Vec<u8>> {
        let shard = (0..SHARDS).map(|number| self.shard(number)).find(|shard| shard.keys.len() > 0)?;
        (0..shard.keys.len() as u32).map(|number| shard.keys.get(number)).min().map(<[u8]>::to_vec)
    }

    /// Whether there are keys that nobody took.
    pub(super) fn has_new(&self) -> bool {
        (0..SHARDS).map(|number| self.shard(number)).any(|shard| shard.taken < shard.keys.len())
    }

    /// Removes all keys of a shard. Returns them, each after its length, and the memory that is free now, in bytes.
    pub(super) fn drain(&self, number: usize) -> (Vec<u8>, usize) {
        let shard = std::mem::take(&mut *self.shard(number));
        let mut bytes = Vec::new();
        for number in 0..shard.keys.len() as u32 {
            let key = shard.keys.get(number);
            bytes.extend_from_slice(&(key.len() as u64).to_le_bytes());
            bytes.extend_from_slice(key);
        }
        (bytes, shard.memory())
    }

    /// Appends the content of a file.
    pub(super) fn append_to(&self, content: &mut Vec<u8>) {
        let shards: Vec<MutexGuard<'_, Shard>> = (0..SHARDS).map(|number| self.shard(number)).collect();
        let length = shards.iter().filter(|shard| shard.keys.len() > 0).map(|shard| shard.keys.stride());
        let length = length.reduce(|one, other| if one == other { one } else { None }).flatten().unwrap_or(0);
        let count = shards.iter().map(|shard| shard.keys.len() as u64).sum::<u64>();
        let bytes: usize = shards.iter().map(|shard| shard.keys.bytes()).sum();
        let numbers = if length == 0 { 2 + count as usize } else { 2 };
        // The next number is a hash.
        content.reserve_exact((numbers + 1) * NUMBER + bytes);
        content.extend_from_slice(&count.to_le_bytes());
        content.extend_from_slice(&(length as u64).to_le_bytes());
        let ends = content.len();
        content.resize(ends + if length == 0 { count as usize * NUMBER } else { 0 }, 0);
        let (first, mut next) = (content.len(), ends);
        // The keys of a shard come before those of the next one: the first bits of the hash decide both.
        for some in shards.chunks(SHARDS_AT_ONCE) {
            let sorted: Vec<Vec<&[u8]>> = some.par_iter().map(|shard| shard.sorted()).collect();
            for key in sorted.into_iter().flatten() {
                content.extend_from_slice(key);
                if length == 0 {
                    let end = (content.len() - first) as u64;
                    content[next..next + NUMBER].copy_from_slice(&end.to_le_bytes());
                    next += NUMBER;
                }
            }
        }
    }
}
