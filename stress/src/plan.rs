//! The inputs of a run: a kind and a seed for each input number.

use tabletop::game::Kind;
use tabletop::seeded::Seeded;

/// Everything that determines an input, apart from the game and the requested sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// How hard it is.
    pub kind: Kind,
    /// The seed.
    pub seed: u64,
}

/// The inputs of a run: tiny ones first, then ordinary ones, then worst and edge inputs alternately.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of inputs.
    pub inputs: u64,
    /// The seed of all input seeds.
    pub seed: u64,
    /// The kinds to draw; empty for all.
    pub kinds: Vec<Kind>,
}

impl Plan {
    /// The recipe of input `number`, from 0.
    pub fn recipe(&self, number: u64) -> Recipe {
        let seed = Seeded(self.seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93)).below(1 << 53);
        Recipe { kind: self.kind(number), seed }
    }

    fn kind(&self, number: u64) -> Kind {
        if !self.kinds.is_empty() {
            let part = u128::from(number) * self.kinds.len() as u128 / u128::from(self.inputs.max(1));
            return self.kinds[(part as usize).min(self.kinds.len() - 1)];
        }
        // 40 % tiny, 30 % ordinary, and 30 % edge and worst.
        match u128::from(number) * 10 / u128::from(self.inputs.max(1)) {
            0..=3 => Kind::Tiny,
            4..=6 => Kind::Ordinary,
            _ if number.is_multiple_of(2) => Kind::Edge,
            _ => Kind::Worst,
        }
    }
}
