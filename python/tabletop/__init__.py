"""Exact answers to bounded games from tables inside the package, any table of tabletop, and a game of your own.

The games are the modules `dice`, `jenga`, `hopchess`, `codenames` and `balda`. Positions are the judge's texts.
"""

from tabletop import balda, codenames, dice, hopchess, jenga
from tabletop._answer import Advice, Move, Value
from tabletop._errors import InputError, LimitError, RulesError, TableError
from tabletop._native import Node, __version__
from tabletop.kit import Rules, Solved
from tabletop.table import Table

__all__ = [
    "Advice",
    "InputError",
    "LimitError",
    "Move",
    "Node",
    "Rules",
    "RulesError",
    "Solved",
    "Table",
    "TableError",
    "Value",
    "__version__",
    "balda",
    "codenames",
    "dice",
    "hopchess",
    "jenga",
]
