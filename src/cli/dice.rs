//! `tabletop dice`.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use tabletop::dice::answer::Stage;
use tabletop::dice::{Advice, Adviser, Answers, Case, Chance, Choice, Hand, judge};
use tabletop::input::InputError;
use tabletop::table::{MappedFile, Places};

use super::failure::Failure;
use super::paint::Paint;
use super::query::{self, Around, Explain, Game, QueryArguments, Source};

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "Dice poker: the probability that A wins";

/// The arguments of `tabletop dice`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "\
Input: the number of cases, then for each case A's five dice on one line and B's five dice on the next.

Examples:
  printf '1\\n6 6 6 6 6\\n1 2 3 4 5\\n' | tabletop dice
  printf '1\\n1 2 3 1 1\\n1 2 3 4 5\\n' | tabletop dice --explain
  printf '1\\n1 1 1 4 4\\n1 2 3 4 5\\n' | tabletop dice --a-finished --explain")]
pub(crate) struct DiceArguments {
    #[command(flatten)]
    query: QueryArguments,
    /// A's dice are his final hand: the answer is for B's best reply, and the moves are B's
    #[arg(long)]
    a_finished: bool,
}

/// Answers the dice poker cases that the arguments name.
pub(super) fn run(arguments: &DiceArguments, places: &Places) -> Result<(), Failure> {
    let stage = if arguments.a_finished { Stage::AFinished } else { Stage::FirstRolls };
    query::run(DiceGame { stage, places, answers: None, adviser: None }, &arguments.query)
}

/// Opens each table when the first case needs it.
struct DiceGame<'a> {
    stage: Stage,
    places: &'a Places,
    answers: Option<Answers<MappedFile>>,
    adviser: Option<Adviser<MappedFile>>,
}

impl DiceGame<'_> {
    fn first_rolls(&mut self, case: Case) -> Result<Chance, Failure> {
        let answers = match &mut self.answers {
            Some(open) => open,
            closed => closed.insert(Answers::open(self.places)?),
        };
        Ok(answers.first_rolls(case.a, case.b)?)
    }

    fn advise(&mut self, case: Case) -> Result<Advice, Failure> {
        let adviser = match &mut self.adviser {
            Some(open) => open,
            closed => closed.insert(Adviser::open(self.places)?),
        };
        Ok(adviser.advise(case, self.stage)?)
    }
}

impl Game for DiceGame<'_> {
    const NAME: &'static str = "dice";
    const FORMAT: &'static str = "write the number of cases, then A's dice and B's dice on a line each";
    const OBJECT: Around = Around { before: r#"{"game":"dice","cases":["#, after: "]}" };
    type Case = Case;
    type Explanation = Explanation;

    fn begin(&mut self, lines: &mut Source) -> Result<Option<u32>, InputError> {
        judge::read_count(lines)
    }

    fn read(&mut self, lines: &mut Source) -> Result<Case, InputError> {
        judge::read_case(lines)
    }

    fn answer(&mut self, case: &Case, out: &mut Vec<u8>) -> Result<(), Failure> {
        let chance = match self.stage {
            Stage::FirstRolls => self.first_rolls(*case)?,
            Stage::AFinished => self.advise(*case)?.chance(),
        };
        judge::write_answer(chance, out);
        Ok(())
    }

    fn explain(&mut self, case: &Case) -> Result<Explanation, Failure> {
        Ok(Explanation::from(&self.advise(*case)?))
    }
}

/// A case with every choice of the player who decides, as people and scripts read it.
#[derive(Serialize)]
struct Explanation {
    a: HandText,
    b: HandText,
    mover: char,
    #[serde(flatten)]
    chance: ChanceText,
    moves: Vec<MoveText>,
}

#[derive(Serialize)]
struct HandText {
    dice: [u8; 5],
    arrangement: String,
}

#[derive(Serialize)]
struct MoveText {
    reroll: Vec<u8>,
    keep: Vec<u8>,
    ways: u32,
    #[serde(flatten)]
    chance: ChanceText,
}

/// The probability that A wins, rounded, exact and as a double.
#[derive(Serialize)]
struct ChanceText {
    answer: String,
    fraction: String,
    probability: f64,
}

impl From<&Advice> for Explanation {
    fn from(advice: &Advice) -> Explanation {
        let (mover, hand) = match advice.stage {
            Stage::FirstRolls => ('A', advice.case.a),
            Stage::AFinished => ('B', advice.case.b),
        };
        Explanation {
            a: advice.case.a.into(),
            b: advice.case.b.into(),
            mover,
            chance: advice.chance().into(),
            moves: advice.choices.iter().map(|choice| MoveText::new(hand, choice)).collect(),
        }
    }
}

impl From<Hand> for HandText {
    fn from(hand: Hand) -> HandText {
        HandText { dice: *hand.faces(), arrangement: hand.weight().arrangement().to_string() }
    }
}

impl MoveText {
    fn new(hand: Hand, choice: &Choice) -> MoveText {
        let kept = choice.keep.kept;
        MoveText {
            reroll: hand.rerolled(kept),
            keep: kept.faces(),
            ways: choice.keep.ways,
            chance: choice.chance.into(),
        }
    }
}

impl From<Chance> for ChanceText {
    fn from(chance: Chance) -> ChanceText {
        ChanceText { answer: chance.to_string(), fraction: chance.fraction(), probability: chance.to_f64() }
    }
}

impl Explain for Explanation {
    fn to_text(&self, paint: Paint) -> String {
        let mut text = format!("{}\n", self.chance.answer);
        let mut line = |content: &str| writeln!(text, "{content}").expect("a string takes any text");
        line(&format!("  A {}, B {}: {} to reroll", self.a.describe(), self.b.describe(), self.mover));
        line(&format!("    {} rerolls  keeps      ways  A wins    exactly", self.mover));
        for choice in &self.moves {
            let best = choice.chance.fraction == self.chance.fraction;
            let row = format!(
                "  {} {:<9}  {:<9}  {:>4}  {}  {}",
                if best { '*' } else { ' ' },
                faces_or_none(&choice.reroll),
                faces_or_none(&choice.keep),
                choice.ways,
                choice.chance.answer,
                choice.chance.fraction
            );
            line(&if best { paint.bold(&row) } else { row });
        }
        text.push('\n');
        text
    }
}

impl HandText {
    fn describe(&self) -> String {
        format!("{} ({})", faces_or_none(&self.dice), self.arrangement)
    }
}

fn faces_or_none(faces: &[u8]) -> String {
    if faces.is_empty() {
        return String::from("nothing");
    }
    let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
    faces.join(" ")
}
