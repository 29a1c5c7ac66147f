//! Splits the boards into shards for several machines.

use std::fmt;
use std::str::FromStr;

/// Shard `index` of `count`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// Whether board number `board`, from 0, belongs to this shard. The boards are assigned in turn, so that each shard
    /// has about as many large ones.
    pub(super) fn has(self, board: usize) -> bool {
        board % self.count + 1 == self.index
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
    fn every_board_belongs_to_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
        for board in 0..10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(board)).count(), 1);
            assert!("1/1".parse::<Shard>().unwrap().has(board));
        }
        for text in ["0/2", "3/2", "1", "1/0", "-1/2", "a/b", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
