//! Numbers of any width in a row of bytes, the highest bit of a byte first.

/// The most bits that one number takes: a window of eight bytes less the bits before its start.
pub const MOST_BITS: u32 = 56;

/// Reads numbers in the order in which they were written; past the end there are none.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at the first bit.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, position: 0 }
    }

    /// The next bits at the top of a word, at least [`MOST_BITS`] of them, zeros past the end.
    pub fn window(&self) -> u64 {
        let rest = self.bytes.get(self.position / 8..).unwrap_or_default();
        let word = match rest.first_chunk::<8>() {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => {
                let mut padded = [0; 8];
                padded[..rest.len()].copy_from_slice(rest);
                u64::from_be_bytes(padded)
            }
        };
        word << (self.position % 8)
    }

    /// Leaves out the next bits.
    pub fn skip(&mut self, count: u32) -> Option<()> {
        self.position += count as usize;
        (self.position <= self.bytes.len() * 8).then_some(())
    }

    /// The next bits as a number; at most [`MOST_BITS`].
    pub fn number(&mut self, count: u32) -> Option<u64> {
        if count > MOST_BITS {
            return None;
        }
        let number = self.window().checked_shr(u64::BITS - count).unwrap_or(0);
        self.skip(count)?;
        Some(number)
    }

    /// The number of ones before the next zero, and leaves that out too; less than [`MOST_BITS`].
    pub fn unary(&mut self) -> Option<u32> {
        let count = self.window().leading_ones();
        self.skip(count + 1)?;
        (count < MOST_BITS).then_some(count)
    }
}

/// Writes numbers for a [`BitReader`].
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    free: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of a number.
    pub fn number(&mut self, number: u64, count: u32) {
        for place in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = u8::BITS;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> place & 1) as u8) << self.free;
            }
        }
    }

    /// Appends this many ones and a zero.
    pub fn unary(&mut self, count: u32) {
        for _ in 0..count {
            self.number(1, 1);
        }
        self.number(0, 1);
    }

    /// The bytes, the last one filled up with zeros.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
