//! Explanations of coloured Jenga, as text and as JSON.

use std::fmt;

use serde::{Serialize, Serializer};

use super::answer::{Advice, Choice};
use super::rules::{Colour, Level, Minutes, Place, Spot, Tower};
use crate::explain::{Explain, Paint, RankedMove, push_line, then_block};

impl Advice {
    /// Whether the game is over, because no block can be taken.
    pub fn is_over(&self) -> bool {
        Colour::ALL.iter().all(|&colour| self.choices(colour).next().is_none())
    }
}

impl Explain for Advice {
    type Case = Tower;
    type Value = Minutes;

    fn to_text(&self, paint: Paint) -> String {
        let advice = AdviceObject::from(self);
        let mut text = format!("{}\n", advice.answer);
        let mut line = |content: &str| push_line(&mut text, content);
        for number in (1..=advice.levels.len()).rev() {
            line(&advice.picture(number, paint));
        }
        if self.is_over() {
            line("  the game is over: no block can be taken");
            return text + "\n";
        }
        for face in advice.faces.iter().filter(|face| !face.moves.is_empty()) {
            line(&format!("    {:<5} takes     puts            ways  minutes then", face.face));
            for row in face.rows(paint) {
                line(&row);
            }
        }
        line("  ways: how many moves leave equally many minutes; a line shows one of them");
        for face in &advice.faces {
            line(&format!("  {}", face.meaning()));
        }
        for face in &advice.faces {
            if let Some(best) = face.moves.first() {
                line(&then_block(&format!(", after {}", face.face), &best.next));
            }
        }
        text.push('\n');
        text
    }

    fn moves(&self) -> Vec<RankedMove<Tower, Minutes>> {
        let ranked = |choice: &Choice| RankedMove {
            name: choice.first.to_string(),
            value: choice.minutes,
            next: Some(self.tower.after_legal(choice.first)),
        };
        Colour::ALL.iter().flat_map(|&colour| self.choices(colour)).map(ranked).collect()
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AdviceObject::from(self).serialize(serializer)
    }
}

/// A tower with every move for every colour of the die.
#[derive(Serialize)]
struct AdviceObject {
    game: &'static str,
    levels: Vec<String>,
    answer: String,
    minutes: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<&'static str>,
    faces: Vec<FaceObject>,
}

/// A colour of the die with its moves, the best first. Without moves the player waits.
#[derive(Serialize)]
struct FaceObject {
    face: String,
    sides: u8,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct MoveObject {
    take: SpotObject,
    put: SpotObject,
    ways: usize,
    minutes: f64,
    next: String,
}

#[derive(PartialEq, Eq, Serialize)]
struct SpotObject {
    level: usize,
    place: String,
}

impl From<&Advice> for AdviceObject {
    fn from(advice: &Advice) -> AdviceObject {
        let coloured = Colour::ALL.map(|colour| FaceObject {
            face: colour.to_string(),
            sides: colour.sides(),
            moves: advice.choices(colour).map(|choice| MoveObject::new(&advice.tower, choice)).collect(),
        });
        let black = FaceObject { face: String::from("black"), sides: 1, moves: Vec::new() };
        AdviceObject {
            game: "jenga",
            levels: advice.tower.levels().iter().map(Level::to_string).collect(),
            answer: advice.minutes().to_string(),
            minutes: advice.minutes().0,
            over: advice.is_over().then_some("no block can be taken"),
            faces: coloured.into_iter().chain([black]).collect(),
        }
    }
}

impl MoveObject {
    fn new(tower: &Tower, choice: &Choice) -> MoveObject {
        MoveObject {
            take: choice.first.take.into(),
            put: choice.first.put.into(),
            ways: choice.moves(),
            minutes: choice.minutes.0,
            next: tower.after_legal(choice.first).to_string(),
        }
    }
}

impl From<Spot> for SpotObject {
    fn from(spot: Spot) -> SpotObject {
        SpotObject { level: spot.level, place: spot.place.to_string() }
    }
}

impl fmt::Display for SpotObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("level {} {}", self.level, self.place))
    }
}

impl AdviceObject {
    /// A level with the best take of every colour in brackets.
    fn picture(&self, number: usize, paint: Paint) -> String {
        let best: Vec<&SpotObject> = self.faces.iter().filter_map(|face| Some(&face.moves.first()?.take)).collect();
        let mut row = format!("  {number:>2} ");
        for (place, letter) in Place::ALL.into_iter().zip(self.levels[number - 1].chars()) {
            let spot = SpotObject::from(Spot { level: number, place });
            let (open, close) = if best.contains(&&spot) { ('[', ']') } else { (' ', ' ') };
            row.push_str(&format!("{open}{}{close}", painted(letter, paint)));
        }
        if number == self.levels.len() {
            row.push_str(" top");
        }
        row.trim_end().to_owned()
    }
}

/// A letter of the tower in its colour.
fn painted(letter: char, paint: Paint) -> String {
    let text = letter.to_string();
    match letter {
        'R' => paint.ansi(1, &text),
        'G' => paint.ansi(2, &text),
        'B' => paint.ansi(4, &text),
        _ => text,
    }
}

impl FaceObject {
    /// A line per move, the best one marked.
    fn rows(&self, paint: Paint) -> impl Iterator<Item = String> {
        self.moves.iter().enumerate().map(move |(place, choice)| {
            let MoveObject { take, put, ways, minutes, .. } = choice;
            let row = |mark| format!("  {mark} {take:<14}  {put:<14}  {ways:>4}  {minutes}");
            if place == 0 { paint.bold(&row('*')) } else { row(' ') }
        })
    }

    /// What the player does after this colour.
    fn meaning(&self) -> String {
        let face = &self.face;
        match self.moves.first() {
            Some(best) => format!("{face}: take {}, put it on {}", best.take, best.put),
            None if face == "black" => format!("{face}: wait"),
            None => format!("{face}: wait, no {face} block can be taken"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_coloured_only_if_colours_are_allowed() {
        assert_eq!(painted('R', Paint::Plain), "R");
        let painted: Vec<String> = "RGB.".chars().map(|letter| painted(letter, Paint::Colour)).collect();
        assert_eq!(painted, ["\x1b[31mR\x1b[0m", "\x1b[32mG\x1b[0m", "\x1b[34mB\x1b[0m", "."]);
    }
}
