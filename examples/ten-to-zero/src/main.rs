//! Ten to zero: two players take turns to subtract one or two. The player who reaches zero wins.

use std::process::ExitCode;

use tabletop::kit::{self, Node, Rules};

struct TenToZero;

impl Rules for TenToZero {
    type Position = u8;
    type Move = u8;

    fn name(&self) -> &str {
        "ten-to-zero"
    }

    fn starts(&self) -> Vec<u8> {
        vec![10]
    }

    fn node(&self, left: &u8) -> Node<Self> {
        if *left == 0 {
            return Node::over(-1); // The other player has reached zero.
        }
        Node::max((1..=2.min(*left)).map(|step| (step, Node::turn(left - step))))
    }
}

fn main() -> ExitCode {
    kit::main(TenToZero)
}
