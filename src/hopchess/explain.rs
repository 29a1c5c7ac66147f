//! Explanations of hop chess, as text and as JSON.

use serde::{Serialize, Serializer};

use super::answer::{Advice, Choice};
use super::chance::Chance;
use super::rules::{Case, Factors, Player};
use crate::explain::{Explain, Paint, RankedMove, push_line, then_block};

impl Explain for Advice {
    type Case = Case;
    type Value = Chance;

    fn to_text(&self, paint: Paint) -> String {
        let advice = AdviceObject::from(self);
        let mut text = format!("{}\n", self.chance);
        let mut line = |content: &str| push_line(&mut text, content);
        let Factors { justin, donald } = self.case.factors;
        line(&format!("  {} to move, J = {justin}, D = {donald}", advice.mover));
        line("");
        advice.picture().iter().for_each(|row| line(row));
        line("");
        if let Some(over) = &advice.over {
            line(&format!("  the game is over: {} cannot move, {over}", advice.mover));
            return text + "\n";
        }
        line(&format!("  {} proposes {} of {} moves", advice.mover, advice.proposal_size, advice.moves.len()));
        line("    from  to    takes  J wins  exactly");
        for choice in &advice.moves {
            let row = choice.to_row();
            line(&if choice.proposed { paint.bold(&row) } else { row });
        }
        line("  cells are row,column; * marks the proposal set: the mover plays one of");
        line("  these moves at random, as many as his error factor (J or D above) allows");
        for MoveObject { from, to, next, .. } in advice.moves.iter().filter(|choice| choice.proposed) {
            line(&then_block(&format!(", after {} to {}", from.to_text(), to.to_text()), next));
        }
        text.push('\n');
        text
    }

    fn moves(&self) -> Vec<RankedMove<Case, Chance>> {
        let shape = self.case.position.board.shape();
        let ranked = |choice: &Choice| RankedMove {
            name: choice.capture.on(shape),
            value: choice.chance,
            next: Some(self.next(choice)),
        };
        self.choices.iter().map(ranked).collect()
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AdviceObject::from(self).serialize(serializer)
    }
}

/// A position with every move of the side to move.
#[derive(Serialize)]
struct AdviceObject {
    game: &'static str,
    board: Vec<String>,
    mover: char,
    factors: FactorsObject,
    proposal_size: usize,
    #[serde(flatten)]
    chance: ChanceObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<String>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct FactorsObject {
    justin: usize,
    donald: usize,
}

#[derive(Serialize)]
struct MoveObject {
    from: CellObject,
    to: CellObject,
    captured: char,
    proposed: bool,
    #[serde(flatten)]
    chance: ChanceObject,
    next: String,
}

/// The row and the column of a cell, counted from 1.
#[derive(Serialize)]
struct CellObject {
    row: usize,
    column: usize,
}

/// The probability that Justin wins: rounded, as an exact fraction if that is short, and as a double.
#[derive(Serialize)]
struct ChanceObject {
    answer: String,
    fraction: Option<String>,
    probability: f64,
}

impl From<&Advice> for AdviceObject {
    fn from(advice: &Advice) -> AdviceObject {
        let Case { position, factors } = advice.case;
        AdviceObject {
            game: "hopchess",
            board: position.board.to_string().lines().map(str::to_owned).collect(),
            mover: position.to_move.letter(),
            factors: FactorsObject { justin: factors.justin.moves(), donald: factors.donald.moves() },
            proposal_size: advice.choices.iter().filter(|choice| choice.proposed).count(),
            chance: advice.chance.into(),
            over: advice.winner().map(|winner| format!("{winner} has won")),
            moves: advice.choices.iter().map(|choice| MoveObject::new(advice, choice)).collect(),
        }
    }
}

impl MoveObject {
    fn new(advice: &Advice, choice: &Choice) -> MoveObject {
        let board = advice.case.position.board;
        let columns = board.shape().columns();
        let cell = |cell: usize| CellObject { row: cell / columns + 1, column: cell % columns + 1 };
        MoveObject {
            from: cell(choice.capture.from),
            to: cell(choice.capture.to),
            captured: board.owner(choice.capture.to).map_or('.', Player::letter),
            proposed: choice.proposed,
            chance: choice.chance.into(),
            next: advice.next(choice).to_string(),
        }
    }

    fn to_row(&self) -> String {
        format!(
            "  {} {:<4}  {:<4}  {}      {}   {}",
            if self.proposed { '*' } else { ' ' },
            self.from.to_text(),
            self.to.to_text(),
            self.captured,
            self.chance.answer,
            self.chance.fraction.clone().unwrap_or_else(|| format!("about {}", self.chance.probability))
        )
    }
}

impl From<Chance> for ChanceObject {
    fn from(chance: Chance) -> ChanceObject {
        ChanceObject { answer: chance.to_string(), fraction: chance.fraction(), probability: chance.to_f64() }
    }
}

impl AdviceObject {
    /// The board with the numbers of its rows and columns.
    fn picture(&self) -> Vec<String> {
        let columns = self.board.first().map_or(0, String::len);
        let width = columns.to_string().len().max(self.board.len().to_string().len());
        let row = |head: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| format!("{cell:>width$}")).collect();
            format!("    {head:>width$}  {}", cells.join(" "))
        };
        let heads = row("", &mut (1..=columns).map(|column| column.to_string()));
        let rows = self.board.iter().zip(1..);
        let rows = rows.map(|(cells, number)| row(&number.to_string(), &mut cells.chars().map(String::from)));
        std::iter::once(heads).chain(rows).collect()
    }
}

impl CellObject {
    fn to_text(&self) -> String {
        format!("{},{}", self.row, self.column)
    }
}
