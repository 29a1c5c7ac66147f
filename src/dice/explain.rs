//! Explanations of dice poker, as text and as JSON.

use serde::{Serialize, Serializer};

use super::answer::{Advice, Choice, Outcome, Outcomes};
use super::chance::{Chance, ROLLS};
use super::index::HandRank;
use super::rules::{Case, DICE, Hand, Kept, Stage};
use crate::explain::{Explain, Paint, RankedMove, push_line, then_block};
use crate::game::Reply;
use crate::ranked::ranked;

impl Advice {
    /// Who won, when both hands are final.
    fn result(&self) -> Option<&'static str> {
        let result = if self.case.is_a_ahead() { "A has won" } else { "A has not won" };
        (self.case.stage == Stage::Over).then_some(result)
    }

    /// The position after a choice, if no die is rerolled.
    fn next(&self, choice: &Choice) -> Option<Case> {
        let hand = self.case.deciding_hand()?;
        hand.rerolled(choice.keep.kept).is_empty().then(|| self.case.after_keeping_all())
    }
}

impl Explain for Advice {
    type Case = Case;
    type Value = Chance;

    fn to_text(&self, paint: Paint) -> String {
        let advice = AdviceObject::from(self);
        let mut text = format!("{}\n", self.chance);
        let mut line = |content: &str| push_line(&mut text, content);
        let hands = format!("  A {}, B {}", advice.a.describe(), advice.b.describe());
        let (Some(mover), Some(best)) = (advice.mover, self.choices.first()) else {
            line(&format!("{hands}: the game is over, {}", self.result().unwrap_or_default()));
            return text + "\n";
        };
        line(&format!("{hands}: {mover} to reroll"));
        line(&format!("    {mover} rerolls  keeps      ways  A wins    exactly"));
        for choice in &advice.moves {
            let is_best = choice.chance.fraction == advice.chance.fraction;
            let row = choice.to_row(if is_best { '*' } else { ' ' });
            line(&if is_best { paint.bold(&row) } else { row });
        }
        line("  ways: how many of the 32 choices of dice a line stands for");
        match self.next(best) {
            Some(next) => line(&then_block("", &next.to_string())),
            None => {
                line(&format!("  the best reroll gives {mover}"));
                best.outcomes.rows().for_each(|row| line(&row));
                line(match self.case.stage {
                    Stage::AFinished => "  then: the game is over",
                    _ => "  then: write A's new dice and B's dice, and ask for B with --a-finished",
                });
            }
        }
        text.push('\n');
        text
    }

    fn moves(&self) -> Vec<RankedMove<Case, Chance>> {
        let Some(hand) = self.case.deciding_hand() else { return Vec::new() };
        let ranked = |choice: &Choice| RankedMove {
            name: format!("reroll {}", faces_or_nothing(&hand.rerolled(choice.keep.kept))),
            value: choice.chance,
            next: self.next(choice),
        };
        self.choices.iter().map(ranked).collect()
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AdviceObject::from(self).serialize(serializer)
    }
}

/// A case with every choice of the player who decides.
#[derive(Serialize)]
struct AdviceObject {
    a: HandObject,
    b: HandObject,
    mover: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<&'static str>,
    #[serde(flatten)]
    chance: ChanceObject,
    moves: Vec<MoveObject>,
}

#[derive(Debug, Serialize)]
struct HandObject {
    dice: [u8; DICE],
    arrangement: String,
}

#[derive(Serialize)]
struct MoveObject {
    reroll: Vec<u8>,
    keep: Vec<u8>,
    ways: u32,
    #[serde(flatten)]
    chance: ChanceObject,
    outcomes: Vec<OutcomeObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// The probability that A wins, rounded, exact and as a double.
#[derive(Serialize)]
struct ChanceObject {
    answer: String,
    fraction: String,
    probability: f64,
}

/// An arrangement that a reroll leads to.
#[derive(Debug, Serialize)]
struct OutcomeObject {
    arrangement: String,
    probability: f64,
}

impl From<&Advice> for AdviceObject {
    fn from(advice: &Advice) -> AdviceObject {
        let Case { a, b, stage } = advice.case;
        let object = |choice: &Choice| MoveObject::new(advice, choice);
        AdviceObject {
            a: a.into(),
            b: b.into(),
            mover: match stage {
                Stage::FirstRolls | Stage::AToMove => Some('A'),
                Stage::AFinished => Some('B'),
                Stage::Over => None,
            },
            over: advice.result(),
            chance: advice.chance.into(),
            moves: advice.choices.iter().map(object).collect(),
        }
    }
}

impl From<Hand> for HandObject {
    fn from(hand: Hand) -> HandObject {
        HandObject { dice: *hand.faces(), arrangement: hand.weight().arrangement().to_string() }
    }
}

impl MoveObject {
    fn new(advice: &Advice, choice: &Choice) -> MoveObject {
        let kept = choice.keep.kept;
        MoveObject {
            reroll: advice.case.deciding_hand().map_or_else(Vec::new, |hand| hand.rerolled(kept)),
            keep: kept.faces(),
            ways: choice.keep.ways,
            chance: choice.chance.into(),
            outcomes: choice.outcomes.objects(),
            next: advice.next(choice).map(|next| next.to_string()),
        }
    }

    /// The line of this choice, with `mark` before it.
    fn to_row(&self, mark: char) -> String {
        format!(
            "  {mark} {:<9}  {:<9}  {:>4}  {}  {}",
            faces_or_nothing(&self.reroll),
            faces_or_nothing(&self.keep),
            self.ways,
            self.chance.answer,
            self.chance.fraction
        )
    }
}

impl From<Chance> for ChanceObject {
    fn from(chance: Chance) -> ChanceObject {
        ChanceObject { answer: chance.to_string(), fraction: chance.fraction(), probability: chance.to_f64() }
    }
}

impl Outcomes {
    /// The possible arrangements, the heaviest first.
    fn possible(&self) -> Vec<Outcome> {
        let mut possible: Vec<Outcome> = self.iter().filter(|outcome| outcome.ways > 0).collect();
        possible.reverse();
        possible
    }

    fn objects(&self) -> Vec<OutcomeObject> {
        let object = |outcome: &Outcome| OutcomeObject {
            arrangement: outcome.arrangement.to_string(),
            probability: outcome.probability(),
        };
        self.possible().iter().map(object).collect()
    }

    /// A line per arrangement.
    fn rows(&self) -> impl Iterator<Item = String> {
        let row =
            |outcome: Outcome| format!("    {:<15}  {:.6}", outcome.arrangement.to_string(), outcome.probability());
        self.possible().into_iter().map(row)
    }
}

impl HandObject {
    fn describe(&self) -> String {
        format!("{} ({})", faces_or_nothing(&self.dice), self.arrangement)
    }
}

fn faces_or_nothing(faces: &[u8]) -> String {
    if faces.is_empty() {
        return String::from("nothing");
    }
    let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
    faces.join(" ")
}

/// The distribution of a reroll, by arrangement and by hand.
#[derive(Debug, Serialize)]
pub struct RerollReport {
    game: &'static str,
    keep: Vec<u8>,
    arrangements: Vec<OutcomeObject>,
    hands: Vec<HandChance>,
    #[serde(skip)]
    outcomes: Outcomes,
}

/// A hand that a reroll may lead to.
#[derive(Debug, Serialize)]
struct HandChance {
    #[serde(flatten)]
    hand: HandObject,
    probability: f64,
}

impl RerollReport {
    pub(super) fn new(kept: Kept, outcomes: Outcomes, distribution: &[u16]) -> RerollReport {
        let hands = HandRank::all()
            .map(HandRank::hand)
            .zip(distribution.iter().copied())
            .filter(|&(_, ways)| ways > 0)
            .collect();
        let hands = ranked(hands, |(hand, _): &(Hand, u16)| -hand.weight().number());
        let chance = |(hand, ways): (Hand, u16)| HandChance {
            hand: hand.into(),
            probability: f64::from(ways) / f64::from(ROLLS),
        };
        RerollReport {
            game: "dice",
            keep: kept.faces(),
            arrangements: outcomes.objects(),
            hands: hands.into_iter().map(chance).collect(),
            outcomes,
        }
    }
}

impl Reply for RerollReport {
    /// The arrangements, then the hands, the heaviest first.
    fn to_text(&self) -> String {
        let mut text = format!("keep {}, reroll {}\n", faces_or_nothing(&self.keep), DICE - self.keep.len());
        let mut line = |content: &str| push_line(&mut text, content);
        line("    arrangement      probability");
        self.outcomes.rows().for_each(|row| line(&row));
        line("    hand       arrangement      probability");
        for HandChance { hand, probability } in &self.hands {
            line(&format!("    {}  {:<15}  {probability:.6}", faces_or_nothing(&hand.dice), hand.arrangement));
        }
        text
    }

    #[cfg(feature = "json")]
    fn to_json(&self) -> Vec<u8> {
        crate::text::to_json(self)
    }
}
