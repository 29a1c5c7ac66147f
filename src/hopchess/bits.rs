//! Reads and writes numbers of any bit width. The highest bit of a byte comes first.

/// The largest width of a number, in bits. A window has eight bytes, and up to seven bits before the number are unused.
pub const MOST_BITS: u32 = 56;

/// Reads numbers in the order in which they were written. Past the end it returns `None`.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at the first bit.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, position: 0 }
    }

    /// The next bits, at least [`MOST_BITS`] of them, in the highest bits of a word. Bits past the end are zero.
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

    /// Skips `count` bits. `None` if fewer are left.
    pub fn skip(&mut self, count: u32) -> Option<()> {
        self.position += count as usize;
        (self.position <= self.bytes.len() * 8).then_some(())
    }

    /// The next `count` bits as a number. `None` if `count` exceeds [`MOST_BITS`] or fewer bits are left.
    pub fn number(&mut self, count: u32) -> Option<u64> {
        if count > MOST_BITS {
            return None;
        }
        let number = self.window().checked_shr(u64::BITS - count).unwrap_or(0);
        self.skip(count)?;
        Some(number)
    }

    /// Reads ones up to the next zero, skips the zero, and returns the number of ones. `None` from [`MOST_BITS`] on.
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

    /// Appends `count` ones and a zero.
    pub fn unary(&mut self, count: u32) {
        for _ in 0..count {
            self.number(1, 1);
        }
        self.number(0, 1);
    }

    /// The bytes. Unused bits of the last byte are zero.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
