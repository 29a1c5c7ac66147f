//! Shares of a long piece of work, for several machines.

use std::fmt;
use std::str::FromStr;

/// Share `index` of `count`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// Whether a piece, by its number from 0, belongs to this share: the pieces are dealt out like cards, so that each
    /// share has about as many long ones.
    pub(super) fn has(self, piece: usize) -> bool {
        piece % self.count + 1 == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
            _ => Err(String::from("write the number of a share and of all shares, such as 1/2 and 2/2")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_belongs_to_one_share() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        for piece in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(piece)).count(), 1);
            assert!("1/1".parse::<Shard>().unwrap().has(piece));
        }
        for text in ["0/2", "3/2", "1", "1/0", "-1/2", "a/b", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
