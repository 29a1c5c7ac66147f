//! The native part of the Python package `tabletop`. The modules in `python/tabletop` give it types and names.

mod answer;
mod batch;
mod error;
mod kit;
mod node;
mod search;
mod session;
mod show;
mod table;

use std::sync::LazyLock;

use pyo3::prelude::*;
use tabletop::dice::Dice;
use tabletop::hopchess::Hopchess;
use tabletop::jenga::Jenga;
use tabletop::table::Places;

// Each table is opened at its first use.
static DICE: LazyLock<Dice> = LazyLock::new(|| Dice::at(&Places::inside_program()));
static JENGA: LazyLock<Jenga> = LazyLock::new(|| Jenga::at(&Places::inside_program()));
static HOPCHESS: LazyLock<Hopchess> = LazyLock::new(|| Hopchess::at(&Places::inside_program()));

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(answer::answer, module)?)?;
    module.add_function(wrap_pyfunction!(answer::balda_play, module)?)?;
    module.add_function(wrap_pyfunction!(answer::dice_ways, module)?)?;
    module.add_function(wrap_pyfunction!(answer::jenga_minutes, module)?)?;
    module.add_function(wrap_pyfunction!(answer::hopchess_chance, module)?)?;
    module.add_function(wrap_pyfunction!(batch::dice_values, module)?)?;
    module.add_function(wrap_pyfunction!(batch::jenga_values, module)?)?;
    module.add_function(wrap_pyfunction!(batch::hopchess_values, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<table::Table>()?;
    module.add_class::<node::Node>()?;
    module.add_class::<kit::Solved>()?;
    module.add_function(wrap_pyfunction!(kit::solve, module)?)?;
    module.add_function(wrap_pyfunction!(kit::open_table, module)?)?;
    module.add_function(wrap_pyfunction!(kit::main, module)?)?;
    Ok(())
}
