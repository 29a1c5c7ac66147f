//! `tabletop tables`.

use clap::Args;
use tabletop::door::{Failure, no_tables_message, print, table_message};
use tabletop::table::{Inventory, Look, Places};

use super::failure::say;

/// The line of this command in the overview of all commands.
pub(super) const ABOUT: &str = "The tables that are found: where, how large, of which version";

/// The arguments of `tabletop tables`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "Examples:\n  tabletop tables\n  tabletop tables --verify --tables /usr/share/tabletop/tables")]
pub(crate) struct TablesArguments {
    /// Read every block, and tell shipped tables from others
    #[arg(long)]
    verify: bool,
}

/// Lists the tables, and prints an error for each table that is missing or unusable.
pub(super) fn run(arguments: &TablesArguments, places: &Places) -> Result<(), Failure> {
    let look = if arguments.verify { Look::Verify } else { Look::Open };
    let inventory = Inventory::take(places, tabletop::game::tables(), look);
    if let Some(searched) = inventory.no_tables() {
        say(no_tables_message(searched));
        return Err(Failure::Reported);
    }
    if inventory.has_tables() {
        print(inventory.to_string().as_bytes())?;
    }
    let mut errors: Vec<String> = inventory.errors().map(table_message).collect();
    // If `SHA256SUMS` cannot be read, every table beside it has the same error.
    errors.dedup();
    errors.iter().for_each(say);
    if errors.is_empty() { Ok(()) } else { Err(Failure::Reported) }
}
