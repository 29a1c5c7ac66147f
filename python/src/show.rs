//! How a Python game looks on a page.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PySet};
use tabletop::kit::{Cell, Colour, Look, Shape, Touch};

/// The names of pieces. A process has few of them, and each is kept once.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn kept(name: String) -> &'static str {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(&*name) {
        return known;
    }
    let name: &'static str = name.leak();
    names.insert(name);
    name
}

/// The looks of a dictionary: a character, and its name, colour and shape.
pub(crate) fn look(looks: &Bound<'_, PyAny>) -> PyResult<Vec<Look>> {
    let looks = looks.cast::<PyMapping>().map_err(|_| PyTypeError::new_err("look is a dictionary"))?;
    let pairs = looks.items()?;
    pairs.iter().map(|pair| pair.extract().and_then(|(glyph, look)| one_look(glyph, look))).collect()
}

fn one_look(glyph: char, (name, colour, shape): (String, String, String)) -> PyResult<Look> {
    let colour = match &*colour {
        "red" => Colour::Red,
        "green" => Colour::Green,
        "blue" => Colour::Blue,
        "yellow" => Colour::Yellow,
        "black" => Colour::Black,
        "white" => Colour::White,
        _ => {
            return Err(PyValueError::new_err(format!(
                "'{colour}' is no colour, write red, green, blue, yellow, black or white"
            )));
        }
    };
    let shape = match &*shape {
        "disc" => Shape::Disc,
        "block" => Shape::Block,
        "tile" => Shape::Tile,
        "text" => Shape::Text,
        _ => return Err(PyValueError::new_err(format!("'{shape}' is no shape, write disc, block, tile or text"))),
    };
    Ok(Look::new(glyph, kept(name), colour, shape))
}

/// The rows of a board.
pub(crate) fn board(rows: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    rows.try_iter()?.map(|row| row?.extract()).collect()
}

/// What a move touches: cells one after the other, or a set of cells in any order.
pub(crate) fn touch(cells: &Bound<'_, PyAny>) -> PyResult<Touch> {
    let all = cells.try_iter()?.map(|cell| cell?.extract().map(|(row, column)| Cell(row, column)));
    let all = all.collect::<PyResult<Vec<Cell>>>()?;
    if cells.is_instance_of::<PySet>() {
        return Ok(Touch::cells(all));
    }
    Ok(all.into_iter().fold(Touch::button(), Touch::then))
}
